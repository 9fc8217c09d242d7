import { expect, it } from 'vitest';
import type { Catalog, ForeignKey } from '../../catalog/index.ts';
import { addSemanticKeys } from './add-semantic-keys.ts';
import { emptySemanticModel } from './read-semantic-model.ts';
import type { Relationship, SemanticModel } from './semantic-model.ts';

const column = (tableId: string, name: string) => ({
  id: `${tableId}.${name}`,
  tableId,
  name,
  type: 'INTEGER',
  family: 'number' as const,
  isNullable: true,
});
const table = (id: string, names: readonly string[]) => ({
  id,
  name: id,
  kind: 'table' as const,
  columns: names.map((name) => column(id, name)),
  primaryKey: [],
  rowCount: 0,
});
const key = (from: string, source: ForeignKey['source'], role?: string): ForeignKey => ({
  fromTable: 'orders',
  fromColumns: [`orders.${from}`],
  toTable: 'areas',
  toColumns: ['areas.id'],
  source,
  ...(role === undefined ? {} : { role }),
});
const link = (from: string, role?: string, to = 'Region'): Relationship => ({
  name: from,
  from: 'orders',
  to,
  fromColumns: [from],
  toColumns: ['id'],
  synonyms: [],
  ...(role === undefined ? {} : { role }),
});

function add(declared: readonly ForeignKey[], relationships: readonly Relationship[]): readonly ForeignKey[] {
  const catalog: Catalog = {
    database: 'shop',
    dialect: 'sqlite',
    tables: [table('orders', ['sales_area', 'ship_area']), table('areas', ['id'])],
    foreignKeys: declared,
    fingerprint: '',
  };
  const semantics: SemanticModel = {
    ...emptySemanticModel,
    datasets: [{ name: 'Region', table: 'areas', synonyms: [], primaryKey: [] }],
    relationships,
  };
  return addSemanticKeys(catalog, semantics).foreignKeys;
}

it('adds what nobody declared, through the dataset to its table', () => {
  expect(add([], [link('sales_area', 'sales area')])).toEqual([key('sales_area', 'semantic', 'sales area')]);
});
it('keeps a declared key declared and gives it the role', () => {
  expect(add([key('sales_area', 'declared')], [link('sales_area', 'sales area')])).toEqual([
    key('sales_area', 'declared', 'sales area'),
  ]);
});
it('turns an inferred key into a stated one', () => {
  expect(add([key('sales_area', 'inferred')], [link('sales_area')])).toEqual([key('sales_area', 'semantic')]);
});
it('keeps two links between the same tables apart', () => {
  const keys = add([], [link('sales_area', 'sales'), link('ship_area', 'shipping')]);
  expect(keys.map(({ role }) => role)).toEqual(['sales', 'shipping']);
});
it('leaves out links to what the database does not have', () => {
  expect(add([], [link('gone'), link('sales_area', undefined, 'nowhere')])).toEqual([]);
});
