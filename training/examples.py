"""Training lines as `candor bench export` writes them, and the texts a model is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

Line = dict[str, Any]

SQL_CATEGORIES = frozenset({"standard", "multi_step", "reflection", "degenerate"})
NL_CATEGORIES = frozenset({"ambiguity", "dim_reject", "metric_reject", "follow_up"})
TEXTS = ("id", "category", "question", "prompt", "gold", "goldKind", "think", "target", "split")
# What the reward server is sent besides the output; the last is there for some degenerate items.
SCORED = ("id", "category", "goldKind", "gold", "virtualTables")
TAGS = re.compile(r"</?(?:think|answer)>")


class WrongLine(ValueError):
    """A line of the data is not as the export writes it; the message names file, line and key."""


class ChatTokenizer(Protocol):
    """What is used of a tokenizer of transformers."""

    chat_template: str | None
    bos_token: str | None

    def apply_chat_template(self, conversation: list[dict[str, str]], **options: Any) -> str: ...


def render_target(think: str, answer: str) -> str:
    """BAR-SQL §6. Tags inside would give the output two blocks, which earns no format reward."""
    for text in (think, answer):
        if TAGS.search(text):
            raise ValueError(f"a tag stands inside the text: {text[:80]!r}")
    return f"<think>{think}</think><answer>{answer}</answer>"


def render_prompt(prompt: str, tokenizer: ChatTokenizer) -> str:
    """The prompt as the model sees it: through the chat template where there is one, else followed by a line end."""
    if not tokenizer.chat_template:
        return f"{prompt}\n"
    turns = [{"role": "user", "content": prompt}]
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    # Trainers put the mark of the beginning before each text themselves.
    return text.removeprefix(tokenizer.bos_token) if tokenizer.bos_token else text


def check_line(line: object, place: str) -> Line:
    if not isinstance(line, dict):
        raise WrongLine(f"{place}: not an object")
    for key in TEXTS:
        if not isinstance(line.get(key), str):
            raise WrongLine(f"{place}: {key} is missing or no text")
    category, kind = line["category"], line["goldKind"]
    if category not in SQL_CATEGORIES | NL_CATEGORIES:
        raise WrongLine(f"{place}: category {category!r} is none of the eight")
    if kind != ("sql" if category in SQL_CATEGORIES else "nl"):
        raise WrongLine(f"{place}: goldKind {kind!r} does not go with category {category!r}")
    try:
        expected = render_target(line["think"], line["gold"])
    except ValueError as error:
        raise WrongLine(f"{place}: {error}") from None
    if line["target"] != expected:
        raise WrongLine(f"{place}: target is not think and gold in their tags")
    return line


def parse_lines(texts: Iterable[str], name: str) -> list[Line]:
    lines: list[Line] = []
    for number, text in enumerate(texts, 1):
        if not text.strip():
            continue
        place = f"{name}:{number}"
        try:
            parsed = json.loads(text)
        except ValueError as error:
            raise WrongLine(f"{place}: not JSON: {error}") from None
        lines.append(check_line(parsed, place))
    return lines


def read_examples(path: Path, split: str) -> list[Line]:
    """Lines of one split; an empty result is an error, since nothing could be learnt from it."""
    with path.open(encoding="utf-8") as file:
        lines = parse_lines(file, path.name)
    chosen = [line for line in lines if line["split"] == split]
    if not chosen:
        found = ", ".join(sorted({line["split"] for line in lines})) or "none"
        raise WrongLine(f"{path.name}: no line of split {split!r}; there are: {found}")
    return chosen


def to_reward_items(
    lines: Sequence[Line], outputs: Sequence[str], lengths: Sequence[int] | None
) -> list[Line]:
    """What `POST /v1/score` takes; lengths in tokens of the model, None where they are not known and the server estimates."""
    known = [{} for _ in lines] if lengths is None else [{"lengthTokens": length} for length in lengths]
    return [
        {key: line[key] for key in SCORED if line.get(key) is not None} | {"output": output} | length
        for line, output, length in zip(lines, outputs, known, strict=True)
    ]
