/** A schema as text for models: which tables and columns there are, what they mean, how they are linked. */
import { DIALECTS, quoteName } from '../../sql/index.ts';
import type { Catalog, Column, ForeignKey, Table } from '../catalog.ts';
import { chooseExamples } from './choose-examples.ts';
import { oneLine, oneLineName } from './one-line.ts';
import { renderDdl } from './render-ddl.ts';
import { renderThoth } from './render-thoth.ts';
import { renderXiyan } from './render-xiyan.ts';
import type { KeyText, SchemaText, TableText } from './schema-text.ts';
import { shuffleTables } from './shuffle-tables.ts';

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
  const write = (name: string): string => oneLineName(quoteName(name, DIALECTS[dialect]));
  const columns = new Map<string, Written>();
  const texts = tables.map((table): TableText => {
    const name = [...(table.qualifier ?? []), table.name].map(write).join('.');
    for (const column of table.columns) columns.set(column.id, { table: name, column: write(column.name) });
    return {
      name,
      comment: oneLine(table.comment ?? ''),
      isKeyWhole: table.primaryKey.every((id) => columns.has(id)),
      columns: table.columns.map((column) => columnText(table, column, { write, ...options })),
    };
  });
  const keys = foreignKeys.flatMap((key) => keyText(key, columns));
  return { database: oneLine(database), tables: texts, keys };
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
    type: oneLine(column.type).toUpperCase(),
    comment: oneLine(column.comment ?? ''),
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
