"""Against the base class as ms-swift 4.6.0 documents it; the package itself is not installed for the tests."""

import os
import sys
import types
import unittest
from unittest.mock import patch

from training.tests.test_examples import LINE
from training.tests.test_reward_client import Server


class ORM:
    def __init__(self, args=None, **kwargs):
        self.args = args


class SwiftPluginTest(unittest.TestCase):
    def test_registers_and_scores(self):
        rewards = types.ModuleType("swift.rewards")
        rewards.ORM, rewards.orms = ORM, {}
        modules = {"swift": types.ModuleType("swift"), "swift.rewards": rewards}
        with Server() as server, patch.dict(sys.modules, modules), patch.dict(os.environ, CANDOR_REWARD_URL=server.url):
            import training.swift_plugin  # noqa: F401

            reward = rewards.orms["candor"](args=None)
            columns = {key: [LINE[key]] * 2 for key in ("category", "gold", "goldKind", "question")}
            totals = reward(["x", "y"], response_token_ids=[[1], [1, 2]], id=[3, 7], **columns)
        self.assertEqual(totals, [0.3, 0.7])


if __name__ == "__main__":
    unittest.main()
