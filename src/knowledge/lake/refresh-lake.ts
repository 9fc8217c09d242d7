import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import type { StateFile } from '../../store/index.ts';
import { tableDocument } from '../retrieve/documents/catalog-documents.ts';
import { columnsKey, siblingKey } from '../retrieve/tables/table-families.ts';
import { compareCodePoints } from './code-point-order.ts';
import type { LakeSource, StampedTable, TableMark } from './lake-source.ts';
import { packTable } from './postings/pack-table.ts';
import { PlaceWriter, SegmentWriter } from './postings/segment-writer.ts';
import { TermDictionary } from './postings/term-dictionary.ts';
import { textTerms } from './postings/text-terms.ts';

export interface RefreshOptions {
  /** Where a table stands whose own names do not say it: the database. */
  readonly database: string;
  readonly onProgress?: (counts: LakeCounts) => void;
  readonly signal?: AbortSignal | undefined;
  /** Tables of one transaction, and of one segment. */
  readonly tablesAtOnce?: number;
}

export interface LakeCounts {
  /** Tables that the source has shown so far. */
  readonly listed: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** As many as make a segment worth its lookups, few enough to be held and done again. */
const TABLES_AT_ONCE = 16_384;
const READ_AT_ONCE = 500;
const KNOWN_AT_ONCE = 5_000;

/**
 * Makes the tables of a lake file those of the source: lists what there is beside what is known, and reads only what
 * differs. What was read is kept by transactions of many tables: who reads meanwhile sees each table whole, old or new,
 * and the rest as it is; a run that was ended at any point goes on where it was. Throws what the source throws, and
 * `store.*`.
 */
export async function refreshLakeFile(
  file: StateFile,
  source: LakeSource,
  options: RefreshOptions,
): Promise<LakeCounts> {
  const counts = { listed: 0, added: 0, changed: 0, removed: 0 };
  const changes = new LakeChanges(file, source, options);
  const known = knownMarks(file);
  let old = known.next().value;
  let last = '';
  for await (const marks of source.list(options.signal))
    for (const { id, stamp } of marks) {
      if (!isAfter(id, last)) throw unordered(id, last);
      last = id;
      counts.listed += 1;
      while (old !== undefined && old.id !== id && isAfter(id, old.id)) {
        counts.removed += 1;
        await changes.remove(old.id);
        old = known.next().value;
      }
      const isKnown = old?.id === id;
      if (!isKnown || old?.stamp !== stamp) {
        counts[isKnown ? 'changed' : 'added'] += 1;
        if (await changes.read(id)) options.onProgress?.({ ...counts });
      }
      if (isKnown) old = known.next().value;
    }
  for (; old !== undefined; old = known.next().value) {
    counts.removed += 1;
    await changes.remove(old.id);
  }
  await changes.finish();
  return counts;
}

function isAfter(id: string, before: string): boolean {
  return compareCodePoints(id, before) > 0;
}

/** Page by page: what is written behind the last id does not disturb what is read before it. */
function* knownMarks(file: StateFile): Generator<TableMark, undefined> {
  const read = file.prepare('SELECT id, stamp FROM marks WHERE id > ? ORDER BY id LIMIT ?');
  for (let last = ''; ; ) {
    const page = read.all(last, KNOWN_AT_ONCE);
    for (const { id, stamp } of page) yield { id: String(id), stamp: String(stamp) };
    if (page.length < KNOWN_AT_ONCE) return undefined;
    last = String(page.at(-1)?.id);
  }
}

class LakeChanges {
  readonly #file: StateFile;
  readonly #source: LakeSource;
  readonly #options: RefreshOptions;
  #wanted: string[] = [];
  #gone: string[] = [];

  constructor(file: StateFile, source: LakeSource, options: RefreshOptions) {
    this.#file = file;
    this.#source = source;
    this.#options = options;
  }

  /** True: what was asked for so far has been kept. */
  async read(id: string): Promise<boolean> {
    this.#wanted.push(id);
    return this.#isFull() && (await this.finish());
  }

  async remove(id: string): Promise<boolean> {
    this.#gone.push(id);
    return this.#isFull() && (await this.finish());
  }

  async finish(): Promise<boolean> {
    if (this.#wanted.length + this.#gone.length === 0) return false;
    const { signal, database } = this.#options;
    await this.#file.longTransaction(async () => {
      const batch = new LakeBatch(this.#file, database);
      for (const id of this.#gone) batch.remove(id);
      for (let at = 0; at < this.#wanted.length; at += READ_AT_ONCE) {
        const ids = new Set(this.#wanted.slice(at, at + READ_AT_ONCE));
        for await (const read of this.#source.read([...ids], signal)) {
          batch.put(read);
          ids.delete(read.table.id);
        }
        // Dropped between the list and the reading.
        for (const id of ids) batch.remove(id);
        await breathe();
        signal?.throwIfAborted();
      }
      batch.write();
    }, signal);
    this.#wanted = [];
    this.#gone = [];
    return true;
  }

  #isFull(): boolean {
    return this.#wanted.length + this.#gone.length >= (this.#options.tablesAtOnce ?? TABLES_AT_ONCE);
  }
}

function unordered(id: string, last: string): CandorError {
  return new CandorError('internal.bug', `a source lists the table ${id} after ${last}`);
}

/** One change of a lake file, within a transaction: tables that came or changed, and tables that are gone. */
class LakeBatch {
  readonly #file: StateFile;
  readonly #terms: TermDictionary;
  readonly #segment: SegmentWriter;
  readonly #places: PlaceWriter;
  /** Texts that a table has left. */
  readonly #left = new Set<number>();
  readonly #schemas = new Map<string, number>();
  readonly #database: string;

  constructor(file: StateFile, database: string) {
    this.#file = file;
    this.#database = database;
    this.#terms = new TermDictionary(file);
    this.#segment = new SegmentWriter(file, this.#terms);
    this.#places = new PlaceWriter(file);
  }

  put({ table, stamp, foreignKeys }: StampedTable): void {
    const text = this.#textOf(table);
    const pattern = hashNumber(siblingKey(table));
    const shape = hashNumber(`${table.schema ?? ''} ${columnsKey(table)}`.toLowerCase());
    const name = table.name.toLowerCase();
    const fields = [
      ...[name, name === table.name ? null : table.name, this.#schemaOf(table)],
      ...[text, pattern, shape, Buffer.from(packTable(table, foreignKeys))],
    ] as const;
    const known = this.#file.statement('SELECT key FROM marks WHERE id = ?').get(table.id);
    if (known === undefined) {
      const { lastInsertRowid } = this.#file
        .statement(
          'INSERT INTO tables (id, name, spelt, schema, text, pattern, shape, declaration) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        )
        .run(table.id, ...fields);
      const key = Number(lastInsertRowid);
      this.#file.statement('INSERT INTO marks (id, stamp, key) VALUES (?, ?, ?)').run(table.id, stamp, key);
      this.#places.set(key, text);
      return;
    }
    const key = Number(known.key);
    this.#leave(key);
    this.#file
      .statement(
        'UPDATE tables SET name = ?, spelt = ?, schema = ?, text = ?, pattern = ?, shape = ?, declaration = ? WHERE key = ?',
      )
      .run(...fields, key);
    this.#file.statement('UPDATE marks SET stamp = ? WHERE id = ?').run(stamp, table.id);
    this.#places.set(key, text);
  }

  remove(id: string): void {
    const known = this.#file.statement('SELECT key FROM marks WHERE id = ?').get(id);
    if (known === undefined) return;
    const key = Number(known.key);
    this.#leave(key);
    this.#file.statement('DELETE FROM tables WHERE key = ?').run(key);
    this.#file.statement('DELETE FROM marks WHERE id = ?').run(id);
    this.#places.set(key, 0);
  }

  write(): void {
    for (const text of this.#left) this.#segment.dropUnused(text);
    const generation = Number(this.#file.statement('SELECT generation AS n FROM totals').get()?.n) + 1;
    this.#places.write(generation);
    this.#segment.write(generation);
    this.#terms.write();
  }

  #schemaOf({ schema, catalog, qualifier }: Table): number {
    const names = JSON.stringify([schema ?? null, catalog ?? null, qualifier ?? null]);
    const known = this.#schemas.get(names);
    if (known !== undefined) return known;
    this.#file.statement('INSERT INTO schemas (names) VALUES (?) ON CONFLICT DO NOTHING').run(names);
    const key = Number(this.#file.statement('SELECT key FROM schemas WHERE names = ?').get(names)?.key);
    this.#schemas.set(names, key);
    return key;
  }

  #leave(key: number): void {
    const row = this.#file.statement('SELECT text FROM tables WHERE key = ?').get(key);
    this.#left.add(Number(row?.text));
  }

  #textOf(table: Table): number {
    const { title, body } = tableDocument(table, this.#database);
    const hash = createHash('sha256').update(`${title}\0${body}`).digest().subarray(0, 16);
    const known = this.#file.statement('SELECT number FROM texts WHERE hash = ?').get(hash);
    return known === undefined ? this.#segment.add(hash, textTerms(title, body)) : Number(known.number);
  }
}

/** 48 bits: a number that JavaScript holds exactly. */
function hashNumber(text: string): number {
  return createHash('sha1').update(text).digest().readUIntBE(0, 6);
}
