import type { Config } from '../../config/index.ts';
import {
  type Authored,
  chooseAreas,
  type Lake,
  type LakeScope,
  openStoredClusters,
  type StoredClusters,
} from '../../knowledge/index.ts';

/**
 * The tables of a lake that a person starts from: the clusters of the user and of the areas, and what the areas include,
 * without what they exclude and what is deprecated. Undefined where nothing leads to a table: the whole lake. Clusters
 * are kept in the lake by their numbers, once for everybody. Throws `catalog.unknown-name` for an unknown area.
 */
export async function readLakeScope(
  lake: Lake,
  { user, areas: chosen, derivedDirectory }: Pick<Config, 'user' | 'areas' | 'derivedDirectory'>,
  authored: Authored,
): Promise<LakeScope | undefined> {
  const areas = chooseAreas(user, chosen, authored);
  const clusters = await openStoredClusters({ derivedDirectory });
  try {
    const ids = new Set(clusters === undefined ? [] : clusterIds(clusters, user, areas));
    const parts = clusters === undefined ? [] : await putParts(lake, clusters, ids);
    const included = areas.flatMap(({ includeTables }) => includeTables);
    if (parts.length + included.length === 0) return undefined;
    const deprecated = authored.statuses.filter(({ status }) => status === 'deprecated');
    const excluded = areas.flatMap(({ excludeTables }) => excludeTables);
    return { parts, tables: included, without: [...excluded, ...deprecated.map(({ table }) => table)] };
  } finally {
    clusters?.close();
  }
}

function clusterIds(
  clusters: StoredClusters,
  user: string | undefined,
  areas: ReturnType<typeof chooseAreas>,
): readonly number[] {
  const own = user === undefined ? [] : clusters.clustersOfUser(user);
  return [...own, ...areas.flatMap(({ members }) => clusters.clustersOfMembers(members))].map(({ id }) => id);
}

/** Whatever changes the tables of a cluster changes the stamp: a full run its day, what is folded in the drift. */
async function putParts(lake: Lake, clusters: StoredClusters, ids: ReadonlySet<number>): Promise<string[]> {
  const { at, manifest, drift } = clusters.about();
  const stamp = `${at} ${manifest.to} ${drift}`;
  const parts: string[] = [];
  for (const id of ids) {
    const name = `cluster ${id}`;
    await lake.putPart(
      { name, stamp },
      clusters.tablesOf(id).map(({ tableId }) => tableId),
    );
    parts.push(name);
  }
  return parts;
}
