import { tableIds } from '../../catalog/index.ts';
import { chooseAreas, type KnowledgeBase, type ProductArea, readAuthored } from '../../knowledge/index.ts';
import type { Session } from '../../session/index.ts';

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
export async function areaTables(id: string, session: Session, base: KnowledgeBase): Promise<AreaTable[]> {
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
