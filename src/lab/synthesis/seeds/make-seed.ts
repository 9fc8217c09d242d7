import type { Database, QueryLimits } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import type { Metric } from '../../../knowledge/semantic/index.ts';
import { type Cell, DIALECTS } from '../../../sql/dialects/index.ts';
import {
  type Expression,
  type Predicate,
  printQuery,
  type Query,
  type SelectQuery,
} from '../../../sql/print/index.ts';
import { type Route, tableOf } from '../inventory/find-route.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import { listPeriods } from '../inventory/list-periods.ts';
import { makeDice } from '../items/seeded-random.ts';
import type { Structure } from '../items/structure.ts';
import {
  type BlockRequest,
  column,
  columnName,
  definition,
  divided,
  endsOf,
  FIGURE,
  fromTable,
  isEntity,
  NOTHING,
  routeOf,
  type ScopePart,
  stored,
  within,
} from '../steps/block.ts';
import { compileStructure, workOut } from '../steps/compile-structure.ts';
import type { FigureRow, ReadFigures } from '../steps/step-writer.ts';
import type { Template } from '../templates/make-templates.ts';
import { type Filling, fillTemplate } from '../templates/make-templates.ts';
import { type WordedQuestion, wordQuestion } from '../words/word-question.ts';

/** A question with its query, right by two independent ways of working it out on the database; BAR-SQL §4. */
export interface Seed {
  readonly structure: Structure;
  readonly scope: MetricScope;
  readonly template: Template;
  readonly worded: WordedQuestion;
  readonly sql: string;
  /** With the figure where `sql` is without, or the other way round; only where the question leaves it open. */
  readonly otherSql?: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** Why no seed came of a template. */
export type Dropped =
  | 'unfilled'
  | 'other-split'
  | 'unreachable'
  | 'disagreement'
  | 'no-single-answer'
  | 'empty'
  | 'too-large'
  | 'too-slow';

export interface SeedSource {
  readonly inventory: Inventory;
  readonly database: Database;
  readonly seed: number;
  readonly signal?: AbortSignal;
}

const LIMITS: QueryLimits = { rows: 2_000, bytes: 1_000_000, timeoutMs: 10_000 };
/** More rows are no answer that a person reads. */
const MOST_ROWS = 200;
const DRAWS = 40;

/**
 * Draws values for a template, writes the query with joins, works the answer out from figures read without joins, and
 * keeps it where both give the same rows, none of them NULL. `draw` numbers the attempts with one template.
 */
export async function makeSeed(
  template: Template,
  draw: number,
  source: SeedSource,
  isWanted: (structure: Structure) => boolean = () => true,
): Promise<Seed | Dropped> {
  const { inventory } = source;
  const dice = makeDice(source.seed, `${template.id}#${draw}`);
  const scope = inventory.metrics.find(({ metric }) => metric.name === template.metric);
  if (scope === undefined) return 'unfilled';
  const { days } = scope;
  const periods = days === undefined ? [] : listPeriods(days.first, days.last, inventory.now);
  const structure = fillWanted(template, { inventory, scope, periods, dice }, isWanted);
  if (typeof structure === 'string') return structure;
  const query = compileStructure(structure, scope, inventory);
  if (query === null) return 'unreachable';
  const sql = printQuery(query, DIALECTS[inventory.catalog.dialect]).sql;
  const checked = await check(sql, structure, scope, source);
  if (typeof checked === 'string') return checked;
  const worded = wordQuestion({ structure, shape: template.shape, scope, inventory, dice });
  return { structure, scope, template, worded, rows: checked, ...golds(query, worded, source) };
}

/** Values are drawn until they are of the wanted kind. */
function fillWanted(
  template: Template,
  filling: Filling,
  isWanted: (structure: Structure) => boolean,
): Structure | 'unfilled' | 'other-split' {
  for (let draw = 0; draw < DRAWS; draw++) {
    const structure = fillTemplate(template, filling);
    if (structure === undefined) return 'unfilled';
    if (isWanted(structure)) return structure;
  }
  return 'other-split';
}

/** The rows, where both ways agree on them. */
async function check(
  sql: string,
  structure: Structure,
  scope: MetricScope,
  source: SeedSource,
): Promise<readonly (readonly Cell[])[] | Dropped> {
  const { database, inventory, signal } = source;
  try {
    const { rows, truncatedBy } = await database.query(sql, LIMITS, signal);
    if (truncatedBy !== null || rows.length > MOST_ROWS) return 'too-large';
    if (rows.length === 0 || rows.every((row) => row.every((cell) => cell === 0))) return 'empty';
    if (rows.some((row) => row.some((cell) => cell === null))) return 'no-single-answer';
    const expected = await workOut(structure, scope, { inventory, read: readNested(scope, source) });
    if (expected === null) return 'no-single-answer';
    return isSameRows(rows, expected) ? rows : 'disagreement';
  } catch (error) {
    if (error instanceof CandorError && error.code === 'database.timeout') return 'too-slow';
    if (error instanceof UnreadableFigure) return error.reason;
    throw error;
  }
}

/** Raised inside a step for figures that are NULL or cannot be reached; never leaves `check`. */
class UnreadableFigure extends Error {
  readonly reason: Dropped;
  constructor(reason: Dropped) {
    super(reason);
    this.reason = reason;
  }
}

function readNested(scope: MetricScope, { database, inventory, signal }: SeedSource): ReadFigures {
  return async (request) => {
    const query = nestedBlock(scope, request, inventory);
    if (query === null) throw new UnreadableFigure('unreachable');
    const { sql } = printQuery(query, DIALECTS[inventory.catalog.dialect]);
    const { rows } = await database.query(sql, LIMITS, signal);
    return rows.map((row): FigureRow => {
      const figure = numberOf(row.at(-1));
      if (figure === undefined) throw new UnreadableFigure('no-single-answer');
      return { keys: row.slice(0, -1), figure };
    });
  };
}

function numberOf(cell: Cell | undefined): number | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  return typeof cell === 'string' && cell.trim() !== '' && Number.isFinite(Number(cell))
    ? Number(cell)
    : undefined;
}

/** A ranking that asks for the things alone: the gold shows them alone, and with their figure it is right as well. */
function golds(
  query: Query,
  { hidesFigure }: WordedQuestion,
  { inventory }: SeedSource,
): Pick<Seed, 'sql' | 'otherSql'> {
  const sqlOf = (each: Query): string => printQuery(each, DIALECTS[inventory.catalog.dialect]).sql;
  if (!hidesFigure || query.kind !== 'select') return { sql: sqlOf(query) };
  return { sql: sqlOf({ ...query, select: query.select.slice(0, -1) }), otherSql: sqlOf(query) };
}

const TOLERANCE = 1e-9;

/** The same bag of rows, numbers equal within a billionth: two ways to work out one answer, not two answers. */
export function isSameRows(left: readonly (readonly Cell[])[], right: readonly (readonly Cell[])[]): boolean {
  if (left.length !== right.length) return false;
  const open = [...right];
  return left.every((row) => {
    const at = open.findIndex(
      (other) => row.length === other.length && row.every((cell, place) => isSame(cell, other[place])),
    );
    if (at < 0) return false;
    open.splice(at, 1);
    return true;
  });
}

function isSame(left: Cell, right: Cell | undefined): boolean {
  const [a, b] = [Number(left), Number(right)];
  if (left !== null && right !== null && right !== undefined && Number.isFinite(a) && Number.isFinite(b))
    return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
  return left === right;
}

// The second way to write a figure: no join, conditions by IN and groups looked up row by row.

/** The same figure as `block` gives: where the two differ, rows were counted twice or lost, and neither is gold. */
function nestedBlock(scope: MetricScope, request: BlockRequest, inventory: Inventory): SelectQuery | null {
  const parts = scope.parts.map((part, place) => lookedUp({ scope, part, place }, request, inventory));
  return divided(parts, request);
}

function lookedUp(
  { scope, part, place }: ScopePart,
  { filters, groups, period }: BlockRequest,
  inventory: Inventory,
): SelectQuery | null {
  const names = [...groups, ...filters.map(({ dimension }) => dimension)];
  const routes = new Map(names.flatMap((name) => [[name, routeOf(scope, name, place)] as const]));
  if (part.table === undefined || [...routes.values()].some((route) => route === undefined)) return null;
  const routed = (name: string): Route => routes.get(name) ?? [];
  const rows: SelectQuery = {
    ...NOTHING,
    select: [
      { expression: { kind: 'star' } },
      ...groups.map((name) => ({
        expression: lookUp(routed(name), groupColumn(scope, name), inventory),
        alias: groupName(name),
      })),
    ],
    from: fromTable(part.table, inventory),
    where: [
      ...definition(part, names, [part.table], inventory),
      ...groups.flatMap((name) => exists(routed(name), undefined, inventory)),
      ...filters.flatMap((entity) =>
        exists(routed(entity.dimension), isEntity(entity, inventory), inventory),
      ),
      ...within(part, period, inventory),
    ],
  };
  return outer(part, groups, rows, inventory);
}

/** The rows under the table's own name, so that the metric's expression reads them. */
function outer(
  part: Metric,
  groups: readonly string[],
  rows: SelectQuery,
  inventory: Inventory,
): SelectQuery {
  const { table } = fromTable(part.table ?? '', inventory);
  const keys = groups.map((name) => column(table, groupName(name)));
  return {
    ...NOTHING,
    ctes: [{ name: 'labelled', query: rows }],
    select: [
      ...keys.map((expression, at) => ({ expression, alias: columnName(groups[at] ?? '') })),
      { expression: { kind: 'raw', sql: part.expression ?? '' }, alias: FIGURE },
    ],
    from: { table: 'labelled', alias: table },
    groupBy: keys,
  };
}

function groupColumn(scope: MetricScope, name: string): string {
  return scope.reach.get(name)?.dimension.column ?? '';
}

function groupName(name: string): string {
  return `group_${columnName(name)}`;
}

/** The value at the end of a route, from inside out: `(SELECT name FROM areas WHERE areas.id = dealers.area_id)`. */
function lookUp(route: Route, end: string, inventory: Inventory): Expression {
  const inner = (at: number): Expression => {
    const link = route[at];
    if (link === undefined) return stored(end, inventory);
    const { from, to } = endsOf(link, inventory);
    const query: SelectQuery = {
      ...NOTHING,
      select: [{ expression: inner(at + 1) }],
      from: fromTable(tableOf(link.to, inventory.semantics), inventory),
      where: to.map(
        (right, index): Predicate => ({
          kind: 'compare',
          operator: '=',
          left: right,
          right: from[index] ?? right,
        }),
      ),
    };
    return { kind: 'subquery', query };
  };
  return inner(0);
}

/** Rows that reach the end of a route, whose last table meets the condition and all tables their default filters. */
function exists(route: Route, condition: Predicate | undefined, inventory: Inventory): Predicate[] {
  const [link, ...rest] = route;
  if (link === undefined) return condition === undefined ? [] : [condition];
  const { from, to } = endsOf(link, inventory);
  const [value, key] = [from[0], to[0]];
  if (value === undefined || key === undefined || from.length > 1)
    throw new RangeError(`The link ${link.name} has no single key.`);
  const table = tableOf(link.to, inventory.semantics);
  const kept = inventory.semantics.datasets.flatMap((dataset): Predicate[] =>
    dataset.table === table && dataset.defaultFilter !== undefined
      ? [{ kind: 'raw', sql: dataset.defaultFilter.sql }]
      : [],
  );
  const query: SelectQuery = {
    ...NOTHING,
    select: [{ expression: key }],
    from: fromTable(table, inventory),
    where: [...kept, ...exists(rest, condition, inventory)],
  };
  return [{ kind: 'in-query', value, query, negated: false }];
}
