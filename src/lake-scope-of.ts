import type { Config } from './config/index.ts';
import {
  type Authored,
  areaClusters,
  chooseAreas,
  type Lake,
  type LakeScope,
  readClustering,
} from './knowledge/index.ts';

/**
 * The tables of a lake that a person starts from: the clusters of the user and of the areas, and what the areas include,
 * without what they exclude and what is deprecated. Undefined where nothing leads to a table: the whole lake. Clusters
 * are kept in the lake by their numbers, once for everybody. Throws `catalog.unknown-name` for an unknown area.
 */
export async function lakeScopeOf(
  lake: Lake,
  { user, areas: chosen, derivedDirectory }: Pick<Config, 'user' | 'areas' | 'derivedDirectory'>,
  authored: Authored,
): Promise<LakeScope | undefined> {
  const areas = chooseAreas(user, chosen, authored);
  const stored = await readClustering(derivedDirectory);
  const clustering = stored.kind === 'stored' ? stored.clustering : undefined;
  const own = clustering?.users.find((other) => other.user === user)?.clusters ?? [];
  const ofAreas = areas.flatMap((area) => areaClusters(area, clustering?.users ?? []));
  const parts: string[] = [];
  for (const id of new Set([...own, ...ofAreas].map((cluster) => cluster.id))) {
    const tables = clustering?.clusters.find((cluster) => cluster.id === id)?.tables ?? [];
    const name = `cluster ${id}`;
    await lake.putPart(
      { name, stamp: clustering?.at ?? '' },
      tables.map(({ tableId }) => tableId),
    );
    parts.push(name);
  }
  const included = areas.flatMap(({ includeTables }) => includeTables);
  if (parts.length + included.length === 0) return undefined;
  const deprecated = authored.statuses.filter(({ status }) => status === 'deprecated');
  const without = [
    ...areas.flatMap(({ excludeTables }) => excludeTables),
    ...deprecated.map(({ table }) => table),
  ];
  return { parts, tables: included, without };
}
