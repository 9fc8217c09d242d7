import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { readSuite, SUITE_NAMES } from '../../../lab/corpus/index.ts';
import {
  type Arm,
  compareRuns,
  type Half,
  openRubricJudge,
  openSuiteSession,
  type RubricJudge,
  renderComparison,
  renderSuite,
  runSuite,
  type SuiteReport,
  summariseSuite,
} from '../../../lab/evaluation/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { makeProgress, type Progress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT } from '../../terminal/io.ts';
import { addEvalAlteredCommand } from './eval-altered.ts';
import { addEvalAmbiguityCommand } from './eval-ambiguity.ts';
import { addEvalAnswerableCommand } from './eval-answerable.ts';
import { addEvalBoundaryCommand } from './eval-boundary.ts';
import { addEvalBrokenCommand } from './eval-broken.ts';
import { addEvalConversationCommand } from './eval-conversation.ts';
import { addEvalLinkCommand } from './eval-link.ts';
import {
  addRunOptions,
  checkRunOptions,
  type EvalRunOptions,
  modeOption,
  readPlaces,
  readRunModel,
} from './eval-options.ts';
import { addEvalReadingsCommand } from './eval-readings.ts';
import { addEvalRiskCommand } from './eval-risk.ts';
import { addEvalUncertaintyCommand } from './eval-uncertainty.ts';

interface EvalOptions extends EvalRunOptions {
  readonly half: Half;
  readonly arm?: Arm;
  readonly judge?: string;
}

/** `candor eval`: how good Candor is on a suite of questions, and what changed between two runs. */
export function defineEvalCommand(command: Command, context: CommandContext): void {
  command
    .enablePositionalOptions()
    .argument('<suite>', SUITE_NAMES.join(', '))
    .addOption(
      new Option('--half <half>', 'cases at even or odd places only')
        .choices(['even', 'odd', 'all'])
        .default('all'),
    );
  addRunOptions(command);
  addAskedOptions(command);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval motors
  candor eval spider --limit 100 --output json
  candor eval motors --model openai:gpt-4.1               with a language model
  candor eval motors --model openai:gpt-4.1 --arm plain   the model alone: what Candor adds is the difference
  candor eval motors --model openai:gpt-4.1 --judge openai:gpt-4.1-mini   rated by a rubric too
  candor eval compare out/eval/before.jsonl out/eval/after.jsonl
  candor eval link bird --mode retrieval
  candor eval boundary
  candor eval altered --suite chinook
  candor eval risk
  candor eval uncertainty --only static
  candor eval conversation --model openai:gpt-4.1
  candor eval readings --model openai:gpt-4.1
  candor eval broken

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
  addEvalBrokenCommand(command, context);
  addEvalConversationCommand(command, context);
  addEvalLinkCommand(command, context);
  addEvalBoundaryCommand(command, context);
  addEvalAnswerableCommand(command, context);
  addEvalReadingsCommand(command, context);
  addEvalRiskCommand(command, context);
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
    .option(
      '--judge <model>',
      'a language model rates answers from 1 to 5 against the right queries, beside running them; --max-cost does not count it',
    )
    .addOption(modeOption());
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
function checkOptions(options: EvalOptions, io: Io): void {
  const { arm, mode } = options;
  checkRunOptions(options, io, { '--arm plain': arm === 'plain' || undefined });
  if (arm === 'plain' && mode !== undefined)
    throw new CandorError(
      'test.invalid-options',
      '--mode is of Candor: the plain arm has one call and one prompt.',
    );
}

/** Beyond the tries of one call, which have a bound of their own. */
const CALLS_OF_A_CASE = 4;

async function runWithProgress(
  name: string,
  options: EvalOptions,
  io: Io,
  progress: Progress,
): Promise<SuiteReport> {
  const { evaluationServer } = readTerminalEnvironment(io.env);
  const places = readPlaces(io);
  const suite = await readSuite(name, {
    ...places,
    ...(evaluationServer === undefined ? {} : { serverUrl: evaluationServer }),
    signal: io.signal,
    onProgress: (event) => progress.report({ stage: `making the ${name} database`, ...event }),
  });
  const { arm, mode, maxCost, limit, resume } = options;
  const model = await readRunModel(options, io);
  const judge = await openJudge(options, io);
  const session = openSuiteSession(suite, {
    ...places,
    ...(model !== undefined && { model }),
    ...(arm !== undefined && { arm }),
    ...(mode !== undefined && { mode }),
  });
  try {
    return await runSuite(suite, {
      ask: session.ask,
      rate: judge?.rate,
      read: session.read,
      catalogOf: session.catalogOf,
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
    await judge?.close();
    await session.close();
  }
}

/** Throws `test.invalid-options` in private mode: right queries hold values of the database. */
async function openJudge(options: EvalOptions, io: Io): Promise<RubricJudge | undefined> {
  if (options.judge === undefined) return undefined;
  const settings = await readRunModel({ ...options, model: options.judge }, io);
  if (settings === undefined) throw new CandorError('model.none', '--judge needs the name of a model.');
  if (settings.private)
    throw new CandorError(
      'test.invalid-options',
      '--judge shows a model the right queries with the values in them: not in private mode.',
    );
  return openRubricJudge(settings, io.cwd);
}
