"""The client against a real HTTP server on this machine."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from training.reward_client import RewardClient, RewardRefused, RewardServerAway, read_retry_after

ITEM = {"category": "standard", "goldKind": "sql", "gold": "SELECT 1", "output": "x", "lengthTokens": 1}


def score_of(item):
    return {"id": item["id"], "total": item["id"] / 10, "format": 1, "grammar": 1, "length": 0, "accuracy": 0.5}


class Server:
    """Answers the first requests from a list of (status, headers, body), the rest with scores."""

    def __init__(self, first=(), change=lambda scores: scores):
        self.first, self.batches, self.lock = list(first), [], threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.reply(200, {}, {"status": "ok"})

            def do_POST(self):
                items = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["items"]
                with outer.lock:
                    planned = outer.first.pop(0) if outer.first else None
                    outer.batches.append(len(items))
                if planned is not None:
                    return self.reply(*planned)
                self.reply(200, {}, {"scores": change([score_of(item) for item in items])})

            def reply(self, status, headers, body):
                sent = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()


def items(count):
    return [{**ITEM, "id": number} for number in range(count)]


class RewardClientTest(unittest.TestCase):
    def client(self, url, **options):
        self.waits = []
        self.now = 0.0

        def sleep(seconds):
            self.waits.append(seconds)
            self.now += seconds

        return RewardClient(url, sleep=sleep, clock=lambda: self.now, **options)

    def test_batches_keep_their_order(self):
        with Server() as server:
            scores = self.client(server.url, batch=4).score(items(10))
        self.assertEqual([score.total for score in scores], [number / 10 for number in range(10)])
        self.assertEqual(sorted(server.batches), [2, 4, 4])

    def test_no_items_need_no_server(self):
        self.assertEqual(self.client("http://127.0.0.1:9").score([]), [])

    def test_waits_as_long_as_the_server_asks_then_by_doubling(self):
        first = [(429, {"Retry-After": "7"}, {}), (503, {}, {}), (503, {}, {})]
        with Server(first) as server:
            self.client(server.url).score(items(1))
        self.assertEqual(self.waits, [7.0, 1.0, 2.0])

    def test_gives_up_when_patience_is_spent(self):
        busy = (429, {"Retry-After": "40"}, {"error": {"code": "busy", "message": "too many", "next": "wait"}})
        with Server([busy] * 9) as server, self.assertRaisesRegex(RewardServerAway, "within 100 s: 429 busy · too many"):
            self.client(server.url, patience_s=100).score(items(1))
        self.assertEqual(self.waits, [40.0, 40.0])

    def test_a_server_that_is_away_is_told_of(self):
        with Server() as server:
            url = server.url
        for call in (lambda client: client.score(items(1)), lambda client: client.check()):
            with self.assertRaisesRegex(RewardServerAway, "candor reward serve"):
                call(self.client(url, patience_s=3))
            self.assertEqual(self.waits, [0.5, 1.0])

    def test_refusals_are_final(self):
        refusal = (400, {}, {"error": {"code": "input.invalid", "message": "items.0.gold", "next": "fix it"}})
        with Server([refusal]) as server, self.assertRaisesRegex(RewardRefused, "items.0.gold · fix it"):
            self.client(server.url).score(items(1))
        self.assertEqual(self.waits, [])

    def test_what_is_no_score_is_refused(self):
        rows = [
            ("too few", lambda scores: scores[:-1]),
            ("mixed up", lambda scores: scores[::-1]),
            ("no number", lambda scores: [{**score, "total": "3"} for score in scores]),
            ("not finite", lambda scores: [{**score, "total": float("nan")} for score in scores]),
            ("a part lacks", lambda scores: [{"id": score["id"], "total": 1} for score in scores]),
            ("no list", lambda scores: None),
        ]
        for name, change in rows:
            with self.subTest(name), Server(change=change) as server, self.assertRaises(RewardRefused):
                self.client(server.url).score(items(2))

    def test_batches_the_server_would_refuse_are_refused_first(self):
        for batch in (0, 1025):
            with self.subTest(batch), self.assertRaisesRegex(ValueError, "1 to 1024"):
                RewardClient("http://127.0.0.1:9", batch=batch)

    def test_retry_after(self):
        rows = [("3", 3.0), ("0", 0.0), ("-1", None), ("nan", None), ("soon", None), (None, None)]
        for value, seconds in [*rows, ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0)]:
            with self.subTest(value):
                self.assertEqual(read_retry_after(value), seconds)


if __name__ == "__main__":
    unittest.main()
