/** What retrieval says about columns, as the filter reads it. */
import type { Found, FoundColumn, Retrieved, TableIndex } from '../../knowledge/retrieve/index.ts';
import type { Metric, SemanticModel } from '../../knowledge/semantic/index.ts';
import { findNames, parse } from '../../sql/index.ts';
import type { ReasonKind } from '../schema/linked-schema.ts';
import type { Signal } from './signal.ts';

/** By column id. */
export interface FilterEvidence {
  /** Words of the question are stored in it. */
  readonly values: ReadonlyMap<string, Signal>;
  /** Its name, description or meaning is near the question. */
  readonly columns: ReadonlyMap<string, Signal>;
  /** Its name is a keyword but for case, blanks and a plural. */
  readonly names: ReadonlyMap<string, Signal>;
  /** Columns and tables, by their ids, that a metric or dimension of the question is defined on. */
  readonly defined?: ReadonlyMap<string, Signal>;
}

export interface EvidenceSources {
  readonly tables: TableIndex;
  readonly semantics: Pick<SemanticModel, 'metrics'>;
  /** Of `similarColumns`. */
  readonly names?: readonly Found<FoundColumn>[];
}

/** The evidence of one question. */
export function filterEvidence(
  retrieved: Pick<Retrieved, 'values' | 'columns' | 'metrics' | 'dimensions'>,
  { tables, semantics, names = [] }: EvidenceSources,
): FilterEvidence {
  return {
    values: signals(retrieved.values, 'value'),
    columns: signals(retrieved.columns, 'description'),
    names: signals(names, 'name'),
    defined: definedItems(retrieved, semantics, tables),
  };
}

function signals(
  found: readonly Found<{ readonly columnId: string }>[],
  kind: ReasonKind,
): ReadonlyMap<string, Signal> {
  return new Map(
    found.map(({ item, score, because }) => [
      item.columnId,
      { score, because: because.map((text) => ({ kind, text })) },
    ]),
  );
}

// Tables and columns that the metrics and dimensions of a question are made of.

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
