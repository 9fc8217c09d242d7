import type { Catalog } from '../../catalog/index.ts';
import { catalogNames } from '../authored/catalog-names.ts';
import type { Dataset, DescribedField, Dimension, SemanticModel } from '../semantic/semantic-model.ts';

export interface PlacedSemantics {
  /** By table id. */
  readonly datasets: ReadonlyMap<string, readonly Dataset[]>;
  /** By column id. */
  readonly dimensions: ReadonlyMap<string, readonly Dimension[]>;
  /** Of columns that are described and take part in no question; by column id. */
  readonly fields: ReadonlyMap<string, readonly DescribedField[]>;
}

/** Which table of the catalog each dataset describes, and which column each dimension; what means none is left out. */
export function placeSemantics(
  { datasets, dimensions, fields = [] }: SemanticModel,
  catalog: Pick<Catalog, 'tables'>,
): PlacedSemantics {
  const { tableOf } = catalogNames(catalog);
  const tableIds = new Map<string, string>();
  const byTable = new Map<string, Dataset[]>();
  for (const dataset of datasets) {
    const id = placeDataset(dataset, tableOf);
    if (id === undefined) continue;
    tableIds.set(dataset.table, id);
    byTable.set(id, [...(byTable.get(id) ?? []), dataset]);
  }
  const byColumn = <Field extends DescribedField>(all: readonly Field[]): ReadonlyMap<string, Field[]> => {
    const found = new Map<string, Field[]>();
    for (const field of all) {
      const tableId = tableIds.get(field.table) ?? tableOf(field.table);
      if (tableId === undefined || !field.column.startsWith(`${field.table}.`)) continue;
      const id = `${tableId}${field.column.slice(field.table.length)}`;
      found.set(id, [...(found.get(id) ?? []), field]);
    }
    return found;
  };
  return { datasets: byTable, dimensions: byColumn(dimensions), fields: byColumn(fields) };
}

/** `warehouse.sales.orders` may have the id `sales.orders` or `orders`, where names before it are not needed. */
function placeDataset(
  { table, source }: Dataset,
  tableOf: (written: string) => string | undefined,
): string | undefined {
  const parts = (source ?? table).split('.');
  for (let from = 0; from < parts.length; from += 1) {
    const id = tableOf(parts.slice(from).join('.'));
    if (id !== undefined) return id;
  }
  return tableOf(table);
}
