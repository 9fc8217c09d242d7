"""Asks Candor's reward server (`candor reward serve`) for scores: in batches, with patience, and never with a made-up score."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

Item = dict[str, Any]

MOST_ITEMS = 1024
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
# The server lets this come again; every other refusal is final.
PASSING = frozenset({429, 502, 503, 504})
# The server takes loopback names alone: a proxy of the environment must not stand between.
OPENER = build_opener(ProxyHandler({}))


class RewardServerAway(RuntimeError):
    """The server could not be reached, or was busy, for as long as the client was told to wait."""


class RewardRefused(RuntimeError):
    """The server refused the items, or sent what is no score; asking again would not help."""


@dataclass(frozen=True)
class Score:
    """Parts of the reward of one output, as the server gives them; total is from -0.8 to 3.4."""

    total: float
    format: float
    grammar: float
    length: float
    accuracy: float


@dataclass(frozen=True)
class RewardClient:
    """`patience_s` bounds the waiting for one batch in all; `timeout_s` a single request."""

    url: str
    batch: int = 16
    connections: int = 4
    timeout_s: float = 120.0
    patience_s: float = 300.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        if not 1 <= self.batch <= MOST_ITEMS:
            raise ValueError(f"batch is {self.batch}; the server takes 1 to {MOST_ITEMS} items")
        if self.connections < 1:
            raise ValueError("connections must be at least 1")

    def score(self, items: Sequence[Item]) -> list[Score]:
        """Scores in the order of the items."""
        batches = [list(items[at : at + self.batch]) for at in range(0, len(items), self.batch)]
        with ThreadPoolExecutor(max_workers=self.connections) as pool:
            return [score for scores in pool.map(self._score_batch, batches) for score in scores]

    def check(self) -> None:
        """Raises where the server is not there: to be called before hours of work depend on it."""
        self._ask(lambda: Request(f"{self.url.rstrip('/')}/healthz"))

    def _score_batch(self, items: list[Item]) -> list[Score]:
        body = json.dumps({"items": items}).encode()
        headers = {"Content-Type": "application/json"}
        answer = self._ask(lambda: Request(f"{self.url.rstrip('/')}/v1/score", body, headers))
        return read_scores(answer, items)

    def _ask(self, make: Callable[[], Request]) -> bytes:
        until = self.clock() + self.patience_s
        wait = FIRST_WAIT_S
        while True:
            try:
                with OPENER.open(make(), timeout=self.timeout_s) as response:
                    return response.read()
            except HTTPError as error:
                with error:
                    reason = explain(error.code, error.read())
                if error.code not in PASSING:
                    raise RewardRefused(f"the reward server refused: {reason}") from None
                asked = read_retry_after(error.headers.get("Retry-After"))
            except (URLError, HTTPException, OSError) as error:
                reason, asked = str(getattr(error, "reason", error) or type(error).__name__), None
            pause = wait if asked is None else asked
            if self.clock() + pause > until:
                raise RewardServerAway(
                    f"no score from {self.url} within {self.patience_s:g} s: {reason}. "
                    "Start `candor reward serve`, or raise reward.patience_s."
                )
            print(f"reward server: {reason}; asking again in {pause:.1f} s", file=sys.stderr, flush=True)
            self.sleep(pause)
            wait = min(wait * 2, LONGEST_WAIT_S)


def read_scores(answer: bytes, items: Sequence[Item]) -> list[Score]:
    """Refuses anything but one finite score per item, in the order of the items."""
    try:
        rows = json.loads(answer)["scores"]
        scores = [Score(**{part: finite(row[part]) for part in Score.__dataclass_fields__}) for row in rows]
        ids = [row.get("id") for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RewardRefused(f"the reward server sent no scores: {error!r}") from None
    if len(scores) != len(items):
        raise RewardRefused(f"the reward server sent {len(scores)} scores for {len(items)} items")
    for item, given in zip(items, ids):
        if given is not None and given != item.get("id"):
            raise RewardRefused(f"the reward server mixed up items: {given!r} for {item.get('id')!r}")
    return scores


def finite(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def explain(status: int, body: bytes) -> str:
    """The server's own words where it gave some."""
    try:
        error = json.loads(body)["error"]
        words: Iterable[Any] = (error.get("code"), error.get("message"), error.get("next"))
        return f"{status} " + " · ".join(str(word) for word in words if word)
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"{status} {body[:200].decode(errors='replace')}"


def read_retry_after(value: str | None) -> float | None:
    """Seconds of a Retry-After header, in seconds or as a date; None where it says neither."""
    if value is None:
        return None
    try:
        seconds = float(value)
        return seconds if math.isfinite(seconds) and seconds >= 0 else None
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return max(0.0, (until - datetime.now(timezone.utc)).total_seconds())
