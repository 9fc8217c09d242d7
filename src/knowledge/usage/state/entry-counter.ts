/** Decides what becomes of an entry of a log, and counts it. */
import type { Catalog } from '../../../catalog/index.ts';
import type { StateFile } from '../../../store/index.ts';
import type { LogEntry, RejectReason } from '../logs/lines/log-entry.ts';
import { StatementReader } from '../statements/statement-reader.ts';
import type { StatementReading, TableLookup } from '../statements/table-reader.ts';
import { TableReader } from '../statements/table-reader.ts';
import { type DatedEntry, RejectedRows, RunWriter, type TableRun } from './run-writer.ts';

/** What the names of logs mean: a catalog, or tables that are looked up. */
export type LogCatalog = Catalog | TableLookup;

export interface CountingRules {
  readonly catalog: LogCatalog;
  /** First day that counts, YYYY-MM-DD. */
  readonly since?: string;
  /** Keep the first characters of what is rejected: they may hold anything. */
  readonly keepsRejected?: boolean;
}

/** Where entries come from. */
export interface EntrySource {
  /** As people see it: a path, or the name of a database. */
  readonly name: string;
  /** Day of runs that the log gives no time for. */
  readonly day: string;
  readonly tally: LogTally;
  /** What the tally counts: entries, or the runs that each of them stands for. */
  readonly unit?: 'entries' | 'runs';
}

/** Lives as long as an ingestion; every call stands in a transaction. */
export class EntryCounter {
  readonly #rules: CountingRules;
  readonly #reader: StatementReader;
  readonly #tables: TableReader;
  readonly #writer: RunWriter;
  readonly #rejected: RejectedRows;

  constructor(file: StateFile, rules: CountingRules) {
    this.#rules = rules;
    this.#reader = new StatementReader(rules.catalog);
    this.#tables = new TableReader(rules.catalog);
    this.#writer = new RunWriter(file);
    this.#rejected = new RejectedRows(file, rules.keepsRejected === true);
  }

  reject(
    source: EntrySource,
    line: number,
    reason: RejectReason,
    text: string,
    { within = '', count = 1 }: { readonly within?: string; readonly count?: number } = {},
  ): void {
    source.tally.add(`rejected.${reason}`, count);
    this.#rejected.add(`${source.name}:${line}`, reason + within, text);
  }

  count(entry: LogEntry, source: EntrySource): void {
    const dated = { ...entry, day: entry.day ?? source.day };
    const reason = this.#whyNot(dated);
    if (reason !== undefined) return source.tally.add(reason, tallied(entry, source));
    const { counter, runs: logged } = entry;
    const runs = counter === undefined ? logged : this.#writer.growth(counter, logged, dated.day);
    if (runs === undefined) return this.reject(source, entry.line, 'older-counter', entry.sql);
    if (runs === 0) return source.tally.add('repeated');
    this.#countRuns(dated, runs, source);
  }

  /**
   * Runs of a table that a log names itself, with schema and catalog before its name where it tells them. Columns and
   * joins it does not tell.
   */
  countTable(name: string, run: TableRun, source: EntrySource): void {
    const { since } = this.#rules;
    if (since !== undefined && run.day < since) return source.tally.add('tooOld', run.runs);
    const reading = this.#tables.read(name);
    if (reading === undefined) {
      this.#writer.addUnknown(name, run.runs);
      return source.tally.add('unknownTables', run.runs);
    }
    this.#writer.addTableRuns(reading, run);
    source.tally.add('counted', run.runs);
  }

  /** Ends a transaction: what was counted is written. */
  flush(): void {
    this.#writer.flush();
  }

  /** Reasons that need no look at the statement. */
  #whyNot({ isSuccess, runs, day, database, id }: DatedEntry): CountName | undefined {
    const { catalog, since } = this.#rules;
    // Below zero it takes back a run that was counted when it began.
    if (!isSuccess && runs >= 0) return 'failed';
    if (since !== undefined && day < since) return 'tooOld';
    // One PostgreSQL server writes one log for all its databases, which cannot read each other.
    const isOther = catalog.dialect === 'postgres' && database !== undefined && database !== catalog.database;
    if (isOther) return 'otherDatabase';
    return id === undefined || this.#writer.isFirst(id) ? undefined : 'repeated';
  }

  #countRuns(entry: DatedEntry, runs: number, source: EntrySource): void {
    const readings = this.#reader.read(entry, (same) => this.#writer.needsNoText(same, entry.day));
    for (const reading of readings) {
      if (reading.kind !== 'read') continue;
      for (const name of reading.unknownTables) this.#writer.addUnknown(name, runs);
      if (reading.tables.length > 0) this.#writer.addRuns(reading, entry, runs);
    }
    const outcome = outcomeOf(readings);
    if (outcome !== 'not-sql') return source.tally.add(runs < 0 ? 'failed' : outcome, tallied(entry, source));
    const broken = readings.find((reading) => reading.kind === 'not-sql');
    const within = broken?.kind === 'not-sql' ? `, SQL ${broken.line}:${broken.column}` : '';
    this.reject(source, entry.line, 'not-sql', entry.sql, { within, count: tallied(entry, source) });
  }
}

function tallied({ runs }: Pick<LogEntry, 'runs'>, { unit }: EntrySource): number {
  return unit === 'runs' ? runs : 1;
}

function outcomeOf(readings: readonly StatementReading[]): CountName | 'not-sql' {
  const isAny = (test: (reading: StatementReading) => boolean) => readings.some(test);
  if (isAny((reading) => reading.kind === 'read' && reading.tables.length > 0)) return 'counted';
  if (isAny(({ kind }) => kind === 'read')) return 'unknownTables';
  return isAny(({ kind }) => kind === 'not-sql') ? 'not-sql' : 'notReading';
}

/** What came of the entries of a log: every one is counted in exactly one place. */
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
