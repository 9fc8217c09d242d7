import type { Command } from 'commander';
import type { ForeignKey } from '../../../catalog/index.ts';
import { type Config, projectConfig, resolveDatabaseUrl } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import {
  connectProject,
  type Onboarded,
  type OnboardedProject,
  onboardProject,
  openLakeOf,
  refreshLake,
} from '../../../onboarding/index.ts';
import { writeProject } from '../../../project/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import { keepHeapSmall } from '../../context/keep-heap-small.ts';
import { noteSecret } from '../../context/note-secret.ts';
import {
  addOutputOptions,
  addProjectOptions,
  commandLine,
  type OutputOptions,
  type ProjectOptions,
  parseRows,
  readCommandConfig,
} from '../../context/options.ts';
import { counted, makeProgress, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

export interface OnboardOptions extends ProjectOptions, OutputOptions {
  readonly refresh?: boolean;
  readonly maxScan?: number;
}

/** `candor onboard`: reads a database once, so that questions can be answered from then on. */
export function defineOnboardCommand(command: Command, context: CommandContext): void {
  command
    .argument(
      '[url...]',
      'database URL, data files, a folder of them, or the name of a connection (default: the one in candor.yml)',
    )
    .option(
      '--refresh',
      'look at every table again: those that have changed are read anew, the others are kept',
    )
    .option(
      '--max-scan <rows>',
      'rows to read in all; the largest tables are sampled first, and what is left out is told',
      parseRows,
    );
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor onboard sqlite:shop.db                    the first time: also writes a candor.yml here
  candor onboard sales.csv customers.xlsx          files: CSV, TSV, JSON lines, Parquet, Excel
  candor onboard data                              the files of a folder; read again when they change
  candor onboard                                   again, after the database or the semantic model changed
  candor onboard --refresh                         a server whose rows have changed
  candor onboard --max-scan 50M postgres://reader@db/shop

Everything is computed in the database by reading statements; values that look personal stay there (\`candor profile
--pii\` lists them). Stopped half-way, the next run goes on where it stopped.`,
    )
    .action((urls: readonly string[], options: OnboardOptions) =>
      runCommand(context, options.output, () => runOnboard(joinUrls(urls), options, context.io)),
    );
}

/** A shell makes many names of `data/*.csv`; together they are one source. */
function joinUrls(urls: readonly string[]): string | undefined {
  return urls.length < 2 ? urls[0] : `files:${urls.join(';')}`;
}

export async function runOnboard(url: string | undefined, options: OnboardOptions, io: Io): Promise<number> {
  const named = { ...options, database: url ?? options.database };
  const { config, isNew } = await findOrPlanProject(named, io);
  if (config.catalog === 'lake') return onboardLake(config, options, io);
  const onboarded = await readDatabase(withScanLimit(config, options.maxScan), options, io);
  // Only now: a database that cannot be read must not leave a project behind.
  const written = isNew ? await writeProject(config.root, config.databaseUrl) : [];
  print(onboarded, written, options, io);
  if (isNew) noteSecret(config.databaseUrl, io);
  if (!options.quiet)
    io.stderr.write(`\nNext: ${commandLine(io, 'ask', isNew ? {} : named)} "how many …?"\n`);
  return 0;
}

/** The project that holds here, or the one to be written when a database is named and there is none. */
export async function findOrPlanProject(
  options: ProjectOptions,
  io: Io,
): Promise<{ config: Config; isNew: boolean }> {
  const { database, ...place } = options;
  try {
    await readCommandConfig(io, place);
  } catch (error) {
    const isMissing = error instanceof CandorError && error.code === 'config.not-found';
    if (!isMissing || database === undefined || place.project !== undefined) throw error;
    return { config: projectConfig(io.cwd, resolveDatabaseUrl(database, io.cwd)), isNew: true };
  }
  return { config: await readCommandConfig(io, options), isNew: false };
}

export async function readDatabase(
  config: Config,
  options: OnboardOptions,
  io: Io,
): Promise<OnboardedProject> {
  keepHeapSmall();
  const progress = makeProgress(io.stderr, options.quiet === true);
  try {
    return await onboardProject(config, {
      refresh: options.refresh === true,
      onProgress: progress.report,
      signal: io.signal,
    });
  } finally {
    progress.clear();
  }
}

export function print(
  onboarded: OnboardedProject,
  written: readonly string[],
  { output }: OnboardOptions,
  io: Io,
): void {
  const facts = factsOf(onboarded);
  const { reused, seconds } = onboarded;
  if (output === 'json') {
    const counts = Object.fromEntries(facts.map(({ key, count }) => [key, count]));
    const { tables, report } = onboarded;
    io.stdout.write(renderJson({ ...counts, reused, seconds, written, changed: tables, report }));
    return;
  }
  const style = styleFor(io, io.stdout);
  const rows = facts.map(({ name, count }) => [name, count]);
  io.stdout.write(`${renderTable([onboarded.catalog.database, 'count'], rows, { style })}\n`);
  io.stdout.write(
    `${style.dim(reused ? 'unchanged; nothing was read again' : `read in ${seconds.toFixed(1)} s`)}\n`,
  );
  for (const line of reportLines(onboarded)) io.stdout.write(`${line}\n`);
  if (written.length > 0) io.stdout.write(`\nThere was no project here; wrote ${written.join(', ')}\n`);
}

/** What a reader of the counts should know; nothing where all of it was read and kept. */
export function reportLines({ report, tables, reused }: Onboarded): string[] {
  const withheld = report.pii.filter(({ isWithheld }) => isWithheld).length;
  return [
    ...(reused || tables.reused + tables.removed === 0
      ? []
      : [`${counted(tables.profiled, 'table')} read anew, ${tables.reused} kept, ${tables.removed} gone`]),
    ...(report.sampled.length === 0 ? [] : [`${counted(report.sampled.length, 'table')} sampled`]),
    ...(report.skipped.length === 0 ? [] : [`${counted(report.skipped.length, 'table')} without a profile`]),
    ...(withheld === 0
      ? []
      : [`values of ${counted(withheld, 'column')} withheld: personal or secret by their looks`]),
    ...(withheld + report.sampled.length + report.skipped.length === 0 ? [] : ['see `candor profile`']),
  ];
}

export function withScanLimit(config: Config, maxScanRows: number | undefined): Config {
  return maxScanRows === undefined ? config : { ...config, profile: { ...config.profile, maxScanRows } };
}

export function factsOf({ catalog, values, knowledge }: OnboardedProject) {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const keysFrom = (source: ForeignKey['source']) =>
    catalog.foreignKeys.filter((key) => key.source === source).length;
  return [
    { key: 'tables', name: 'tables', count: catalog.tables.length },
    { key: 'columns', name: 'columns', count: sum(catalog.tables.map(({ columns }) => columns.length)) },
    { key: 'rows', name: 'rows', count: sum(catalog.tables.map(({ rowCount }) => rowCount)) },
    { key: 'indexedValues', name: 'values indexed', count: values.size },
    { key: 'declaredKeys', name: 'foreign keys declared', count: keysFrom('declared') },
    { key: 'semanticKeys', name: 'foreign keys of the semantic model', count: keysFrom('semantic') },
    { key: 'inferredKeys', name: 'foreign keys inferred', count: keysFrom('inferred') },
    { key: 'documents', name: 'things to find', count: sum(Object.values(knowledge.search.documents)) },
    { key: 'vectors', name: 'vectors', count: sum(Object.values(knowledge.search.vectors)) },
  ];
}

/** `candor onboard` of a lake: lists its tables, and reads those that have come or changed. */
async function onboardLake(
  config: Config,
  { output, quiet }: OutputOptions & { readonly quiet?: boolean },
  io: Io,
): Promise<number> {
  const started = performance.now();
  const progress = makeProgress(io.stderr, quiet === true);
  const engine = await connectProject(config);
  try {
    const lake = await openLakeOf(config);
    try {
      const counts = await refreshLake(lake, engine, { onProgress: progress.report, signal: io.signal });
      progress.clear();
      const seconds = (performance.now() - started) / 1000;
      if (output === 'json') {
        io.stdout.write(renderJson({ ...counts, seconds }));
        return 0;
      }
      const style = styleFor(io, io.stdout);
      const rows = Object.entries(counts).map(([what, count]) => [what, count]);
      io.stdout.write(`${renderTable([`tables of ${engine.name}`, 'count'], rows, { style })}\n`);
      io.stdout.write(`${style.dim(`read in ${seconds.toFixed(1)} s`)}\n`);
      return 0;
    } finally {
      lake.close();
    }
  } finally {
    progress.clear();
    await engine.close();
  }
}
