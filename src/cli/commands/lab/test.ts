import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { ANSWER_MODE_NAMES, type AnswerMode } from '../../../generation/index.ts';
import type { Arm } from '../../../lab/evaluation/index.ts';
import {
  faultsOfRun,
  findTestFiles,
  proposeUpdates,
  readTestFile,
  renderJunit,
  runTests,
  selectTests,
  summariseTests,
  type TestCase,
  type TestRun,
  type Update,
  writeUpdates,
} from '../../../lab/testing/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../../lib/index.ts';
import type { Session } from '../../../session/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { writeWhole } from '../../../store/index.ts';
import { type AnswerLabel, addLabels } from '../../../uncertainty/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  collectText,
  commandLine,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  parseDollars,
  parseRate,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import {
  counted,
  lineDiff,
  makeProgress,
  renderJson,
  renderTestReport,
  type TestReport,
} from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT, TESTS_FAILED_EXIT } from '../../terminal/io.ts';

export interface TestOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly tag: readonly string[];
  readonly filter?: string;
  readonly bail?: boolean;
  readonly minAccuracy?: number;
  readonly maxForced?: number;
  readonly maxCost?: number;
  readonly runs: number;
  readonly concurrency?: number;
  readonly junit?: string;
  readonly arm?: Arm;
  readonly mode?: AnswerMode;
  readonly tests?: boolean;
  readonly update?: boolean;
  readonly yes?: boolean;
  readonly property: SessionProperties;
}

/** A model of a service spends its time waiting; the built-in engine would only take turns. */
export const ASKED_AT_ONCE_WITH_MODEL = 4;

/** `candor test`: the questions of a project, each held to the outcome it should have. */
export function defineTestCommand(command: Command, context: CommandContext): void {
  command
    .argument('[files...]', 'question files, folders or globs in quotes (default: tests/ of the project)')
    .option('--tag <tag>', 'only cases with this tag or category; may be given again', collectText, [])
    .option('--filter <text>', 'only cases with this text in their id or question')
    .option('--bail', 'ask nothing more after the first case that is not as expected')
    .option(
      '--min-accuracy <rate>',
      'pass where at least this share of the cases does (default: 1)',
      parseRate,
    )
    .option(
      '--max-forced <rate>',
      'fail where a larger share of what is due another outcome is answered',
      parseRate,
    )
    .option('--max-cost <usd>', 'ask nothing more when a model has cost this much', parseDollars)
    .option('--runs <n>', 'with a model: draws of each case; all must be as expected', parseCount, 1)
    .option(
      '--concurrency <n>',
      `cases asked at the same time (default: ${ASKED_AT_ONCE_WITH_MODEL} with a model, else 1)`,
      parseCount,
    )
    .option('--junit <file>', 'write a report as JUnit XML')
    .option('--update', 'offer the SQL that came as the expected one, case by case')
    .option('--yes', 'with --update: write all of it without asking');
  addModeOptions(command);
  addPropertyOption(addModelOptions(command));
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText('after', HELP)
    .action((files: string[], options: TestOptions) =>
      runCommand(context, options.output, () => runTest(files, options, context.io)),
    );
}

export function addModeOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '--arm <arm>',
        'with a model: plain asks it alone, with schema, semantic model, notes and pairs pasted into one prompt, to see what Candor adds',
      ).choices(['candor', 'plain']),
    )
    .addOption(
      new Option('--mode <mode>', 'with a model: how much it may spend on a question').choices([
        ...ANSWER_MODE_NAMES,
      ]),
    )
    .option('--tests', 'with a model: it writes tests before any query, and each candidate is held to them');
}

export const HELP = `
Examples:
  candor test                                        every question of tests/*.yml
  candor test tests/revenue.yml --filter 2024
  candor test --tag smoke --bail                     stop at the first that is not as expected
  candor test --junit out/candor.xml --min-accuracy 0.95 --max-forced 0.03
  candor test --model openai:gpt-4.1 --runs 3 --max-cost 2      three draws each; flaky cases are named
  candor test --model openai:gpt-4.1 --arm plain     the model alone: what Candor adds is the difference
  candor test --update                               write down what came, after a look at each

A case: - id: orders-2024
          question: how many orders were placed in 2024?
          expect: { kind: answered, sql: "SELECT COUNT(*) FROM orders WHERE year = 2024" }
docs/guides/testing.md has every key. On stdout: the report. On stderr: progress. Exit code ${TESTS_FAILED_EXIT}: not all as expected.`;

export async function runTest(named: readonly string[], options: TestOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options, options.property);
  checkOptions(options, config, io);
  const files = await findTestFiles(named, { cwd: io.cwd, root: config.root });
  const read = await Promise.all(files.map((file) => readTestFile(file, io.cwd)));
  const { tag: tags, filter, quiet = false } = options;
  const selection = { tags, ...(filter !== undefined && { filter }) };
  const cases = selectTests(
    read.flatMap((file) => file.cases),
    selection,
  );
  return withSession(forDraws(config, options.runs), io, quiet, async (session) => {
    const run = await askAll(cases, session, options, io);
    const summary = summariseTests(run);
    const report = { run, summary, faults: faultsOfRun(run, summary, options) };
    await print(report, options, io);
    if (run.stoppedBy === 'cancel') return CANCELLED_EXIT;
    if (options.update) {
      const updates = await proposeUpdates(run.results, session, io.signal);
      await confirmUpdates(updates, { isAgreed: options.yes === true, io });
    }
    return report.faults.length === 0 ? 0 : TESTS_FAILED_EXIT;
  });
}

/** What cannot be done is said before anything is asked. */
export function checkOptions(
  { runs, update, yes, arm, mode, tests }: TestOptions,
  { model }: Config,
  io: Io,
): void {
  const fault = (message: string): CandorError => new CandorError('test.invalid-options', message);
  if (model === undefined && runs > 1)
    throw fault('--runs needs a model: the built-in engine answers the same each time.');
  if (model === undefined && arm === 'plain')
    throw new CandorError('model.none', 'The plain arm is a language model alone, and there is none.');
  if (arm === 'plain' && (mode !== undefined || tests))
    throw fault('--mode and --tests are of Candor: the plain arm has one call and one prompt.');
  if (model === undefined && (mode !== undefined || tests))
    throw new CandorError(
      'model.none',
      'There is no model to choose a mode for: the built-in engine answers.',
    );
  if (yes && !update) throw fault('--yes belongs to --update.');
  if (update && !yes && io.choose === undefined)
    throw fault('There is no terminal to ask on; give --update --yes to write without asking.');
}

/** Several draws of one question would be one where replies are kept. */
export function forDraws(config: Config, runs: number): Config {
  if (runs === 1 || config.model?.cache === undefined) return config;
  const { cache: _, ...model } = config.model;
  return { ...config, model };
}

export async function askAll(
  cases: readonly TestCase[],
  session: Session,
  options: TestOptions,
  io: Io,
): Promise<TestRun> {
  const { runs, bail = false, maxCost, arm, mode, tests } = options;
  const progress = makeProgress(io.stderr, options.quiet === true);
  const labels: AnswerLabel[] = [];
  const run = await runTests(cases, session, {
    ...{ runs, bail, arm, signal: io.signal },
    concurrency: options.concurrency ?? (session.models === undefined ? 1 : ASKED_AT_ONCE_WITH_MODEL),
    ...(maxCost !== undefined && { maxCost }),
    ...(mode !== undefined && { mode }),
    ...(tests !== undefined && { tests }),
    onLabel: (label) => labels.push({ ...label, from: 'test' }),
    onProgress: ({ done, total, bad, secondsLeft = 0 }) =>
      progress.report({
        ...{ stage: 'testing', done, total, etaSeconds: secondsLeft },
        table: bad === 0 ? '' : `(${bad} not as expected)`,
      }),
  }).finally(progress.clear);
  await addLabels(session.config.derivedDirectory, labels);
  return run;
}

export async function print(report: TestReport, options: TestOptions, io: Io): Promise<void> {
  const { run, summary, faults } = report;
  const { columns: width } = io.stdout;
  const layout = {
    style: styleFor(io, io.stdout),
    replayCommand: commandLine(io, 'replay', options),
    ...(width !== undefined && { width }),
  };
  const { results, ...ended } = run;
  io.stdout.write(
    options.output === 'json'
      ? renderJson({ isPassed: faults.length === 0, faults, ...ended, summary, results: results.map(flat) })
      : renderTestReport(report, layout),
  );
  if (options.junit !== undefined) await writeWhole(resolve(io.cwd, options.junit), renderJunit(run));
}

/** A case of the JSON report: what it is and what came, without what was due in full. */
export function flat({ tested, ...came }: TestRun['results'][number]) {
  const { file, line, id, tags, skip, knownFailure } = tested;
  const why = { ...(skip !== undefined && { skip }), ...(knownFailure !== undefined && { knownFailure }) };
  return { file, line, id, tags, ...why, ...came };
}

/** Shows each update and writes those that a person agrees to. What is shown and said goes to stderr. */
async function confirmUpdates(
  updates: readonly Update[],
  { isAgreed, io }: { readonly isAgreed: boolean; readonly io: Io },
): Promise<void> {
  const agreed: Update[] = [];
  for (const [at, update] of updates.entries()) {
    io.stderr.write(`${showUpdate(update, `${at + 1} of ${updates.length}`)}\n`);
    const picked = isAgreed
      ? 0
      : await io.choose?.('Is this what should be expected?', ['yes, write it', 'no']);
    if (picked === 0) agreed.push(update);
  }
  await writeUpdates(agreed);
  const next = agreed.length === 0 ? '' : '; look at them with git diff and run the tests again';
  io.stderr.write(
    updates.length === 0
      ? 'nothing to update: no case that is due an answer came with other rows\n'
      : `${counted(agreed.length, 'case')} of ${updates.length} updated${next}\n`,
  );
}

function showUpdate({ tested, turn, before, sql, rows, result }: Update, place: string): string {
  const lines = lineDiff(before ?? '', sql).map(({ mark, text }) => `  ${mark} ${text}`);
  const shown = before === undefined ? sql.split('\n').map((line) => `  + ${line}`) : lines;
  return [
    `${place}: ${escapeControl(`${tested.file}:${tested.line} ${tested.id}`)}`,
    `  ${escapeControl(tested.turns[turn]?.says.text ?? '')}`,
    ...result.problems.map(({ text }) => `  ${escapeControl(text)}`),
    ...shown.map(escapeControlKeepingLines),
    ...(rows === undefined ? [] : [`  with the ${counted(rows.length, 'row')} that came as its result`]),
  ].join('\n');
}
