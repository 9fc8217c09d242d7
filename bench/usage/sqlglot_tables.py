"""The tables of every statement of a log of JSON lines, by SQLGlot; prints entries a second.

    python sqlglot_tables.py LOG
"""

import json
import logging
import sys
import time

import sqlglot
from sqlglot import exp

logging.disable(logging.CRITICAL)
started = time.perf_counter()
entries = 0
counts: dict[str, int] = {}
with open(sys.argv[1], encoding="utf-8") as log:
    for line in log:
        entries += 1
        try:
            tree = sqlglot.parse_one(json.loads(line)["sql"], read="postgres")
        except (ValueError, sqlglot.errors.SqlglotError):
            continue
        for table in {table.name for table in tree.find_all(exp.Table)}:
            counts[table] = counts.get(table, 0) + 1
print(entries / (time.perf_counter() - started))
