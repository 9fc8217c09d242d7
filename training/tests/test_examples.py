import json
import tempfile
import unittest
from pathlib import Path

from training.examples import (
    WrongLine,
    parse_lines,
    read_examples,
    render_prompt,
    render_target,
    to_reward_items,
)

LINE = {
    "id": "a1",
    "category": "standard",
    "question": "how many?",
    "prompt": "# Schema\nt(a)\n\n# Question\nhow many?",
    "gold": "SELECT COUNT(*) FROM t",
    "goldKind": "sql",
    "think": "all rows",
    "target": "<think>all rows</think><answer>SELECT COUNT(*) FROM t</answer>",
    "split": "train",
}


class Chat:
    bos_token = "<s>"

    def __init__(self, chat_template):
        self.chat_template = chat_template

    def apply_chat_template(self, conversation, **options):
        assert options == {"tokenize": False, "add_generation_prompt": True}
        return f"<s>[{conversation[0]['role']}]{conversation[0]['content']}[assistant]"


class ExamplesTest(unittest.TestCase):
    def test_target(self):
        self.assertEqual(render_target("all rows", LINE["gold"]), LINE["target"])

    def test_tags_inside_are_refused(self):
        for think, answer in [("a</think>", "b"), ("a", "<answer>b"), ("<think>", "b")]:
            with self.subTest(f"{think} {answer}"), self.assertRaises(ValueError):
                render_target(think, answer)

    def test_prompt(self):
        self.assertEqual(render_prompt("q", Chat(None)), "q\n")
        self.assertEqual(render_prompt("q", Chat("{{ x }}")), "[user]q[assistant]")

    def test_wrong_lines_are_named(self):
        rows = [
            ({"gold": None}, "gold is missing"),
            ({"category": "easy"}, "'easy' is none of the eight"),
            ({"goldKind": "nl"}, "does not go with"),
            ({"target": "SELECT 1"}, "target is not"),
            ({"think": "x</think>y"}, "a tag stands inside"),
        ]
        for change, message in rows:
            with self.subTest(message), self.assertRaisesRegex(WrongLine, f"f.jsonl:2: .*{message}"):
                parse_lines([json.dumps(LINE), json.dumps(LINE | change)], "f.jsonl")
        for text in ("{", "[]"):
            with self.subTest(text), self.assertRaisesRegex(WrongLine, "f.jsonl:1"):
                parse_lines([text], "f.jsonl")

    def test_splits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "f.jsonl"
            path.write_text("\n".join(json.dumps(LINE | {"split": split}) for split in ("train", "test")) + "\n")
            self.assertEqual([line["split"] for line in read_examples(path, "test")], ["test"])
            with self.assertRaisesRegex(WrongLine, "no line of split 'dev'; there are: test, train"):
                read_examples(path, "dev")

    def test_reward_items(self):
        tables = [{"name": "t", "columns": ["a"]}]
        sent = to_reward_items([LINE, LINE | {"virtualTables": tables}], ["x", "y"], [3, 4])
        plain = {key: LINE[key] for key in ("id", "category", "goldKind", "gold")}
        self.assertEqual(sent[0], plain | {"output": "x", "lengthTokens": 3})
        self.assertEqual(sent[1], plain | {"output": "y", "lengthTokens": 4, "virtualTables": tables})


if __name__ == "__main__":
    unittest.main()
