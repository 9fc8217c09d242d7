"""Follows columns of a qualified tree down to columns of stored tables.

The value of a column is what its expression reads: columns, and the output of scalar subqueries, but not what a
subquery filters by. This is how SQLGlot's own `lineage` counts.
"""

from __future__ import annotations

import typing as t

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, find_all_in_scope, traverse_scope

# `table.column` names, and marks: the kinds of sources on the way that are no tables or queries (`function`,
# `pivot`, `values`), `star` where one could not be expanded, `missing` where the source has no such column.
Value = tuple[frozenset[str], frozenset[str]]
NOTHING: Value = (frozenset(), frozenset())

# Clauses where a bare name may be one of an output column.
OUTPUT_CLAUSES = (exp.Order, exp.Group, exp.Having, exp.Qualify, exp.Distinct)


class Lineage:
    def __init__(self, tree: exp.Expr, schema) -> None:
        self.schema = schema
        self.scopes = list(traverse_scope(tree))
        self.scope_of: dict[int, Scope] = {}
        self.scope_by_query: dict[int, Scope] = {}
        self.recursive_by_base: dict[int, Scope] = {}
        for scope in self.scopes:
            self.scope_by_query[id(scope.expression)] = scope
            if scope.is_cte and isinstance(scope.expression, exp.SetOperation):
                self.recursive_by_base[id(scope.expression.this.unnest())] = scope
            for node in scope.walk():
                if isinstance(node, (exp.Column, exp.TableColumn)):
                    self.scope_of.setdefault(id(node), scope)
        # `table.column` names that no table of the schema has, as far as they were met.
        self.invented: set[str] = set()
        self._values: dict[tuple[int, str | int], Value] = {}
        self._open: set[tuple[int, str | int]] = set()
        self._cuts = 0

    def tables(self) -> list[str]:
        """Names of the stored tables, without schema or database, in lower case."""
        return sorted(
            {
                table.name.lower()
                for scope in self.scopes
                for table in scope.tables
                if isinstance(table.this, exp.Identifier) and not is_query_name(table, scope)
            }
        )

    def has_owner(self, column: exp.Column) -> bool:
        scope = self.scope_of.get(id(column))
        return scope is not None and self._find_source(scope, column.table) is not None

    def place_like(self, column: exp.Column, other: exp.Expr) -> None:
        """Has a column that left the tree looked up where another one stands."""
        scope = self.scope_of.get(id(other))
        if scope is not None:
            self.scope_of[id(column)] = scope

    def names_output(self, column: exp.Column) -> bool:
        scope = self.scope_of.get(id(column))
        if scope is None or column.table:
            return False
        clause = column.find_ancestor(*OUTPUT_CLAUSES, exp.Select)
        return isinstance(clause, OUTPUT_CLAUSES) and column.name in output_names(scope.expression)

    def value_of(self, expression: exp.Expr) -> Value:
        """What an expression of the tree reads: `value_of(a + b)` → {t.a, t.b}."""
        parts: list[Value] = []
        for column in find_all_in_scope(expression, exp.Column):
            parts.append(self._column_value(column))
        for query in find_all_in_scope(expression, *exp.UNWRAPPED_QUERIES):
            scope = self.scope_by_query.get(id(query))
            if scope is not None:
                parts.extend(self._output(scope, name) for name in output_names(query))
        return union(parts)

    def _column_value(self, column: exp.Column) -> Value:
        scope = self.scope_of.get(id(column))
        if scope is None or isinstance(column.this, exp.Star):
            return NOTHING
        if not column.table:
            return self._output(scope, column.name) if self.names_output(column) else NOTHING
        source = self._find_source(scope, column.table)
        return NOTHING if source is None else self._source_column(source, scope, column.name)

    def _find_source(self, scope: Scope | None, name: str) -> exp.Table | exp.Pivot | Scope | None:
        """The nearest source of that name, in this query or in one around it."""
        at = scope
        while at is not None:
            for reference, _ in at.references:
                if reference == name and name in at.sources:
                    return at.sources[name]
            for pivot in at.pivots:
                if pivot.alias == name:
                    return pivot
            if name in at.lateral_sources:
                return at.lateral_sources[name]
            at = at.parent
        return None

    def _source_column(self, source: exp.Table | exp.Pivot | Scope, scope: Scope, name: str) -> Value:
        if isinstance(source, exp.Pivot):
            return self._pivot_column(source, scope, name)
        if isinstance(source, Scope):
            return self._output(source, name)
        if source.args.get("pivots"):
            return self._pivot_column(source.args["pivots"][-1], scope, name)
        if not isinstance(source.this, exp.Identifier):
            return mark(self.value_of(source.this), "function")
        stored = self._table_column(source, name)
        value: Value = (frozenset({f"{source.name.lower()}.{stored.lower()}"}), frozenset())
        columns = self.schema.column_names(source)
        if not columns or stored in columns:
            return value
        self.invented |= value[0]
        return mark(value, "missing")

    def _table_column(self, table: exp.Table, name: str) -> str:
        """A table with a column list, `t AS a (x, y)`, renames by position."""
        if name in table.alias_column_names:
            columns = self.schema.column_names(table)
            index = table.alias_column_names.index(name)
            return columns[index] if index < len(columns) else name
        return name

    def _pivot_column(self, pivot: exp.Pivot, scope: Scope, name: str) -> Value:
        parent = pivot.parent
        source = scope.sources.get(parent.alias_or_name) if parent else None
        if isinstance(source, exp.Table) and not source.db and source.name in scope.cte_sources:
            source = scope.cte_sources[source.name]
        made = [node.name for node in pivot.find_all(exp.Alias)] + list(pivot.alias_column_names)
        if name not in made:
            if isinstance(source, Scope) and name in output_names(source.expression):
                return mark(self._output(source, name), "pivot")
            if isinstance(source, exp.Table) and name in self.schema.column_names(source):
                return mark((frozenset({f"{source.name.lower()}.{name.lower()}"}), frozenset()), "pivot")
        return mark(union(self._column_value(column) for column in pivot.find_all(exp.Column)), "pivot")

    def _output(self, scope: Scope, name: str | int) -> Value:
        """An output column of a query, by name or place."""
        scope = self._traversed(scope)
        key = (id(scope), name)
        if key in self._values:
            return self._values[key]
        if key in self._open:
            # A recursive query that passes a column on: nothing beyond what its other branch gives.
            self._cuts += 1
            return NOTHING
        self._open.add(key)
        cuts = self._cuts
        value = self._compute_output(scope, name)
        self._open.discard(key)
        if cuts == self._cuts or not self._open:
            self._values[key] = value
        return value

    def _traversed(self, scope: Scope) -> Scope:
        """Inside a recursive query SQLGlot shows only a bare scope of its first branch; the query is meant."""
        if scope in self.scopes:
            return scope
        query = id(scope.expression)
        return self.recursive_by_base.get(query) or self.scope_by_query.get(query) or scope

    def _compute_output(self, scope: Scope, name: str | int) -> Value:
        query = scope.expression
        if isinstance(query, exp.SetOperation):
            index = name if isinstance(name, int) else index_of(output_names(query), name)
            if index is None:
                return mark(NOTHING, "missing")
            if query.args.get("by_name") and isinstance(name, str):
                return union(self._output(branch, name) for branch in scope.set_operation_scopes)
            return union(self._output(branch, index) for branch in scope.set_operation_scopes)
        if isinstance(query, exp.Select):
            return self._select_output(scope, query, name)
        inner = [*scope.subquery_scopes, *scope.derived_table_scopes]
        if inner and isinstance(query, (exp.Subquery, exp.Lateral)):
            return self._output(inner[0], name)
        kind = "values" if isinstance(query, exp.Values) else "function"
        return mark(union(self._column_value(column) for column in query.find_all(exp.Column)), kind)

    def _select_output(self, scope: Scope, select: exp.Select, name: str | int) -> Value:
        items = select.expressions
        if isinstance(name, int):
            return self.value_of(items[name]) if name < len(items) else NOTHING
        index = index_of([item.alias_or_name for item in items], name)
        if index is not None:
            return self.value_of(items[index])
        # A star that could not be expanded: with a single source it can only be of that.
        if any(item.is_star for item in items) and len(scope.references) == 1:
            source = self._find_source(scope, scope.references[0][0])
            if source is not None:
                return mark(self._source_column(source, scope, name), "star")
        return mark(NOTHING, "missing")


def is_query_name(table: exp.Table, scope: Scope) -> bool:
    """Whether a table is a reference to a query of WITH."""
    return not table.db and table.name in scope.cte_sources


def output_names(query: exp.Expr) -> list[str]:
    return list(query.named_selects) if isinstance(query, exp.Selectable) else []


def index_of(names: t.Sequence[str], name: str) -> int | None:
    return names.index(name) if name in names else None


def union(parts: t.Iterable[Value]) -> Value:
    parts = list(parts)
    if len(parts) == 1:
        return parts[0]
    return frozenset().union(*(part[0] for part in parts)), frozenset().union(*(part[1] for part in parts))


def mark(value: Value, kind: str) -> Value:
    return value[0], value[1] | {kind}
