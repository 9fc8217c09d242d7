import type { Catalog, Table } from '../../../catalog/index.ts';
import { unreachable } from '../../../errors.ts';
import type { Dimension, SemanticModel } from '../../../knowledge/semantic/index.ts';
import { findColumn, type Inventory } from '../inventory/inventory.ts';
import { scopeOf } from '../inventory/read-inventory.ts';
import type { ContextEdit } from '../items/bench-item.ts';

/** What a question is asked with. */
export interface EditedContext {
  readonly semantics: SemanticModel;
  readonly catalog: Catalog;
  /** Columns whose values are no longer known. */
  readonly hidden: ReadonlySet<string>;
  /** Columns whose values are now those of another column. */
  readonly moved: ReadonlyMap<string, string>;
  /** Everything that the queries below may read and show. */
  readonly whole: Catalog;
  /** Tables that are now a query over themselves. */
  readonly queries: ReadonlyMap<string, string>;
}

/** Applies edits one after the other. Throws RangeError for an edit that names what the context lacks. */
export function editContext(
  { semantics, catalog }: Pick<EditedContext, 'semantics' | 'catalog'>,
  edits: readonly ContextEdit[],
): EditedContext {
  const start: EditedContext = {
    semantics,
    catalog,
    whole: catalog,
    hidden: new Set(),
    moved: new Map(),
    queries: new Map(),
  };
  return edits.reduce(applyEdit, start);
}

function applyEdit(context: EditedContext, edit: ContextEdit): EditedContext {
  switch (edit.kind) {
    case 'hide-columns':
      return hideColumns(context, new Set(edit.columns));
    case 'move-dimension':
      return moveDimension(context, edit);
    case 'demand':
      return demand(context, edit);
    default:
      return unreachable(edit);
  }
}

function hideColumns(context: EditedContext, columns: ReadonlySet<string>): EditedContext {
  const { semantics, catalog } = context;
  for (const id of columns)
    if (findColumn(id, catalog) === undefined) throw new RangeError(`There is no column ${id} to hide.`);
  const gone = new Set(
    semantics.dimensions.filter(({ column }) => columns.has(column)).map(({ name }) => name),
  );
  return {
    ...context,
    hidden: new Set([...context.hidden, ...columns]),
    catalog: withTables(catalog, (table) => without(table, columns)),
    semantics: {
      ...semantics,
      dimensions: semantics.dimensions
        .filter(({ name }) => !gone.has(name))
        .map((dimension) => withoutParent(dimension, gone)),
      valueMappings: semantics.valueMappings.filter(({ column }) => !columns.has(column)),
      datasets: semantics.datasets.map(({ displayColumn, ...dataset }) => ({
        ...dataset,
        ...(displayColumn !== undefined && !columns.has(displayColumn) && { displayColumn }),
      })),
    },
  };
}

function withoutParent(dimension: Dimension, gone: ReadonlySet<string>): Dimension {
  const { parent, ...rest } = dimension;
  return parent === undefined || !gone.has(parent) ? dimension : rest;
}

function moveDimension(
  context: EditedContext,
  { dimension: name, table, column, sql }: Extract<ContextEdit, { readonly kind: 'move-dimension' }>,
): EditedContext {
  const dimension = context.semantics.dimensions.find((each) => each.name === name);
  const from = dimension === undefined ? undefined : findColumn(dimension.column, context.catalog);
  if (dimension === undefined || from === undefined)
    throw new RangeError(`There is no dimension ${name} to move.`);
  const id = `${table}.${column.toLowerCase()}`;
  const added = { ...from.column, id, tableId: table, name: column };
  const catalog = withTables(context.catalog, (each) =>
    each.id === table
      ? { ...each, columns: [...each.columns, added] }
      : without(each, new Set([dimension.column])),
  );
  const { via: _, parent, ...rest } = dimension;
  const { semantics } = context;
  return {
    ...context,
    catalog,
    whole: withTables(context.whole, (each) =>
      each.id === table ? { ...each, columns: [...each.columns, added] } : each,
    ),
    hidden: new Set([...context.hidden, dimension.column]),
    moved: new Map([...context.moved, [dimension.column, id]]),
    queries: new Map([...context.queries, [table, sql]]),
    semantics: {
      ...semantics,
      dimensions: semantics.dimensions.map((each) =>
        each === dimension ? { ...rest, table, column: id, ...(parent !== undefined && { parent }) } : each,
      ),
      valueMappings: semantics.valueMappings.map((mapping) =>
        mapping.column === dimension.column ? { ...mapping, column: id } : mapping,
      ),
      datasets: semantics.datasets.map(({ displayColumn, ...dataset }) => ({
        ...dataset,
        ...(displayColumn !== undefined && displayColumn !== dimension.column && { displayColumn }),
      })),
    },
  };
}

function demand(
  context: EditedContext,
  { metric, dimension }: Extract<ContextEdit, { readonly kind: 'demand' }>,
): EditedContext {
  const { semantics } = context;
  if (!semantics.metrics.some(({ name }) => name === metric))
    throw new RangeError(`There is no metric ${metric} to demand ${dimension} of.`);
  return {
    ...context,
    semantics: {
      ...semantics,
      metrics: semantics.metrics.map((each) =>
        each.name === metric
          ? { ...each, mandatoryDimensions: [...each.mandatoryDimensions, dimension] }
          : each,
      ),
    },
  };
}

function withTables(catalog: Catalog, change: (table: Table) => Table): Catalog {
  return { ...catalog, tables: catalog.tables.map(change) };
}

function without(table: Table, columns: ReadonlySet<string>): Table {
  const kept = table.columns.filter(({ id }) => !columns.has(id));
  return kept.length === table.columns.length ? table : { ...table, columns: kept };
}

/** What questions about one metric can be made of once the context is edited; the other metrics are left out. */
export function editInventory(
  inventory: Inventory,
  edits: readonly ContextEdit[],
  metricName: string,
): Inventory {
  const { semantics, catalog, hidden, moved } = editContext(inventory, edits);
  const entities = new Map(
    [...inventory.entities].flatMap(([name, all]) => {
      const kept = all.flatMap((entity) => {
        const column = moved.get(entity.column);
        if (column !== undefined) return [{ ...entity, column }];
        return hidden.has(entity.column) ? [] : [entity];
      });
      return kept.length === 0 ? [] : [[name, kept] as const];
    }),
  );
  return {
    ...inventory,
    ...{ semantics, catalog, entities },
    metrics: semantics.metrics.flatMap((metric) =>
      metric.name === metricName ? (scopeOf(metric, { semantics, catalog }) ?? []) : [],
    ),
  };
}
