/** Compares an answer with what is due, as strictly as the case says it. */
import { type Answer, type Answered, isRun } from '../../answer.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { QueryLimits } from '../../database/index.ts';
import { CandorError, unreachable } from '../../errors.ts';
import { nearestNames } from '../../language/index.ts';
import type { ComparedResult, Verdict } from '../../results/index.ts';
import type { Session } from '../../session/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { ExpectRow } from '../corpus/question-row.ts';
import { runQuery } from '../evaluation/comparators/run-query.ts';
import { compareResults } from '../evaluation/index.ts';
import { goldItems } from '../linking/score/gold-items.ts';
import { differRows } from './row-difference.ts';
import type { Problem, TestCase } from './test-result.ts';

type DueAnswer = Extract<ExpectRow, { readonly kind: 'answered' }>;

export interface Judged {
  readonly problems: readonly Problem[];
  readonly isRightReason?: boolean;
}

/** Wide enough that results of reports are compared whole; a larger one is a failure that says so. */
const LIMITS: Omit<QueryLimits, 'timeoutMs'> = { rows: 500_000, bytes: 200_000_000 };

/** Everything that is not as it should be. Expected SQL goes through the same guard and row filters as the answer's. */
export async function judgeTurn(
  answer: Answer,
  expect: ExpectRow,
  session: Pick<Session, 'database' | 'catalog' | 'config'>,
  signal: AbortSignal,
): Promise<Judged> {
  if (answer.kind !== expect.kind)
    return { problems: [{ what: 'outcome', text: `${expect.kind} was expected, ${answer.kind} came` }] };
  if (answer.kind !== 'answered' || expect.kind !== 'answered') return judgeDetails(answer, expect);
  const names = itemProblems(answer.sql, expect, session.catalog);
  const rows = await judgeRows(answer, expect, session, signal);
  return { problems: [...rows, ...names.map((text): Problem => ({ what: 'names', text }))] };
}

function judgeDetails(answer: Answer, expect: ExpectRow): Judged {
  const details = detailsOf(answer, expect).filter(([, due]) => due !== undefined);
  const problems = details
    .filter(([name, due = '', came]) => !isSameDetail(name, due, came))
    .map(
      ([name, due, came]): Problem => ({
        what: 'detail',
        text: `the ${name} “${due}” was expected, “${came}” came`,
      }),
    );
  return { problems, ...(details.length > 0 && { isRightReason: problems.length === 0 }) };
}

type Detail = readonly [name: string, due: string | undefined, came: string];

function detailsOf(answer: Answer, expect: ExpectRow): readonly Detail[] {
  switch (expect.kind) {
    case 'reject':
      if (answer.kind !== 'reject') return [];
      return [
        ['reason', expect.reason, answer.reason],
        ['missing thing', expect.missing, answer.missing],
      ];
    case 'clarify':
      return answer.kind === 'clarify' ? [['gap', expect.gap, answer.gap]] : [];
    case 'follow_up':
      if (answer.kind !== 'follow_up') return [];
      return [
        ['metric', expect.metric, answer.metric],
        ['dimension', expect.dimension, answer.dimension],
      ];
    case 'answered':
    case 'abstain':
      return [];
    default:
      return unreachable(expect);
  }
}

/** Of what is missing, one wording may hold the other: “paint colour” and “colour”. */
function isSameDetail(name: string, due: string, came: string): boolean {
  const [one, other] = [due, came].map((text) =>
    text
      .toLowerCase()
      .replace(/[\s_]+/g, ' ')
      .trim(),
  );
  if (one === undefined || other === undefined || other === '') return false;
  return name === 'missing thing' ? other.includes(one) || one.includes(other) : one === other;
}

async function judgeRows(
  answer: Answered,
  expect: DueAnswer,
  { database, config }: Pick<Session, 'database' | 'config'>,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  if (expect.sql === undefined && expect.result === undefined) return [];
  const limits = { ...LIMITS, timeoutMs: config.limits.timeoutMs };
  const setting = { database, limits, signal };
  // The answer's own rows may be cut by the limits for people.
  const isWhole = answer.truncatedBy === null && isRun(answer);
  const came = isWhole ? { ok: true as const, result: answer } : await runQuery(answer.sql, setting);
  if (!came.ok) return [{ what: 'error', text: `the SQL of the answer failed: ${came.error.message}` }];
  const problems: Problem[] = [];
  if (expect.sql !== undefined) {
    const gold = await runQuery(expect.sql, setting);
    if (gold.ok) problems.push(...compare(gold.result, came.result, expect, 'the expected SQL'));
    else
      problems.push({ what: 'expected-sql', text: `the expected SQL itself fails: ${gold.error.message}` });
  }
  if (expect.result !== undefined) {
    const columns = (expect.result[0] ?? []).map((_, at) => `${at + 1}`);
    problems.push(...compare({ columns, rows: expect.result }, came.result, expect, 'the expected result'));
  }
  return problems;
}

function compare(
  due: ComparedResult,
  came: ComparedResult,
  expect: DueAnswer,
  dueName: string,
): readonly Problem[] {
  const verdict = verdictOf(due, came, expect);
  if (verdict === 'equal') return [];
  const difference = differRows(due, came, expect.tolerance);
  const text =
    verdict === 'undecided'
      ? `whether the rows are those of ${dueName} cannot be told: too many rows and columns are alike`
      : difference.outOfOrderFrom === undefined
        ? `the rows differ from those of ${dueName}`
        : `the rows are those of ${dueName}, but from row ${difference.outOfOrderFrom} on in another order`;
  return [{ what: 'rows', text, difference }];
}

function verdictOf(due: ComparedResult, came: ComparedResult, expect: DueAnswer): Verdict {
  const { orderMatters = false, tolerance } = expect;
  const verdict = compareResults(due, came, { policy: 'answer', orderMatters });
  return verdict === 'equal' || tolerance === undefined
    ? verdict
    : matchWithin(due, came, { orderMatters, tolerance });
}

/** Whether two results are the same where numbers may differ by a share that a person allowed. */
export interface WithinOptions {
  readonly orderMatters: boolean;
  /** Numbers may differ by this share of the larger one, whole ones too. */
  readonly tolerance: number;
}

/** Orders of columns that are tried, and pairs of rows that are looked at, before it is `undecided`. */
const MOST_ORDERS = 5_000;
const MOST_PAIRS = 20_000_000;

type Row = readonly Cell[];

/**
 * Looks for an order of the columns under which every expected row has a row of its own that is close. Unlike codes for
 * close numbers this does not let a row of close numbers run together: 100, 100.5 and 101 within 0.5 % stay three.
 */
export function matchWithin(
  expected: ComparedResult,
  actual: ComparedResult,
  options: WithinOptions,
): Verdict {
  if (expected.rows.length !== actual.rows.length) return 'different';
  if (expected.rows.length === 0) return 'equal';
  const width = expected.rows[0]?.length ?? 0;
  if (actual.rows.some((row) => row.length !== width)) return 'different';
  const candidates = Array.from({ length: width }, (_, left) =>
    Array.from({ length: width }, (_, right) => right).filter((right) =>
      areColumnsClose(columnOf(expected, left), columnOf(actual, right), options),
    ),
  );
  const perOrder = options.orderMatters ? expected.rows.length : expected.rows.length ** 2;
  const mostOrders = Math.min(MOST_ORDERS, Math.floor(MOST_PAIRS / perOrder));
  let tried = 0;
  for (const order of ordersOf(candidates)) {
    if (tried++ >= mostOrders) return 'undecided';
    const rows = actual.rows.map((row) => order.map((at) => row[at] ?? null));
    if (
      options.orderMatters
        ? areListsClose(expected.rows, rows, options)
        : canPair(expected.rows, rows, options)
    )
      return 'equal';
  }
  return 'different';
}

function columnOf({ rows }: ComparedResult, at: number): readonly Cell[] {
  return rows.map((row) => row[at] ?? null);
}

/** What every order must hold for one column: sorted lists of numbers pair off in order if they pair off at all. */
function areColumnsClose(left: readonly Cell[], right: readonly Cell[], options: WithinOptions): boolean {
  const one = options.orderMatters ? left : sorted(left);
  const other = options.orderMatters ? right : sorted(right);
  return one.every((cell, at) => isClose(cell, other[at] ?? null, options.tolerance));
}

function sorted(cells: readonly Cell[]): Cell[] {
  const rank = (cell: Cell): string => (numberOf(cell) === undefined ? `text ${textOf(cell)}` : 'number');
  return cells.toSorted((a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    if (one !== undefined && other !== undefined) return one - other;
    return rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b));
  });
}

/** Every choice of one right column for each left one, none twice. */
function* ordersOf(
  candidates: readonly (readonly number[])[],
  taken: readonly number[] = [],
): Generator<readonly number[]> {
  const next = candidates[taken.length];
  if (next === undefined) {
    yield taken;
    return;
  }
  for (const at of next) if (!taken.includes(at)) yield* ordersOf(candidates, [...taken, at]);
}

function areListsClose(left: readonly Row[], right: readonly Row[], { tolerance }: WithinOptions): boolean {
  return left.every((row, at) => areRowsClose(row, right[at] ?? [], tolerance));
}

function areRowsClose(left: Row, right: Row, tolerance: number): boolean {
  return left.every((cell, at) => isClose(cell, right[at] ?? null, tolerance));
}

/** A perfect matching of rows by augmenting paths (Kuhn). */
function canPair(left: readonly Row[], right: readonly Row[], { tolerance }: WithinOptions): boolean {
  const partners = left.map((row) =>
    right.flatMap((other, at) => (areRowsClose(row, other, tolerance) ? [at] : [])),
  );
  const holder = new Map<number, number>();
  const place = (row: number, seen: Set<number>): boolean =>
    (partners[row] ?? []).some((at) => {
      if (seen.has(at)) return false;
      seen.add(at);
      const held = holder.get(at);
      if (held !== undefined && !place(held, seen)) return false;
      holder.set(at, row);
      return true;
    });
  return left.every((_, row) => place(row, new Set()));
}

function isClose(left: Cell, right: Cell, tolerance: number): boolean {
  const [one, other] = [numberOf(left), numberOf(right)];
  if (one === undefined || other === undefined) return textOf(left) === textOf(right);
  return Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other));
}

/** As a reader sees it: a number and its text are one. */
function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number' || typeof cell === 'bigint' || typeof cell === 'boolean') return Number(cell);
  const isNumber = typeof cell === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell);
  return isNumber ? Number(cell) : undefined;
}

function textOf(cell: Cell): string {
  if (cell === null) return 'null';
  return cell instanceof Uint8Array ? `bytes ${Buffer.from(cell).toString('hex')}` : `text ${cell}`;
}

// Tables and columns that cases name: found in the catalog before anything is asked, and in SQL afterwards.

/** Throws `eval.case-invalid` with file and line for a name that the database does not have: it would test nothing. */
export function checkNamedItems(cases: readonly TestCase[], catalog: Catalog): void {
  for (const { file, line, id, turns } of cases)
    for (const name of turns.flatMap(({ expect }) => namesOf(expect))) {
      if (idsOf(name, catalog).length > 0) continue;
      const [near] = nearestNames(name, allNames(catalog), 1);
      const hint = near === undefined ? '`candor catalog` lists them' : `did you mean ${near}?`;
      throw new CandorError(
        'eval.case-invalid',
        `${file}:${line}: ${id} names ${name}, which is no table and no table.column of the database; ${hint}`,
      );
    }
}

/** What is wrong with the tables and columns of a query, in sentences; none where all is as it should be. */
function itemProblems(sql: string, expect: ExpectRow, catalog: Catalog): readonly string[] {
  if (namesOf(expect).length === 0 || expect.kind !== 'answered') return [];
  const used = goldItems(sql, catalog);
  if (!used.ok) return [`its tables and columns cannot be told: ${used.because}`];
  const uses = (name: string): boolean =>
    idsOf(name, catalog).some((id) => used.tables.has(id) || used.fields.has(id));
  const { mustContain = [], mustNotContain = [] } = expect;
  return [
    ...mustContain.filter((name) => !uses(name)).map((name) => `the SQL does not use ${name}`),
    ...mustNotContain.filter(uses).map((name) => `the SQL uses ${name}`),
  ];
}

function namesOf(expect: ExpectRow | undefined): readonly string[] {
  return expect?.kind === 'answered' ? [...(expect.mustContain ?? []), ...(expect.mustNotContain ?? [])] : [];
}

/** Ids of the tables, or else the columns, that a name means; the outer parts of an id may be left out. */
function idsOf(name: string, { tables }: Catalog): readonly string[] {
  const wanted = name.toLowerCase();
  const isMeant = ({ id }: { readonly id: string }): boolean => id === wanted || id.endsWith(`.${wanted}`);
  const ofTables = tables.filter(isMeant).map(({ id }) => id);
  if (ofTables.length > 0 || !wanted.includes('.')) return ofTables;
  return tables.flatMap(({ columns }) => columns.filter(isMeant).map(({ id }) => id));
}

function allNames({ tables }: Catalog): readonly string[] {
  return tables.flatMap(({ id, columns }) => [id, ...columns.map((column) => column.id)]);
}
