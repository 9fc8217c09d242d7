import { tableCards } from '../../agent/index.ts';
import { type Table, tableIds } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { readAuthored } from '../../knowledge/authored/folder/index.ts';
import type { ProductArea } from '../../knowledge/authored/index.ts';
import type { KnowledgeBase } from '../../knowledge/base/index.ts';
import { chooseAreas } from '../../knowledge/clusters/index.ts';
import type { Session } from '../../session/index.ts';
import type { ListedTable } from '../contract/catalog-contract.ts';
import { semanticsOfTable } from './semantics-of-table.ts';

export interface TableQuery {
  readonly text?: string | undefined;
  /** Id of a product area. */
  readonly area?: string | undefined;
  readonly limit: number;
  /** Id of the last table of the page before. */
  readonly after?: string | undefined;
}

export interface TableList {
  tables: ListedTable[];
  total: number;
  next?: string;
}

/** The tables that hold every word, most read first. Throws `catalog.unknown-name` and `server.invalid-request`. */
export async function listTables(query: TableQuery, session: Session): Promise<TableList> {
  const base = await session.base.open();
  const found = await inArea(query.area, session, base);
  const words = (query.text ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  const runs = new Map(base.usage?.tables.map((table) => [table.tableId, table.runs]));
  const all = found
    .filter((table) => holdsAll(words, table, base))
    .toSorted((a, b) => (runs.get(b.id) ?? 0) - (runs.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1));
  const start = query.after === undefined ? 0 : placeAfter(query.after, all);
  const page = all.slice(start, start + query.limit);
  const last = page.at(-1);
  return {
    tables: listed(page, session, base),
    total: all.length,
    ...(last !== undefined && start + page.length < all.length && { next: last.id }),
  };
}

/** Tables as a list shows them. */
export function listed(tables: readonly Table[], session: Session, base: KnowledgeBase): ListedTable[] {
  const cards = tableCards(
    tables.map(({ id }) => ({ id, because: [] })),
    session,
    base,
  );
  const cardOf = new Map(cards.map((card) => [card.id, card]));
  return tables.map((table) => {
    const { id, kind, columns } = table;
    const { name = table.name, description, tags = [], monthlyReads } = cardOf.get(id) ?? {};
    return {
      ...{ id, name, kind, columnCount: columns.length, tags: [...tags] },
      ...(description !== undefined && { description }),
      ...rowsOf(table, session),
      ...(monthlyReads !== undefined && { monthlyReads }),
    };
  });
}

function rowsOf(table: Table, session: Session): Pick<ListedTable, 'rowCount' | 'isRowCountEstimated'> {
  const { id, rowCount, isRowCountEstimated, skippedBecause } = table;
  const isUnknown = rowCount === 0 && skippedBecause !== undefined;
  const isHidden = semanticsOfTable(session, id).hasRowFilter;
  return {
    ...(!isUnknown && !isHidden && { rowCount }),
    isRowCountEstimated: isRowCountEstimated === true,
  };
}

async function inArea(
  id: string | undefined,
  session: Session,
  base: KnowledgeBase,
): Promise<readonly Table[]> {
  const { tables } = session.catalog;
  if (id === undefined) return tables;
  const wanted = new Set((await areaTables(id, session, base)).map(({ table }) => table));
  return tables.filter((table) => wanted.has(table.id));
}

function holdsAll(words: readonly string[], table: Table, { graph }: KnowledgeBase): boolean {
  if (words.length === 0) return true;
  const node = graph.table(table.id);
  const said = [...(node?.descriptions ?? []), ...(node?.synonyms ?? [])].map(({ value }) => value);
  const text = [table.id, table.name, ...said].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

function placeAfter(id: string, all: readonly Table[]): number {
  const at = all.findIndex((table) => table.id === id);
  if (at >= 0) return at + 1;
  throw new CandorError(
    'server.invalid-request',
    `query after: ${JSON.stringify(id.slice(0, 100))} is no table of this list; begin at its first page.`,
  );
}

export interface AreaTable {
  table: string;
  /** `included` by a person, or read by members: then with the score in their cluster. */
  because: 'included' | 'cluster';
  cluster?: number;
  score?: number;
}

/** The areas as the file has them now. Throws `knowledge.invalid` with file, line and column. */
export async function readAreasNow({ config, catalog }: Session): Promise<readonly ProductArea[]> {
  return (await readAuthored(config.knowledgeDirectory, catalog)).areas;
}

/** The tables of an area that this reader may see. Throws `catalog.unknown-name`. */
async function areaTables(id: string, session: Session, base: KnowledgeBase): Promise<AreaTable[]> {
  const [area] = chooseAreas(undefined, [id], { areas: await readAreasNow(session) });
  return area === undefined ? [] : tablesOfArea(area, session, base);
}

/** What people include first, then what members use by its score; without what is excluded. */
export function tablesOfArea(
  area: ProductArea,
  { catalog }: Session,
  { clustering }: KnowledgeBase,
): AreaTable[] {
  const visible = tableIds(catalog);
  const excluded = new Set(area.excludeTables);
  const found = new Map<string, AreaTable>();
  for (const table of area.includeTables) found.set(table, { table, because: 'included' });
  const clusters = clustering?.clustersOfMembers(area.members) ?? [];
  const ofMembers = clusters.flatMap(({ id }) =>
    (clustering?.tablesOf(id) ?? []).map(({ tableId, score }) => ({ tableId, score, cluster: id })),
  );
  for (const { tableId, score, cluster } of ofMembers.sort((a, b) => b.score - a.score))
    if (!found.has(tableId)) found.set(tableId, { table: tableId, because: 'cluster', cluster, score });
  return [...found.values()].filter(({ table }) => visible.has(table) && !excluded.has(table));
}

const KEPT = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Whether a name that people wrote may mean a table that the reader does not see; without its schema, too. */
export function isHiddenName(written: string, hiddenTables: ReadonlySet<string>): boolean {
  const names = KEPT.get(hiddenTables) ?? new Set([...hiddenTables].flatMap(endings));
  KEPT.set(hiddenTables, names);
  return names.has(written.toLowerCase());
}

/** `a.b.c` is `b.c` and `c`, too. */
function endings(id: string): string[] {
  const parts = id.split('.');
  return parts.map((_, at) => parts.slice(at).join('.'));
}
