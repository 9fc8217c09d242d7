"""The reward for ms-swift: `swift rlhf --rlhf_type grpo --external_plugins training/swift_plugin.py --reward_funcs candor`,
from the repository root with `PYTHONPATH=.`. The server's address stands in CANDOR_REWARD_URL."""

from __future__ import annotations

import os
from typing import Any

from swift.rewards import ORM, orms

from training.examples import SCORED, to_reward_items
from training.reward_client import RewardClient


class CandorReward(ORM):
    """Total of `POST /v1/score`; columns of the data come as keyword arguments."""

    def __init__(self, args: Any = None, **kwargs: Any) -> None:
        super().__init__(args, **kwargs)
        self.client = RewardClient(os.environ.get("CANDOR_REWARD_URL", "http://127.0.0.1:8712"))
        self.client.check()

    def __call__(self, completions: list[str], response_token_ids: list[Any], **columns: Any) -> list[float]:
        lines = [{key: columns[key][at] for key in SCORED if key in columns} for at in range(len(completions))]
        lengths = [count_tokens(ids) for ids in response_token_ids] if response_token_ids else None
        return [score.total for score in self.client.score(to_reward_items(lines, completions, lengths))]


def count_tokens(ids: list[Any]) -> int:
    """Of one response; several turns stand in lists of their own."""
    return sum(count_tokens(each) if isinstance(each, list) else 1 for each in ids)


orms["candor"] = CandorReward
