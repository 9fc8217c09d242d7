/** What is declared of a table beside its names, in few bytes and back. */
import type { Column, ForeignKey, Table, TypeFamily } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';
import type { StateFile } from '../../../store/index.ts';
import { readBytes } from './segment-writer.ts';

const FAMILIES: readonly TypeFamily[] = ['text', 'number', 'time', 'boolean', 'other'];

/** Name, type, place of its family, 1 where it is nullable, comment. */
type PackedColumn = readonly [string, string, number, number, string?];

interface Declaration {
  readonly view?: 1;
  /** It owns its rows. */
  readonly own?: 1;
  readonly comment?: string;
  /** Places of columns. */
  readonly key?: readonly number[];
  readonly partition?: readonly number[];
  readonly rows?: number;
  /** Names of columns, the table they lead to, names of its columns. */
  readonly links?: readonly (readonly [readonly string[], string, readonly string[]])[];
  readonly columns: readonly PackedColumn[];
}

/** Of what the engine declares; profiles are kept elsewhere. */
export function packTable(table: Table, foreignKeys: readonly ForeignKey[] = []): string {
  const places = new Map(table.columns.map(({ id }, at) => [id, at]));
  const placesOf = (ids: readonly string[]): number[] => ids.flatMap((id) => places.get(id) ?? []);
  const { kind, ownsRows, comment, primaryKey, partitionKey, estimatedRows } = table;
  const packed: Declaration = {
    ...(kind === 'view' && { view: 1 as const }),
    ...(ownsRows && { own: 1 as const }),
    ...(comment !== undefined && { comment }),
    ...(primaryKey.length > 0 && { key: placesOf(primaryKey) }),
    ...(partitionKey !== undefined && { partition: placesOf(partitionKey) }),
    ...(estimatedRows !== undefined && { rows: estimatedRows }),
    ...(foreignKeys.length > 0 && {
      links: foreignKeys.map(
        ({ fromColumns, toTable, toColumns }) =>
          [
            fromColumns.map((id) => id.slice(table.id.length + 1)),
            toTable,
            toColumns.map((id) => id.slice(toTable.length + 1)),
          ] as const,
      ),
    }),
    columns: table.columns.map((column): PackedColumn => {
      const start = [column.name, column.type, FAMILIES.indexOf(column.family)] as const;
      const isNullable = column.isNullable ? 1 : 0;
      return column.comment === undefined ? [...start, isNullable] : [...start, isNullable, column.comment];
    }),
  };
  return JSON.stringify(packed);
}

/** What a table is called and where it stands. */
type TableNames = Pick<Table, 'id' | 'name' | 'schema' | 'catalog' | 'qualifier'>;

/** Throws `store.unusable` for bytes that `packTable` did not make. */
export function unpackTable({ id, ...names }: TableNames, text: string): Table {
  const packed = readDeclaration(id, text);
  const columns = packed.columns.map(([name, type, family, isNullable, comment]): Column => {
    const known = FAMILIES[family];
    if (known === undefined) throw damaged(id);
    return {
      id: `${id}.${name.toLowerCase()}`,
      tableId: id,
      ...{ name, type, family: known, isNullable: isNullable === 1 },
      ...(comment !== undefined && { comment }),
    };
  });
  const idsOf = (places: readonly number[]): string[] => places.flatMap((at) => columns[at]?.id ?? []);
  const { view, own, comment, key = [], partition, rows } = packed;
  return {
    ...{ id, ...names },
    kind: view === 1 ? 'view' : 'table',
    ...(own === 1 && { ownsRows: true as const }),
    ...(comment !== undefined && { comment }),
    ...{ columns, primaryKey: idsOf(key), rowCount: 0 },
    ...(partition !== undefined && { partitionKey: idsOf(partition) }),
    ...(rows !== undefined && { estimatedRows: rows }),
  };
}

/** The declared keys that lead from a table. Throws as `unpackTable` does. */
function unpackKeys(id: string, text: string): readonly ForeignKey[] {
  const columnIds = (table: string, names: readonly string[]): string[] =>
    names.map((name) => `${table}.${name}`);
  return (readDeclaration(id, text).links ?? []).map(([from, toTable, to]) => ({
    ...{ fromTable: id, fromColumns: columnIds(id, from) },
    ...{ toTable, toColumns: columnIds(toTable, to), source: 'declared' },
  }));
}

function readDeclaration(id: string, text: string): Declaration {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(id);
  }
  if (!isDeclaration(value)) throw damaged(id);
  return value;
}

/** What is ours is looked at as far as a mix-up would show; each of a thousand tables is read for one question. */
function isDeclaration(value: unknown): value is Declaration {
  return (
    typeof value === 'object' &&
    value !== null &&
    'columns' in value &&
    Array.isArray(value.columns) &&
    value.columns.every(
      (column: unknown) => Array.isArray(column) && typeof column[0] === 'string' && column.length >= 4,
    )
  );
}

function damaged(id: string): CandorError {
  return new CandorError('store.unusable', `what is stored of the table ${id} cannot be read`);
}

const DECODER = new TextDecoder();

/** Whole tables by their keys, in that order; those that are gone are left out. */
export function tablesOf(file: StateFile, keys: Iterable<number>): readonly Table[] {
  return [...keys].flatMap((key) => readTable(file, key) ?? []);
}

export function readTable(file: StateFile, key: number): Table | undefined {
  const row = file
    .statement(
      `SELECT t.id AS id, t.name AS name, t.spelt AS spelt, s.names AS names, t.declaration AS declaration
       FROM tables AS t JOIN schemas AS s ON s.key = t.schema WHERE t.key = ?`,
    )
    .get(key);
  if (row === undefined) return undefined;
  const names = namesOf(String(row.id), String(row.spelt ?? row.name), readSchema(row.names));
  return unpackTable(names, DECODER.decode(readBytes(row.declaration)));
}

/** The declared keys that lead from tables. */
export function keysOf(file: StateFile, keys: Iterable<number>): readonly ForeignKey[] {
  const read = file.statement('SELECT id, declaration FROM tables WHERE key = ?');
  return [...keys].flatMap((key) => {
    const row = read.get(key);
    return row === undefined ? [] : unpackKeys(String(row.id), DECODER.decode(readBytes(row.declaration)));
  });
}

/** Where a table stands: what `readSchema` gives. */
export type StoredSchema = Omit<TableNames, 'id' | 'name'>;

export function namesOf(id: string, name: string, schema: StoredSchema): TableNames {
  return { id, name, ...schema };
}

/** From the names that a schema is kept under. Throws `store.unusable`. */
export function readSchema(names: unknown): StoredSchema {
  const read: unknown = JSON.parse(String(names));
  if (!Array.isArray(read) || read.length !== 3)
    throw new CandorError('store.unusable', 'the names of a stored schema cannot be read');
  const [schema, catalog, qualifier] = read;
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof catalog === 'string' && { catalog }),
    ...(Array.isArray(qualifier) && { qualifier: qualifier.map(String) }),
  };
}
