/** The work of each kind of job. All of it can be stopped at any moment, done again, and goes on where it stopped. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, presentOf } from '../config/index.ts';
import { CandorError, unreachable } from '../errors.ts';
import { openStoredClusters, readUsageOf, usagePath } from '../knowledge/base/index.ts';
import { findDrift } from '../knowledge/graph/index.ts';
import {
  ingestLive,
  ingestLogs,
  keepPopularity,
  type LogCatalog,
  openUsageFile,
  rejectedIn,
  writeRejected,
} from '../knowledge/usage/index.ts';
import {
  catalogFingerprintOf,
  connectProject,
  type OnboardEvent,
  onboardProject,
  openLakeOf,
  readEngineLogs,
  readKnowledgeSources,
  refreshClusters,
  refreshLake,
  withLogCatalog,
} from '../onboarding/index.ts';
import type { JobKind, JobProgress } from './job.ts';

export interface JobWork {
  readonly config: Config;
  readonly signal: AbortSignal;
  readonly report: (progress: JobProgress) => void;
}

export type JobResult = Readonly<Record<string, unknown>>;

/** Findings of a drift job that are kept with it. */
const MOST_FINDINGS = 200;

/** Does a job and says what it came to, in a few figures. Throws what the flows throw, and `jobs.no-logs`. */
export function doJob(kind: JobKind, work: JobWork): Promise<JobResult> {
  switch (kind) {
    case 'onboard':
      return readDatabase(work, false);
    case 'refresh':
      return readDatabase(work, true);
    case 'usage':
      return readLogs(work);
    case 'clusters':
      return makeClusters(work);
    case 'drift':
      return lookForDrift(work);
    default:
      return unreachable(kind);
  }
}

async function readDatabase({ config, signal, report }: JobWork, refresh: boolean): Promise<JobResult> {
  const onProgress = progressOf(report);
  if (config.catalog === 'lake') return readLake(config, { signal, onProgress });
  const { catalog, reused, tables, values, knowledge } = await onboardProject(config, {
    refresh,
    onProgress,
    signal,
  });
  return {
    tables: catalog.tables.length,
    changed: tables,
    reused,
    values: values.size,
    newVectors: knowledge.newVectors,
  };
}

/** Only what came or changed is read, whichever of the two was asked for. */
async function readLake(
  config: Config,
  options: { readonly signal: AbortSignal; readonly onProgress: (event: OnboardEvent) => void },
): Promise<JobResult> {
  const engine = await connectProject(config);
  try {
    const lake = await openLakeOf(config);
    try {
      return { ...(await refreshLake(lake, engine, options)) };
    } finally {
      lake.close();
    }
  } finally {
    await engine.close();
  }
}

async function readLogs(work: JobWork): Promise<JobResult> {
  const { config, signal } = work;
  const { logs, live } = config.jobs;
  if (logs.length === 0 && !live && config.usageLogs.length === 0)
    throw new CandorError(
      'jobs.no-logs',
      'candor.yml names no query logs to read, in files or in an engine, and does not ask the database.',
    );
  const paths = (await Promise.all(logs.map(filesOf))).flat();
  return withLogCatalog(config, signal, (catalog) => countLogs(paths, catalog, work));
}

async function countLogs(
  paths: readonly string[],
  catalog: LogCatalog,
  { config, signal, report }: JobWork,
): Promise<JobResult> {
  const today = presentOf(config).toISOString().slice(0, 10);
  const file = await openUsageFile(usagePath(config));
  try {
    const rules = { catalog, keepsRejected: false, signal };
    const ingested = await ingestLogs(file, paths, {
      ...rules,
      onProgress: ({ path, done, total, etaSeconds }) =>
        report({ stage: 'logs', done, total, table: path, ...(etaSeconds !== undefined && { etaSeconds }) }),
    });
    const asked = config.jobs.live ? await askDatabase(config, file, rules) : undefined;
    const days = await readEngineLogs(config, file, config.usageLogs, {
      ...{ ...rules, today },
      onProgress: ({ day, done, total }) => report({ stage: 'logs', done, total, table: day }),
    });
    if (config.catalog === 'lake') keepPopularity(file, { asOf: today });
    const counts = [...ingested, ...days, ...(asked === undefined ? [] : [asked])].map((each) => each.counts);
    return {
      logs: ingested.length + days.length,
      readBytes: ingested.reduce((sum, { readBytes }) => sum + readBytes, 0),
      rejected: counts.reduce((sum, each) => sum + rejectedIn(each), 0),
      ...(asked !== undefined && { live: asked.source }),
    };
  } finally {
    await writeRejected(file, join(config.derivedDirectory, 'usage-rejected.jsonl'));
    file.close();
  }
}

/** The guard keeps queries away from the tables of the engine, which these are. */
async function askDatabase(
  config: Config,
  file: Parameters<typeof ingestLive>[0],
  rules: Omit<Parameters<typeof ingestLive>[2], 'day'>,
): ReturnType<typeof ingestLive> {
  const database = await connectProject(config);
  try {
    return await ingestLive(file, database, { ...rules, day: presentOf(config).toISOString().slice(0, 10) });
  } finally {
    await database.close();
  }
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(path, entry.name)] : [])).sort();
}

async function makeClusters({ config, signal, report }: JobWork): Promise<JobResult> {
  const usage = await readUsageOf(config, presentOf(config));
  if (usage === undefined || usage.accesses.length === 0)
    throw new CandorError(
      'usage.nothing-ingested',
      'Clusters are made from query logs, and none was read yet.',
    );
  await refreshClusters(config, await catalogFingerprintOf(config), {
    now: presentOf(config),
    onProgress: progressOf(report),
    signal,
  });
  const clusters = await openStoredClusters(config);
  if (clusters === undefined) return { clusters: 0 };
  try {
    const { clusterCount, skipped } = clusters.about();
    const users = clusters.users().length;
    return { clusters: clusterCount, users, ...(skipped !== undefined && { skipped }) };
  } finally {
    clusters.close();
  }
}

async function lookForDrift({ config }: JobWork): Promise<JobResult> {
  const drift = findDrift(await readKnowledgeSources(config));
  return { findings: drift.length, shown: drift.slice(0, MOST_FINDINGS) };
}

/** Notices are for whoever sits at a terminal. */
function progressOf(report: JobWork['report']): (event: OnboardEvent) => void {
  return ({ stage, done, total, table, etaSeconds }) => {
    if (stage === 'notice') return;
    report({
      ...{ stage, done, total },
      ...(table !== undefined && { table }),
      ...(etaSeconds !== undefined && { etaSeconds }),
    });
  };
}
