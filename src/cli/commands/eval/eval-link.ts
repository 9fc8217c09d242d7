import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CandorError } from '../../../errors.ts';
import { resolvePlaces } from '../../../lab/corpus/index.ts';
import type { Half } from '../../../lab/evaluation/index.ts';
import {
  ABLATION_NAMES,
  ABLATIONS,
  findLinker,
  LINK_SET_NAMES,
  LINKER_NAMES,
  type LinkerName,
  type LinkReport,
  type LinkSet,
  type LinkSetName,
  readAblations,
  readLinkSet,
  renderLinkReport,
  runLinkSet,
  summariseLinkReport,
} from '../../../lab/linking/index.ts';
import { openSessionModel } from '../../../model/index.ts';
import { CHOICE_RISKS } from '../../../reasoning/grounded/linking/index.ts';
import { DEFAULT_EXPANSIONS, EXPANSION_NAMES, type ExpansionName } from '../../../reasoning/replay/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { parseCount } from '../../context/options.ts';
import { makeProgress, type Progress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT } from '../../terminal/io.ts';
import {
  addRunOptions,
  checkRunOptions,
  type EvalRunOptions,
  readPlaces,
  readRunModel,
} from './eval-options.ts';

interface EvalLinkOptions extends Omit<EvalRunOptions, 'mode'> {
  readonly mode: LinkerName;
  readonly half: Half;
  readonly databases?: readonly string[];
  readonly knownColumns?: boolean;
  readonly tableRisk?: number;
  readonly columnRisk?: number;
  readonly hypotheses?: number;
  readonly tau?: number;
  readonly expansions?: readonly ExpansionName[];
  readonly rankedFrom?: number;
  readonly ablate?: readonly string[];
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
    .addOption(
      new Option('--half <half>', 'questions at even or odd places only')
        .choices(['even', 'odd', 'all'])
        .default('all'),
    )
    .option('--databases <names>', 'only these databases, with commas between', splitNames)
    .option('--known-columns', 'only questions of which the needed columns are known, not the tables alone')
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
    .option('--ablate <names>', `do without some of ${ABLATION_NAMES.join(', ')}; see below`, splitNames)
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
    );
  addRunOptions(command);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval link bird
  candor eval link snow --limit 50 --output json
  candor eval link bird --mode votes                       hypotheses of the grounded engine vote
  candor eval link bird --mode votes --ablate multi,refine
  candor eval link snow --mode evilink --model openai:gpt-4.1 --databases CRYPTO,TCGA
  candor eval link bird --mode replay --hypotheses 8 --expansions none

What --ablate leaves out:
${ablationLines()}

--mode evilink asks the model of --model, whose URL, key and price are taken from candor.yml and the environment. A question of
which the model links nothing has failed and counts as linked to nothing; the trained ranker does not take its place as in a chat.
SRR is the share of questions with every needed item, NSR, NSP and NSF are the means of recall, precision and F1.
Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package.
With --output json the last line on stdout is {suite, mode, cases, metrics, …}. Ctrl-C stops the
questions in work, which leave no record; --resume goes on.`,
    )
    .action((set: string, options: EvalLinkOptions) =>
      runCommand(context, options.output, () => runEvalLink(set, options, context.io)),
    );
}

function ablationLines(): string {
  const width = Math.max(...ABLATION_NAMES.map(({ length }) => length));
  return ABLATION_NAMES.map((name) => {
    const { title, modes } = ABLATIONS[name];
    return `  ${name.padEnd(width)}  ${title}: ${modes.join(', ')}`;
  }).join('\n');
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
  checkModel(options, io);
  const progress = makeProgress(io.stderr, options.quiet === true);
  const report = await measure(set, options, { io, progress }).finally(progress.clear);
  io.stdout.write(
    options.output === 'json' ? renderJson(summariseLinkReport(report), 0) : renderLinkReport(report),
  );
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

/** A model that nobody would ask is a mistake, and so is a bound on what nothing counts. */
function checkModel({ mode, ...options }: EvalLinkOptions, io: Io): void {
  checkRunOptions(options, io);
  if (options.model !== undefined && options.model !== 'none' && mode !== 'evilink')
    throw new CandorError('eval.mode-invalid', `the way ${mode} asks no model; --mode evilink does`);
  if (options.maxCost !== undefined)
    throw new CandorError('test.invalid-options', '--max-cost is not kept here: --limit bounds a run.');
}

async function measure(
  name: LinkSetName,
  options: EvalLinkOptions,
  { io, progress }: { readonly io: Io; readonly progress: Progress },
): Promise<LinkReport> {
  const { mode, hypotheses, tau, expansions, rankedFrom, ...run } = options;
  const without = readAblations(options.ablate ?? [], mode);
  const settings = await readRunModel(run, io);
  const model = settings && (await openSessionModel({ ...settings, packageDirectory: io.cwd }));
  try {
    const { dataDirectory, cacheDirectory } = resolvePlaces(readPlaces(io));
    const linker = await findLinker(mode, {
      set: name,
      dataDirectory,
      cacheDirectory,
      replay: { hypotheses, tau, expansions, rankedFrom },
      risks: {
        table: options.tableRisk ?? CHOICE_RISKS.table,
        column: options.columnRisk ?? CHOICE_RISKS.column,
      },
      without,
      model,
    });
    const set = await readNamedSet(name, options, dataDirectory);
    return await runLinkSet(set, linker, {
      out: resolve(io.cwd, options.out),
      half: options.half,
      limit: options.limit,
      resume: options.resume === undefined ? undefined : resolve(io.cwd, options.resume),
      concurrency: options.concurrency ?? settings?.requestsAtOnce,
      signal: io.signal,
      onProgress: ({ done, total, database, secondsLeft }) =>
        progress.report({ stage: `linking ${name}`, done, total, table: database, etaSeconds: secondsLeft }),
    });
  } finally {
    await model?.close?.();
  }
}

async function readNamedSet(
  name: LinkSetName,
  { databases, knownColumns = false }: EvalLinkOptions,
  dataDirectory: string,
): Promise<LinkSet> {
  const only = databases === undefined ? undefined : new Set(databases);
  const set = await readLinkSet(name, { dataDirectory, only });
  const missing = databases?.find((database) => !set.databases.has(database));
  if (missing !== undefined)
    throw new CandorError('eval.mode-invalid', `the set ${name} has no database ${missing}`);
  return knownColumns ? { ...set, cases: set.cases.filter(({ goldFields }) => goldFields !== null) } : set;
}
