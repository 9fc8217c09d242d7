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

    def __call__(self, completions: list[str], response_token_ids: list[list[int]], **columns: Any) -> list[float]:
        lines = [{key: columns[key][at] for key in SCORED if key in columns} for at in range(len(completions))]
        lengths = [len(ids) for ids in response_token_ids]
        return [score.total for score in self.client.score(to_reward_items(lines, completions, lengths))]


orms["candor"] = CandorReward
