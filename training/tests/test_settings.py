import importlib.util
import unittest
from pathlib import Path

from training.settings import GrpoSettings, RewardSettings, WrongSettings, check_settings, read_settings

CONFIGS = Path(__file__).parent.parent / "configs"
SFT = {
    **{"stage": "sft", "model": "m", "data": "d", "output": "o", "learning_rate": 5.0e-5, "epochs": 5},
    **{"batch": 2, "accumulation": 16, "warmup_ratio": 0.05, "max_length": 4096},
}
GRPO = {
    **{"stage": "grpo", "model": "m", "data": "d", "output": "o", "learning_rate": 1.0e-6, "epochs": 5, "batch": 8},
    **{"accumulation": 2, "group": 2, "kl": 0, "clip_low": 0.2, "clip_high": 0.28, "iterations": 2},
    **{"temperature": 1, "max_completion": 2048, "mask_truncated": True, "reward": {}},
}


class SettingsTest(unittest.TestCase):
    def test_right_ones(self):
        self.assertEqual(check_settings(SFT, "f").epochs, 5.0)
        settings = check_settings(GRPO, "f")
        self.assertIsInstance(settings, GrpoSettings)
        self.assertEqual(settings.reward, RewardSettings())
        self.assertIsNone(settings.vllm)

    def test_wrong_ones_are_named(self):
        rows = [
            (SFT | {"lerning_rate": 1.0}, "f: unknown key 'lerning_rate'"),
            (SFT | {"learning_rate": "5e-5"}, "f: learning_rate must be float, not '5e-5'"),
            (SFT | {"batch": True}, "f: batch must be int, not True"),
            (SFT | {"batch": 0}, "f: batch must be above 0"),
            (SFT | {"precision": "fp8"}, "f: precision must be one of bf16, fp32"),
            ({key: SFT[key] for key in SFT if key != "data"}, "f: data is missing"),
            (SFT | {"stage": "dpo"}, "f: stage must be sft or grpo, not 'dpo'"),
            ([], "f: stage must be"),
            (GRPO | {"group": 1}, "at least 2 outputs"),
            (GRPO | {"clip_high": 0.1}, "clip_high is below"),
            (GRPO | {"kl": -0.1}, "f: kl must not be negative"),
            (GRPO | {"reward": {"uri": "x"}}, "f: reward: unknown key 'uri'"),
            (GRPO | {"reward": 3}, "f: reward: a mapping is needed"),
            (GRPO | {"vllm": {}}, "f: vllm: mode is missing"),
        ]
        for tree, message in rows:
            with self.subTest(message), self.assertRaises(WrongSettings) as raised:
                check_settings(tree, "f")
            self.assertIn(message, str(raised.exception))

    @unittest.skipUnless(importlib.util.find_spec("yaml"), "PyYAML is not installed")
    def test_every_file_is_right(self):
        files = sorted(CONFIGS.glob("*.yaml"))
        self.assertGreaterEqual(len(files), 5)
        for path in files:
            with self.subTest(path.name):
                read_settings(path)

    @unittest.skipUnless(importlib.util.find_spec("yaml"), "PyYAML is not installed")
    def test_overrides_stand_above_the_file(self):
        settings = read_settings(CONFIGS / "paper-sft.yaml", {"model": "elsewhere"})
        self.assertEqual(settings.model, "elsewhere")


if __name__ == "__main__":
    unittest.main()
