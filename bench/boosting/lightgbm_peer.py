"""LightGBM on columns left in a folder; scores of the held-out rows and the dump of its model go back into it."""

import json
import sys
import time
from pathlib import Path

import lightgbm
import numpy as np

folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_text())
rows, columns = request["rows"], request["columns"]
values = np.fromfile(folder / "features.bin", dtype=np.float32).reshape(columns, rows)
labels = np.fromfile(folder / "labels.bin", dtype=np.uint8)
held_out = np.fromfile(folder / "heldOut.bin", dtype=np.uint8).astype(bool)

learned = np.ascontiguousarray(values.T[~held_out])
others = np.ascontiguousarray(values.T[held_out])
parameters = {
    "objective": "binary",
    "learning_rate": request["learningRate"],
    "num_leaves": request["leaves"],
    "max_bin": 255,
    # One thread, as ours has; no columns bundled or left out, so that both see the same.
    "num_threads": 1,
    "verbosity": -1,
    "seed": 1,
    "deterministic": True,
    "force_col_wise": True,
}
begun, cpu_begun = time.perf_counter(), time.process_time()
data = lightgbm.Dataset(learned, label=labels[~held_out], params=parameters)
booster = lightgbm.train(parameters, data, num_boost_round=request["trees"])
seconds, cpu_seconds = time.perf_counter() - begun, time.process_time() - cpu_begun

booster.predict(others, raw_score=True).astype(np.float64).tofile(folder / "scores.bin")
(folder / "dump.json").write_text(json.dumps(booster.dump_model()))
print(json.dumps({"seconds": seconds, "cpuSeconds": cpu_seconds}))
