/** A catalog of any size in memory, with names as a company would have them, and what its text columns hold. */
import type { Catalog, Column, ColumnValues, ForeignKey, Table, TypeFamily } from '../src/catalog/index.ts';
import { createRandom, type Random } from '../src/demo/motors/random.ts';
import {
  AREAS,
  ASPECTS,
  CATEGORIES,
  CITIES,
  DAYS,
  ENTITIES,
  MEASURES,
  NAME_ENDS,
  NAME_STARTS,
} from './business-words.ts';
import { drawSome } from './draw-some.ts';

export interface SyntheticDatabase {
  readonly catalog: Catalog;
  readonly values: readonly ColumnValues[];
}

const COLUMNS = 20;
const VALUES = 50;
const ROWS = 10_000;
const MOST_PARENTS = 3;

/** The same seed and count give the same catalog: `buildSyntheticDatabase(100, 7).catalog.tables.length` → 100. */
export function buildSyntheticDatabase(tableCount: number, seed: number): SyntheticDatabase {
  const random = createRandom(seed);
  const names = drawSome(random, tableNames(), tableCount);
  const tables: Table[] = [];
  const foreignKeys: ForeignKey[] = [];
  for (const name of names) {
    const parents = drawSome(random, tables, Math.min(MOST_PARENTS, tables.length));
    tables.push(buildTable(name, parents, random));
    foreignKeys.push(...parents.map((parent) => keyTo(parent, name)));
  }
  const fingerprint = `synthetic-${tableCount}-${seed}`;
  return {
    catalog: { database: 'synthetic', dialect: 'sqlite', tables, foreignKeys, fingerprint },
    values: tables.flatMap((table) => valuesOf(table, random)),
  };
}

/** Every name there can be: `sales_order` and `sales_order_line` and so on, about 21,000. */
function tableNames(): string[] {
  return AREAS.flatMap((area) =>
    ENTITIES.flatMap((entity) => [
      `${area}_${entity}`,
      ...ASPECTS.map((aspect) => `${area}_${entity}_${aspect}`),
    ]),
  );
}

/** A key, the keys of the parents, four texts, three days, and numbers up to twenty columns. */
function buildTable(name: string, parents: readonly Table[], random: Random): Table {
  const column = (columnName: string, type: string, family: TypeFamily, isNullable = true): Column => ({
    id: `${name}.${columnName}`,
    tableId: name,
    name: columnName,
    type,
    family,
    isNullable,
  });
  const fixed = [
    column(`${name}_id`, 'INTEGER', 'number', false),
    ...parents.map((parent) => column(`${parent.name}_id`, 'INTEGER', 'number')),
    ...['name', 'city', 'category', 'reference'].map((text) => column(text, 'TEXT', 'text')),
    ...drawSome(random, DAYS, 3).map((day) => column(`${day}_on`, 'DATE', 'time')),
  ];
  const measures = drawSome(random, MEASURES, COLUMNS - fixed.length);
  return {
    id: name,
    name,
    kind: 'table',
    columns: [...fixed, ...measures.map((measure) => column(measure, 'REAL', 'number'))],
    primaryKey: [`${name}.${name}_id`],
    rowCount: ROWS,
  };
}

function keyTo(parent: Table, child: string): ForeignKey {
  return {
    fromTable: child,
    fromColumns: [`${child}.${parent.name}_id`],
    toTable: parent.id,
    toColumns: parent.primaryKey,
    source: 'declared',
  };
}

function valuesOf(table: Table, random: Random): ColumnValues[] {
  return table.columns
    .filter((column) => column.family === 'text')
    .map((column) => ({
      columnId: column.id,
      distinctCount: VALUES,
      values: textsOf(column, random).map((text, index) => [text, VALUES - index] as const),
    }));
}

/** Cities and categories repeat in every table; names seldom do; references never. */
function textsOf(column: Column, random: Random): readonly string[] {
  if (column.name === 'city') return CITIES;
  if (column.name === 'category') return CATEGORIES;
  return Array.from({ length: VALUES }, (_, index) =>
    column.name === 'name' ? nameOf(random) : `${column.tableId}-${index}`,
  );
}

function nameOf(random: Random): string {
  return `${random.pick(NAME_STARTS)} ${random.pick(NAME_ENDS)} ${random.integer(1, 500)}`;
}
