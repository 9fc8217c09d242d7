/** The other way of linking: tables ranked by what is known of them, then their columns in two tiers. */
import type { SharedTable } from '../../catalog/share/index.ts';
import type { LinkQuestion } from '../../reasoning/roles/link-reasoner.ts';
import type { RankReasoner } from '../../reasoning/roles/rank-reasoner.ts';
import type { LinkedItem, LinkedSchema, LinkReason } from '../schema/linked-schema.ts';
import { itemKey, orderItems } from '../schema/linked-schema.ts';
import { restrictCatalog } from '../schema/restrict-catalog.ts';
import { type RankedColumn, rankColumns } from './rank-columns.ts';
import { type RankedTable, rankTables } from './rank-tables.ts';
import { type RankerDesk, setDesk } from './ranker-desk.ts';
import { RANKER_DEFAULTS, type RankerSettings } from './ranker-settings.ts';
import type { RankerSources } from './ranker-sources.ts';

/**
 * The best tables of those that retrieval found, with their columns in the tiers relevant and maybe; partition keys and
 * the keys that join the kept tables are always relevant. A ranker's reply that cannot be used leaves the order of
 * retrieval, or all columns as maybe, and a warning. Source: LinkedIn, section 5.2.
 */
export async function linkByRankers(
  question: LinkQuestion,
  reasoner: RankReasoner,
  sources: RankerSources,
  settings: RankerSettings = RANKER_DEFAULTS,
): Promise<LinkedSchema> {
  const before = question.ledger.entries.length;
  const desk = setDesk(question, reasoner, { sources, settings });
  const ranked = await rankTables(desk);
  const isKept = ({ score = settings.leastScore }: RankedTable, place: number): boolean =>
    place === 0 || (place < settings.keepTables && score >= settings.leastScore);
  const kept = ranked.filter(isKept);
  const columns = await rankColumns(
    kept.map(({ table }) => table),
    desk,
  );
  const items = collectItems(kept, columns, desk);
  const { catalog } = sources.tables;
  const idsOf = (kind: LinkedItem['kind']) =>
    new Set([...items.values()].filter((item) => item.kind === kind).map(({ id }) => id));
  const found = sources.retrieved.tables.length;
  return {
    mode: 'rankers',
    why: [whyText(kept, ranked, settings), ...(settings.useColumnRanker ? [tierText(items)] : [])],
    catalog: restrictCatalog(catalog, idsOf('table'), idsOf('field')),
    items: orderItems(items.values(), sources.tables),
    discarded: ranked
      .filter((each, place) => !isKept(each, place))
      .map((each) => tableItem(each.table, each, 'maybe')),
    hypotheses: [],
    turns: [],
    leftOut:
      found > settings.retrieveTables
        ? [`${settings.retrieveTables} of ${found} tables found were ranked`]
        : [],
    warnings: desk.warnings,
    calls: question.ledger.entries.slice(before),
  };
}

/** By `itemKey`. */
type Items = Map<string, LinkedItem>;

function collectItems(
  kept: readonly RankedTable[],
  columns: readonly RankedColumn[],
  desk: RankerDesk,
): ReadonlyMap<string, LinkedItem> {
  const items: Items = new Map();
  for (const ranked of kept) {
    const own = columns.filter(({ column }) => column.tableId === ranked.table.id);
    for (const table of membersOf(ranked.table, desk)) {
      put(items, tableItem(table, ranked, 'relevant'));
      for (const chosen of own) addColumn(items, table, chosen, desk);
    }
  }
  addKeys(items, desk);
  return items;
}

/** The tables that a table of the list stands for. */
function membersOf(table: SharedTable, { sources }: RankerDesk): readonly SharedTable[] {
  const members = sources.membersOf(table.id).flatMap((id) => sources.tables.table(id) ?? []);
  return members.length > 0 ? members : [table];
}

function addColumn(
  items: Items,
  table: SharedTable,
  chosen: RankedColumn,
  { items: all, signsOf }: RankerDesk,
): void {
  const column = all.columnNamed(table, chosen.column.name);
  if (column === undefined) return;
  const { values } = signsOf(column);
  const because: LinkReason[] = [
    { kind: 'ranker', text: `${chosen.tier}: ${chosen.because}` },
    ...values.map((value): LinkReason => ({ kind: 'value', text: `it holds “${value}”` })),
  ];
  put(items, { id: column.id, kind: 'field', because, tier: chosen.tier, isAuto: false });
}

/** Partition keys, and both sides of every known join between kept tables. */
function addKeys(items: Items, { items: all, joinsOf }: RankerDesk): void {
  const tables = [...items.values()].flatMap(({ id, kind }) =>
    kind === 'table' ? (all.table(id) ?? []) : [],
  );
  for (const table of tables) {
    for (const id of table.partitionKey ?? [])
      addKey(items, id, { kind: 'partition', text: 'a filter on it saves reading' });
    for (const { other, on, said } of joinsOf(table.id))
      if (items.has(itemKey({ kind: 'table', id: other })))
        for (const [own] of on) addKey(items, own, { kind: 'key', text: `joins ${other} (${said})` });
  }
}

function addKey(items: Items, id: string, reason: LinkReason): void {
  const known = items.get(itemKey({ kind: 'field', id }));
  const because = [...(known?.because ?? []), reason];
  put(items, { id, kind: 'field', because, tier: 'relevant', isAuto: false });
}

function put(items: Items, item: LinkedItem): void {
  items.set(itemKey(item), item);
}

function tableItem(
  { id }: SharedTable,
  { score, because }: RankedTable,
  tier: LinkedItem['tier'],
): LinkedItem {
  const text = score === undefined ? because : `${score} of 10: ${because}`;
  return {
    id,
    kind: 'table',
    because: [{ kind: 'ranker', text }],
    tier,
    isAuto: false,
    ...(score === undefined ? {} : { score: score / 10 }),
  };
}

function whyText(
  kept: readonly RankedTable[],
  ranked: readonly RankedTable[],
  { useTableRanker }: RankerSettings,
): string {
  const how = useTableRanker ? 'scored from 1 to 10' : 'in the order of retrieval';
  return `${kept.length} of ${ranked.length} tables, ${how}`;
}

function tierText(items: ReadonlyMap<string, LinkedItem>): string {
  const fields = [...items.values()].filter(({ kind }) => kind === 'field');
  const relevant = fields.filter(({ tier }) => tier === 'relevant').length;
  return `${relevant} columns relevant, ${fields.length - relevant} maybe`;
}
