/** What of a schema that no prompt holds is shown: tables in the order of several rankings, until the room is used. */
import type { Catalog, Table } from '../../catalog/index.ts';
import { estimateTokens } from '../../catalog/prompt-schema/index.ts';
import { sharedAnnotatedText } from '../../catalog/share/index.ts';
import type { Retrieved, TableIndex } from '../../knowledge/retrieve/index.ts';
import type { SchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import { toItem } from '../routes/chosen-items.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';
import { itemKey, orderItems } from '../schema/linked-schema.ts';
import { restrictCatalog } from '../schema/restrict-catalog.ts';
import { orderFamilies } from './order-families.ts';
import { rememberShape, type Shapes, viewEntry } from './view-entry.ts';

export interface ViewSources {
  readonly question: string;
  readonly tables: TableIndex;
  readonly opinion: SchemaOpinion;
  readonly retrieved?: Pick<Retrieved, 'tables'> | undefined;
}

export interface FittedView {
  readonly catalog: Catalog;
  /** Of every table and column that is shown. */
  readonly items: readonly LinkedItem[];
  readonly leftOut: readonly string[];
}

/** Wide tables may not fit where narrow ones behind them do. */
const MOST_PASSED_OVER = 12;

/**
 * What was linked comes first, then what the ranker and retrieval find likely, since a prompt with room left loses nothing by one
 * more table. A table that stands for others says so.
 */
export function fitView(items: readonly LinkedItem[], sources: ViewSources, tokens: number): FittedView {
  const { tables } = sources;
  const linked = new Set(items.filter(({ kind }) => kind === 'field').map(({ id }) => id));
  const entrySources = { ...sources, isLinked: (id: string) => linked.has(id) };
  const shown = new Map<string, Table>();
  const shapes: Shapes = new Map();
  let room = tokens;
  let passedOver = 0;
  for (const [place, family] of orderFamilies(items, sources).entries()) {
    const entry = viewEntry(family, place, shapes, entrySources);
    const cost = tokensOf(entry, tables.catalog);
    if (cost > room && shown.size > 0) {
      passedOver += 1;
      if (passedOver > MOST_PASSED_OVER) break;
      continue;
    }
    room -= cost;
    rememberShape(entry, tables, shapes);
    for (const table of entry) shown.set(table.id, table);
  }
  const total = tables.families.length;
  return {
    catalog: catalogOf(shown, tables),
    items: itemsOf(shown, items, sources),
    leftOut: [`${shown.size} tables are shown, the likeliest of ${total} that differ in more than a number`],
  };
}

/** Of the text that a writer of SQL sees. */
function tokensOf(entry: readonly Table[], catalog: Catalog): number {
  return estimateTokens(sharedAnnotatedText({ ...catalog, foreignKeys: [], tables: entry }, 'all'));
}

/** Each table and column that is shown: as it was linked, else as the ranker sees it. */
function itemsOf(
  shown: ReadonlyMap<string, Table>,
  items: readonly LinkedItem[],
  { tables, opinion }: ViewSources,
): readonly LinkedItem[] {
  const linked = new Map(items.map((item) => [itemKey(item), item]));
  const itemOf = (kind: LinkedItem['kind'], id: string, score: number): LinkedItem =>
    linked.get(itemKey({ kind, id })) ?? { ...toItem(id, kind, score, opinion), tier: 'maybe' };
  const all = [...shown.values()].flatMap(({ id, columns }) => [
    itemOf('table', id, opinion.tableProbability(id)),
    ...columns.map((column) => itemOf('field', column.id, opinion.columnProbability(column.id))),
  ]);
  return orderItems(all, tables);
}

/** In the order of the catalog, with the keys between the columns shown. */
function catalogOf(shown: ReadonlyMap<string, Table>, { catalog }: TableIndex): Catalog {
  const columns = new Set([...shown.values()].flatMap((table) => table.columns.map(({ id }) => id)));
  const part = restrictCatalog(catalog, new Set(shown.keys()), columns);
  return { ...part, tables: part.tables.map((table) => asShown(table, shown.get(table.id) ?? table)) };
}

/** A key of which a part is not shown is none. */
function asShown({ primaryKey, partitionKey }: Table, shown: Table): Table {
  return { ...shown, primaryKey, partitionKey };
}
