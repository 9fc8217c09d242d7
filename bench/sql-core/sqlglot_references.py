"""What every column reference of a query stands for, by SQLGlot's `qualify` and scopes.

`qualify` rewrites the tree: names of output columns give way to what they name, USING to a COALESCE, paths into
structures to dots. A reference is therefore followed as an object: where it still stands in the tree SQLGlot owns
an answer; where it was replaced, what stands there now is what SQLGlot takes it for.
"""

from __future__ import annotations

import typing as t
from contextlib import contextmanager

from sqlglot import exp
from sqlglot.optimizer.qualify import qualify

from sqlglot_lineage import Lineage

# How much of an answer `physical` is. Only `owned` is SQLGlot's own word: the column has a table after `qualify`.
OWNED = "owned"
# Bare in ORDER BY and the like, where it names an output column of its query.
OUTPUT = "output"
# Gave way to another expression; `physical` is of that expression.
REPLACED = "replaced"
# A name in USING; `physical` is of the condition that SQLGlot wrote for it.
USING = "using"
# No owner at all.
BARE = "bare"


def read_references(tree: exp.Expr, sql: str, dialect: str, schema, options: dict) -> dict:
    offset = utf16_offset(sql)
    columns = [node for node in tree.find_all(exp.Column, bfs=False) if not isinstance(node.this, exp.Star)]
    places = {id(column): [start_of(part) for part in column.parts] for column in columns}
    joins = [(join, list(join.args["using"])) for join in tree.find_all(exp.Join, bfs=False) if join.args.get("using")]
    selects = [StarSelect(node) for node in tree.find_all(exp.Select, bfs=False) if any(map(is_star, node.expressions))]

    with recorded_replacements() as replacements:
        tree = qualify(tree, schema=schema, dialect=dialect, **options)

    lineage = Lineage(tree, schema)
    follow = Follower(tree, lineage, replacements, places)
    found = [follow.column(column) for column in columns]
    found += [follow.using(join, name) for join, names in joins for name in names]
    known = sorted((each for each in found if each["start"] is not None), key=lambda each: each["start"])
    return {
        "columns": [
            {**each, **missing_of(each, lineage), "start": offset(each["start"])} for each in known
        ],
        "placeless": len(found) - len(known),
        "stars": [select.expansion(lineage, offset) for select in selects],
        "tables": lineage.tables(),
    }


class Follower:
    """Finds what became of a reference of the parsed tree in the qualified tree."""

    def __init__(self, tree: exp.Expr, lineage: Lineage, replacements: dict, places: dict) -> None:
        self.lineage = lineage
        self.replacements = replacements
        self.places = places
        self.nodes = {id(node) for node in tree.walk()}
        self.copies: dict[int, list[exp.Column]] = {}
        for column in tree.find_all(exp.Column):
            if id(column) not in places and start_of(column.this) is not None:
                self.copies.setdefault(start_of(column.this), []).append(column)

    def column(self, column: exp.Column) -> dict:
        parts = self.places[id(column)]
        start = parts[-1]
        if id(column) in self.nodes:
            return self.describe(column, start)
        replacement = self.replacement(column)
        if replacement is not None:
            return self.replaced(column, replacement, parts)
        # Some steps put a copy of a whole part of the tree in its place.
        copies = [self.describe(copy, start) for copy in self.copies.get(start, [])]
        if copies and all(copy == copies[0] for copy in copies):
            return copies[0]
        if copies:
            merged: set[str] = set().union(*(copy["physical"] for copy in copies))
            return entry(start, REPLACED, merged, set())
        around = self.replacement_around(column)
        return entry(start, BARE, set(), set()) if around is None else self.replaced(column, around, parts)

    def replaced(self, column: exp.Column, replacement: exp.Expr, parts: list[int | None]) -> dict:
        start = parts[-1]
        if column.table and type(replacement) is exp.Column:
            # It had its table before it, or what it stands in, gave way to the name of an equal output column.
            self.lineage.place_like(column, replacement)
            return self.describe(column, start)
        # A path into a structure: the column is its first part, or its second after the table.
        if type(replacement) is exp.Dot:
            for inner in replacement.find_all(exp.Column):
                if start_of(inner.this) in parts:
                    return self.describe(inner, start_of(inner.this))
        return entry(start, REPLACED, *self.lineage.value_of(replacement))

    def using(self, join: exp.Join, name: exp.Identifier) -> dict:
        physical: set[str] = set()
        if isinstance(join.args.get("on"), exp.Expr) and id(join) in self.nodes:
            for column in join.args["on"].find_all(exp.Column):
                if column.name == name.name:
                    physical |= self.lineage.value_of(column)[0]
        return entry(start_of(name), USING, physical, set())

    def describe(self, column: exp.Column, start: int | None) -> dict:
        if type(column) is exp.Column and column.table:
            owner = OWNED if self.lineage.has_owner(column) else BARE
        else:
            owner = OUTPUT if self.lineage.names_output(column) else BARE
        return entry(start, owner, *self.lineage.value_of(column))

    def replacement(self, node: exp.Expr) -> exp.Expr | None:
        """What stands in the tree in its place, which may itself have been replaced several times."""
        seen = set()
        while id(node) in self.replacements and id(node) not in seen:
            seen.add(id(node))
            node = self.replacements[id(node)][1]
            if id(node) in self.nodes:
                return node
        return None

    def replacement_around(self, node: exp.Expr) -> exp.Expr | None:
        """What stands in place of an expression that held it."""
        at = node.parent
        while at is not None:
            replacement = self.replacement(at)
            if replacement is not None:
                return replacement
            at = at.parent
        return None


class StarSelect:
    """A select list with stars, as it was before `qualify` expanded them."""

    def __init__(self, select: exp.Select) -> None:
        self.select = select
        stars = [index for index, item in enumerate(select.expressions) if is_star(item)]
        self.before = stars[0]
        self.after = len(select.expressions) - stars[-1] - 1
        nodes = (select.expressions[index].find(exp.Star) for index in stars)
        self.starts = [start_of(node) for node in nodes]

    def expansion(self, lineage: Lineage, offset: t.Callable[[int], int]) -> dict:
        """The output columns from the first star to the last."""
        items = self.select.expressions
        items = items[self.before : len(items) - self.after]
        columns = [
            {"name": item.alias_or_name, "physical": sorted(lineage.value_of(item)[0])}
            for item in items
            if not item.is_star
        ]
        starts = [offset(start) for start in self.starts if start is not None]
        return {"starts": starts, "columns": columns}


def is_star(item: exp.Expr) -> bool:
    return isinstance(item, exp.Star) or (isinstance(item, (exp.Column, exp.Dot)) and item.is_star)


def missing_of(found: dict, lineage: Lineage) -> dict:
    return {"missing": [name for name in found["physical"] if name in lineage.invented]}


def entry(start: int | None, owner: str, physical: set[str], marks: set[str]) -> dict:
    return {"start": start, "owner": owner, "physical": sorted(physical), "marks": sorted(marks)}


def start_of(node: t.Any) -> int | None:
    return node.meta_get("start") if isinstance(node, exp.Expr) else None


@contextmanager
def recorded_replacements() -> t.Iterator[dict[int, tuple[exp.Expr, exp.Expr]]]:
    """Old node (by id, and held so that the id stays its own) and what replaced it."""
    replacements: dict[int, tuple[exp.Expr, exp.Expr]] = {}
    original = exp.Expression.replace

    def replace(self: exp.Expr, expression: t.Any) -> t.Any:
        if self.parent is not None and isinstance(expression, exp.Expr) and expression is not self:
            replacements[id(self)] = (self, expression)
        return original(self, expression)

    exp.Expression.replace = replace  # type: ignore[method-assign]
    try:
        yield replacements
    finally:
        exp.Expression.replace = original  # type: ignore[method-assign]


def utf16_offset(sql: str) -> t.Callable[[int], int]:
    """SQLGlot counts code points, JavaScript UTF-16 units: characters beyond the basic plane are two of those."""
    if all(ord(character) <= 0xFFFF for character in sql):
        return lambda start: start
    offsets = [0]
    for character in sql:
        offsets.append(offsets[-1] + (2 if ord(character) > 0xFFFF else 1))
    return lambda start: offsets[start]
