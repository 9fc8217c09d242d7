"""What SQLGlot says of queries, or how long it takes; run by ask-sqlglot.ts with a Python that has SQLGlot.

    python sqlglot_oracle.py answer|time SCHEMAS TASKS ANSWERS

All three are files of JSON lines. SCHEMAS: {databaseId, tables: [{name, qualifier?, columns: [{name, type}]}]};
TASKS: {id, sql, dialect, databaseId}; ANSWERS: one for each task, in the same order.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from pathlib import Path

STARTED = time.perf_counter()
import sqlglot
from sqlglot import exp
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import build_scope
from sqlglot.schema import MappingSchema

LOAD_MS = (time.perf_counter() - STARTED) * 1000

PROGRESS_EVERY = 500
WARM_UP_ROUNDS = 2
ROUNDS = 3

# SQLGlot's MySQL tells `T` from `t` even in names of columns, where no MySQL does.
DIALECTS = {"mysql": "mysql, normalization_strategy=case_insensitive"}
# These keep the case of quoted names; the schemas have names as the engine stores them.
EXACT_DIALECTS = {"snowflake", "postgres"}

QUALIFY = {
    "validate_qualify_columns": False,
    "quote_identifiers": False,
    "identify": False,
    # Otherwise one column that the schema lacks costs all references of its query.
    "allow_partial_qualification": True,
}


def main(mode: str, schemas_path: str, tasks_path: str, answers_path: str) -> None:
    logging.disable(logging.CRITICAL)
    schemas = Schemas(schemas_path)
    tasks = [json.loads(line) for line in Path(tasks_path).read_text("utf-8").splitlines()]
    with open(answers_path, "w", encoding="utf-8") as answers:
        if mode == "time":
            for task in tasks * WARM_UP_ROUNDS:
                time_once(task, schemas)
        for done, task in enumerate(tasks, start=1):
            answer = time_query(task, schemas) if mode == "time" else read_query(task, schemas)
            answers.write(json.dumps({"id": task["id"], **answer}, separators=(",", ":")) + "\n")
            if done % PROGRESS_EVERY == 0:
                print(f"{done:,} of {len(tasks):,}", file=sys.stderr, flush=True)


class Schemas:
    """Schemas by database and dialect, each built once."""

    def __init__(self, path: str) -> None:
        lines = Path(path).read_text("utf-8").splitlines()
        self._databases = {row["databaseId"]: row["tables"] for row in map(json.loads, lines)}
        self._built: dict[tuple[str, str], MappingSchema] = {}

    def get(self, database_id: str, dialect: str) -> MappingSchema:
        key = (database_id, dialect)
        if key not in self._built:
            self._built[key] = build_schema(self._databases[database_id], dialect)
        return self._built[key]


def build_schema(tables: list[dict], dialect: str) -> MappingSchema:
    """Names go in as the dialect compares them, since SQLGlot's own folding takes every name for unquoted."""
    mapping: dict = {}
    for table in tables:
        level = mapping
        for part in table.get("qualifier", []):
            level = level.setdefault(fold_table(part, dialect), {})
        columns = table["columns"]
        level[fold_table(table["name"], dialect)] = {
            fold(column["name"], dialect): known_type(column["type"], dialect) for column in columns
        }
    return MappingSchema(mapping, dialect=DIALECTS.get(dialect, dialect), normalize=False)


def fold(name: str, dialect: str) -> str:
    return name if dialect in EXACT_DIALECTS else name.lower()


def fold_table(name: str, dialect: str) -> str:
    """BigQuery compares names of tables exactly and names of columns without regard to case."""
    return name if dialect == "bigquery" else fold(name, dialect)


def known_type(name: str, dialect: str) -> str:
    """Schemas of benchmarks have types of their own, such as `others`."""
    try:
        exp.DataType.build(name, dialect=DIALECTS.get(dialect, dialect))
        return name
    except Exception:
        return "TEXT"


def read_query(task: dict, schemas: Schemas) -> dict:
    # Any failure of SQLGlot is a finding about this query and must not end the run, hence the wide `except`.
    sql = task["sql"]
    dialect = DIALECTS.get(task["dialect"], task["dialect"])
    try:
        statements = [statement for statement in sqlglot.parse(sql, read=dialect) if statement]
    except (Exception, RecursionError) as error:
        return {"ok": False, "error": describe_error(error)}
    if len(statements) != 1:
        return {"ok": False, "error": f"{len(statements)} statements"}
    tree = statements[0]
    # Prose comes out as columns with an alias or as a command.
    if not isinstance(tree, exp.Query):
        return {"ok": False, "error": f"not a query: {type(tree).__name__}"}

    answer = {"ok": True, "nodes": [type(node).__name__ for node in tree.walk(bfs=False)]}
    try:
        schema = schemas.get(task["databaseId"], task["dialect"])
        return {**answer, **read_references(tree, sql, dialect, schema, QUALIFY)}
    except (Exception, RecursionError) as error:
        return {**answer, "unresolved": describe_error(error)}


def describe_error(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:300]}"


def time_query(task: dict, schemas: Schemas) -> dict:
    """The best of some rounds; a query that fails has no time."""
    rounds = [time_once(task, schemas) for _ in range(ROUNDS)]
    times = [times for times in rounds if times is not None]
    if not times:
        return {"ok": False, "loadMs": LOAD_MS}
    parse_ms, qualify_ms = (min(column) for column in zip(*times))
    return {"ok": True, "loadMs": LOAD_MS, "parseMs": parse_ms, "scopeMs": parse_ms + qualify_ms}


def time_once(task: dict, schemas: Schemas) -> tuple[float, float] | None:
    """Milliseconds to parse, and to qualify the parsed tree and build its scopes."""
    dialect = DIALECTS.get(task["dialect"], task["dialect"])
    schema = schemas.get(task["databaseId"], task["dialect"])
    try:
        started = time.perf_counter()
        tree = sqlglot.parse_one(task["sql"], read=dialect)
        parsed = time.perf_counter()
        build_scope(qualify(tree, schema=schema, dialect=dialect, **QUALIFY))
        ended = time.perf_counter()
    except (Exception, RecursionError):
        return None
    return (parsed - started) * 1000, (ended - parsed) * 1000


if __name__ == "__main__":
    if sys.argv[1] == "answer":
        # It replaces a method of SQLGlot, which the compiled SQLGlot forbids and a measured one must not bear.
        from sqlglot_references import read_references
    main(*sys.argv[1:])
