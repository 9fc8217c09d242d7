"""Supervised stage: `python -m training.sft training/configs/paper-sft.yaml`. Loss on the target alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from datasets import Dataset
from transformers import AutoTokenizer
from trl import SFTConfig, SFTTrainer

from training.examples import Line, read_examples, render_prompt
from training.run_stage import latest_checkpoint, load_model, read_command_line, shared_options
from training.settings import SftSettings


def to_rows(lines: Sequence[Line], tokenizer: Any, max_length: int) -> list[dict[str, str]]:
    """Prompts with targets; what is longer than `max_length` is left out, since a target that is cut teaches to stop early."""
    rows = [{"prompt": render_prompt(line["prompt"], tokenizer), "completion": line["target"]} for line in lines]
    lengths = [len(tokenizer(row["prompt"] + row["completion"])["input_ids"]) + 1 for row in rows]
    kept = [row for row, length in zip(rows, lengths) if length <= max_length]
    print(f"{len(kept)} samples; {len(rows) - len(kept)} longer than {max_length} tokens are left out", file=sys.stderr)
    if not kept:
        raise ValueError(f"every sample is longer than max_length, {max_length} tokens")
    return kept


def to_config(settings: SftSettings) -> SFTConfig:
    return SFTConfig(
        **shared_options(settings),
        max_length=settings.max_length,
        completion_only_loss=True,
        packing=False,
    )


def train_sft(settings: SftSettings, lines: Sequence[Line], model: Any, tokenizer: Any) -> SFTTrainer:
    """Trains, goes on from the last checkpoint in `output`, and saves there."""
    trainer = SFTTrainer(
        model=model,
        args=to_config(settings),
        train_dataset=Dataset.from_list(to_rows(lines, tokenizer, settings.max_length)),
        processing_class=tokenizer,
    )
    trainer.train(resume_from_checkpoint=latest_checkpoint(settings.output))
    trainer.save_model(settings.output)
    return trainer


def main() -> None:
    settings, data = read_command_line("sft", __doc__)
    assert isinstance(settings, SftSettings)
    lines = read_examples(data, settings.split)
    tokenizer = AutoTokenizer.from_pretrained(settings.model)
    train_sft(settings, lines, load_model(settings), tokenizer)


if __name__ == "__main__":
    main()
