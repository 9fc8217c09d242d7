import { findDatasetTable } from '../../knowledge/semantic/index.ts';
import type { Session } from '../../session/index.ts';

type Semantics = Session['semantics'];

export interface TableSemantics {
  readonly metrics: readonly Semantics['metrics'][number][];
  readonly dimensions: readonly Semantics['dimensions'][number][];
  readonly hasRowFilter: boolean;
  /** Ids of columns. */
  readonly masked: ReadonlySet<string>;
}

const NOTHING: TableSemantics = { metrics: [], dimensions: [], hasRowFilter: false, masked: new Set() };
const KEPT = new WeakMap<Semantics, ReadonlyMap<string, TableSemantics>>();

/** What the semantic model says on a table; a ratio is on the tables of both of its figures. */
export function semanticsOfTable(
  session: Pick<Session, 'semantics' | 'catalog'>,
  id: string,
): TableSemantics {
  const { semantics } = session;
  const known = KEPT.get(semantics) ?? placed(session);
  KEPT.set(semantics, known);
  return known.get(id) ?? NOTHING;
}

function placed({ semantics, catalog }: Pick<Session, 'semantics' | 'catalog'>) {
  const ids = new Map<string, string>();
  const found = new Map<string, TableSemantics>();
  const add = (id: string | undefined, more: (known: TableSemantics) => Partial<TableSemantics>): void => {
    if (id === undefined) return;
    const known = found.get(id) ?? NOTHING;
    found.set(id, { ...known, ...more(known) });
  };
  for (const dataset of semantics.datasets) {
    const id = findDatasetTable(dataset, catalog)?.id;
    if (id === undefined) continue;
    ids.set(dataset.table, id);
    const masks = Object.keys(dataset.columnMasks ?? {}).map(
      (column) => `${id}${column.slice(dataset.table.length)}`,
    );
    add(id, ({ hasRowFilter, masked }) => ({
      hasRowFilter: hasRowFilter || dataset.rowFilter !== undefined,
      masked: new Set([...masked, ...masks]),
    }));
  }
  const byName = new Map(semantics.metrics.map((metric) => [metric.name, metric]));
  for (const metric of semantics.metrics) {
    const { ratio } = metric;
    const parts =
      ratio === undefined ? [metric] : [ratio.numerator, ratio.denominator].map((name) => byName.get(name));
    const tables = new Set(parts.flatMap((part) => part?.table ?? []));
    for (const table of tables) add(ids.get(table), ({ metrics }) => ({ metrics: [...metrics, metric] }));
  }
  for (const dimension of semantics.dimensions)
    add(ids.get(dimension.table), ({ dimensions }) => ({ dimensions: [...dimensions, dimension] }));
  return found;
}
