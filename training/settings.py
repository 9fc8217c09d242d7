"""Settings of a run, read from YAML and checked: an unknown key or a wrong kind of value is an error that names it."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


class WrongSettings(ValueError):
    """The message names the file and the key."""


@dataclass(frozen=True)
class RewardSettings:
    """Where scores come from; batch × connections as in the guide to the reward."""

    url: str = "http://127.0.0.1:8712"
    batch: int = 16
    connections: int = 4
    timeout_s: float = 120.0
    patience_s: float = 300.0


@dataclass(frozen=True)
class VllmSettings:
    """Rollouts by `trl vllm-serve` on other GPUs (`server`), or beside the trainer (`colocate`)."""

    mode: Literal["server", "colocate"]
    host: str = "127.0.0.1"
    port: int = 8000
    server_timeout_s: float = 600.0
    gpu_memory_utilization: float = 0.3
    tensor_parallel_size: int = 1


@dataclass(frozen=True)
class SftSettings:
    stage: Literal["sft"]
    model: str
    data: str
    output: str
    learning_rate: float
    epochs: float
    batch: int
    accumulation: int
    warmup_ratio: float
    max_length: int
    split: str = "train"
    precision: Literal["bf16", "fp32"] = "bf16"
    gradient_checkpointing: bool = True
    scheduler: str = "cosine"
    max_steps: int = -1
    save_steps: int = 100
    log_steps: int = 10
    seed: int = 1


@dataclass(frozen=True)
class GrpoSettings:
    stage: Literal["grpo"]
    model: str
    data: str
    output: str
    learning_rate: float
    epochs: float
    batch: int
    accumulation: int
    group: int
    kl: float
    clip_low: float
    clip_high: float
    iterations: int
    temperature: float
    max_completion: int
    mask_truncated: bool
    reward: RewardSettings
    vllm: VllmSettings | None = None
    split: str = "train"
    warmup_ratio: float = 0.0
    precision: Literal["bf16", "fp32"] = "bf16"
    gradient_checkpointing: bool = True
    scheduler: str = "cosine"
    max_steps: int = -1
    save_steps: int = 50
    log_steps: int = 1
    seed: int = 1


Settings = SftSettings | GrpoSettings
POSITIVE = frozenset(
    "learning_rate epochs batch accumulation max_length group iterations temperature max_completion "
    "connections timeout_s port tensor_parallel_size save_steps log_steps".split()
)
NOT_NEGATIVE = frozenset("warmup_ratio kl clip_low clip_high patience_s seed".split())


def read_settings(path: Path, overrides: dict[str, Any] | None = None) -> Settings:
    """`overrides` are keys of the top level that stand above the file's (model, data, output)."""
    import yaml  # of the training environment; the checks below need none

    try:
        tree = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise WrongSettings(f"{path.name}: not YAML: {error}") from None
    if isinstance(tree, dict):
        tree = tree | (overrides or {})
    return check_settings(tree, path.name)


def check_settings(tree: object, name: str) -> Settings:
    stage = tree.get("stage") if isinstance(tree, dict) else None
    if stage == "sft":
        return build(SftSettings, tree, name)
    if stage == "grpo":
        settings = build(GrpoSettings, tree, name)
        if settings.group < 2:
            raise WrongSettings(f"{name}: group is {settings.group}; an advantage needs at least 2 outputs")
        if settings.clip_high < settings.clip_low:
            raise WrongSettings(f"{name}: clip_high is below clip_low")
        return settings
    raise WrongSettings(f"{name}: stage must be sft or grpo, not {stage!r}")


def build(kind: type[T], tree: object, place: str) -> T:
    """A dataclass out of a mapping; every key known, every value of its kind."""
    if not isinstance(tree, dict):
        raise WrongSettings(f"{place}: a mapping is needed")
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for key in tree:
        if key not in known:
            raise WrongSettings(f"{place}: unknown key {key!r}; known are: {', '.join(known)}")
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for key, field in known.items():
        if key in tree:
            values[key] = convert(hints[key], tree[key], f"{place}: {key}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise WrongSettings(f"{place}: {key} is missing")
    return kind(**values)


def convert(hint: Any, value: object, place: str) -> Any:
    if get_origin(hint) in (Union, UnionType):
        if value is None:
            return None
        (hint,) = [part for part in get_args(hint) if part is not type(None)]
    if is_dataclass(hint):
        return build(hint, value, place)
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise WrongSettings(f"{place} must be one of {', '.join(get_args(hint))}, not {value!r}")
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    # `True` is an `int` to Python, and `5e-5` without a dot is text to YAML.
    if type(value) is not hint:
        raise WrongSettings(f"{place} must be {hint.__name__}, not {value!r}")
    key = place.rsplit(" ", 1)[-1]
    if key in POSITIVE and not value > 0:
        raise WrongSettings(f"{place} must be above 0, not {value!r}")
    if key in NOT_NEGATIVE and not value >= 0:
        raise WrongSettings(f"{place} must not be negative: {value!r}")
    return value
