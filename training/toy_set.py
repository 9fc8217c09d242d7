"""A set small enough to learn in minutes: counts over six tables, and metrics that do not exist; with its database."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from training.examples import Line, render_target
from training.reward_client import Score

TABLES = {"singers": 5, "concerts": 7, "stadiums": 3, "albums": 11, "songs": 13, "tickets": 17}
UNKNOWN = ("profit", "churn", "margin", "loyalty")
ASKED = ("how many {} are there", "count the {}", "number of {}", "tell me the count of {}", "how many {} do we have", "total {}")
TEST = frozenset({4, 5})


def make_toy_lines() -> list[Line]:
    """Wordings of `test` are not in `train`."""
    lines: list[Line] = []
    for at, wording in enumerate(ASKED):
        for name in (*TABLES, *UNKNOWN):
            is_known = name in TABLES
            question = wording.format(name)
            gold = f"SELECT COUNT(*) FROM {name}" if is_known else f"There is no {name} here."
            think = f"{name} is a table" if is_known else f"{name} is not defined"
            lines.append({
                "id": f"{name}-{at}",
                "category": "standard" if is_known else "metric_reject",
                "question": question,
                "prompt": f"# Question\n{question}",
                "gold": gold,
                "goldKind": "sql" if is_known else "nl",
                "think": think,
                "target": render_target(think, gold),
                "split": "test" if at in TEST else "train",
            })
    return lines


def write_toy_database(path: Path) -> None:
    """For `candor reward serve --database sqlite:<path>`."""
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        for name, rows in TABLES.items():
            database.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY)")
            database.executemany(f"INSERT INTO {name} VALUES (?)", [(row,) for row in range(rows)])
    database.close()


class TextScorer:
    """By text alone, for where no server runs: the weights of BAR-SQL, an answer counts if it is the gold's very text."""

    def score(self, items: Sequence[Line]) -> list[Score]:
        return [self._score(item) for item in items]

    def _score(self, item: Line) -> Score:
        output = item["output"].strip()
        head, opened, rest = output.partition("<answer>")
        answer, closed, tail = rest.partition("</answer>")
        tags = [output.count(tag) for tag in ("<think>", "</think>", "<answer>", "</answer>")]
        is_whole = output.startswith("<think>") and head.rstrip().endswith("</think>") and not tail
        right_format = float(tags == [1, 1, 1, 1] and is_whole and bool(answer.strip()))
        kind = "sql" if answer.strip().startswith("SELECT ") else "nl"
        is_read = bool(opened and closed)
        grammar = float(is_read and kind == item["goldKind"])
        accuracy = float(is_read and answer.strip() == item["gold"])
        return Score(right_format + 0.9 * grammar + 1.5 * accuracy, right_format, grammar, 0.0, accuracy)
