import { tableIds } from '../../catalog/index.ts';
import type { ProductArea } from '../../knowledge/authored/index.ts';
import type { KnowledgeBase } from '../../knowledge/base/index.ts';
import { clusterReview } from '../../knowledge/clusters/index.ts';
import type { Session } from '../../session/index.ts';
import type { Area, AreaList } from '../contract/area-contract.ts';
import { isHiddenName, readAreasNow, tablesOfArea } from './list-tables.ts';

const MOST_AREAS = 500;
const MOST_TABLES = 500;
/** As many as a person reads to judge a cluster. */
const MOST_OF_CLUSTER = 100;
const MOST_OVERLAPS = 5;

export interface AreaQuery {
  /** Clusters; the first one, counted from 0. */
  readonly from: number;
  readonly limit: number;
  readonly mayEdit: boolean;
}

/** The areas as the file has them now, and the clusters, the most used first. Throws `knowledge.invalid`. */
export async function listAreas({ from, limit, mayEdit }: AreaQuery, session: Session): Promise<AreaList> {
  const base = await session.base.open();
  const areas = await readAreasNow(session);
  const { clusters, count } = clustersSeen(session, base, { from, limit });
  const about = base.clustering?.about();
  const withoutClusters =
    about === undefined ? 'no clusters were made yet: they come of query logs' : about.skipped;
  return {
    areas: areas.slice(0, MOST_AREAS).map((area) => showArea(area, session, { base, mayEdit })),
    areaCount: areas.length,
    clusters,
    clusterCount: count,
    ...(withoutClusters !== undefined && { withoutClusters }),
    isUnsettled: about?.isUnsettled === true,
    mayEdit,
  };
}

/** As far as this reader may see its tables. */
export function showArea(
  area: ProductArea,
  session: Session,
  { base, mayEdit }: { readonly base: KnowledgeBase; readonly mayEdit: boolean },
): Area {
  const { id, name, members, instructions, includeTables, excludeTables } = area;
  const visible = tableIds(session.catalog);
  const isSeen = (table: string): boolean => visible.has(table) || !isHiddenName(table, session.hiddenTables);
  const tables = tablesOfArea(area, session, base);
  return {
    ...{ id, name, memberCount: members.length },
    ...(mayEdit && { members: [...members] }),
    ...(instructions !== undefined && { instructions }),
    includeTables: includeTables.filter(isSeen),
    excludeTables: excludeTables.filter(isSeen),
    tables: tables.slice(0, MOST_TABLES),
    tableCount: tables.length,
  };
}

function clustersSeen(
  { catalog }: Session,
  { clustering, usage }: KnowledgeBase,
  { from, limit }: { readonly from: number; readonly limit: number },
): { readonly clusters: AreaList['clusters']; readonly count: number } {
  if (clustering === undefined) return { clusters: [], count: 0 };
  const visible = tableIds(catalog);
  const whole = clustering.read();
  const clusters = whole.clusters
    .map(({ id, tables }) => ({ id, tables: tables.filter(({ tableId }) => visible.has(tableId)) }))
    .filter(({ tables }) => tables.length > 0);
  const tablesOf = new Map(clusters.map(({ id, tables }) => [id, tables]));
  const review = clusterReview({ ...whole, clusters }, usage?.accesses ?? []);
  const page = review.slice(from, from + limit);
  return {
    count: review.length,
    clusters: page.map(({ id, tableCount, userCount, runs, overlaps }) => ({
      ...{ id, tableCount, userCount, runs },
      tables: (tablesOf.get(id) ?? [])
        .slice(0, MOST_OF_CLUSTER)
        .map(({ tableId, score }) => ({ table: tableId, score })),
      overlaps: overlaps.slice(0, MOST_OVERLAPS),
    })),
  };
}
