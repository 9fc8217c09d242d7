/** One run of profiling: what earlier runs have finished is found again, what this one finishes is kept at once. */
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProfiledTable, Table, TableStamp } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import type { StoredColumn } from '../values/value-index.ts';
import { type LinePlace, readContent, readLineAt, readLines, writeLine } from './profile-log.ts';

/** A line of a table. */
export interface StoredTable {
  readonly table: Table;
  readonly values: readonly StoredColumn[];
}

/** What a stored profile depends on besides the declaration and the rows of its table. */
export interface RunOrigin {
  /** Hash of store version, database and settings: with another one nothing is used again. */
  readonly origin: string;
  /** Of the whole database; used where an engine has no stamps for single tables. */
  readonly stamp: string;
}

export interface ReuseRules {
  /** Rows that may be read of the table now; a profile of fewer is made again. */
  readonly maxRows: number;
  /** An unchanged stamp of the whole database is enough, where its tables have none. */
  readonly trustsDatabaseStamp: boolean;
}

/** What the key of a line says, so that its content need not be read to choose. */
interface Signature extends TableStamp, RunOrigin {
  readonly tableId: string;
  /** Rows that could be read at most; absent: no limit. */
  readonly maxRows?: number;
}

interface RunPaths {
  /** Of unfinished runs. */
  readonly log: string;
  readonly finished: string;
}

/** Opened over the finished file and the log of unfinished runs; `finish` makes the one of both. */
export class ProfileRun {
  readonly #log: FileHandle;
  readonly #paths: RunPaths;
  readonly #origin: RunOrigin;
  readonly #known = new Map<string, Signature & { readonly place: LinePlace }>();
  /** Of this run's tables, by id. */
  readonly #places = new Map<string, LinePlace>();
  #end: number;

  private constructor(
    log: FileHandle,
    paths: RunPaths,
    start: { readonly origin: RunOrigin; readonly end: number },
  ) {
    this.#log = log;
    this.#paths = paths;
    this.#origin = start.origin;
    this.#end = start.end;
  }

  /** Throws `catalog.not-writable` when the folder cannot be written to. Damaged lines are counted by `onDamage`. */
  static async open(
    paths: RunPaths,
    origin: RunOrigin,
    onDamage: (count: number) => void,
  ): Promise<ProfileRun> {
    const { log, end } = await writing(paths.log, async () => {
      await mkdir(dirname(paths.log), { recursive: true });
      const file = await open(paths.log, 'a');
      return { log: file, end: (await stat(paths.log)).size };
    });
    const run = new ProfileRun(log, paths, { origin, end });
    await run.#index(onDamage);
    return run;
  }

  /** Ids of the tables that earlier runs have left profiles of. */
  knownTables(): string[] {
    return [...this.#known.keys()];
  }

  /** Whether the profile of a table still holds; it then belongs to this run. */
  reuse(tableId: string, stamp: TableStamp, rules: ReuseRules): boolean {
    const known = this.#known.get(tableId);
    if (known === undefined || known.fingerprint !== stamp.fingerprint) return false;
    if ((known.maxRows ?? Number.POSITIVE_INFINITY) < rules.maxRows) return false;
    const isSame =
      stamp.dataStamp === undefined
        ? rules.trustsDatabaseStamp && known.dataStamp === undefined && known.stamp === this.#origin.stamp
        : known.dataStamp === stamp.dataStamp;
    if (isSame) this.#places.set(tableId, known.place);
    return isSame;
  }

  /** Keeps a profile: when this returns, a crash cannot take it away. */
  async append(
    { table, values }: ProfiledTable,
    stamp: TableStamp,
    maxRows: number | undefined,
  ): Promise<void> {
    const signature: Signature = {
      tableId: table.id,
      ...stamp,
      ...this.#origin,
      ...(maxRows === undefined ? {} : { maxRows }),
    };
    const stored: StoredTable = {
      table,
      values: values.map(({ columnId, distinctCount, values: pairs }) => ({
        id: columnId,
        distinct: distinctCount,
        values: pairs.map(([value]) => value),
        counts: pairs.map(([, count]) => count),
      })),
    };
    const line = writeLine(JSON.stringify(signature), stored);
    await writing(this.#paths.log, () => this.#log.appendFile(line));
    this.#places.set(table.id, { path: this.#paths.log, offset: this.#end, length: line.length });
    this.#end += line.length;
  }

  /** The tables of this run in the order of the given ids, one at a time; what is not in it is passed over. */
  async *tables(ids: readonly string[]): AsyncGenerator<Table> {
    for (const place of this.#inOrder(ids)) yield (await readPlace(place)).table;
  }

  #inOrder(ids: readonly string[]): LinePlace[] {
    return ids.flatMap((id) => this.#places.get(id) ?? []);
  }

  /** Writes the lines of the given tables and a last one with `ending` as the finished file; returns how many lines. */
  async finish(ids: readonly string[], ending: unknown): Promise<number> {
    const places = this.#inOrder(ids);
    await writing(this.#paths.finished, async () => {
      const unfinished = `${this.#paths.finished}.${process.pid}.unfinished`;
      const file = await open(unfinished, 'w');
      try {
        for (const place of places) await file.appendFile(await readBytes(place));
        await file.appendFile(writeLine('', ending));
      } finally {
        await file.close();
      }
      await rename(unfinished, this.#paths.finished);
    });
    await rm(this.#paths.log, { force: true });
    return places.length + 1;
  }

  async close(): Promise<void> {
    await this.#log.close();
  }

  /** The log comes last: it is newer than the finished file. */
  async #index(onDamage: (count: number) => void): Promise<void> {
    let damaged = 0;
    let isEnded = true;
    for (const path of [this.#paths.finished, this.#paths.log]) {
      for await (const { bytes, isWhole, key, ...place } of readLines(path)) {
        isEnded = path !== this.#paths.log || bytes.at(-1) === 0x0a;
        if (!isWhole) damaged += 1;
        if (!isWhole || key === '') continue;
        const signature: Signature = JSON.parse(key);
        const { offset, length } = place;
        if (signature.origin !== this.#origin.origin) continue;
        this.#known.set(signature.tableId, { ...signature, place: { path, offset, length } });
      }
    }
    // A line that was cut off must not swallow the next one.
    if (!isEnded) {
      await this.#log.appendFile('\n');
      this.#end += 1;
    }
    if (damaged > 0) onDamage(damaged);
  }
}

async function readPlace(place: LinePlace): Promise<StoredTable> {
  // The hash says that these are the bytes a run of this version has written.
  return readContent(await readBytes(place)) as StoredTable;
}

async function readBytes(place: LinePlace): Promise<Buffer> {
  const bytes = await readLineAt(place);
  if (bytes !== undefined) return bytes;
  throw new CandorError('catalog.stale', `${place.path} was changed while it was read`);
}

/** Puts the path and the reason into a failure of the disk. */
async function writing<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof CandorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('catalog.not-writable', `cannot write ${path}: ${reason}`, { cause: error });
  }
}
