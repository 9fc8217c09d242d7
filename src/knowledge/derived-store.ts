/** The derived files of a project: catalog, value index and what is finished of a run that was cut short. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Catalog, ProfiledTable } from '../catalog/index.ts';
import { CandorError } from '../errors.ts';
import type { StoredValueIndex } from './value-index.ts';

/** Raised when the form or the meaning of the derived files changes; older ones are then built anew. */
const STORE_VERSION = 1;

/** What the derived files were read from. */
export interface StoreKey {
  readonly url: string;
  readonly stamp: string;
}

export interface DerivedData {
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
  fingerprint: z.string(),
  createdAt: z.string().optional(),
  /** Hashes of the other files: a file of ours that is whole needs no further check. */
  hashes: z.object({ catalog: z.string(), values: z.string() }),
});

export class DerivedStore {
  readonly #directory: string;
  readonly #key: StoreKey;

  constructor(directory: string, key: StoreKey) {
    this.#directory = directory;
    this.#key = key;
  }

  async read(): Promise<StoredState> {
    const text = await readIfThere(this.#path('manifest.json'));
    if (text === undefined) return { kind: 'absent' };
    const manifest = ManifestSchema.safeParse(parseJson(text));
    if (!manifest.success) return { kind: 'damaged', file: 'manifest.json' };
    const { version, url, stamp, hashes } = manifest.data;
    if (version !== STORE_VERSION || url !== this.#key.url || stamp !== this.#key.stamp) {
      return { kind: 'stale' };
    }
    const [catalog, values] = await Promise.all([
      readIfThere(this.#path('catalog.json')),
      readIfThere(this.#path('values.json')),
    ]);
    if (catalog === undefined || hashOf(catalog) !== hashes.catalog) {
      return { kind: 'damaged', file: 'catalog.json' };
    }
    if (values === undefined || hashOf(values) !== hashes.values) {
      return { kind: 'damaged', file: 'values.json' };
    }
    // The hashes say that these are the bytes this version has written.
    return { kind: 'fresh', data: { catalog: JSON.parse(catalog), values: JSON.parse(values) } };
  }

  /** Writes the manifest last: until then the files before it count as not there. */
  async write(data: DerivedData, createdAt: Date | undefined): Promise<void> {
    const catalog = JSON.stringify(data.catalog);
    const values = JSON.stringify(data.values);
    const manifest: z.infer<typeof ManifestSchema> = {
      version: STORE_VERSION,
      ...this.#key,
      fingerprint: data.catalog.fingerprint,
      ...(createdAt === undefined ? {} : { createdAt: createdAt.toISOString() }),
      hashes: { catalog: hashOf(catalog), values: hashOf(values) },
    };
    await this.#writeAtomic('catalog.json', catalog);
    await this.#writeAtomic('values.json', values);
    await this.#writeAtomic('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
    await rm(this.#path('parts'), { recursive: true, force: true });
  }

  /** A table that an earlier run has finished, if the database has not changed since. */
  async readPart(tableId: string, fingerprint: string): Promise<ProfiledTable | 'absent' | 'damaged'> {
    const text = await readIfThere(this.#path(this.#partName(tableId, fingerprint)));
    if (text === undefined) return 'absent';
    const [hash = '', ...body] = text.split('\n');
    const json = body.join('\n');
    return hashOf(json) === hash ? JSON.parse(json) : 'damaged';
  }

  async writePart(part: ProfiledTable, fingerprint: string): Promise<void> {
    const json = JSON.stringify(part);
    await this.#writeAtomic(this.#partName(part.table.id, fingerprint), `${hashOf(json)}\n${json}`);
  }

  /** The name holds everything the part depends on, so that a part of another state is never found. */
  #partName(tableId: string, fingerprint: string): string {
    const { url, stamp } = this.#key;
    const name = hashOf(JSON.stringify([STORE_VERSION, url, stamp, fingerprint, tableId])).slice(0, 24);
    return join('parts', name);
  }

  async #writeAtomic(name: string, text: string): Promise<void> {
    const path = this.#path(name);
    const unfinished = `${path}.${process.pid}.unfinished`;
    try {
      await mkdir(join(path, '..'), { recursive: true });
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
