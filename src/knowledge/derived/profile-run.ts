/** One run of profiling: what earlier runs have finished is found again, what this one finishes is kept at once. */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProfiledTable, Table, TableStamp } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import {
  hashOfLine,
  type LinePlace,
  readContent,
  readLineAt,
  readLines,
  toStored,
  writeLine,
} from './profile-log.ts';

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
  /** Hash of the line with its values, which stands before it or in the file of values; absent: it has none. */
  readonly values?: string;
}

/** Key of a line with values, so that it is not taken for one of a table. */
interface ValuesKey {
  readonly valuesOf: string;
}

interface RunPaths {
  /** Of unfinished runs: lines of tables, each after that of its values. */
  readonly log: string;
  readonly finished: string;
  /** The values of the tables in the finished file. */
  readonly values: string;
}

/** Where the lines of a table stand. */
interface TablePlaces {
  readonly table: LinePlace;
  readonly values?: LinePlace | undefined;
}

/** Opened over the finished file and the log of unfinished runs; `finish` makes the one of both. */
export class ProfileRun {
  readonly #log: FileHandle;
  readonly #paths: RunPaths;
  readonly #origin: RunOrigin;
  readonly #known = new Map<string, Signature & { readonly places: TablePlaces }>();
  /** Of this run's tables, by id. */
  readonly #places = new Map<string, TablePlaces>();
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
    if (isSame) this.#places.set(tableId, known.places);
    return isSame;
  }

  /** Keeps a profile: when this returns, a crash cannot take it away. */
  async append(
    { table, values }: ProfiledTable,
    stamp: TableStamp,
    maxRows: number | undefined,
  ): Promise<void> {
    const key: ValuesKey = { valuesOf: table.id };
    const line = values.length === 0 ? undefined : writeLine(JSON.stringify(key), values.map(toStored));
    const signature: Signature = {
      tableId: table.id,
      ...stamp,
      ...this.#origin,
      ...(maxRows === undefined ? {} : { maxRows }),
      ...(line === undefined ? {} : { values: hashOfLine(line) }),
    };
    const valuesPlace = line && (await this.#write(line));
    const tablePlace = await this.#write(writeLine(JSON.stringify(signature), table));
    this.#places.set(table.id, { table: tablePlace, values: valuesPlace });
  }

  async #write(line: Buffer): Promise<LinePlace> {
    await writing(this.#paths.log, () => this.#log.appendFile(line));
    const place = { path: this.#paths.log, offset: this.#end, length: line.length };
    this.#end += line.length;
    return place;
  }

  /** The tables of this run in the order of the given ids, one at a time; what is not in it is passed over. */
  async *tables(ids: readonly string[]): AsyncGenerator<Table> {
    for (const place of this.#inOrder(ids)) yield await readPlace(place.table);
  }

  #inOrder(ids: readonly string[]): TablePlaces[] {
    return ids.flatMap((id) => this.#places.get(id) ?? []);
  }

  /**
   * Writes the lines of the given tables and a last one with `ending` as the finished file, and those of their values.
   * Returns how many lines of tables there are, and a hash of all values.
   */
  async finish(ids: readonly string[], ending: unknown): Promise<{ lines: number; values: string }> {
    const places = this.#inOrder(ids);
    const values = createHash('sha256');
    // The values come first: a file of tables beside older values names lines that are not there, and is read anew.
    await replaceFile(this.#paths.values, async (file) => {
      for (const place of places) {
        if (place.values === undefined) continue;
        const line = await readBytes(place.values);
        values.update(hashOfLine(line));
        await file.appendFile(line);
      }
    });
    await replaceFile(this.#paths.finished, async (file) => {
      for (const place of places) await file.appendFile(await readBytes(place.table));
      await file.appendFile(writeLine('', ending));
    });
    await rm(this.#paths.log, { force: true });
    return { lines: places.length + 1, values: values.digest('hex').slice(0, 32) };
  }

  async close(): Promise<void> {
    await this.#log.close();
  }

  /** The log comes last: it is newer than the finished file. */
  async #index(onDamage: (count: number) => void): Promise<void> {
    let damaged = 0;
    let isEnded = true;
    const values = new Map<string, LinePlace>();
    for (const path of [this.#paths.values, this.#paths.finished, this.#paths.log]) {
      for await (const { bytes, isWhole, key, ...place } of readLines(path)) {
        isEnded = path !== this.#paths.log || bytes.at(-1) === 0x0a;
        if (!isWhole) damaged += 1;
        if (!isWhole || key === '') continue;
        const { offset, length } = place;
        const found: Signature | ValuesKey = JSON.parse(key);
        if ('valuesOf' in found) values.set(hashOfLine(bytes), { path, offset, length });
        else this.#note(found, { table: { path, offset, length }, values: values.get(found.values ?? '') });
      }
    }
    // A line that was cut off must not swallow the next one.
    if (!isEnded) {
      await this.#log.appendFile('\n');
      this.#end += 1;
    }
    if (damaged > 0) onDamage(damaged);
  }

  /** A table whose values were lost is read again. */
  #note(signature: Signature, places: TablePlaces): void {
    const isWhole = signature.values === undefined || places.values !== undefined;
    if (signature.origin !== this.#origin.origin || !isWhole) return;
    this.#known.set(signature.tableId, { ...signature, places });
  }
}

/** Writes a file beside the old one and puts it in its place. */
async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  await writing(path, async () => {
    const unfinished = `${path}.${process.pid}.unfinished`;
    const file = await open(unfinished, 'w');
    try {
      await write(file);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  });
}

async function readPlace(place: LinePlace): Promise<Table> {
  // The hash says that these are the bytes a run of this version has written.
  return readContent(await readBytes(place)) as Table;
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
