"""Reinforcement stage: `python -m training.grpo training/configs/paper-grpo.yaml`, with `candor reward serve` running."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from datasets import Dataset
from transformers import AutoTokenizer
from trl import GRPOConfig, GRPOTrainer

from training.examples import SCORED, Line, read_examples, render_prompt, to_reward_items
from training.reward_client import RewardClient, Score
from training.run_stage import latest_checkpoint, load_model, read_command_line, shared_options
from training.settings import GrpoSettings, RewardSettings


class Scorer(Protocol):
    def score(self, items: Sequence[Line]) -> list[Score]: ...


def make_client(settings: RewardSettings) -> RewardClient:
    return RewardClient(
        settings.url,
        batch=settings.batch,
        connections=settings.connections,
        timeout_s=settings.timeout_s,
        patience_s=settings.patience_s,
    )


def make_reward(scorer: Scorer) -> Callable[..., list[float]]:
    """The reward as TRL calls it; means of its parts are logged beside the total."""

    def candor_reward(completions: list[str], completion_ids: list[list[int]], **columns: Any) -> list[float]:
        lines = [
            {key: columns[key][at] for key in SCORED if key in columns} for at in range(len(completions))
        ]
        lengths = [len(ids) for ids in completion_ids]
        scores = scorer.score(to_reward_items(lines, completions, lengths))
        log = columns.get("log_metric")
        if log is not None:
            for part in ("format", "grammar", "length", "accuracy"):
                log(f"reward/{part}", statistics.fmean(getattr(score, part) for score in scores))
        return [score.total for score in scores]

    return candor_reward


def to_rows(lines: Sequence[Line], tokenizer: Any) -> list[Line]:
    """Every row has every column, as tables of Arrow must; an absent one is null and is not sent."""
    return [
        {key: line.get(key) for key in SCORED if any(key in each for each in lines)}
        | {"prompt": render_prompt(line["prompt"], tokenizer)}
        for line in lines
    ]


def to_config(settings: GrpoSettings) -> GRPOConfig:
    vllm = settings.vllm
    rollouts: dict[str, Any] = {}
    if vllm is not None:
        rollouts = {
            "use_vllm": True,
            "vllm_mode": vllm.mode,
            "vllm_server_host": vllm.host,
            "vllm_server_port": vllm.port,
            "vllm_server_timeout": vllm.server_timeout_s,
            "vllm_gpu_memory_utilization": vllm.gpu_memory_utilization,
            "vllm_tensor_parallel_size": vllm.tensor_parallel_size,
        }
    return GRPOConfig(
        **shared_options(settings),
        **rollouts,
        num_generations=settings.group,
        max_completion_length=settings.max_completion,
        temperature=settings.temperature,
        beta=settings.kl,
        epsilon=settings.clip_low,
        epsilon_high=settings.clip_high,
        num_iterations=settings.iterations,
        mask_truncated_completions=settings.mask_truncated,
        scale_rewards="group",  # (r - mean) / std of the group
        loss_type="dapo",  # averaged over tokens
        remove_unused_columns=False,
    )


def train_grpo(
    settings: GrpoSettings, lines: Sequence[Line], model: Any, tokenizer: Any, scorer: Scorer
) -> GRPOTrainer:
    """Trains, goes on from the last checkpoint in `output`, and saves there."""
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=make_reward(scorer),
        args=to_config(settings),
        train_dataset=Dataset.from_list(to_rows(lines, tokenizer)),
        processing_class=tokenizer,
    )
    trainer.train(resume_from_checkpoint=latest_checkpoint(settings.output))
    trainer.save_model(settings.output)
    return trainer


def main() -> None:
    settings, data = read_command_line("grpo", __doc__)
    assert isinstance(settings, GrpoSettings)
    lines = read_examples(data, settings.split)
    client = make_client(settings.reward)
    client.check()
    tokenizer = AutoTokenizer.from_pretrained(settings.model, padding_side="left")
    train_grpo(settings, lines, load_model(settings), tokenizer, client)


if __name__ == "__main__":
    main()
