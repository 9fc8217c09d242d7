/** A schema with all that is known of it, a line for each column: what a language model writes SQL from. */
import { writeName } from '../../sql/dialects/index.ts';
import type { Column, ForeignKey, Table } from '../schema/catalog.ts';
import { columnFacts } from './column-facts.ts';
import type { SchemaPart } from './render-schema.ts';
import { shuffleTables } from './render-schema.ts';
import { schemaLine, schemaName } from './schema-line.ts';

export interface Annotations {
  /** What people say of tables and columns, by id. */
  readonly tables?: ReadonlyMap<string, readonly string[]>;
  readonly columns?: ReadonlyMap<string, readonly string[]>;
  /** Shuffles tables and columns, the same way every time; absent: the order of the catalog. */
  readonly seed?: number;
}

const MOST_NOTE = 600;

/**
 * `shp: 8,389 rows. Shipments, one row each`, then `  svc_lvl TEXT: one of STD, EXP. “service level”: OVN overnight`. A key of one
 * column stands with it, `-> depots.depot_id`, with the role it plays; of several, below the tables. Source: design of the
 * model path.
 */
export function renderAnnotated(part: SchemaPart, annotations: Annotations = {}): string {
  const { seed } = annotations;
  const tables = seed === undefined ? part.tables : shuffleTables(part.tables, seed);
  const names = writtenNames(part);
  const wide = part.foreignKeys.filter(({ fromColumns }) => fromColumns.length > 1);
  const lines = tables.flatMap((table) => [
    tableLine(table, names, annotations),
    ...table.columns.map((column) => columnLine(column, table, part.foreignKeys, names, annotations)),
    '',
  ]);
  const keys = wide.flatMap((key) => wideKey(key, names));
  return [...lines, ...(keys.length === 0 ? [] : ['Keys of several columns:', ...keys, ''])].join('\n');
}

interface Names {
  /** As SQL writes them, by id. */
  readonly tables: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, string>;
}

function writtenNames({ tables, dialect }: SchemaPart): Names {
  const write = (name: string): string => schemaName(writeName(name, dialect));
  return {
    tables: new Map(
      tables.map((table) => [table.id, [...(table.qualifier ?? []), table.name].map(write).join('.')]),
    ),
    columns: new Map(
      tables.flatMap((table) => table.columns.map((column) => [column.id, write(column.name)] as const)),
    ),
  };
}

function tableLine(table: Table, names: Names, { tables }: Annotations): string {
  const { rowCount, isRowCountEstimated, comment = '', kind } = table;
  const rows =
    rowCount === 0 ? '' : `${isRowCountEstimated ? 'about ' : ''}${rowCount.toLocaleString('en')} rows`;
  const said = [
    kind === 'view' ? 'view' : '',
    rows,
    schemaLine(comment),
    ...(tables?.get(table.id) ?? []).map(noteText),
  ];
  return `${names.tables.get(table.id)}: ${said.filter((one) => one !== '').join('. ')}`;
}

function columnLine(
  column: Column,
  table: Table,
  keys: readonly ForeignKey[],
  names: Names,
  { columns }: Annotations,
): string {
  const links = keys.flatMap((one) => keyText(one, column, names));
  const said = [
    ...columnFacts(column, { isLink: links.length > 0, isPrimaryKey: table.primaryKey.includes(column.id) }),
    schemaLine(column.comment ?? ''),
    ...(columns?.get(column.id) ?? []).map(noteText),
  ].filter((one) => one !== '');
  const type = schemaLine(column.type).toUpperCase();
  const head = [
    `  ${names.columns.get(column.id)}`,
    type,
    ...(table.primaryKey.includes(column.id) ? ['key'] : []),
    ...links,
  ];
  return `${head.filter((one) => one !== '').join(' ')}${said.length === 0 ? '' : `: ${said.join('. ')}`}`;
}

function keyText(
  { fromColumns, toColumns, toTable, source, role }: ForeignKey,
  column: Column,
  names: Names,
): readonly string[] {
  if (fromColumns.length > 1 || fromColumns[0] !== column.id) return [];
  const [to = ''] = toColumns;
  const table = names.tables.get(toTable);
  if (table === undefined) return [];
  const notes = [...(role === undefined ? [] : [role]), ...(source === 'inferred' ? ['a guess'] : [])];
  return [`-> ${table}.${names.columns.get(to)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`];
}

function wideKey(
  { fromTable, fromColumns, toTable, toColumns }: ForeignKey,
  names: Names,
): readonly string[] {
  const [from, to] = [names.tables.get(fromTable), names.tables.get(toTable)];
  if (from === undefined || to === undefined) return [];
  const list = (ids: readonly string[]): string => ids.map((id) => names.columns.get(id)).join(', ');
  return [`  ${from} (${list(fromColumns)}) -> ${to} (${list(toColumns)})`];
}

function noteText(note: string): string {
  return schemaLine(note, MOST_NOTE);
}
