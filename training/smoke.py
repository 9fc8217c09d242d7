"""Both stages for real, on a processor and without a download: `python -m training.smoke`. Exits 1 where GRPO does not
raise the reward of wordings it was not trained on. A tiny model is made on the spot; `--gguf FILE` takes weights from
disk instead. `--reward URL` asks a running `candor reward serve --database sqlite:out/smoke/toy.db`; `--database-only`
writes that database."""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed

from training.examples import Line, render_prompt, to_reward_items
from training.grpo import Scorer, make_client, train_grpo
from training.reward_client import Score
from training.settings import GrpoSettings, SftSettings, read_settings
from training.sft import train_sft
from training.toy_set import TextScorer, make_toy_lines, write_toy_database

CONFIGS = Path(__file__).parent / "configs"
OUT = Path("out/smoke")
SEED = 1
SAMPLES = 8
# Below this a rise could be chance: 160 outputs are sampled, each from -0.8 to 3.4.
LEAST_RISE = 0.2
PARTS = ("total", "format", "grammar", "length", "accuracy")


def make_tokenizer(lines: Sequence[Line]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=512,
        special_tokens=["<pad>", "<eos>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([f"{line['prompt']}\n{line['target']}" for line in lines], trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", padding_side="left")


def make_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=96,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=256,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


def open_gguf(file: Path) -> tuple[Any, Any]:
    """Weights of a GGUF file, taken out of their blocks into 32-bit numbers."""
    options = {"gguf_file": file.name, "local_files_only": True}
    tokenizer = AutoTokenizer.from_pretrained(file.parent, padding_side="left", **options)
    opened = AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **options)
    config = opened.config
    # The weights are plain numbers now; a mark of how they were packed would keep trainers from them.
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.load_state_dict(opened.state_dict())
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model, tokenizer


@torch.no_grad()
def measure(model: Any, tokenizer: Any, lines: Sequence[Line], scorer: Scorer, longest: int) -> Score:
    """Mean of the reward and its parts over `SAMPLES` outputs a question, drawn from a seed of its own."""
    asked = [line for line in lines for _ in range(SAMPLES)]
    texts = [render_prompt(line["prompt"], tokenizer) for line in asked]
    model.eval()
    with torch.random.fork_rng():
        torch.manual_seed(SEED + 1)
        batch = tokenizer(texts, return_tensors="pt", padding=True, return_token_type_ids=False)
        options = {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0}
        written = model.generate(**batch, **options, max_new_tokens=longest, pad_token_id=tokenizer.pad_token_id)
    model.train()
    ids = written[:, batch["input_ids"].shape[1] :]
    outputs = tokenizer.batch_decode(ids, skip_special_tokens=True)
    lengths = (ids != tokenizer.pad_token_id).sum(dim=1).tolist()
    scores = scorer.score(to_reward_items(asked, outputs, lengths))
    print(f"  for instance: {outputs[0]!r}")
    return Score(**{part: statistics.fmean(getattr(score, part) for score in scores) for part in PARTS})


def tell(stage: str, score: Score, seconds: float) -> None:
    parts = ", ".join(f"{part} {getattr(score, part):.3f}" for part in PARTS[1:])
    print(f"{stage:<12} reward {score.total:.3f} ({parts}); {seconds:.0f} s", flush=True)


def run(given: argparse.Namespace) -> float:
    """How much GRPO raised the reward on the wordings of `test`."""
    sft = read_settings(CONFIGS / "smoke-sft.yaml")
    grpo = read_settings(CONFIGS / "smoke-grpo.yaml")
    assert isinstance(sft, SftSettings) and isinstance(grpo, GrpoSettings)
    if given.gguf:
        sft = replace(sft, learning_rate=2.0e-4, max_steps=given.sft_steps or 8)
        grpo = replace(grpo, learning_rate=1.0e-5, max_steps=given.grpo_steps or 6, batch=16, log_steps=1)
    sft = replace(sft, max_steps=given.sft_steps or sft.max_steps)
    grpo = replace(grpo, max_steps=given.grpo_steps or grpo.max_steps)
    scorer: Scorer = TextScorer()
    if given.reward:
        client = make_client(replace(grpo.reward, url=given.reward))
        client.check()
        scorer = client
    lines = make_toy_lines()
    train, test = ([line for line in lines if line["split"] == split] for split in ("train", "test"))
    if given.gguf:
        model, tokenizer = open_gguf(given.gguf)
    else:
        tokenizer = make_tokenizer(train)
        model = make_model(tokenizer)
    print(f"{sum(each.numel() for each in model.parameters()):,} weights; scored by {given.reward or 'text alone'}")
    from_ = time.monotonic()
    tell("before", measure(model, tokenizer, test, scorer, grpo.max_completion), time.monotonic() - from_)
    from_ = time.monotonic()
    model = train_sft(sft, train, model, tokenizer).model
    before = measure(model, tokenizer, test, scorer, grpo.max_completion)
    tell("after SFT", before, time.monotonic() - from_)
    from_ = time.monotonic()
    model = train_grpo(grpo, train, model, tokenizer, scorer).model
    after = measure(model, tokenizer, test, scorer, grpo.max_completion)
    tell("after GRPO", after, time.monotonic() - from_)
    return after.total - before.total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reward", metavar="URL", help="a running reward server; without it, text alone is compared")
    parser.add_argument("--gguf", type=Path, metavar="FILE", help="weights to start from")
    parser.add_argument("--sft-steps", type=int)
    parser.add_argument("--grpo-steps", type=int)
    parser.add_argument("--database-only", action="store_true", help="write out/smoke/toy.db and stop")
    given = parser.parse_args()
    if given.gguf and not given.gguf.is_file():
        parser.error(f"--gguf: {given.gguf} is no file")
    OUT.mkdir(parents=True, exist_ok=True)
    if given.database_only:
        write_toy_database(OUT / "toy.db")
        print(OUT / "toy.db")
        return
    # What an earlier smoke run left must not be gone on from.
    for stage in ("sft", "grpo"):
        shutil.rmtree(OUT / stage, ignore_errors=True)
    torch.set_num_threads(1)  # matrices this small are slower on two
    set_seed(SEED)
    rise = run(given)
    print(f"GRPO raised the reward by {rise:.3f}; at least {LEAST_RISE} is asked for")
    sys.exit(0 if rise >= LEAST_RISE else 1)


if __name__ == "__main__":
    main()
