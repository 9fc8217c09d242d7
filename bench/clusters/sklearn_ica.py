"""FastICA of scikit-learn on a sparse matrix left in a folder; the components go back into it."""

import json
import resource
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.decomposition import FastICA

folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_text())
starts = np.fromfile(folder / "starts.bin", dtype=np.int32)
columns = np.fromfile(folder / "columns.bin", dtype=np.int32)
values = np.fromfile(folder / "values.bin", dtype=np.float64)

dense = np.zeros((len(starts) - 1, request["users"]))
dense[np.repeat(np.arange(len(starts) - 1), np.diff(starts)), columns] = values

warnings.simplefilter("ignore")
ica = FastICA(
    n_components=request["components"],
    algorithm="parallel",
    fun="logcosh",
    whiten="unit-variance",
    tol=1e-4,
    max_iter=500,
    random_state=1,
)
begun = time.perf_counter()
scores = ica.fit_transform(dense)
seconds = time.perf_counter() - begun

np.ascontiguousarray(scores).tofile(folder / "scores.bin")
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": seconds, "iterations": int(ica.n_iter_), "peakMb": peak}))
