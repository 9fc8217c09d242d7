"""S_dense of BAR-SQL with SciPy's assignment, on pairs of results left in a folder; totals and seconds are printed."""

import json
import math
import sys
import time
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

request = json.loads((Path(sys.argv[1]) / "request.json").read_text())


def fits(gold, predicted):
    if isinstance(gold, (int, float)) and isinstance(predicted, (int, float)):
        return abs(predicted - gold) / (abs(gold) or 1e-6) <= 0.01
    return str(gold).strip() == str(predicted).strip()


def f1(gold, predicted):
    """Greedy: every gold cell takes the first predicted one that is left and fits."""
    left, shared = list(predicted), 0
    for cell in gold:
        for at, other in enumerate(left):
            if fits(cell, other):
                del left[at]
                shared += 1
                break
    return 2 * shared / (len(gold) + len(predicted))


def dense(gold, predicted, cosines):
    matrix = np.array(cosines)
    pairs = [(g, p) for g, p in zip(*linear_sum_assignment(-matrix)) if matrix[g, p] > 0.75]
    wanted = len(gold["columns"])
    schema = sum(matrix[g, p] for g, p in pairs) / wanted
    extra = len(predicted["columns"]) - wanted
    if extra > 0:
        schema *= 1 / (1 + 0.2 * extra / wanted)
    rows = [len(gold["rows"]), len(predicted["rows"])]
    if rows[0] == rows[1]:
        count = 1.0
    else:
        count = 0.0 if min(rows) == 0 else 1 / (1 + 0.3 * math.log(max(rows) / min(rows)))
    values = sum(f1([row[g] for row in gold["rows"]], [row[p] for row in predicted["rows"]]) for g, p in pairs)
    return round(0.4 * min(1.0, max(0.0, schema)) + 0.1 * count + 0.5 * values / wanted, 4)


begun = time.perf_counter()
for _ in range(request["rounds"]):
    totals = [dense(pair["gold"], pair["predicted"], pair["cosines"]) for pair in request["pairs"]]
print(json.dumps({"seconds": time.perf_counter() - begun, "totals": totals}))
