"""The peer: MinHash LSH of datasketch over the lines of a file, as CHESS builds and asks it. Prints one JSON object.

python datasketch_peer.py VALUES QUERIES PERMUTATIONS THRESHOLD
"""
import gc
import json
import sys
import time

from datasketch import MinHash, MinHashLSH


def grams(text):
    text = text.lower()
    if len(text) < 3:
        return [text.encode()]
    return list({text[at : at + 3].encode() for at in range(len(text) - 2)})


def rss():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


def main():
    values_path, queries_path, permutations, threshold = sys.argv[1:5]
    values = open(values_path, encoding="utf-8").read().split("\n")
    queries = open(queries_path, encoding="utf-8").read().split("\n")
    permutations, threshold = int(permutations), float(threshold)
    gc.disable()
    before = rss()
    started = time.perf_counter()
    lsh = MinHashLSH(threshold=threshold, num_perm=permutations)
    signatures = {}
    batches = MinHash.generator((grams(value) for value in values), num_perm=permutations, seed=1)
    for number, signature in enumerate(batches):
        lsh.insert(number, signature, check_duplication=False)
        signatures[number] = signature
    build = time.perf_counter() - started
    memory = rss() - before
    times = []
    for query in queries:
        started = time.perf_counter()
        signature = MinHash(num_perm=permutations, seed=1)
        signature.update_batch(grams(query))
        found = lsh.query(signature)
        sorted(found, key=lambda number: -signatures[number].jaccard(signature))[:25]
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    print(json.dumps({"buildSeconds": build, "bytes": memory, "p95Ms": p95, "bands": lsh.b, "rows": lsh.r}))


main()
