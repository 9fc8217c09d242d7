/** What `--update` would write: the SQL, or the rows, that came where a case is due an answer. */
import type { Session } from '../../session.ts';
import type { Cell } from '../../sql/cell.ts';
import { formatSql } from '../../sql/index.ts';
import { runQuery } from '../evaluation/run-query.ts';
import type { TestCase } from './test-case.ts';
import type { CaseResult, TurnResult } from './test-result.ts';

export interface Update {
  readonly tested: TestCase;
  /** Place of the turn in its case. */
  readonly turn: number;
  readonly sql: string;
  /** Where the case holds rows: those that came, to take their place. */
  readonly rows?: readonly (readonly Cell[])[];
  readonly before?: string;
  /** The turn that it is about, with what differs. */
  readonly result: TurnResult;
}

/** More rows are no example that a person reads. */
const MOST_ROWS = 100;

/** Cases whose rows came out otherwise, and cases that expect an answer without saying which. */
export async function proposeUpdates(
  results: readonly CaseResult[],
  session: Pick<Session, 'database' | 'config'>,
  signal: AbortSignal,
): Promise<readonly Update[]> {
  const updates: Update[] = [];
  for (const { tested, status, runs } of results) {
    if (status !== 'failed' && status !== 'passed') continue;
    for (const [turn, result] of (runs[0]?.turns ?? []).entries()) {
      const update = await proposeUpdate({ tested, turn, result }, session, signal);
      if (update !== undefined) updates.push(update);
    }
  }
  return updates;
}

async function proposeUpdate(
  { tested, turn, result }: Pick<Update, 'tested' | 'turn' | 'result'>,
  { database, config }: Pick<Session, 'database' | 'config'>,
  signal: AbortSignal,
): Promise<Update | undefined> {
  const expect = tested.turns[turn]?.expect;
  if (expect?.kind !== 'answered' || result.sql === undefined) return undefined;
  const { sql, mustContain, mustNotContain } = expect;
  const isOpen = (sql ?? expect.result ?? mustContain ?? mustNotContain) === undefined;
  const isOtherwise = result.problems.some(({ what }) => what === 'rows' || what === 'expected-sql');
  if (!isOpen && !isOtherwise) return undefined;
  const update = {
    ...{ tested, turn, result },
    sql: formatSql(result.sql, database.dialect).text,
    ...(sql !== undefined && { before: sql }),
  };
  if (expect.result === undefined) return update;
  const limits = { rows: MOST_ROWS, bytes: config.limits.bytes, timeoutMs: config.limits.timeoutMs };
  const ran = await runQuery(result.sql, { database, limits, signal });
  return ran.ok && ran.result.rows.every((row) => row.every(isWritable))
    ? { ...update, rows: ran.result.rows }
    : undefined;
}

/** What a YAML file can hold and give back as it was. */
function isWritable(cell: Cell): boolean {
  return typeof cell !== 'bigint' && !(cell instanceof Uint8Array) && !Number.isNaN(cell);
}
