import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import {
  hasIngested,
  ingestLive,
  ingestLogs,
  keepPopularity,
  LOG_FORMATS,
  type LogCatalog,
  type LogFormatName,
  openUsageFile,
  readUsage,
  rejectedIn,
  writeRejected,
} from '../../../knowledge/usage/index.ts';
import { connectProject, readEngineLogs, withLogCatalog } from '../../../onboarding/index.ts';
import { orUnusable } from '../../../store/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  parseDay,
  readCommandConfig,
} from '../../context/options.ts';
import { counted, makeProgress, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { type Ingested, renderIngested, type UsageView, usageLines } from './usage-lines.ts';

export interface IngestOptions extends ProjectOptions, OutputOptions {
  readonly format?: LogFormatName;
  readonly live?: boolean;
  /** All that are configured, or one of them by its name. */
  readonly logs?: true | string;
  readonly since?: string;
  readonly keepRejected?: boolean;
}

export interface ShowOptions extends ProjectOptions, OutputOptions {
  readonly tables?: boolean;
  readonly joins?: boolean;
  readonly users?: boolean;
  readonly examples?: boolean;
  readonly days: number;
  readonly asOf?: string;
  readonly without: readonly string[];
  readonly limit: number;
}

export const DEFAULT_SHOWN = 30;
export const DEFAULT_DAYS = 90;

/** `candor usage`: who uses what, from the query logs of the database. */
export function defineUsageCommand(usage: Command, context: CommandContext): void {
  addIngestCommand(usage, context);
  addShowCommand(usage, context);
  usage.addHelpText(
    'after',
    `
Examples:
  candor usage ingest /var/log/postgresql/*.csv
  candor usage show

What is counted lies in .candor/usage.sqlite; \`candor usage <command> --help\` teaches one.`,
  );
}

export function addIngestCommand(usage: Command, context: CommandContext): void {
  const formats = Object.entries(LOG_FORMATS).map(([name, about]) => `  ${name.padEnd(20)} ${about}`);
  const command = usage
    .command('ingest')
    .description('Count the tables, columns and joins that the statements of query logs read.')
    .argument('[log...]', 'log files, plain or packed with gzip')
    .option('--live', 'ask the connected server: pg_stat_statements of PostgreSQL, runtime queries of Trino')
    .option(
      '--logs [name]',
      'the logs that `usage.logs` of candor.yml names, or one of them: their engine groups the runs',
    )
    .addOption(
      new Option('--format <name>', 'what the logs are (default: recognised from their first lines)').choices(
        Object.keys(LOG_FORMATS),
      ),
    )
    .option('--since <day>', 'leave out what ran before this day, YYYY-MM-DD', parseDay)
    .option(
      '--keep-rejected',
      'keep the first 200 characters of what cannot be read: they may hold anything',
    );
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Formats:
${formats.join('\n')}

Examples:
  candor usage ingest /var/log/postgresql/*.csv        all logs there are; those read before are known again
  candor usage ingest history.csv.gz --since 2024-01-01
  candor usage ingest --live                           what the server itself remembers
  candor usage ingest --logs                           tables of an engine: days that are over and were not read yet

Run it again whenever a log has grown: nothing is counted twice, and a run that was stopped goes on where it was.
What cannot be read is counted and set aside in .candor/usage-rejected.jsonl. Constants of statements are kept only
where none of them may be about a person.`,
    )
    .action((logs: readonly string[], options: IngestOptions) =>
      runCommand(context, options.output, () => runIngest(logs, options, context.io)),
    );
}

export function addShowCommand(usage: Command, context: CommandContext): void {
  const command = usage
    .command('show')
    .description('Show what the ingested logs say of the last days.')
    .option('--tables', 'tables, most popular first (the default)')
    .option('--joins', 'which columns are joined')
    .option('--users', 'who reads how much, and who is taken for a program')
    .option('--examples', 'statements that could become verified pairs')
    .option('--days <n>', 'days to look at', parseCount, DEFAULT_DAYS)
    .option('--as-of <day>', 'the last of them, YYYY-MM-DD (default: today)', parseDay)
    .option('--without <user>', 'leave out a user that is a program; may be given again', collect, [])
    .option('--limit <n>', 'lines at most', parseCount, DEFAULT_SHOWN);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor usage show                        the tables people use
  candor usage show --joins --days 365     how they join them
  candor usage show --examples             statements worth a verified pair
  candor usage show --users --without etl

Popularity is log1p(users) + 0.3·log1p(runs). Users that read more than 200 tables on one day are programs and do not
count.`,
    )
    .action((options: ShowOptions) =>
      runCommand(context, options.output, () => runShow(options, context.io)),
    );
}

export async function runIngest(logs: readonly string[], options: IngestOptions, io: Io): Promise<number> {
  const isLive = options.live === true;
  if (logs.length === 0 && !isLive && options.logs === undefined) {
    throw new CandorError(
      'usage.unreadable-log',
      'no log was named, and neither --live nor --logs was given',
    );
  }
  const config = await readCommandConfig(io, options);
  const engineLogs = chooseLogs(config, options.logs);
  const paths = logs.map((path) => resolve(io.cwd, path));
  return withLogCatalog(config, io.signal, (catalog) =>
    ingest({ paths, engineLogs, catalog }, config, { options, io }),
  );
}

export interface LogsToRead {
  readonly paths: readonly string[];
  readonly engineLogs: Config['usageLogs'];
  readonly catalog: LogCatalog;
}

export async function ingest(
  { paths, engineLogs, catalog }: LogsToRead,
  config: Config,
  { options, io }: { readonly options: IngestOptions; readonly io: Io },
): Promise<number> {
  const isLive = options.live === true;
  if (!options.quiet && !isProfiled(catalog)) io.stderr.write(NO_PROFILES);
  const file = await openUsageFile(usagePath(config));
  const progress = makeProgress(io.stderr, options.quiet === true);
  const rules = {
    catalog,
    ...(options.since === undefined ? {} : { since: options.since }),
    keepsRejected: options.keepRejected === true,
    signal: io.signal,
  };
  const rejectedPath = join(config.derivedDirectory, 'usage-rejected.jsonl');
  try {
    const ingested: Ingested = {
      logs: await ingestLogs(file, paths, {
        ...rules,
        ...(options.format === undefined ? {} : { format: options.format }),
        onProgress: ({ path, ...place }) => progress.report({ stage: 'reading logs', table: path, ...place }),
      }),
      ...(isLive ? { live: await readLive(config, file, { ...rules, day: dayOf(config) }) } : {}),
      days: await readEngineLogs(config, file, engineLogs, {
        ...{ ...rules, today: dayOf(config) },
        onProgress: ({ day, ...place }) => progress.report({ stage: 'reading logs', table: day, ...place }),
      }),
    };
    if (config.catalog === 'lake') keepPopularity(file, { asOf: dayOf(config) });
    progress.clear();
    print(ingested, options, io);
    return 0;
  } finally {
    progress.clear();
    // Also after a failure: it may be why.
    const kept = await writeRejected(file, rejectedPath);
    if (kept > 0 && !options.quiet) io.stderr.write(`${counted(kept, 'row')} set aside in ${rejectedPath}\n`);
    file.close();
  }
}

export function print(ingested: Ingested, options: IngestOptions, io: Io): void {
  if (options.output === 'json') io.stdout.write(renderJson(ingested));
  else io.stdout.write(renderIngested(ingested, styleFor(io, io.stdout)));
  const rejected = [...ingested.logs, ...ingested.days, ...(ingested.live ? [ingested.live] : [])].reduce(
    (sum, { counts }) => sum + rejectedIn(counts),
    0,
  );
  if (rejected > 0 && !options.quiet)
    io.stderr.write(`${counted(rejected, 'row')} of this run could not be read\n`);
}

/** Without profiles nothing is known of which constants are personal; of a lake there are none. */
export function isProfiled(catalog: LogCatalog): boolean {
  if (!('tables' in catalog)) return true;
  return catalog.tables.some(({ columns }) => columns.some(({ profile }) => profile !== undefined));
}

export const NO_PROFILES =
  'There are no profiles of this database, so no constant of a statement is kept: run `candor onboard` first to keep those that are not personal.\n';

/** The connection itself: the guard keeps queries away from the tables of the engine, which these are. */
export async function readLive(
  config: Config,
  file: Parameters<typeof ingestLive>[0],
  options: Parameters<typeof ingestLive>[2],
): ReturnType<typeof ingestLive> {
  const database = await connectProject(config);
  try {
    return await ingestLive(file, database, options);
  } finally {
    await database.close();
  }
}

export async function runShow(options: ShowOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const path = usagePath(config);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) throw nothingIngested(path);
  const file = await openUsageFile(path);
  try {
    if (!(await orUnusable(path, () => hasIngested(file)))) throw nothingIngested(path);
    const { asOf = dayOf(config), days, without } = options;
    const usage = await orUnusable(path, () => readUsage(file, { asOf, days, serviceAccounts: without }));
    if (options.output === 'json') {
      io.stdout.write(renderJson(usage));
      return 0;
    }
    const style = styleFor(io, io.stdout);
    const { heads, rows, noun, notes } = usageLines(usage, viewOf(options));
    const shown = rows.slice(0, options.limit);
    io.stdout.write(`${renderTable(heads, shown, { style })}\n`);
    const cut = shown.length < rows.length ? `, ${shown.length} shown: raise --limit` : '';
    const footer = `${counted(rows.length, noun)} from ${usage.from} to ${usage.to}${cut}`;
    for (const line of [footer, ...notes]) io.stdout.write(`${style.dim(line)}\n`);
    return 0;
  } finally {
    file.close();
  }
}

export function viewOf({ joins, users, examples }: ShowOptions): UsageView {
  if (joins) return 'joins';
  if (users) return 'users';
  return examples ? 'examples' : 'tables';
}

export function nothingIngested(path: string): CandorError {
  return new CandorError('usage.nothing-ingested', `no runs of statements are in ${path}`);
}

export function usagePath({ derivedDirectory }: Config): string {
  return join(derivedDirectory, 'usage.sqlite');
}

export function dayOf({ today }: Config): string {
  return today ?? new Date().toISOString().slice(0, 10);
}

export function collect(user: string, before: readonly string[]): readonly string[] {
  if (user === '') throw new InvalidArgumentError('Give the name of a user as the log spells it.');
  return [...before, user];
}

// Logs that are tables of an engine, as `candor.yml` names them.

/** Throws `usage.unknown-log` where none is configured, or none of the name. */
function chooseLogs(
  { usageLogs }: Pick<Config, 'usageLogs'>,
  logs: true | string | undefined,
): Config['usageLogs'] {
  if (logs === undefined) return [];
  const chosen = logs === true ? usageLogs : usageLogs.filter(({ name }) => name === logs);
  if (chosen.length > 0) return chosen;
  const known = usageLogs.map(({ name }) => name).join(', ');
  throw new CandorError(
    'usage.unknown-log',
    `candor.yml names no log${logs === true ? '' : ` ${logs}`} under usage.logs${known === '' ? '' : `; it names ${known}`}`,
  );
}
