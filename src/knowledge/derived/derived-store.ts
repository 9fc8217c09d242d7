/** The derived files of a project: what is known of each table, line by line, and a manifest that vouches for them. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { MAX_VALUES, type StoredColumn, type StoredValueIndex } from '../values/value-index.ts';
import { readContent, readLines } from './profile-log.ts';
import { ProfileRun, type StoredTable } from './profile-run.ts';

/** Raised when the form or the meaning of the derived files changes; older ones are then built anew. */
const STORE_VERSION = 2;

/** What the derived files were read from. */
export interface StoreKey {
  readonly url: string;
  readonly stamp: string;
  /** Text that changes with settings that shape profiles; absent for a reader to whom all are right. */
  readonly settings?: string;
}

export interface DerivedData {
  /** Without statistics (level L3), which `readTable` brings. */
  readonly catalog: Catalog;
  readonly values: StoredValueIndex;
}

export type StoredState =
  | { readonly kind: 'fresh'; readonly data: DerivedData }
  | { readonly kind: 'absent' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'damaged'; readonly file: string };

const ManifestSchema = z.object({
  version: z.number(),
  url: z.string(),
  stamp: z.string(),
  settings: z.string(),
  fingerprint: z.string(),
  createdAt: z.string().optional(),
  /** Of the file with the tables: a whole file of ours needs no further check. */
  lines: z.number(),
});

const MANIFEST = 'manifest.json';
const TABLES = 'tables.jsonl';
const UNFINISHED = 'unfinished.jsonl';

/** Everything of a catalog but its tables, of which the ids are enough. */
export type Ending = Omit<Catalog, 'tables'>;

/** Reads and writes the derived files in one folder, for one state of one database. */
export class DerivedStore {
  readonly #directory: string;
  readonly #key: StoreKey;

  constructor(directory: string, key: StoreKey) {
    this.#directory = directory;
    this.#key = key;
  }

  /** What is stored, if it is whole and still true. */
  async read(): Promise<StoredState> {
    const text = await readIfThere(this.#path(MANIFEST));
    if (text === undefined) return { kind: 'absent' };
    const manifest = ManifestSchema.safeParse(parseJson(text));
    if (!manifest.success) return { kind: 'damaged', file: MANIFEST };
    const { version, url, stamp, settings, lines, fingerprint } = manifest.data;
    const isStale =
      version !== STORE_VERSION ||
      url !== this.#key.url ||
      stamp !== this.#key.stamp ||
      (this.#key.settings ?? settings) !== settings;
    if (isStale) return { kind: 'stale' };
    const data = await this.#readTables(lines, fingerprint);
    return data === undefined ? { kind: 'damaged', file: TABLES } : { kind: 'fresh', data };
  }

  async #readTables(lineCount: number, fingerprint: string): Promise<DerivedData | undefined> {
    const tables: Table[] = [];
    const columns: StoredColumn[] = [];
    let room = MAX_VALUES;
    let ending: Ending | undefined;
    let seen = 0;
    for await (const { bytes, isWhole, key } of readLines(this.#path(TABLES))) {
      if (!isWhole) return undefined;
      seen += 1;
      if (key === '') {
        ending = readContent(bytes) as Ending;
        continue;
      }
      const { table, values } = readContent(bytes) as StoredTable;
      tables.push({ ...table, columns: table.columns.map(withoutStatistics) });
      for (const column of values) {
        columns.push({
          ...column,
          values: column.values.slice(0, room),
          counts: column.counts.slice(0, room),
        });
        room -= Math.min(room, column.values.length);
      }
    }
    if (ending === undefined || seen !== lineCount || ending.fingerprint !== fingerprint) return undefined;
    return { catalog: { ...ending, tables }, values: { columns } };
  }

  /** One table with all levels of evidence; undefined when it is not stored. Reads past the others. */
  async readTable(tableId: string): Promise<Table | undefined> {
    for await (const { bytes, isWhole, key } of readLines(this.#path(TABLES))) {
      if (!isWhole || key === '' || JSON.parse(key).tableId !== tableId) continue;
      return (readContent(bytes) as StoredTable).table;
    }
    return undefined;
  }

  /** Opens a run over what is stored, finished or not; `onDamage` hears how many lines were lost. */
  openRun(onDamage: (count: number) => void): Promise<ProfileRun> {
    const { url, stamp, settings = '' } = this.#key;
    const origin = hashOf(JSON.stringify([STORE_VERSION, url, settings])).slice(0, 16);
    const paths = { log: this.#path(UNFINISHED), finished: this.#path(TABLES) };
    return ProfileRun.open(paths, { origin, stamp }, onDamage);
  }

  /** Writes the manifest last: until then the new file does not fit it and counts as damaged. */
  async finish(
    run: ProfileRun,
    { tables, ...ending }: Ending & { readonly tables: readonly string[] },
    createdAt: Date | undefined,
  ): Promise<void> {
    await rm(this.#path(MANIFEST), { force: true });
    const lines = await run.finish(tables, ending);
    const { url, stamp, settings = '' } = this.#key;
    const manifest: z.infer<typeof ManifestSchema> = {
      version: STORE_VERSION,
      url,
      stamp,
      settings,
      fingerprint: ending.fingerprint,
      ...(createdAt === undefined ? {} : { createdAt: createdAt.toISOString() }),
      lines,
    };
    await this.#writeAtomic(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  }

  async #writeAtomic(name: string, text: string): Promise<void> {
    const path = this.#path(name);
    const unfinished = `${path}.${process.pid}.unfinished`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(unfinished, text);
      await rename(unfinished, path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CandorError('catalog.not-writable', `cannot write ${path}: ${reason}`, { cause: error });
    }
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}

function withoutStatistics(column: Column): Column {
  if (column.profile?.statistics === undefined) return column;
  const { statistics: _, ...profile } = column.profile;
  return { ...column, profile };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined;
    }
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
