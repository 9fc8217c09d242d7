import type { Assumption } from '../../../answer.ts';
import type { Column } from '../../../catalog/catalog.ts';
import type {
  Cause,
  Expression,
  Join,
  OrderItem,
  Predicate,
  Query,
  SelectItem,
  SelectQuery,
} from '../../../sql/query.ts';
import type {
  Bound,
  BoundFilter,
  BoundGroup,
  BoundHaving,
  BoundOrder,
  BoundProjection,
} from '../resolve/bound.ts';
import { displayColumns } from '../resolve/display-columns.ts';
import type { ResolveContext } from '../resolve/noun-candidates.ts';
import { cause, columnExpression } from './column-expression.ts';
import { filterPredicate } from './filter-predicate.ts';
import { type JoinTree, joinTree } from './join-tree.ts';
import type { SchemaGraph } from './schema-graph.ts';

export interface Plan {
  readonly query: Query;
  readonly tree: JoinTree;
  /** Defaults taken on the way. */
  readonly assumptions: readonly Assumption[];
}

/** Turns a bound frame into a query tree; null when its tables cannot be joined. */
export function buildQuery(
  bound: Bound,
  limit: number | undefined,
  isDistinct: boolean,
  context: ResolveContext,
): Plan | null {
  const { graph } = context;
  const excluding = exclusions(bound, graph);
  if (excluding !== null) return buildQuery(excluding, limit, isDistinct, context);
  const together = demandedTogether(bound.filters);
  if (together !== null) {
    const [left, right] = together.map((filter) => {
      const filters = [...bound.filters.filter((other) => other.connective !== 'both'), filter];
      return buildQuery({ ...bound, filters }, limit, isDistinct, context);
    });
    if (left == null || right == null) return null;
    return { ...left, query: { kind: 'set', operator: 'intersect', left: left.query, right: right.query } };
  }
  const root = countsOnly(bound) ?? bound.subject;
  const tree = joinTree(root, bound.tables, graph);
  if (tree === null) return null;
  const query = new SelectBuilder(bound, tree, context).build(limit, isDistinct);
  return query === null ? null : { query, tree, assumptions: assumptionsOf(bound, tree, limit) };
}

function assumptionsOf(bound: Bound, tree: JoinTree, limit: number | undefined): Assumption[] {
  const assumed: Assumption[] = [];
  if (limit === 1 && bound.orders.some((order) => order.isSuperlative))
    assumed.push({ kind: 'tie', text: 'Of several rows in first place one is shown.' });
  for (const edge of tree.ambiguous)
    assumed.push({
      kind: 'join',
      text: `${edge.from} is joined to ${edge.to} by ${edge.fromColumns.join(', ')}; there are other keys.`,
    });
  for (const edge of tree.edges)
    if (edge.key.source === 'inferred')
      assumed.push({
        kind: 'join',
        text: `The link ${edge.from} – ${edge.to} is inferred from names and values, not declared.`,
      });
  return assumed;
}

/**
 * "students who do not own cats": a student may own a cat and a dog, so no joined row tells. A negated value on
 * the many side becomes an absence. Null when there is none.
 */
function exclusions(bound: Bound, graph: SchemaGraph): Bound | null {
  const isMany = (filter: BoundFilter): boolean => {
    if (!filter.isNegated || filter.operator !== '=' || filter.column.tableId === bound.subject) return false;
    return (
      joinTree(bound.subject, [filter.column.tableId], graph)?.edges.some((edge) => edge.multiplies) ?? false
    );
  };
  const many = bound.filters.filter(isMany);
  if (many.length === 0) return null;
  const filters = bound.filters.filter((filter) => !many.includes(filter));
  const absences = many.map((filter) => ({
    tableId: filter.column.tableId,
    filters: [{ ...filter, isNegated: false }],
    mention: filter.mention,
  }));
  const needed = [
    ...filters.map((filter) => filter.column.tableId),
    ...bound.projections.flatMap((item) => item.column?.tableId ?? item.countOf ?? []),
    ...bound.groups.map((group) => group.tableId),
    ...bound.orders.flatMap((order) => order.column?.tableId ?? order.countOf ?? []),
    ...bound.havings.flatMap((having) => having.column?.tableId ?? having.countOf ?? []),
  ];
  return {
    ...bound,
    filters,
    absences: [...bound.absences, ...absences],
    tables: new Set([bound.subject, ...needed]),
  };
}

/** Conditions joined by "both" on one column: no single row can hold them, the sets must meet. */
function demandedTogether(filters: readonly BoundFilter[]): readonly BoundFilter[] | null {
  const both = filters.filter((filter) => filter.connective === 'both');
  return both.length === 2 && both[0]?.column.id === both[1]?.column.id ? both : null;
}

function countsOnly(bound: Bound): string | undefined {
  return bound.projections.length === 1 ? bound.projections[0]?.countOf : undefined;
}

class SelectBuilder {
  private readonly bound: Bound;
  private readonly tree: JoinTree;
  private readonly context: ResolveContext;
  private readonly graph: SchemaGraph;
  /** The joins repeat rows of the subject. */
  private readonly repeats: boolean;

  constructor(bound: Bound, tree: JoinTree, context: ResolveContext) {
    this.bound = bound;
    this.tree = tree;
    this.context = context;
    this.graph = context.graph;
    this.repeats = tree.edges.some((edge) => edge.multiplies);
  }

  build(limit: number | undefined, isDistinct: boolean): SelectQuery | null {
    const { bound } = this;
    const where = this.where();
    if (where === null) return null;
    const shown = this.select();
    const groupBy = this.groupBy();
    const select = this.withGroupNames(shown, groupBy);
    const hasAggregate = bound.projections.some((item) => item.aggregate !== undefined);
    return {
      kind: 'select',
      distinct: isDistinct && groupBy.length === 0 && !hasAggregate,
      select,
      from: {
        table: this.graph.table(this.tree.root).name,
        cause: cause(undefined, 'the table the question is about'),
      },
      joins: this.joins(),
      where,
      groupBy,
      having: bound.havings.map((item) => this.having(item)),
      orderBy: bound.orders.map((item) => this.order(item)),
      limit,
    };
  }

  private select(): SelectItem[] {
    const seen = new Set<string>();
    const items = this.bound.projections.filter((item) => {
      const key = `${item.aggregate ?? ''}:${item.column?.id ?? item.countOf ?? ''}`;
      return !seen.has(key) && seen.add(key);
    });
    return items.map((item) => ({ expression: this.projection(item) }));
  }

  private projection(item: BoundProjection): Expression {
    const because = cause(
      item.mention,
      item.mention === undefined ? 'counts rows' : `“${item.mention.text}”`,
      item.score,
    );
    if (item.aggregate === undefined && item.column !== undefined)
      return columnExpression(item.column, this.graph, because);
    if (item.column === undefined) return this.count(item.countOf, because);
    const argument = columnExpression(item.column, this.graph);
    if (item.aggregate === 'count') {
      const isCategory =
        item.column.family === 'text' &&
        (item.column.profile?.distinctCount ?? 0) < this.graph.table(item.column.tableId).rowCount;
      return {
        kind: 'aggregate',
        function: 'count',
        distinct: item.isDistinct || isCategory,
        argument,
        cause: because,
      };
    }
    return {
      kind: 'aggregate',
      function: item.aggregate ?? 'count',
      distinct: false,
      argument,
      cause: because,
    };
  }

  /** Rows of a table are counted once each, also when a join repeats them. */
  private count(tableId: string | undefined, because?: Cause): Expression {
    const isGrouped = this.bound.groups.length > 0 || this.bound.projections.length > 1;
    if (tableId !== undefined && !isGrouped && this.repeatsRowsOf(tableId)) {
      const [key, second] = this.graph.table(tableId).primaryKey;
      if (key !== undefined && second === undefined)
        return {
          kind: 'aggregate',
          function: 'count',
          distinct: true,
          argument: columnExpression(this.graph.column(key), this.graph),
          cause: because,
        };
    }
    return {
      kind: 'aggregate',
      function: 'count',
      distinct: false,
      argument: { kind: 'star' },
      cause: because,
    };
  }

  private repeatsRowsOf(tableId: string): boolean {
    return this.repeats && this.tree.root === tableId;
  }

  private joins(): Join[] {
    return this.tree.edges.map((edge) => ({
      kind: 'inner',
      table: { table: this.graph.table(edge.to).name },
      on: edge.fromColumns.map((column, index) => ({
        left: columnExpression(this.graph.column(column), this.graph),
        right: columnExpression(this.graph.column(edge.toColumns[index] ?? ''), this.graph),
      })),
      cause: {
        why: `${edge.key.source} key ${edge.from} – ${edge.to}`,
        certainty:
          edge.key.source === 'inferred' || this.tree.ambiguous.includes(edge) ? 'uncertain' : 'stated',
      },
    }));
  }

  private where(): Predicate[] | null {
    const predicates: Predicate[] = [];
    for (const filter of this.bound.filters) {
      const predicate = filterPredicate(filter, this.graph);
      const last = predicates.at(-1);
      if (filter.connective === 'or' && last !== undefined)
        predicates[predicates.length - 1] = {
          kind: 'or',
          parts: last.kind === 'or' ? [...last.parts, predicate] : [last, predicate],
        };
      else predicates.push(predicate);
    }
    for (const absence of this.bound.absences) {
      const predicate = this.absence(absence);
      if (predicate === null) return null;
      predicates.push(predicate);
    }
    return predicates;
  }

  /** "without any X": the subject's key is not among the keys X refers to. */
  private absence(absence: Bound['absences'][number]): Predicate | null {
    const { subject } = this.bound;
    const path = joinTree(subject, [absence.tableId], this.graph);
    const first = path?.edges[0];
    if (path == null || first === undefined || first.fromColumns.length !== 1) return null;
    const inner = joinTree(
      first.to,
      [absence.tableId, ...absence.filters.map((filter) => filter.column.tableId)],
      this.graph,
    );
    const key = first.toColumns[0];
    const own = first.fromColumns[0];
    if (inner === null || key === undefined || own === undefined) return null;
    const keyColumn = this.graph.column(key);
    const isNotNull: Predicate[] = keyColumn.isNullable
      ? [{ kind: 'null', value: columnExpression(keyColumn, this.graph), negated: true }]
      : [];
    const query: SelectQuery = {
      kind: 'select',
      distinct: false,
      select: [{ expression: columnExpression(keyColumn, this.graph) }],
      from: { table: this.graph.table(first.to).name },
      joins: new SelectBuilder(this.bound, inner, this.context).joins(),
      where: [...absence.filters.map((filter) => filterPredicate(filter, this.graph)), ...isNotNull],
      groupBy: [],
      having: [],
      orderBy: [],
    };
    return {
      kind: 'in-query',
      value: columnExpression(this.graph.column(own), this.graph),
      query,
      negated: true,
      cause: cause(absence.mention, `“${absence.mention.text}” … ${absence.tableId}`),
    };
  }

  private groupBy(): Expression[] {
    const { bound } = this;
    const plain = bound.projections.filter(
      (item) => item.aggregate === undefined && item.column !== undefined,
    );
    const aggregates =
      bound.projections.length > plain.length ||
      bound.havings.length > 0 ||
      bound.orders.some((item) => item.isCount || this.orderAggregate(item) !== undefined);
    if (bound.groups.length === 0 && (!aggregates || plain.length === 0)) return [];
    const keys = new Map<string, Expression>();
    const add = (column: Column): void => {
      keys.set(column.id, columnExpression(column, this.graph));
    };
    for (const group of bound.groups) {
      if (group.part !== undefined)
        keys.set(`${group.column?.id}:${group.part}`, this.groupExpressions(group)[0] ?? { kind: 'star' });
      else
        for (const column of group.column === undefined ? this.keyOf(group.tableId) : [group.column])
          add(column);
    }
    if (bound.groups.length === 0)
      for (const item of plain)
        if (item.column !== undefined) for (const key of this.entityKeys(item.column)) add(key);
    for (const item of plain) if (item.column !== undefined) add(item.column);
    return [...keys.values()];
  }

  /** What a group shows: its date at a grain, its column, or the name of its table's rows. */
  private groupExpressions(group: BoundGroup): Expression[] {
    const because = cause(group.mention, `group “${group.mention.text}”`);
    if (group.column !== undefined && group.part !== undefined)
      return [
        {
          kind: 'date-part',
          part: group.part,
          argument: columnExpression(group.column, this.graph),
          cause: because,
        },
      ];
    const columns =
      group.column === undefined
        ? displayColumns(this.graph.table(group.tableId), this.context.displayColumn(group.tableId))
        : [group.column];
    return columns.map((column) => columnExpression(column, this.graph, because));
  }

  /** A name may repeat, its table's key may not: rows are grouped by both. */
  private entityKeys(column: Column): readonly Column[] {
    const isName = displayColumns(this.graph.table(column.tableId)).some(
      (display) => display.id === column.id,
    );
    return isName && this.countsOther(column.tableId) ? this.keyOf(column.tableId) : [];
  }

  private countsOther(tableId: string): boolean {
    return (
      this.tree.edges.some((edge) => edge.multiplies) &&
      this.bound.tables.size > 1 &&
      tableId === this.bound.subject
    );
  }

  private keyOf(tableId: string): readonly Column[] {
    const table = this.graph.table(tableId);
    const key = table.primaryKey.map((id) => this.graph.column(id));
    return key.length > 0 ? key : displayColumns(table, this.context.displayColumn(tableId));
  }

  /** Groups are shown with their name, or the counts mean nothing. */
  private withGroupNames(select: readonly SelectItem[], groupBy: readonly Expression[]): SelectItem[] {
    if (groupBy.length === 0) return [...select];
    const names = this.bound.groups.flatMap((group): Expression[] => {
      const isShown = this.bound.projections.some(
        (item) =>
          item.aggregate === undefined &&
          item.column?.tableId === group.tableId &&
          (group.column === undefined || item.column.id === group.column.id),
      );
      return isShown ? [] : this.groupExpressions(group);
    });
    const onlyCounts =
      this.bound.orders.some((item) => item.isCount) &&
      select.length > 0 &&
      this.bound.projections.every((item) => item.aggregate === undefined);
    return onlyCounts ? [...select] : [...names.map((expression) => ({ expression })), ...select];
  }

  private having(item: BoundHaving): Predicate {
    const because = cause(item.mention, `“${item.mention.text}”`);
    const left: Expression =
      item.column === undefined
        ? { kind: 'aggregate', function: 'count', distinct: false, argument: { kind: 'star' } }
        : {
            kind: 'aggregate',
            function: item.aggregate,
            distinct: false,
            argument: columnExpression(item.column, this.graph),
          };
    return {
      kind: 'compare',
      operator: item.operator,
      left,
      right: { kind: 'literal', value: item.number },
      cause: because,
    };
  }

  /** "spent the most money": a figure on the many side is added up for each row of the subject. */
  private orderAggregate(item: BoundOrder): BoundOrder['aggregate'] {
    if (item.aggregate !== undefined || !item.isTotal || item.column === undefined) return item.aggregate;
    const path = joinTree(this.bound.subject, [item.column.tableId], this.graph);
    return path?.edges.some((edge) => edge.multiplies) ? 'sum' : undefined;
  }

  private order(item: BoundOrder): OrderItem {
    if (item.isCount || item.column === undefined)
      return {
        expression: {
          kind: 'aggregate',
          function: 'count',
          distinct: false,
          argument: { kind: 'star' },
          cause: cause(item.mention, `“${item.mention.text}”`),
        },
        direction: item.direction,
      };
    const expression = columnExpression(
      item.column,
      this.graph,
      cause(item.mention, `“${item.mention.text}”`),
    );
    const isGrouped =
      this.bound.groups.length > 0 &&
      !this.bound.groups.some((group) => group.column?.id === item.column?.id);
    const aggregate =
      this.orderAggregate(item) ??
      (isGrouped
        ? this.bound.projections.find((shown) => shown.column?.id === item.column?.id)?.aggregate
        : undefined);
    return {
      expression:
        aggregate === undefined
          ? expression
          : { kind: 'aggregate', function: aggregate, distinct: false, argument: expression },
      direction: item.direction,
    };
  }
}
