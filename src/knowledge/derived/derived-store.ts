/** The derived files of a project: what is known of each table, line by line, and a manifest that vouches for them. */

import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import { readContent, readLines } from './profile-log.ts';
import { ProfileRun } from './profile-run.ts';

/** Raised when the form or the meaning of the derived files changes; older ones are then built anew. */
const STORE_VERSION = 8;

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
  /** What the value index is built from. */
  readonly values: ValueSource;
}

export interface ValueSource {
  /** The file with the values of all columns. */
  readonly path: string;
  /** Hash of its lines. */
  readonly hash: string;
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
  /** Hash of the lines with values. */
  values: z.string(),
});

const MANIFEST = 'manifest.json';
const TABLES = 'tables.jsonl';
const VALUES = 'values.jsonl';
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
    const { version, url, stamp, settings } = manifest.data;
    const isStale =
      version !== STORE_VERSION ||
      url !== this.#key.url ||
      stamp !== this.#key.stamp ||
      (this.#key.settings ?? settings) !== settings;
    if (isStale) return { kind: 'stale' };
    const { lines, fingerprint, values } = manifest.data;
    const catalog = await this.#readTables(lines, fingerprint);
    if (catalog === undefined) return { kind: 'damaged', file: TABLES };
    return { kind: 'fresh', data: { catalog, values: { path: this.#path(VALUES), hash: values } } };
  }

  async #readTables(lineCount: number, fingerprint: string): Promise<Catalog | undefined> {
    const tables: Table[] = [];
    let ending: Ending | undefined;
    let seen = 0;
    for await (const { bytes, isWhole, key } of readLines(this.#path(TABLES))) {
      if (!isWhole) return undefined;
      seen += 1;
      if (key === '') {
        ending = readContent(bytes) as Ending;
        continue;
      }
      const table = readContent(bytes) as Table;
      tables.push({ ...table, columns: table.columns.map(withoutStatistics) });
    }
    if (ending === undefined || seen !== lineCount || ending.fingerprint !== fingerprint) return undefined;
    return { ...ending, tables };
  }

  /** One table with all levels of evidence; undefined when it is not stored. Reads past the others. */
  async readTable(tableId: string): Promise<Table | undefined> {
    for await (const { bytes, isWhole, key } of readLines(this.#path(TABLES))) {
      if (!isWhole || key === '' || JSON.parse(key).tableId !== tableId) continue;
      return readContent(bytes) as Table;
    }
    return undefined;
  }

  /** Opens a run over what is stored, finished or not; `onDamage` hears how many lines were lost. */
  openRun(onDamage: (count: number) => void): Promise<ProfileRun> {
    const { url, stamp, settings = '' } = this.#key;
    const origin = hashOf(JSON.stringify([STORE_VERSION, url, settings])).slice(0, 16);
    const paths = {
      log: this.#path(UNFINISHED),
      finished: this.#path(TABLES),
      values: this.#path(VALUES),
    };
    return ProfileRun.open(paths, { origin, stamp }, onDamage);
  }

  /** Writes the manifest last: until then the new file does not fit it and counts as damaged. */
  async finish(
    run: ProfileRun,
    { tables, ...ending }: Ending & { readonly tables: readonly string[] },
    createdAt: Date | undefined,
  ): Promise<void> {
    await rm(this.#path(MANIFEST), { force: true });
    const { lines, values } = await run.finish(tables, ending);
    const { url, stamp, settings = '' } = this.#key;
    const manifest: z.infer<typeof ManifestSchema> = {
      version: STORE_VERSION,
      url,
      stamp,
      settings,
      fingerprint: ending.fingerprint,
      ...(createdAt === undefined ? {} : { createdAt: createdAt.toISOString() }),
      lines,
      values,
    };
    await this.#writeAtomic(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  }

  async #writeAtomic(name: string, text: string): Promise<void> {
    const path = this.#path(name);
    try {
      await writeWhole(path, text);
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
