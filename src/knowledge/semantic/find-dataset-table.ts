import type { Catalog, Table } from '../../catalog/index.ts';
import type { Dataset } from './semantic-model.ts';

/**
 * The table that the source of a dataset means: `warehouse.sales.orders` is `orders` of the schema `sales`, and
 * `orders` alone the one that needs no schema. `undefined` when there is none or more than one: a row filter on the
 * wrong table of that name would leave the right one open.
 */
export function findDatasetTable({ table, source }: Dataset, catalog: Catalog): Table | undefined {
  const [name = '', schema, database] = (source ?? table).split('.').reverse();
  const named = catalog.tables.filter(
    (item) =>
      isSame(item.name, name) &&
      (schema === undefined || isSame(item.schema ?? schema, schema)) &&
      (database === undefined || isSame(item.catalog ?? database, database)),
  );
  const bare = schema === undefined ? named.filter(({ qualifier = [] }) => qualifier.length === 0) : [];
  const [only, ...others] = bare.length > 0 ? bare : named;
  return others.length === 0 ? only : undefined;
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
