/** Soft clusters of tables from who reads what. Source: LinkedIn, section 4, algorithms 1 and 2. */
import type { TableAccess } from '../usage/table-accesses.ts';
import type { Clustering, ClusterSettings } from './accesses/access-matrix.ts';
import { type AccessMatrix, aboveThresholds, accessMatrix, mapCells } from './accesses/access-matrix.ts';
import { type Separation, separate } from './factors/separate.ts';
import { softClusters } from './factors/soft-clusters.ts';
import { yieldToEventLoop } from './kernels/kernel-space.ts';
import { usersOfMatrix } from './user-clusters.ts';

/** The published method keeps its constants to itself; these are our choice, all of them settings. */
export const DEFAULT_CLUSTER_SETTINGS: ClusterSettings = {
  minTotal: 20,
  minUsers: 3,
  minTablesPerUser: 2,
  size: 20,
  seed: 1,
};

/** Below either of these an installation is small: everybody sees every table. */
export const FEWEST_TABLES = 200;
const FEWEST_USERS = 5;

const FEWEST_COMPONENTS = 4;
const MOST_COMPONENTS = 1_000;
/** Tables of a component at most: teams grow in number with the tables, and what is no component has no cluster. */
const TABLES_PER_COMPONENT = 400;

export interface ClusterEvent {
  readonly stage: 'components' | 'separate' | 'clusters';
  readonly done: number;
  readonly total: number;
}

export interface ClusterOptions {
  /** Day of the newest access. */
  readonly at: string;
  /** Threads for the search; the clusters do not depend on it. */
  readonly workers?: number;
  readonly onProgress?: (event: ClusterEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Clusters tables by who reads them, and gives every user theirs. Equal accesses and settings, in any order, give the
 * same clusters. Installations that are too small get none, with the reason. Throws `knowledge.cancelled` and
 * `knowledge.too-large`.
 */
export async function clusterTables(
  accesses: Iterable<TableAccess>,
  settings: ClusterSettings,
  options: ClusterOptions,
): Promise<Clustering> {
  return clusterMatrix(accessMatrix(accesses), settings, options);
}

/** The same of all accesses, those below the thresholds too, as they were counted. */
export async function clusterMatrix(
  all: AccessMatrix,
  settings: ClusterSettings,
  options: ClusterOptions,
): Promise<Clustering> {
  const none = { settings, clusters: [], users: [], at: options.at };
  const tooSmall = whySmall(all);
  if (tooSmall !== undefined) return { ...none, skipped: tooSmall };
  const matrix = aboveThresholds(all, settings);
  const { tables, users } = matrix;
  if (tables.length < Math.max(settings.size, FEWEST_COMPONENTS) || users.length < FEWEST_USERS) {
    const skipped = `only ${tables.length} tables and ${users.length} users are above the thresholds`;
    return { ...none, skipped };
  }
  const { assignment, model, isSettled } = await separateTables(matrix, settings, options);
  if (assignment.components === 0) return { ...none, skipped: 'every table is read by the same users' };
  report(options, { stage: 'clusters', done: 0, total: 1 });
  await yieldToEventLoop(options.signal);
  const clusters = softClusters(tables, assignment);
  return {
    ...none,
    clusters,
    users: usersOfMatrix(all, clusters),
    model: { ...model, users },
    ...(isSettled ? {} : { isUnsettled: true }),
  };
}

function separateTables(
  matrix: AccessMatrix,
  settings: ClusterSettings,
  options: ClusterOptions,
): Promise<Separation> {
  report(options, { stage: 'components', done: 0, total: 1 });
  const { size, seed } = settings;
  return separate(mapCells(matrix, Math.log1p), {
    ...{ size, seed, signal: options.signal },
    components: componentCount(matrix.tables.length, settings),
    ...(options.workers === undefined ? {} : { workers: options.workers }),
    onIteration: (done, total) => report(options, { stage: 'separate', done, total }),
  });
}

/** Why an installation does without clusters; `undefined` where it is large enough. */
function whySmall({ tables, users }: AccessMatrix): string | undefined {
  if (tables.length < FEWEST_TABLES)
    return `${tables.length} tables are in use; clusters start at ${FEWEST_TABLES}`;
  if (users.length < FEWEST_USERS)
    return `${users.length} users are in the logs; clusters start at ${FEWEST_USERS}`;
  return undefined;
}

/** How many components: √tables / 1.5, from 70,000 tables on tables / 400; from 4 to 1,000 where nobody says. */
export function componentCount(tables: number, { components }: Pick<ClusterSettings, 'components'>): number {
  if (components !== undefined) return components;
  const wanted = Math.round(Math.max(Math.sqrt(tables) / 1.5, tables / TABLES_PER_COMPONENT));
  return Math.min(MOST_COMPONENTS, Math.max(FEWEST_COMPONENTS, wanted));
}

function report({ onProgress }: ClusterOptions, event: ClusterEvent): void {
  onProgress?.(event);
}
