import type { Command } from 'commander';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import {
  clusterReview,
  DEFAULT_CLUSTER_SETTINGS,
  type ReviewedCluster,
  renewClustering,
  type StoredClusters,
  scopeOf,
} from '../../../knowledge/clusters/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { type ClusterSources, readClusterSources } from '../../../onboarding/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  collectText,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { counted, makeProgress, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface ClustersOptions extends ProjectOptions, OutputOptions {
  readonly user?: string;
  readonly area: readonly string[];
  readonly components?: number;
  readonly size: number;
  readonly seed: number;
  readonly limit: number;
}

const DEFAULT_SHOWN = 30;
/** Of the best tables and users, as many as a line holds. */
const NAMED = 3;

/** `candor knowledge clusters`: which tables are used together, and by whom. */
export function addKnowledgeClustersCommand(knowledge: Command, context: CommandContext): void {
  const { size, seed } = DEFAULT_CLUSTER_SETTINGS;
  const command = knowledge
    .command('clusters')
    .description('Show which tables are used by the same people, to judge the clusters and their settings.')
    .option('--user <name>', 'the tables this user starts from, and why')
    .option('--area <id>', 'the same for a product area; may be given again', collectText, [])
    .option(
      '--components <n>',
      'number of clusters (default: √tables / 1.5, of many tables / 400; from 4 to 1,000)',
      parseCount,
    )
    .option('--size <n>', 'tables of a cluster at least', parseCount, size)
    .option('--seed <n>', 'where the search starts', parseCount, seed)
    .option('--limit <n>', 'lines at most', parseCount, DEFAULT_SHOWN);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor knowledge clusters                    sizes, best tables and users, what clusters share
  candor knowledge clusters --components 40    the same with other settings
  candor knowledge clusters --user ada         the tables that ada's questions look at first

Made from the logs of the last 90 days (\`candor usage ingest\`) and kept in .candor/clusters.sqlite. What later logs
change is folded into them; they are made anew when the settings change, or more than a tenth of the tables drifted.`,
    )
    .action((options: ClustersOptions) =>
      runCommand(context, options.output, () => runClusters(options, context.io)),
    );
}

async function runClusters(options: ClustersOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const sources = await readClusterSources(config);
  const clusters = await makeClusters(config, sources, { options, io });
  try {
    if (options.user !== undefined || options.area.length > 0)
      return showScope({ ...sources, clustering: clusters }, options, io);
    return showReview(clusters.read(), sources, { options, io });
  } finally {
    clusters.close();
  }
}

function showReview(
  clustering: ReturnType<StoredClusters['read']>,
  sources: ClusterSources,
  { options, io }: { readonly options: ClustersOptions; readonly io: Io },
): number {
  const review = clusterReview(clustering, sources.usage?.accesses ?? []);
  if (options.output === 'json') {
    const { settings, at, skipped, isUnsettled } = clustering;
    io.stdout.write(renderJson({ settings, at, skipped, isUnsettled, clusters: review }));
    return 0;
  }
  if (clustering.skipped !== undefined) {
    io.stdout.write(`there are no clusters: ${clustering.skipped}\n`);
    return 0;
  }
  const style = styleFor(io, io.stdout);
  const heads = ['cluster', 'tables', 'users', 'runs', 'best tables', 'most runs by', 'shares most with'];
  io.stdout.write(`${renderTable(heads, review.slice(0, options.limit).map(lineOf), { style })}\n`);
  const cut = review.length > options.limit ? `, ${options.limit} shown: raise --limit` : '';
  const unsettled = clustering.isUnsettled ? '; the search did not settle, another --seed may do better' : '';
  io.stdout.write(`${style.dim(`${counted(review.length, 'cluster')}${cut}${unsettled}`)}\n`);
  return 0;
}

async function makeClusters(
  config: Config,
  { usage, catalogFingerprint }: ClusterSources,
  { options, io }: { readonly options: ClustersOptions; readonly io: Io },
): Promise<StoredClusters> {
  if (usage === undefined)
    throw new CandorError(
      'usage.nothing-ingested',
      'Clusters are made from query logs, and none was read yet.',
    );
  const { size, seed, components } = options;
  const progress = makeProgress(io.stderr, options.quiet === true);
  try {
    return await renewClustering(config.derivedDirectory, usage, {
      catalogFingerprint,
      settings: {
        ...DEFAULT_CLUSTER_SETTINGS,
        size,
        seed,
        ...(components === undefined ? {} : { components }),
      },
      onProgress: progress.report,
      onNotice: (message) => progress.report({ stage: 'notice', done: 0, total: 0, message }),
      onFolded: ({ changedTables, changedUsers, drift }) =>
        progress.report({
          ...{ stage: 'notice', done: 0, total: 0 },
          message: `folded in: ${counted(changedTables, 'table')} and ${counted(changedUsers, 'user')} changed, ${(100 * drift).toFixed(1)} % of the tables drifted since all were clustered`,
        }),
      signal: io.signal,
    });
  } finally {
    progress.clear();
  }
}

function showScope(
  { authored, tableIds, usage, clustering }: ClusterSources & { readonly clustering: StoredClusters },
  { user, area, output, limit }: ClustersOptions,
  io: Io,
): number {
  const { tables, because } = scopeOf(user, area, { authored, tableIds, clustering, usage });
  const clusters = user === undefined ? [] : clustering.clustersOfUser(user);
  if (output === 'json') {
    const named = tables === undefined ? undefined : [...tables].sort();
    io.stdout.write(renderJson({ because, clusters, tables: named }));
    return 0;
  }
  const style = styleFor(io, io.stdout);
  io.stdout.write(`${escapeControl(because)}\n`);
  const popularity = new Map(usage?.tables.map((table) => [table.tableId, table.popularity]));
  const rows = [...(tables ?? tableIds)]
    .map((id): [string, number] => [id, popularity.get(id) ?? 0])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const shown = rows.slice(0, limit).map(([id, value]) => [id, Math.round(value * 100) / 100]);
  io.stdout.write(`${renderTable(['table', 'popularity'], shown, { style })}\n`);
  const cut = rows.length > limit ? `, ${limit} shown: raise --limit` : '';
  io.stdout.write(`${style.dim(`${counted(rows.length, 'table')}${cut}`)}\n`);
  return 0;
}

function lineOf({ id, tableCount, userCount, runs, topTables, topUsers, overlaps }: ReviewedCluster) {
  const [most] = overlaps;
  return [
    id,
    tableCount,
    userCount,
    runs,
    escapeControl(
      topTables
        .slice(0, NAMED)
        .map(({ tableId }) => tableId)
        .join(', '),
    ),
    escapeControl(
      topUsers
        .slice(0, NAMED)
        .map(({ user }) => user)
        .join(', '),
    ),
    most === undefined ? '' : `${most.id} (${most.shared} tables, ${Math.round(most.share * 100)} %)`,
  ];
}
