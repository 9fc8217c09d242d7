"""scikit-learn's logistic regression on examples left in a folder; how good it is on the held-out ones is printed."""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

request = json.loads((Path(sys.argv[1]) / "request.json").read_text())
learned, held_out = request["learned"], request["heldOut"]

warnings.simplefilter("ignore")
begun, cpu_begun = time.perf_counter(), time.process_time()
# Features that are there or not, as ours.
vectoriser = CountVectorizer(analyzer=lambda names: names, binary=True, min_df=request["minCount"])
rows = vectoriser.fit_transform([example["features"] for example in learned])
model = LogisticRegression(C=1 / request["l2"], max_iter=1000)
model.fit(rows, [example["label"] for example in learned])
seconds, cpu_seconds = time.perf_counter() - begun, time.process_time() - cpu_begun

shares = model.predict_proba(vectoriser.transform([example["features"] for example in held_out]))
place_of = {name: place for place, name in enumerate(model.classes_)}
places = np.array([place_of[example["label"]] for example in held_out])
outcome = {
    "seconds": seconds,
    "cpuSeconds": cpu_seconds,
    "loss": float(-np.log(shares[np.arange(len(places)), places]).mean()),
    "rightPercent": float(100 * (shares.argmax(axis=1) == places).mean()),
}
print(json.dumps(outcome))
