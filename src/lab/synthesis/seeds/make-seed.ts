import type { Database, QueryLimits } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { type Cell, DIALECTS, printQuery, type Query } from '../../../sql/index.ts';
import { makeDice } from '../dice.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import { listPeriods } from '../inventory/list-periods.ts';
import { compileStructure, workOut } from '../steps/compile-structure.ts';
import type { FigureRow, ReadFigures } from '../steps/step-writer.ts';
import type { Structure } from '../structure.ts';
import { fillTemplate } from '../templates/fill-template.ts';
import type { Template } from '../templates/template.ts';
import { type WordedQuestion, wordQuestion } from '../words/word-question.ts';
import { nestedBlock } from './nested-block.ts';
import { isSameRows } from './same-rows.ts';

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

/**
 * Draws values for a template, writes the query with joins, works the answer out from figures read without joins, and
 * keeps it where both give the same rows, none of them NULL. `draw` numbers the attempts with one template.
 */
export async function makeSeed(
  template: Template,
  draw: number,
  source: SeedSource,
): Promise<Seed | Dropped> {
  const { inventory } = source;
  const dice = makeDice(source.seed, `${template.id}#${draw}`);
  const scope = inventory.metrics.find(({ metric }) => metric.name === template.metric);
  if (scope === undefined) return 'unfilled';
  const { days } = scope;
  const periods = days === undefined ? [] : listPeriods(days.first, days.last, inventory.now);
  const structure = fillTemplate(template, { inventory, scope, periods, dice });
  if (structure === undefined) return 'unfilled';
  const query = compileStructure(structure, scope, inventory);
  if (query === null) return 'unreachable';
  const sql = printQuery(query, DIALECTS[inventory.catalog.dialect]).sql;
  const checked = await check(sql, structure, scope, source);
  if (typeof checked === 'string') return checked;
  const worded = wordQuestion({ structure, shape: template.shape, scope, inventory, dice });
  return { structure, scope, template, worded, rows: checked, ...golds(query, worded, source) };
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
