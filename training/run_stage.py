"""What both stages share: their command line, the options of transformers, weights, and going on where a run stopped."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM
from transformers.trainer_utils import get_last_checkpoint

from training.settings import Settings, WrongSettings, read_settings


def read_command_line(stage: str, description: str | None) -> tuple[Settings, Path]:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("settings", type=Path, help="a file of training/configs")
    for key in ("model", "data", "output"):
        parser.add_argument(f"--{key}", help=f"in the place of {key} of the file")
    given = parser.parse_args()
    overrides = {key: getattr(given, key) for key in ("model", "data", "output") if getattr(given, key)}
    try:
        settings = read_settings(given.settings, overrides)
        if settings.stage != stage:
            raise WrongSettings(f"{given.settings.name}: stage is {settings.stage}; this command is for {stage}")
    except (WrongSettings, OSError) as error:
        parser.error(str(error))
    if not Path(settings.model).is_dir():
        parser.error(f"model: {settings.model} is no folder; weights are read from disk alone")
    return settings, Path(settings.data)


def load_model(settings: Settings) -> Any:
    dtype = torch.bfloat16 if settings.precision == "bf16" else torch.float32
    return AutoModelForCausalLM.from_pretrained(settings.model, dtype=dtype)


def latest_checkpoint(output: str) -> str | None:
    return get_last_checkpoint(output) if Path(output).is_dir() else None


def shared_options(settings: Settings) -> dict[str, Any]:
    """Options of `TrainingArguments`; a ratio of steps is what `warmup_steps` below 1 means to transformers."""
    return {
        "output_dir": settings.output,
        "learning_rate": settings.learning_rate,
        "num_train_epochs": settings.epochs,
        "max_steps": settings.max_steps,
        "per_device_train_batch_size": settings.batch,
        "gradient_accumulation_steps": settings.accumulation,
        "warmup_steps": settings.warmup_ratio,
        "lr_scheduler_type": settings.scheduler,
        "bf16": settings.precision == "bf16",
        "use_cpu": not torch.cuda.is_available(),
        "gradient_checkpointing": settings.gradient_checkpointing,
        "logging_steps": settings.log_steps,
        "save_steps": settings.save_steps,
        "save_total_limit": 2,
        "seed": settings.seed,
        "data_seed": settings.seed,
        "report_to": "none",
    }
