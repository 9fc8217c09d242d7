/** Links the questions of a set, writes each record as soon as it is there, and sums up. */
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { toCandorError } from '../../errors.ts';
import { type CaseSelection, selectCases } from '../evaluation/runs/run-file.ts';
import { reopenRecordLines } from '../evaluation/runs/run-record.ts';
import { runSeveral } from '../evaluation/runs/run-recorded.ts';
import type { CaseLinker, LinkedIds, OpenLinker } from './linkers/case-linker.ts';
import { TEST_DATABASES } from './replay-set.ts';
import { bestGold } from './score/best-gold.ts';
import { computeLinkFigures, figuresBy, type LinkFigures } from './score/link-metrics.ts';
import { type LevelScore, LINK_RECORD, type LinkRecord } from './score/link-record.ts';
import { scoreItems } from './score/score-items.ts';
import type { LinkCase, LinkDatabase, LinkSet } from './sets/link-set.ts';

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
  /** Questions linked at the same time; absent: one. */
  readonly concurrency?: number;
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
  { onProgress, signal, concurrency = 1 }: RunLinkSetOptions,
): Promise<boolean> {
  const known = new Set(records.map(({ id }) => id));
  const waiting = selected.filter(({ id }) => !known.has(id));
  const lines = await open(file, 'a');
  const databases = new OpenDatabases(set, linker, waiting);
  const started = performance.now();
  let done = 0;
  const queue = waiting.values();
  const next = (): LinkCase | undefined => (signal?.aborted ? undefined : queue.next().value);
  try {
    await runSeveral(concurrency, next, async (each) => {
      const database = set.databases.get(each.database)!;
      const record = await databases.use(each.database, signal, (opened) =>
        linkCase(each, { set: set.name, mode: linker.mode, database, opened, signal }),
      );
      if (signal?.aborted) return;
      await lines.appendFile(`${JSON.stringify(record)}\n`);
      records.push(record);
      done += 1;
      const perCase = (performance.now() - started) / 1000 / done;
      const secondsLeft = perCase * (waiting.length - done);
      onProgress?.({ done: records.length, total: selected.length, database: each.database, secondsLeft });
    });
    return records.length === selected.length;
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
  // One of its own: many questions at once would all listen to that of the run.
  const stop = signal && AbortSignal.any([signal]);
  const asked = { id, database: each.database, question, hint };
  const from = performance.now();
  const { linked, error } = await linkOrFail(() => opened.link(asked, stop));
  const ms = performance.now() - from;
  const { tables } = database.catalog;
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  const first = { tables: each.goldTables, fields: each.goldFields };
  const { otherGolds = [] } = each;
  const { tables: goldTables, fields: goldFields } = bestGold([first, ...otherGolds], linked);
  return {
    set,
    mode,
    id,
    database: each.database,
    table: judge(goldTables, linked.tables),
    // `SELECT COUNT(*) FROM t` needs no column: there is nothing to score.
    field: goldFields === null || goldFields.size === 0 ? null : judge(goldFields, linked.fields),
    ...(otherGolds.length > 0 && { golds: 1 + otherGolds.length }),
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

/** Databases of the cases that are being linked: opened for their first case, closed after their last one. */
class OpenDatabases {
  readonly #set: LinkSet;
  readonly #linker: CaseLinker;
  readonly #casesLeft = new Map<string, number>();
  readonly #opened = new Map<string, Promise<OpenLinker>>();

  constructor(set: LinkSet, linker: CaseLinker, cases: readonly LinkCase[]) {
    this.#set = set;
    this.#linker = linker;
    for (const { database } of cases) this.#casesLeft.set(database, (this.#casesLeft.get(database) ?? 0) + 1);
  }

  async use<Result>(
    name: string,
    signal: AbortSignal | undefined,
    work: (opened: OpenLinker) => Promise<Result>,
  ): Promise<Result> {
    const opened = this.#opened.get(name) ?? this.#linker.open(this.#set.databases.get(name)!, signal);
    this.#opened.set(name, opened);
    const result = await work(await opened);
    const left = (this.#casesLeft.get(name) ?? 0) - 1;
    this.#casesLeft.set(name, left);
    if (left === 0) await this.#close(name);
    return result;
  }

  /** What is still open after a cancel or a failure. */
  async close(): Promise<void> {
    for (const name of [...this.#opened.keys()]) await this.#close(name);
  }

  async #close(name: string): Promise<void> {
    const opened = this.#opened.get(name);
    this.#opened.delete(name);
    // What could not be opened has said so where it was opened.
    await opened?.then((linker) => linker.close()).catch(() => {});
  }
}
