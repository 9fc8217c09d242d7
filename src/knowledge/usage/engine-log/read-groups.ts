import type { Database, QueryLimits } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import type { Cell } from '../../../sql/index.ts';
import type { EngineLog, TimeRange } from './engine-log.ts';
import { groupLog } from './group-log.ts';

/** Runs of one statement, or of one table, by one user. */
export interface LogGroup {
  readonly user: string;
  /** A statement, or the name of a table. */
  readonly what: string;
  readonly database?: string;
  readonly schema?: string;
  readonly runs: number;
}

/** Groups that come at once; memory holds one answer. */
const GROUP_LIMITS: QueryLimits = { rows: 400_000, bytes: 256_000_000, timeoutMs: 1_800_000 };
const SHORTEST_MS = 1_000;

/**
 * The groups of a range of time, in as few answers as hold them: a range with more than fits is asked for in two halves,
 * so that a user and a statement may come several times. Throws `usage.too-many-groups` where one second has more, and
 * what the connection throws.
 */
export async function* readGroups(
  database: Database,
  log: EngineLog,
  range: TimeRange,
  {
    limits = GROUP_LIMITS,
    signal,
  }: { readonly limits?: QueryLimits; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<readonly LogGroup[]> {
  const { rows, truncatedBy } = await database.query(groupLog(log, database.dialect, range), limits, signal);
  if (truncatedBy === null) {
    yield rows.map(groupOf);
    return;
  }
  const [from, to] = [timeOf(range.from), timeOf(range.to)];
  const middle = from + Math.floor((to - from) / 2 / SHORTEST_MS) * SHORTEST_MS;
  if (middle === from)
    throw new CandorError(
      'usage.too-many-groups',
      `${log.name}: more than ${limits.rows} groups at ${range.from}`,
    );
  yield* readGroups(database, log, { from: range.from, to: textOf(middle) }, { limits, signal });
  yield* readGroups(database, log, { from: textOf(middle), to: range.to }, { limits, signal });
}

/** A day as a range of time. */
export function rangeOfDay(day: string): TimeRange {
  const from = Date.parse(`${day}T00:00:00Z`);
  return { from: textOf(from), to: textOf(from + 86_400_000) };
}

function groupOf([user, what, database, schema, runs]: readonly Cell[]): LogGroup {
  return {
    user: String(user),
    what: String(what),
    ...(database == null ? {} : { database: String(database) }),
    ...(schema == null ? {} : { schema: String(schema) }),
    runs: Number(runs),
  };
}

function timeOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
