/** Soft clusters of tables from who reads what. Source: LinkedIn, section 4, algorithms 1 and 2. */
import type { TableAccess } from '../usage/usage.ts';
import { type AccessMatrix, accessMatrix, mapCells } from './access-matrix.ts';
import type { Clustering, ClusterSettings } from './clusters.ts';
import { fastIca, unmixRows } from './fast-ica.ts';
import { type Components, meanKurtosis, softClusters } from './soft-clusters.ts';
import { userClusters } from './user-clusters.ts';
import { type Whitening, whiten } from './whiten.ts';

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
export const FEWEST_USERS = 5;

const FEWEST_COMPONENTS = 4;
const MOST_COMPONENTS = 200;
const TOLERANCE = 1e-4;
/** Starts that are tried while none settles, and iterations that each may take. */
const MOST_STARTS = 3;
const MOST_ITERATIONS = 500;
/** Multiplications of all starts together: 100,000 tables × 5,000 users get one start of 80 iterations. */
const MOST_WORK = 8e10;
const FEWEST_ITERATIONS = 80;

export interface ClusterEvent {
  readonly stage: 'components' | 'separate' | 'clusters';
  readonly done: number;
  readonly total: number;
}

export interface ClusterOptions {
  /** Day of the newest access. */
  readonly at: string;
  readonly onProgress?: (event: ClusterEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Clusters tables by who reads them, and gives every user theirs. Equal accesses and settings, in any order, give the
 * same clusters. Installations that are too small get none, with the reason. Throws `knowledge.cancelled`.
 */
export async function clusterTables(
  accesses: readonly TableAccess[],
  settings: ClusterSettings,
  options: ClusterOptions,
): Promise<Clustering> {
  const none = { settings, clusters: [], users: [], at: options.at };
  const tooSmall = whySmall(accesses);
  if (tooSmall !== undefined) return { ...none, skipped: tooSmall };
  const matrix = accessMatrix(accesses, settings);
  const { tables, users } = matrix;
  if (tables.length < Math.max(settings.size, FEWEST_COMPONENTS) || users.length < FEWEST_USERS) {
    const skipped = `only ${tables.length} tables and ${users.length} users are above the thresholds`;
    return { ...none, skipped };
  }
  const { found, isSettled } = await separate(mapCells(matrix, Math.log1p), settings, options);
  if (found.components === 0) return { ...none, skipped: 'every table is read by the same users' };
  report(options, { stage: 'clusters', done: 0, total: 1 });
  const clusters = softClusters(tables, found, settings.size);
  return {
    ...none,
    clusters,
    users: userClusters(accesses, clusters),
    ...(isSettled ? {} : { isUnsettled: true }),
  };
}

/** Why an installation does without clusters; `undefined` where it is large enough. */
function whySmall(accesses: readonly TableAccess[]): string | undefined {
  const tables = new Set(accesses.map(({ tableId }) => tableId)).size;
  const users = new Set(accesses.map(({ user }) => user)).size;
  if (tables < FEWEST_TABLES) return `${tables} tables are in use; clusters start at ${FEWEST_TABLES}`;
  if (users < FEWEST_USERS) return `${users} users are in the logs; clusters start at ${FEWEST_USERS}`;
  return undefined;
}

/** How many components: clamp(√tables / 1.5, 4, 200) where nobody says. */
export function componentCount(tables: number, { components }: Pick<ClusterSettings, 'components'>): number {
  return (
    components ?? Math.min(MOST_COMPONENTS, Math.max(FEWEST_COMPONENTS, Math.round(Math.sqrt(tables) / 1.5)))
  );
}

/** Of several starts the first that settles; where none does, the one whose components are furthest from normal. */
async function separate(
  cells: AccessMatrix,
  settings: ClusterSettings,
  options: ClusterOptions,
): Promise<{ readonly found: Components; readonly isSettled: boolean }> {
  report(options, { stage: 'components', done: 0, total: 1 });
  const wanted = componentCount(cells.tables.length, settings);
  const { seed } = settings;
  const whitening = await whiten(cells, { components: wanted, seed, signal: options.signal });
  const { components } = whitening;
  const { starts, maxIterations } = planStarts(cells, whitening);
  let best: Components = { scores: new Float64Array(0), components };
  if (components === 0) return { found: best, isSettled: true };
  for (let start = 0; start < starts; start += 1) {
    const total = starts * maxIterations;
    const result = await fastIca(cells, whitening, {
      seed: seed + start,
      tolerance: TOLERANCE,
      maxIterations,
      onIteration: (iteration) =>
        report(options, { stage: 'separate', done: start * maxIterations + iteration, total }),
      signal: options.signal,
    });
    const found = { scores: unmixRows(cells, whitening, result.unmixing), components };
    if (result.isConverged) return { found, isSettled: true };
    if (start === 0 || meanKurtosis(found) > meanKurtosis(best)) best = found;
  }
  return { found: best, isSettled: false };
}

/** As many starts as the work allows, each long enough to be worth it. */
function planStarts(
  cells: AccessMatrix,
  { components, means }: Whitening,
): { readonly starts: number; readonly maxIterations: number } {
  const work = 2 * cells.values.length * components + 2 * means.length * components ** 2;
  const affordable = Math.floor(MOST_WORK / work);
  const starts = Math.max(1, Math.min(MOST_STARTS, Math.floor(affordable / FEWEST_ITERATIONS)));
  const maxIterations = Math.max(
    FEWEST_ITERATIONS,
    Math.min(MOST_ITERATIONS, Math.floor(affordable / starts)),
  );
  return { starts, maxIterations };
}

function report({ onProgress }: ClusterOptions, event: ClusterEvent): void {
  onProgress?.(event);
}
