import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type ModelSettings, readGivenModel, readTerminalEnvironment } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import { ANSWER_MODE_NAMES, type AnswerMode } from '../../generation/index.ts';
import {
  type Arm,
  compareRuns,
  type Half,
  openSuiteSession,
  readSuite,
  renderComparison,
  renderSuite,
  runSuite,
  SUITE_NAMES,
  type SuiteReport,
  summariseSuite,
} from '../../lab/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import { CANCELLED_EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import {
  addModelOptions,
  addOutputOptions,
  type ModelOptions,
  type OutputOptions,
  parseCount,
  parseDollars,
} from '../options.ts';
import { makeProgress, type Progress, renderJson } from '../render/index.ts';
import { addEvalAlteredCommand } from './eval-altered.ts';
import { addEvalAmbiguityCommand } from './eval-ambiguity.ts';
import { addEvalAnswerableCommand } from './eval-answerable.ts';
import { addEvalBoundaryCommand } from './eval-boundary.ts';
import { addEvalLinkCommand } from './eval-link.ts';
import { addEvalUncertaintyCommand } from './eval-uncertainty.ts';

interface EvalOptions extends OutputOptions, ModelOptions {
  readonly limit?: number;
  readonly half: Half;
  readonly out: string;
  readonly resume?: string;
  readonly arm?: Arm;
  readonly mode?: AnswerMode;
  readonly concurrency?: number;
  readonly maxCost?: number;
  readonly record?: string;
  readonly replay?: string;
}

/** `candor eval`: how good Candor is on a suite of questions, and what changed between two runs. */
export function addEvalCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('eval')
    .enablePositionalOptions()
    .description(
      'Ask a suite of questions, compare with what is right, and print figures with 95 % intervals.',
    )
    .argument('<suite>', SUITE_NAMES.join(', '))
    .option('--limit <n>', 'only this many cases, evenly spread over the suite', parseCount)
    .addOption(
      new Option('--half <half>', 'cases at even or odd places only')
        .choices(['even', 'odd', 'all'])
        .default('all'),
    )
    .option('--out <dir>', 'folder for the JSON lines file with every case', 'out/eval')
    .option('--resume <file>', 'go on with the file of a run that was stopped');
  addAskedOptions(addModelOptions(command, 'the built-in engine'));
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval motors
  candor eval spider --limit 100 --output json
  candor eval motors --model openai:gpt-4.1               with a language model
  candor eval motors --model openai:gpt-4.1 --arm plain   the model alone: what Candor adds is the difference
  candor eval compare out/eval/before.jsonl out/eval/after.jsonl
  candor eval link bird --mode retrieval
  candor eval boundary
  candor eval altered --suite chinook
  candor eval uncertainty --only static

Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package; Motors needs none. defog runs on
the PostgreSQL server in CANDOR_EVAL_POSTGRES; scripts/eval-defog.ts starts one for the run.
URL, key and price of a model are taken from the candor.yml of this folder or one above it, and from the environment.
With --output json the last line on stdout is {suite, cases, metrics, seconds}. Ctrl-C stops after the current case; --resume goes on.`,
    )
    .action((suite: string, options: EvalOptions) =>
      runCommand(context, options.output, () => runEval(suite, options, context.io)),
    );
  addCompareCommand(command, context);
  addEvalAlteredCommand(command, context);
  addEvalAmbiguityCommand(command, context);
  addEvalLinkCommand(command, context);
  addEvalBoundaryCommand(command, context);
  addEvalAnswerableCommand(command, context);
  addEvalUncertaintyCommand(command, context);
}

/** Who is asked, and how. */
function addAskedOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '--arm <arm>',
        'with a model: plain asks it alone, with schema, semantic model, notes and pairs pasted into one prompt',
      ).choices(['candor', 'plain']),
    )
    .addOption(
      new Option('--mode <mode>', 'with a model: how much it may spend on a question').choices([
        ...ANSWER_MODE_NAMES,
      ]),
    )
    .option(
      '--concurrency <n>',
      'questions asked at the same time (default: model.requestsAtOnce with a model, else 1)',
      parseCount,
    )
    .option('--max-cost <usd>', 'ask nothing more when a model has cost this much', parseDollars)
    .option('--record <dir>', 'with a model: keep its replies in this folder')
    .option(
      '--replay <dir>',
      'with a model: answer from such a folder and ask nobody; cases with other prompts are named',
    );
}

function addCompareCommand(parent: Command, context: CommandContext): void {
  parent
    .command('compare')
    .description('Compare two runs of a suite: which cases became right, which became wrong.')
    .argument('<before>', 'JSON lines file of the earlier run')
    .argument('<after>', 'JSON lines file of the later run')
    .addHelpText('after', '\nExamples:\n  candor eval compare out/eval/before.jsonl out/eval/after.jsonl')
    .action((before: string, after: string) =>
      runCommand(context, undefined, async () => {
        const { cwd, stdout } = context.io;
        stdout.write(renderComparison(await compareRuns(resolve(cwd, before), resolve(cwd, after))));
        return 0;
      }),
    );
}

async function runEval(name: string, options: EvalOptions, io: Io): Promise<number> {
  checkOptions(options, io);
  const progress = makeProgress(io.stderr, options.quiet === true);
  const report = await runWithProgress(name, options, io, progress).finally(progress.clear);
  io.stdout.write(options.output === 'json' ? renderJson(summariseSuite(report), 0) : renderSuite(report));
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

/** What cannot be done is said before anything is asked. */
function checkOptions(
  { model = 'none', arm, mode, record, replay, maxCost }: EvalOptions,
  { cwd }: Io,
): void {
  const ofModels = { '--arm plain': arm === 'plain' || undefined, '--mode': mode, '--record': record };
  const given = { ...ofModels, '--replay': replay, '--max-cost': maxCost };
  const [option] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (model === 'none' && option !== undefined)
    throw new CandorError('model.none', `${option} needs --model: the built-in engine asks none.`);
  const fault = (message: string): CandorError => new CandorError('test.invalid-options', message);
  if (record !== undefined && replay !== undefined)
    throw fault('--record keeps replies and --replay gives them back: one of them.');
  // Every case would merely have a prompt that is not there.
  if (replay !== undefined && !existsSync(resolve(cwd, replay)))
    throw fault(`--replay: there is no folder ${resolve(cwd, replay)}.`);
  if (arm === 'plain' && mode !== undefined)
    throw fault('--mode is of Candor: the plain arm has one call and one prompt.');
}

/** The model with the folder of its recording; undefined: the built-in engine is asked. */
async function readModel(options: EvalOptions, io: Io): Promise<ModelSettings | undefined> {
  const { model, private: isPrivate, record, replay } = options;
  const settings = await readGivenModel({
    cwd: io.cwd,
    ...(model !== undefined && { model }),
    ...(isPrivate !== undefined && { isPrivate }),
    ...(io.env !== undefined && { env: io.env }),
  });
  if (settings === undefined) return undefined;
  return {
    ...settings,
    ...(record !== undefined && { record: resolve(io.cwd, record) }),
    ...(replay !== undefined && { replay: resolve(io.cwd, replay) }),
  };
}

/** Beyond the tries of one call, which have a bound of their own. */
const CALLS_OF_A_CASE = 4;

async function runWithProgress(
  name: string,
  options: EvalOptions,
  io: Io,
  progress: Progress,
): Promise<SuiteReport> {
  const { dataDirectory, evaluationServer } = readTerminalEnvironment(io.env);
  const places = dataDirectory === undefined ? {} : { dataDirectory: resolve(io.cwd, dataDirectory) };
  const suite = await readSuite(name, {
    ...places,
    ...(evaluationServer === undefined ? {} : { serverUrl: evaluationServer }),
    signal: io.signal,
    onProgress: (event) => progress.report({ stage: `making the ${name} database`, ...event }),
  });
  const { arm, mode, maxCost, limit, resume } = options;
  const model = await readModel(options, io);
  const session = openSuiteSession(suite, {
    ...places,
    ...(model !== undefined && { model }),
    ...(arm !== undefined && { arm }),
    ...(mode !== undefined && { mode }),
  });
  try {
    return await runSuite(suite, {
      ask: session.ask,
      read: session.read,
      out: resolve(io.cwd, options.out),
      half: options.half,
      concurrency: options.concurrency ?? model?.requestsAtOnce ?? 1,
      ...(model !== undefined && { model: model.name, caseTimeoutMs: CALLS_OF_A_CASE * model.timeoutMs }),
      ...(arm !== undefined && { arm }),
      ...(mode !== undefined && { mode }),
      ...(maxCost !== undefined && { maxCost }),
      ...(limit !== undefined && { limit }),
      ...(resume !== undefined && { resume: resolve(io.cwd, resume) }),
      signal: io.signal,
      onProgress: ({ done, total, right, secondsLeft }) =>
        progress.report({
          stage: `asking ${name}`,
          done,
          total,
          table: `(${right} right)`,
          ...(secondsLeft === undefined ? {} : { etaSeconds: secondsLeft }),
        }),
    });
  } finally {
    await session.close();
  }
}
