"""LightGBM learns from the rows of a folder; how long it takes to predict those of each query goes to stdout."""

import json
import sys
import time
from pathlib import Path

import lightgbm
import numpy as np

folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_text())
starts = request["starts"]
rows = np.fromfile(folder / "rows.bin", dtype=np.float32).reshape(starts[-1], request["columns"])
labels = np.fromfile(folder / "labels.bin", dtype=np.uint8)
parameters = {
    "objective": "binary",
    "learning_rate": 0.06,
    "num_leaves": 31,
    "min_data_in_leaf": 100,
    "lambda_l2": 5,
    "max_bin": 63,
    # One thread, as ours has.
    "num_threads": 1,
    "verbosity": -1,
    "seed": 1,
}
booster = lightgbm.train(parameters, lightgbm.Dataset(rows, label=labels), num_boost_round=request["trees"])

times = []
for start, end in zip(starts, starts[1:]):
    part = np.ascontiguousarray(rows[start:end])
    own = []
    for _ in range(request["rounds"]):
        begun = time.perf_counter()
        booster.predict(part, num_threads=1)
        own.append(1e6 * (time.perf_counter() - begun))
    times.append(float(np.median(own)))
begun = time.perf_counter()
booster.predict(rows, num_threads=1)
batch = 1e6 * (time.perf_counter() - begun) / len(times)
print(json.dumps({"p50": float(np.percentile(times, 50)), "p95": float(np.percentile(times, 95)), "batch": batch}))
