/** Tables and columns that the metrics and dimensions of a question are made of. */
import type { Metric, Retrieved, SemanticModel, TableIndex } from '../../knowledge/index.ts';
import { findNames, parse } from '../../sql/index.ts';
import type { Signal } from './signal.ts';

/** Of metrics and dimensions that the question names in full; the parts of a ratio belong to it. */
export function definedItems(
  { metrics, dimensions }: Pick<Retrieved, 'metrics' | 'dimensions'>,
  semantics: Pick<SemanticModel, 'metrics'>,
  tables: TableIndex,
): ReadonlyMap<string, Signal> {
  const items = new Map<string, Signal>();
  const add = (id: string, text: string): void => {
    const because = [...(items.get(id)?.because ?? []), { kind: 'metric' as const, text }];
    items.set(id, { score: 1, because });
  };
  for (const { item, score } of metrics) {
    if (score < 1) continue;
    for (const metric of withParts(item, semantics))
      for (const id of idsOf(metric, tables)) add(id, `the metric ${item.name} is made of it`);
  }
  for (const { item, score } of dimensions) {
    if (score < 1) continue;
    for (const table of tables.named(item.table))
      for (const { id, name } of table.columns)
        if (`${item.table}.${name}`.toLowerCase() === item.column.toLowerCase())
          add(id, `the dimension ${item.name} is this column`);
  }
  return items;
}

function withParts(metric: Metric, semantics: Pick<SemanticModel, 'metrics'>): readonly Metric[] {
  const { ratio } = metric;
  if (ratio === undefined) return [metric];
  return semantics.metrics.filter(({ name }) => name === ratio.numerator || name === ratio.denominator);
}

/** The table, and the columns of its expression, its conditions and its time. */
function idsOf({ table, expression, filters, timeColumn }: Metric, tables: TableIndex): readonly string[] {
  if (table === undefined || expression === undefined) return [];
  const own = tables.named(table);
  const conditions = [...filters, ...(timeColumn === undefined ? [] : [`${timeColumn} IS NOT NULL`])];
  const where =
    conditions.length === 0 ? '' : ` WHERE ${conditions.map((each) => `(${each})`).join(' AND ')}`;
  const parsed = parse(`SELECT ${expression} FROM ${table}${where}`, tables.catalog.dialect);
  const columns = parsed.ok ? findNames(parsed.tree, { tables: own }).columns : [];
  return [...own.map(({ id }) => id), ...columns];
}
