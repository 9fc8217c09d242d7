import { createHash } from 'node:crypto';
import type { Table } from '../../catalog/index.ts';
import type { StateFile } from '../../store/index.ts';
import { tableDocument } from '../retrieve/catalog-documents.ts';
import { columnsKey, siblingKey } from '../retrieve/table-families.ts';
import type { StampedTable } from './lake-source.ts';
import { packTable } from './pack-table.ts';
import { PlaceDesk } from './place-desk.ts';
import { SegmentDesk } from './segment-desk.ts';
import { TermDesk } from './term-desk.ts';
import { textTerms } from './text-terms.ts';

/** One change of a lake file, within a transaction: tables that came or changed, and tables that are gone. */
export class LakeBatch {
  readonly #file: StateFile;
  readonly #terms: TermDesk;
  readonly #segment: SegmentDesk;
  readonly #places: PlaceDesk;
  /** Texts that a table has left. */
  readonly #left = new Set<number>();
  readonly #schemas = new Map<string, number>();
  readonly #database: string;

  constructor(file: StateFile, database: string) {
    this.#file = file;
    this.#database = database;
    this.#terms = new TermDesk(file);
    this.#segment = new SegmentDesk(file, this.#terms);
    this.#places = new PlaceDesk(file);
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
