/** A schema as text for models: which tables and columns there are, what they mean, how they are linked. */

import { seededRandom } from '../../lib/index.ts';
import { writeName } from '../../sql/dialects/index.ts';
import type { Catalog, Column, ForeignKey, Table } from '../schema/catalog.ts';
import { chooseExamples } from './column-facts.ts';
import { listedValue, schemaLine, schemaName } from './schema-line.ts';

export type SchemaStyle = 'thoth' | 'xiyan' | 'ddl';

/** A catalog, or what linking left of one. */
export type SchemaPart = Pick<Catalog, 'database' | 'dialect' | 'tables' | 'foreignKeys'>;

export interface SchemaTextOptions {
  readonly style?: SchemaStyle;
  /** Shuffles tables and columns, the same way every time; absent: the order of the catalog. */
  readonly seed?: number;
  /** Stored values looked at for each column, of which three at most are shown; 0 shows none. */
  readonly examplesPerColumn?: number;
  /** Values that words of the question were found in, by column id: they come first. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
}

const EXAMPLES_PER_COLUMN = 5;
const RENDERERS: Readonly<Record<SchemaStyle, (schema: SchemaText) => string>> = {
  thoth: renderThoth,
  xiyan: renderXiyan,
  ddl: renderDdl,
};

/**
 * The text of a schema. Every table and column stands there once, each of its facts on one line; names are quoted where
 * the dialect needs it, descriptions cut at 200 characters. Source: ThothAI, section 11.
 */
export function renderSchema(part: SchemaPart, options: SchemaTextOptions = {}): string {
  const { style = 'thoth', seed } = options;
  const tables = seed === undefined ? part.tables : shuffleTables(part.tables, seed);
  return RENDERERS[style](schemaText({ ...part, tables }, options));
}

function schemaText({ database, dialect, tables, foreignKeys }: SchemaPart, options: SchemaTextOptions) {
  const write = (name: string): string => schemaName(writeName(name, dialect));
  const columns = new Map<string, Written>();
  const texts = tables.map((table): TableText => {
    const name = [...(table.qualifier ?? []), table.name].map(write).join('.');
    for (const column of table.columns) columns.set(column.id, { table: name, column: write(column.name) });
    return {
      name,
      comment: schemaLine(table.comment ?? ''),
      isKeyWhole: table.primaryKey.every((id) => columns.has(id)),
      columns: table.columns.map((column) => columnText(table, column, { write, ...options })),
    };
  });
  const keys = foreignKeys.flatMap((key) => keyText(key, columns));
  return { database: schemaLine(database), tables: texts, keys };
}

interface Written {
  readonly table: string;
  readonly column: string;
}

function columnText(
  table: Table,
  column: Column,
  {
    write,
    examplesPerColumn = EXAMPLES_PER_COLUMN,
    values,
  }: SchemaTextOptions & { readonly write: (name: string) => string },
): TableText['columns'][number] {
  return {
    name: write(column.name),
    type: schemaLine(column.type).toUpperCase(),
    comment: schemaLine(column.comment ?? ''),
    isPrimaryKey: table.primaryKey.includes(column.id),
    isNullable: column.isNullable,
    examples: chooseExamples(column, values?.get(column.id) ?? [], examplesPerColumn),
    form: column.profile?.form ?? '',
  };
}

/** The pairs of a key whose ends are both in view. */
function keyText({ fromColumns, toColumns }: ForeignKey, columns: ReadonlyMap<string, Written>): KeyText[] {
  const pairs = fromColumns.flatMap((id, at) => {
    const from = columns.get(id);
    const to = columns.get(toColumns[at] ?? '');
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  const [first] = pairs;
  if (first === undefined) return [];
  const names = pairs.map(({ from, to }) => [from.column, to.column] as const);
  return [{ fromTable: first.from.table, toTable: first.to.table, pairs: names }];
}

/** SQL that makes the tables, with comments: the form that models have seen most of. */
function renderDdl({ tables, keys }: SchemaText): string {
  if (tables.length === 0) return '-- Schema\n-- no schema: no table is in view\n';
  const keysOf = new Map<string, KeyText[]>();
  for (const key of keys) keysOf.set(key.fromTable, [...(keysOf.get(key.fromTable) ?? []), key]);
  return tables.map((table) => ddlLines(table, keysOf.get(table.name) ?? []).join('\n')).join('\n');
}

function ddlLines({ name, comment, columns, isKeyWhole }: TableText, keys: readonly KeyText[]): string[] {
  const primary = isKeyWhole ? columns.filter(({ isPrimaryKey }) => isPrimaryKey) : [];
  const parts = [
    ...columns.map((column) => columnPart(column, primary.length === 1 && primary[0] === column)),
    ...(primary.length > 1 ? [{ text: `PRIMARY KEY (${primary.map((part) => part.name).join(', ')})` }] : []),
    ...[...new Set(keys.map(foreignKey))].map((text) => ({ text })),
  ];
  return [
    ...(comment === '' ? [] : [`-- ${comment}`]),
    `CREATE TABLE ${name} (`,
    ...parts.map(
      (part, at) => `  ${part.text}${at < parts.length - 1 ? ',' : ''}${'note' in part ? part.note : ''}`,
    ),
    ');',
    '',
  ];
}

interface Part {
  readonly text: string;
  /** A comment after the comma. */
  readonly note: string;
}

function columnPart(
  { name, type, comment, isNullable, examples, form }: ColumnText,
  isPrimaryKey: boolean,
): Part {
  const shown = examples.length === 0 ? [] : [`Examples: ${examples.map(listedValue).join(', ')}`];
  const looks = form === '' ? [] : [`Form of the values: ${form}`];
  const notes = [...(comment === '' ? [] : [comment]), ...shown, ...looks];
  const rule = isPrimaryKey ? ' PRIMARY KEY' : isNullable ? '' : ' NOT NULL';
  return {
    text: `${name}${type === '' ? '' : ` ${type}`}${rule}`,
    note: notes.length === 0 ? '' : ` -- ${notes.join(' | ')}`,
  };
}

function foreignKey({ toTable, pairs }: KeyText): string {
  const from = pairs.map(([name]) => name).join(', ');
  const to = pairs.map(([, name]) => name).join(', ');
  return `FOREIGN KEY (${from}) REFERENCES ${toTable} (${to})`;
}

/** One tuple a column, one bracketed list a table. Source: XiYan M-Schema (ThothAI, section 11). */
function renderXiyan({ database, tables, keys }: SchemaText): string {
  const head = [`【DB_ID】 ${database}`, '【Schema】'];
  if (tables.length === 0) return [...head, '# no schema: no table is in view', ''].join('\n');
  const pairs = keys.flatMap(({ fromTable, toTable, pairs }) =>
    pairs.map(([from, to]) => `${fromTable}.${from}=${toTable}.${to}`),
  );
  return [
    ...head,
    ...tables.flatMap(xiyanLines),
    ...(pairs.length === 0 ? [] : ['【Foreign keys】', ...new Set(pairs)]),
    '',
  ].join('\n');
}

function xiyanLines({ name, comment, columns }: TableText): string[] {
  return [
    `# Table: ${name}${comment === '' ? '' : `, ${comment}`}`,
    '[',
    ...columns.map((column, at) => `(${columnParts(column)})${at < columns.length - 1 ? ',' : ''}`),
    ']',
  ];
}

function columnParts({ name, type, comment, isPrimaryKey, examples, form }: ColumnText): string {
  return [
    type === '' ? name : `${name}:${type}`,
    ...(comment === '' ? [] : [comment]),
    ...(isPrimaryKey ? ['Primary Key'] : []),
    ...(examples.length === 0 ? [] : [`Examples: [${examples.map(listedValue).join(', ')}]`]),
    ...(form === '' ? [] : [`Form: ${form}`]),
  ].join(', ');
}

/** CREATE TABLE statements with a comment line for each fact; keys as `t.c=t2.c2`. Source: ThothAI, section 11. */
function renderThoth({ tables, keys }: SchemaText): string {
  if (tables.length === 0) return '【Schema】\n-- no schema: no table is in view\n';
  const pairs = keys.flatMap(({ fromTable, toTable, pairs }) =>
    pairs.map(([from, to]) => `${fromTable}.${from}=${toTable}.${to}`),
  );
  return [
    '【Schema】',
    ...tables.flatMap(thothLines),
    ...(pairs.length === 0 ? [] : ['【Foreign keys】', ...new Set(pairs)]),
    '',
  ].join('\n');
}

function thothLines({ name, comment, columns }: TableText): string[] {
  return [
    ...(comment === '' ? [] : [`-- ${comment}`]),
    `CREATE TABLE ${name} (`,
    ...columns.flatMap(columnLines),
    ');',
    '',
  ];
}

function columnLines({ name, type, comment, isPrimaryKey, examples, form }: ColumnText): string[] {
  return [
    `  ${name}${type === '' ? '' : ` ${type}`}${isPrimaryKey ? ' -- PRIMARY KEY' : ''}`,
    ...(comment === '' ? [] : [`  -- ${comment}`]),
    ...(examples.length === 0 ? [] : [`  -- Examples: ${examples.map(listedValue).join(', ')}`]),
    ...(form === '' ? [] : [`  -- Form of the values: ${form}`]),
  ];
}

/** What a schema text shows, before a style writes it: names as SQL writes them, texts on one line. */
interface SchemaText {
  readonly database: string;
  readonly tables: readonly TableText[];
  /** Keys of which at least one pair of columns is shown at both ends. */
  readonly keys: readonly KeyText[];
}

interface TableText {
  /** With what stands before it, in quotes where the dialect needs them. */
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly ColumnText[];
  /** Every part of its primary key is shown. */
  readonly isKeyWhole: boolean;
}

interface ColumnText {
  readonly name: string;
  /** In upper case; empty where the engine has none. */
  readonly type: string;
  readonly comment: string;
  readonly isPrimaryKey: boolean;
  readonly isNullable: boolean;
  readonly examples: readonly string[];
  /** What the values look like, where they are not shown: `AAA-999`; else empty. */
  readonly form: string;
}

interface KeyText {
  readonly fromTable: string;
  readonly toTable: string;
  readonly pairs: readonly (readonly [from: string, to: string])[];
}

/** The tables, and the columns of each, in an order that the seed decides. */
export function shuffleTables(tables: readonly Table[], seed: number): readonly Table[] {
  const random = seededRandom(seed);
  return shuffled(tables, random).map((table) => ({ ...table, columns: shuffled(table.columns, random) }));
}

/** Every order is equally likely: each item gets a random key, equal keys keep their order. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
