/** What of a schema that no prompt holds is shown: tables in the order of several rankings, until the room is used. */
import { type Catalog, type Column, estimateTokens, renderSchema, type Table } from '../../catalog/index.ts';
import { membersOfQuestion, type Retrieved, type TableIndex } from '../../knowledge/index.ts';
import type { SchemaOpinion } from '../../reasoning/index.ts';
import type { LinkedItem } from '../linked-schema.ts';
import { itemKey, orderItems } from '../order-items.ts';
import { restrictCatalog } from '../restrict-catalog.ts';
import { toItem } from '../routes/chosen-items.ts';
import { familyNote, withNote } from './family-note.ts';
import { fuseRanks } from './fuse-ranks.ts';

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

/** The first tables are shown with more of their columns than those that are there for safety. */
const WELL_SHOWN = 12;
const COLUMNS_WELL_SHOWN = 24;
const COLUMNS_SHOWN = 6;
/** Of a family, tables that the question names. */
const MEMBERS_SHOWN = 3;
/** Wide tables may not fit where narrow ones behind them do. */
const MOST_PASSED_OVER = 12;
/** Tables looked at; a prompt of a hundred thousand tokens holds as many. */
const MOST_LOOKED_AT = 1_000;

type Family = TableIndex['families'][number];

/**
 * What was linked comes first, then what the ranker and retrieval find likely, since a prompt with room left loses nothing by one
 * more table. Of a family the tables that the question names stand for all, else the newest; the others are said.
 */
export function fitView(items: readonly LinkedItem[], sources: ViewSources, tokens: number): FittedView {
  const { tables } = sources;
  const linked = new Map(items.filter(({ kind }) => kind === 'field').map((item) => [item.id, item]));
  const shown = new Map<string, Table>();
  let room = tokens;
  let passedOver = 0;
  const order = familyOrder(items, sources);
  for (const [place, family] of order.entries()) {
    const most = place < WELL_SHOWN ? COLUMNS_WELL_SHOWN : COLUMNS_SHOWN;
    const parts = membersShown(family, sources).map((table) => narrowed(table, most, linked, sources));
    const [first, ...rest] = parts;
    if (first === undefined) continue;
    const noted = [withNote(first, familyNote(family, tables)), ...rest];
    const cost = estimateTokens(renderSchema({ ...tables.catalog, foreignKeys: [], tables: noted }));
    if (cost > room && shown.size > 0) {
      passedOver += 1;
      if (passedOver > MOST_PASSED_OVER) break;
      continue;
    }
    room -= cost;
    for (const table of noted) shown.set(table.id, table);
  }
  const total = tables.families.length;
  return {
    catalog: catalogOf(shown, tables),
    items: itemsOf(shown, items, sources),
    leftOut: [`${shown.size} tables are shown, the likeliest of ${total} that differ in more than a number`],
  };
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

/** Families of what metrics need first, then the linked, the ranked and the found ones fused; bridges behind the first. */
function familyOrder(
  items: readonly LinkedItem[],
  { tables, opinion, retrieved }: ViewSources,
): readonly Family[] {
  const familiesOf = (ids: readonly string[]): readonly Family[] => [
    ...new Set(ids.flatMap((id) => tables.familyOf(id) ?? [])),
  ];
  const linked = items.filter(({ kind }) => kind === 'table');
  const ids = (keep: (item: LinkedItem) => boolean): string[] => linked.filter(keep).map(({ id }) => id);
  const isDefined = ({ because }: LinkedItem): boolean => because.some(({ kind }) => kind === 'metric');
  const fused = fuseRanks([
    familiesOf(
      linked
        .filter(({ isAuto }) => !isAuto)
        .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
        .map(({ id }) => id),
    ),
    familiesOf(opinion.tableOrder.slice(0, MOST_LOOKED_AT)),
    familiesOf((retrieved?.tables ?? []).map(({ item }) => item.tableId)),
  ]);
  const bridges = familiesOf(ids(({ isAuto }) => isAuto));
  return [
    ...new Set([
      ...familiesOf(ids(isDefined)),
      ...fused.slice(0, WELL_SHOWN),
      ...bridges,
      ...fused.slice(WELL_SHOWN),
    ]),
  ];
}

function membersShown(family: Family, { question }: ViewSources): readonly Table[] {
  const { members, namedCount } = membersOfQuestion(family, question);
  return members.slice(0, Math.max(1, Math.min(MEMBERS_SHOWN, namedCount))).map(({ table }) => table);
}

/** What was linked of a table and its likeliest columns, in the order of the table. */
function narrowed(
  table: Table,
  most: number,
  linked: ReadonlyMap<string, LinkedItem>,
  { opinion }: ViewSources,
): Table {
  if (table.columns.length <= most) return table;
  const keys = new Set([...table.primaryKey, ...(table.partitionKey ?? [])]);
  const worth = ({ id }: Column): number =>
    (linked.has(id) ? 2 : 0) + (keys.has(id) ? 1 : 0) + opinion.columnProbability(id);
  const kept = new Set(
    table.columns
      .toSorted((left, right) => worth(right) - worth(left))
      .slice(0, most)
      .map(({ id }) => id),
  );
  return { ...table, columns: table.columns.filter(({ id }) => kept.has(id)) };
}

/** In the order of the catalog, with the keys between the columns shown. */
function catalogOf(shown: ReadonlyMap<string, Table>, { catalog }: TableIndex): Catalog {
  const columns = new Set([...shown.values()].flatMap((table) => table.columns.map(({ id }) => id)));
  const part = restrictCatalog(catalog, new Set(shown.keys()), columns);
  return {
    ...part,
    tables: part.tables.map((table) => {
      const { comment } = shown.get(table.id) ?? table;
      return comment === undefined ? table : { ...table, comment };
    }),
  };
}
