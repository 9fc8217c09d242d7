/** What came of the entries of a log: every one is counted in exactly one place. */
import type { RejectReason } from '../logs/lines/log-entry.ts';

export type CountName =
  /** Read and counted as runs. */
  | 'counted'
  | 'failed'
  /** An id or a counter says that it was counted before. */
  | 'repeated'
  /** Not reading, or reading none of the user's tables. */
  | 'notReading'
  /** All its tables are unknown to the catalog. */
  | 'unknownTables'
  | 'otherDatabase'
  /** Older than what was asked for. */
  | 'tooOld'
  /** In order, but no run: connections, `parse` before `execute`. */
  | 'noRun'
  | `rejected.${RejectReason}`;

/** How many, by what became of them; absent: none. */
export type LogCounts = Readonly<Partial<Record<CountName, number>>>;

export class LogTally {
  readonly #counts: Map<string, number>;

  constructor(start: LogCounts = {}) {
    this.#counts = new Map(Object.entries(start));
  }

  add(name: CountName, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  addAll(counts: LogCounts): void {
    for (const [name, count] of Object.entries(counts))
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** In order of the names. */
  counts(): LogCounts {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

export function rejectedIn(counts: LogCounts): number {
  return Object.entries(counts).reduce(
    (sum, [name, count]) => sum + (name.startsWith('rejected.') ? count : 0),
    0,
  );
}
