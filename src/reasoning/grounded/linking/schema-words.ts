/** The names and descriptions of a schema as word stems, prepared once for ranking. */

import type { Catalog, Column, Table } from '../../../catalog/index.ts';
import { splitName, stemOf } from '../../../language/index.ts';
import { readCompany, type TableCompany } from './table-company.ts';

export interface SchemaWords {
  readonly catalog: Catalog;
  readonly tables: readonly TableWords[];
  readonly columns: readonly ColumnWords[];
  /** Places by id. */
  readonly columnAt: ReadonlyMap<string, number>;
  /** By column: the number of its name, equal for columns of equal names. */
  readonly nameOf: Int32Array;
  readonly nameCount: number;
  /** By column: rarity of the stems of its name, summed. */
  readonly nameWeights: Float32Array;
  /** By column: the place of its table. */
  readonly tableOf: Int32Array;
  readonly tablePostings: Postings;
  readonly columnPostings: Postings;
  readonly company: TableCompany;
  /** How much a stem tells: high for stems of few names. */
  rarity(stem: string): number;
  readonly hasKeys: boolean;
  readonly hasComments: boolean;
}

/** What a table and a column have in common: a name and a description. */
export interface NamedItem {
  readonly index: number;
  /** As the engine spells it. */
  readonly name: string;
  readonly lower: string;
  readonly stems: readonly string[];
  /** Rarity of the stems, summed. */
  readonly weight: number;
  /** Stems of the description. */
  readonly comment: ReadonlySet<string>;
}

/** Where each stem occurs: places of tables or of columns. */
export interface Postings {
  readonly names: ReadonlyMap<string, readonly number[]>;
  readonly comments: ReadonlyMap<string, readonly number[]>;
  /** Names with signs other than letters, digits and underscores. */
  readonly unusual: readonly number[];
}

export interface TableWords extends NamedItem {
  readonly table: Table;
  /** Places of its columns in `SchemaWords.columns`. */
  readonly columns: readonly number[];
  /** Tables a key leads to or comes from. */
  readonly neighbours: readonly number[];
}

export interface ColumnWords extends NamedItem {
  readonly column: Column;
  /** Place of its table in `SchemaWords.tables`. */
  readonly table: number;
  /** Place in its table. */
  readonly place: number;
  readonly isPrimary: boolean;
  /** Columns its foreign keys point to. */
  readonly pointsTo: readonly number[];
  /** Columns whose foreign keys point here. */
  readonly pointedAtBy: readonly number[];
  /** Columns of other tables with the same name. */
  readonly namesakes: number;
}

const LONGEST_COMMENT = 600;

/** What is told of a table or column beside its comment: descriptions and synonyms, by its id. */
export type ToldOf = (id: string) => readonly string[];

export function prepareSchemaWords(catalog: Catalog, toldOf: ToldOf = () => []): SchemaWords {
  const all = catalog.tables.flatMap(({ columns }, table) =>
    columns.map((column, place) => ({ column, table, place })),
  );
  const columnAt = new Map(all.map(({ column }, index) => [column.id, index]));
  const namesakes = groupBy(all.map(({ column }) => column.name.toLowerCase()));
  const numbers = new Map([...namesakes.keys()].map((name, number) => [name, number]));
  const nameOf = Int32Array.from(all, ({ column }) => numbers.get(column.name.toLowerCase()) ?? 0);
  const keys = keysByColumn(catalog, columnAt);
  const primary = new Set(catalog.tables.flatMap(({ primaryKey }) => primaryKey));
  const texts = new Map<string, ReadonlySet<string>>();
  const rarity = rarityOf(
    [...catalog.tables, ...all.map(({ column }) => column)].map(({ name }) => stemsOfName(name)),
  );
  const named = (index: number, { id, name, comment }: Table | Column): NamedItem => {
    const stems = stemsOfName(name);
    return {
      index,
      name,
      lower: name.toLowerCase(),
      stems,
      weight: stems.reduce((sum, stem) => sum + rarity(stem), 0),
      comment: once([comment ?? '', ...toldOf(id)].join(' ').trim(), texts),
    };
  };
  const columns = all.map(
    ({ column, table, place }, index): ColumnWords => ({
      ...named(index, column),
      column,
      table,
      place,
      isPrimary: primary.has(column.id),
      pointsTo: keys.to.get(index) ?? NONE,
      pointedAtBy: keys.from.get(index) ?? NONE,
      namesakes: (namesakes.get(column.name.toLowerCase())?.length ?? 1) - 1,
    }),
  );
  const columnsOf = groupBy(all.map(({ table }) => table));
  const neighbours = neighboursOf(catalog);
  const tables = catalog.tables.map(
    (table, index): TableWords => ({
      ...named(index, table),
      table,
      columns: columnsOf.get(index) ?? NONE,
      neighbours: [...(neighbours[index] ?? [])],
    }),
  );
  return {
    catalog,
    tables,
    columns,
    columnAt,
    nameOf,
    nameCount: namesakes.size,
    nameWeights: Float32Array.from(columns, ({ weight }) => weight),
    tableOf: Int32Array.from(all, ({ table }) => table),
    tablePostings: postingsOf(tables),
    columnPostings: postingsOf(columns),
    company: readCompany(tables, catalog.foreignKeys),
    rarity,
    hasKeys: catalog.foreignKeys.length > 0,
    hasComments: columns.some(({ comment }) => comment.size > 0),
  };
}

/** Families and copies repeat their descriptions: each different one is split once. */
function once(text: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  let stems = known.get(text);
  if (stems === undefined) {
    stems = stemsOfText(text);
    known.set(text, stems);
  }
  return stems;
}

function postingsOf(items: readonly NamedItem[]): Postings {
  const names = new Map<string, number[]>();
  const comments = new Map<string, number[]>();
  const add = (postings: Map<string, number[]>, stem: string, index: number): void => {
    const known = postings.get(stem);
    if (known === undefined) postings.set(stem, [index]);
    else known.push(index);
  };
  for (const { index, stems, comment } of items) {
    for (const stem of new Set(stems)) add(names, stem, index);
    for (const stem of comment) add(comments, stem, index);
  }
  const unusual = items.filter(({ name }) => !/^[\p{L}\p{N}_]+$/u.test(name)).map(({ index }) => index);
  return { names, comments, unusual };
}

/** Places by key, in order. */
function groupBy<Key>(keys: readonly Key[]): ReadonlyMap<Key, readonly number[]> {
  const groups = new Map<Key, number[]>();
  for (const [index, key] of keys.entries()) {
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [index]);
    else known.push(index);
  }
  return groups;
}

const NONE: readonly number[] = [];

function keysByColumn({ foreignKeys }: Catalog, columnIndex: ReadonlyMap<string, number>) {
  const to = new Map<number, number[]>();
  const from = new Map<number, number[]>();
  for (const { fromColumns, toColumns } of foreignKeys)
    for (const [at, fromColumn] of fromColumns.entries()) {
      const [source, target] = [columnIndex.get(fromColumn), columnIndex.get(toColumns[at] ?? '')];
      if (source === undefined || target === undefined) continue;
      to.set(source, [...(to.get(source) ?? []), target]);
      from.set(target, [...(from.get(target) ?? []), source]);
    }
  return { to, from };
}

function neighboursOf({ foreignKeys, tables }: Catalog): Set<number>[] {
  const tableIndex = new Map(tables.map(({ id }, index) => [id, index]));
  const neighbours = tables.map(() => new Set<number>());
  for (const { fromTable, toTable } of foreignKeys) {
    const [from, to] = [tableIndex.get(fromTable), tableIndex.get(toTable)];
    if (from === undefined || to === undefined || from === to) continue;
    neighbours[from]?.add(to);
    neighbours[to]?.add(from);
  }
  return neighbours;
}

function stemsOfName(name: string): readonly string[] {
  return splitName(name)
    .flatMap((word) => word.match(/\p{N}+|[^\p{N}]+/gu) ?? [])
    .map(stemOf);
}

function stemsOfText(text: string): ReadonlySet<string> {
  if (text === '') return EMPTY;
  const words =
    text
      .slice(0, LONGEST_COMMENT)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map(stemOf));
}

const EMPTY: ReadonlySet<string> = new Set();

function rarityOf(names: readonly (readonly string[])[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const stems of names) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => Math.log(1 + names.length / (1 + (counts.get(stem) ?? 0)));
}
