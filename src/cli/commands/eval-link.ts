import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readTerminalEnvironment } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import {
  findLinker,
  type Half,
  LINK_SET_NAMES,
  LINKER_NAMES,
  type LinkerName,
  type LinkReport,
  type LinkSetName,
  readLinkSet,
  renderLinkReport,
  resolvePlaces,
  runLinkSet,
  summariseLinkReport,
} from '../../lab/index.ts';
import {
  CHOICE_RISKS,
  DEFAULT_EXPANSIONS,
  EXPANSION_NAMES,
  type ExpansionName,
} from '../../reasoning/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import { CANCELLED_EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { addOutputOptions, type OutputOptions, parseCount } from '../options.ts';
import { makeProgress, type Progress, renderJson } from '../render/index.ts';

interface EvalLinkOptions extends OutputOptions {
  readonly mode: LinkerName;
  readonly limit?: number;
  readonly half: Half;
  readonly databases?: readonly string[];
  readonly tableRisk?: number;
  readonly columnRisk?: number;
  readonly hypotheses?: number;
  readonly tau?: number;
  readonly expansions?: readonly ExpansionName[];
  readonly rankedFrom?: number;
  readonly out: string;
  readonly resume?: string;
}

/** `candor eval link`: how much of what a question needs a way of linking keeps, and how much else. */
export function addEvalLinkCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('link')
    .description(
      'Measure schema linking: recall, precision and F1 of tables and columns, with 95 % intervals.',
    )
    .argument('<set>', LINK_SET_NAMES.join(', '))
    .addOption(
      new Option('--mode <mode>', 'the way of linking').choices([...LINKER_NAMES]).default('grounded'),
    )
    .option('--limit <n>', 'only this many questions, evenly spread over the set', parseCount)
    .addOption(
      new Option('--half <half>', 'questions at even or odd places only')
        .choices(['even', 'odd', 'all'])
        .default('all'),
    )
    .option('--databases <names>', 'only these databases, with commas between', splitNames)
    .option(
      '--table-risk <n>',
      `grounded: what the F1 of the tables kept is worth beside having every needed one (default: ${CHOICE_RISKS.table})`,
      parseRisk,
    )
    .option(
      '--column-risk <n>',
      `grounded: columns it may lose of the tables kept (default: ${CHOICE_RISKS.column})`,
      parseRisk,
    )
    .option('--hypotheses <n>', 'replay: predictions that are hypotheses (default: 4)', parseCount)
    .option(
      '--tau <percent>',
      'replay: keep what is as credible as this (default: all that was chosen)',
      parseCount,
    )
    .option(
      '--expansions <names>',
      `replay: ${EXPANSION_NAMES.join(', ')}, or none (default: ${DEFAULT_EXPANSIONS.join(',')})`,
      parseExpansions,
    )
    .option(
      '--ranked-from <probability>',
      'replay: columns that the trained ranker finds so likely join every hypothesis (default: it is not asked)',
      parseRisk,
    )
    .option('--out <dir>', 'folder for the JSON lines file with every question', 'out/eval')
    .option('--resume <file>', 'go on with the file of a run that was stopped');
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval link bird
  candor eval link snow --limit 50 --output json
  candor eval link bird --mode votes                       hypotheses of the grounded engine vote
  candor eval link bird --mode replay --hypotheses 8 --expansions none

SRR is the share of questions with every needed item, NSR, NSP and NSF are the means of recall, precision and F1.
Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package.
With --output json the last line on stdout is {suite, mode, cases, metrics, …}. Ctrl-C stops after the current question.`,
    )
    .action((set: string, options: EvalLinkOptions) =>
      runCommand(context, options.output, () => runEvalLink(set, options, context.io)),
    );
}

function parseRisk(text: string): number {
  const risk = Number(text);
  if (text.trim() !== '' && risk >= 0 && risk <= 100) return risk;
  throw new InvalidArgumentError('Give a number from 0 to 100, such as 0.2.');
}

function splitNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('Give names with commas between.');
}

function parseExpansions(text: string): readonly ExpansionName[] {
  if (text === 'none') return [];
  return splitNames(text).map((name) => {
    const known = EXPANSION_NAMES.find((each) => each === name);
    if (known !== undefined) return known;
    throw new InvalidArgumentError(`Give some of ${EXPANSION_NAMES.join(', ')}, or none.`);
  });
}

async function runEvalLink(name: string, options: EvalLinkOptions, io: Io): Promise<number> {
  const set = LINK_SET_NAMES.find((known) => known === name);
  if (set === undefined) {
    throw new CandorError(
      'eval.mode-invalid',
      `there is no set ${name}; known are ${LINK_SET_NAMES.join(', ')}`,
    );
  }
  const progress = makeProgress(io.stderr, options.quiet === true);
  const report = await measure(set, options, { io, progress }).finally(progress.clear);
  io.stdout.write(
    options.output === 'json' ? renderJson(summariseLinkReport(report), 0) : renderLinkReport(report),
  );
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

async function measure(
  name: LinkSetName,
  options: EvalLinkOptions,
  { io, progress }: { readonly io: Io; readonly progress: Progress },
): Promise<LinkReport> {
  const named = readTerminalEnvironment(io.env).dataDirectory;
  const { dataDirectory, cacheDirectory } = resolvePlaces(
    named === undefined ? {} : { dataDirectory: resolve(io.cwd, named) },
  );
  const { mode, databases, hypotheses, tau, expansions, rankedFrom, limit, resume } = options;
  const replay = {
    ...(hypotheses === undefined ? {} : { hypotheses }),
    ...(tau === undefined ? {} : { tau }),
    ...(expansions === undefined ? {} : { expansions }),
    ...(rankedFrom === undefined ? {} : { rankedFrom }),
  };
  const risks = {
    table: options.tableRisk ?? CHOICE_RISKS.table,
    column: options.columnRisk ?? CHOICE_RISKS.column,
  };
  const linker = await findLinker(mode, { set: name, dataDirectory, cacheDirectory, replay, risks });
  const set = await readLinkSet(name, {
    dataDirectory,
    ...(databases === undefined ? {} : { only: new Set(databases) }),
  });
  const missing = databases?.find((database) => !set.databases.has(database));
  if (missing !== undefined)
    throw new CandorError('eval.mode-invalid', `the set ${name} has no database ${missing}`);
  return runLinkSet(set, linker, {
    out: resolve(io.cwd, options.out),
    half: options.half,
    ...(limit === undefined ? {} : { limit }),
    ...(resume === undefined ? {} : { resume: resolve(io.cwd, resume) }),
    signal: io.signal,
    onProgress: ({ done, total, database, secondsLeft }) =>
      progress.report({ stage: `linking ${name}`, done, total, table: database, etaSeconds: secondsLeft }),
  });
}
