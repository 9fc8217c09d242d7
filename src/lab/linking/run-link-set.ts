/** Links the questions of a set one after the other, writes each record at once, and sums up. */
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { toCandorError } from '../../errors.ts';
import { reopenRecordLines } from '../evaluation/record-lines.ts';
import { type CaseSelection, selectCases } from '../evaluation/select-cases.ts';
import type { CaseLinker, LinkedIds, OpenLinker } from './case-linker.ts';
import { computeLinkFigures, figuresBy, type LinkFigures } from './link-metrics.ts';
import { type LevelScore, LINK_RECORD, type LinkRecord } from './link-record.ts';
import type { LinkCase, LinkDatabase, LinkSet } from './link-set.ts';
import { TEST_DATABASES } from './replay-set.ts';
import { scoreItems } from './score-items.ts';

export interface LinkProgress {
  readonly done: number;
  readonly total: number;
  readonly database: string;
  /** Of the cases still to come, from the pace so far. */
  readonly secondsLeft: number;
}

export interface RunLinkSetOptions extends CaseSelection {
  /** Folder for the run's file, `link-<set>-<mode>-<stamp>.jsonl`. */
  readonly out: string;
  /** File of an earlier run of the same set and mode to go on with. */
  readonly resume?: string;
  readonly onProgress?: (progress: LinkProgress) => void;
  readonly signal?: AbortSignal;
  readonly now?: () => Date;
}

export interface LinkReport {
  readonly set: string;
  readonly mode: string;
  readonly figures: LinkFigures;
  readonly byDatabase: ReadonlyMap<string, LinkFigures>;
  /** BIRD: the databases nothing is tuned on, and the others. */
  readonly bySplit: ReadonlyMap<string, LinkFigures>;
  readonly records: readonly LinkRecord[];
  readonly leftOut: LinkSet['leftOut'];
  readonly flagged: LinkSet['flagged'];
  readonly seconds: number;
  /** The JSON lines file. */
  readonly file: string;
  /** False after a cancel; the file can be resumed. */
  readonly isComplete: boolean;
}

/** A cancel ends the run after the record before; the report says so. A case whose linking fails scores nothing. */
export async function runLinkSet(
  set: LinkSet,
  linker: CaseLinker,
  options: RunLinkSetOptions,
): Promise<LinkReport> {
  const started = performance.now();
  const numbered = set.cases.map((each, index) => ({ ...each, index, databaseUrl: each.database }));
  const selected = selectCases(numbered, options);
  const run = { set: set.name, mode: linker.mode };
  const done = options.resume === undefined ? [] : await reopenRun(options.resume, run);
  const file = options.resume ?? (await makeFileName(run, options));
  const ids = new Set(selected.map(({ id }) => id));
  const records = done.filter(({ id }) => ids.has(id));
  const isComplete = await linkCases({ set, linker, selected, records, file }, options);
  return {
    ...run,
    figures: computeLinkFigures(records),
    byDatabase: figuresBy(records, ({ database }) => database),
    bySplit: set.name === 'bird' ? figuresBy(records, ({ database }) => splitOf(database)) : new Map(),
    records,
    leftOut: set.leftOut,
    flagged: set.flagged,
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    file,
    isComplete,
  };
}

function splitOf(database: string): string {
  return TEST_DATABASES.has(database) ? 'test-only databases' : 'other databases';
}

interface RunName {
  readonly set: string;
  readonly mode: string;
}

function reopenRun(path: string, { set, mode }: RunName): Promise<LinkRecord[]> {
  return reopenRecordLines(path, LINK_RECORD, (record) =>
    record.set === set && record.mode === mode
      ? undefined
      : `is a run of ${record.set} by ${record.mode}, not of ${set} by ${mode}`,
  );
}

async function makeFileName({ set, mode }: RunName, options: RunLinkSetOptions): Promise<string> {
  const { out, now = () => new Date() } = options;
  await mkdir(out, { recursive: true });
  const stamp = now().toISOString().replaceAll(':', '-').replace('Z', '');
  return join(out, `link-${set}-${mode.replace(/[^\w-]+/g, '-')}-${stamp}.jsonl`);
}

interface Work {
  readonly set: LinkSet;
  readonly linker: CaseLinker;
  readonly selected: readonly LinkCase[];
  readonly records: LinkRecord[];
  readonly file: string;
}

/** Adds a record per case to `records` and to the file; false when it was cancelled before the end. */
async function linkCases(
  { set, linker, selected, records, file }: Work,
  { onProgress, signal }: RunLinkSetOptions,
): Promise<boolean> {
  const known = new Set(records.map(({ id }) => id));
  const waiting = selected.filter(({ id }) => !known.has(id));
  const lines = await open(file, 'a');
  const databases = new OpenDatabase(linker);
  const started = performance.now();
  try {
    for (const [at, each] of waiting.entries()) {
      if (signal?.aborted) return false;
      const database = set.databases.get(each.database)!;
      const opened = await databases.get(database, signal);
      const record = await linkCase(each, { set: set.name, mode: linker.mode, database, opened, signal });
      if (signal?.aborted) return false;
      await lines.appendFile(`${JSON.stringify(record)}\n`);
      records.push(record);
      const perCase = (performance.now() - started) / 1000 / (at + 1);
      const secondsLeft = perCase * (waiting.length - at - 1);
      onProgress?.({ done: records.length, total: selected.length, database: each.database, secondsLeft });
    }
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  } finally {
    await lines.close();
    await databases.close();
  }
}

interface CaseSetting extends RunName {
  readonly database: LinkDatabase;
  readonly opened: OpenLinker;
  readonly signal: AbortSignal | undefined;
}

async function linkCase(each: LinkCase, setting: CaseSetting): Promise<LinkRecord> {
  const { set, mode, database, opened, signal } = setting;
  const { id, question, hint } = each;
  const asked = { id, database: each.database, question, hint };
  const from = performance.now();
  const { linked, error } = await linkOrFail(() => opened.link(asked, signal));
  const ms = performance.now() - from;
  const { tables } = database.catalog;
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  const { goldTables, goldFields } = each;
  return {
    set,
    mode,
    id,
    database: each.database,
    table: judge(goldTables, linked.tables),
    // `SELECT COUNT(*) FROM t` needs no column: there is nothing to score.
    field: goldFields === null || goldFields.size === 0 ? null : judge(goldFields, linked.fields),
    tokens: linked.tokens,
    ms: Number(ms.toFixed(2)),
    keptShare: share(linked.fields.size, columns),
    keptTableShare: share(linked.tables.size, tables.length),
    ...(error === undefined ? {} : { error }),
  };
}

type Failure = NonNullable<LinkRecord['error']>;

/** A failure of one case is a result of the measurement; a bug of ours ends the run. */
async function linkOrFail(
  link: () => Promise<LinkedIds>,
): Promise<{ readonly linked: LinkedIds; readonly error?: Failure }> {
  try {
    return { linked: await link() };
  } catch (thrown) {
    const { code, message, kind } = toCandorError(thrown);
    if (kind === 'bug') throw thrown;
    return { linked: { tables: new Set(), fields: new Set(), tokens: 0 }, error: { code, message } };
  }
}

const MISSING_SHOWN = 20;

function judge(gold: ReadonlySet<string>, linked: ReadonlySet<string>): LevelScore {
  const missing = [...gold].filter((id) => !linked.has(id)).slice(0, MISSING_SHOWN);
  return { gold: gold.size, linked: linked.size, ...scoreItems(gold, linked), missing };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Keeps the database of the current case ready; cases come grouped, so one at a time is enough. */
class OpenDatabase {
  readonly #linker: CaseLinker;
  #name: string | undefined;
  #opened: OpenLinker | undefined;

  constructor(linker: CaseLinker) {
    this.#linker = linker;
  }

  async get(database: LinkDatabase, signal: AbortSignal | undefined): Promise<OpenLinker> {
    if (this.#opened !== undefined && this.#name === database.name) return this.#opened;
    await this.close();
    const opened = await this.#linker.open(database, signal);
    this.#opened = opened;
    this.#name = database.name;
    return opened;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }
}
