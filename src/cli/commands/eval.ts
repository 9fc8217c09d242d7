import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readTerminalEnvironment } from '../../config/index.ts';
import {
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
import { addOutputOptions, type OutputOptions, parseCount } from '../options.ts';
import { makeProgress, type Progress, renderJson } from '../render/index.ts';
import { addEvalAmbiguityCommand } from './eval-ambiguity.ts';
import { addEvalAnswerableCommand } from './eval-answerable.ts';
import { addEvalBoundaryCommand } from './eval-boundary.ts';
import { addEvalLinkCommand } from './eval-link.ts';
import { addEvalUncertaintyCommand } from './eval-uncertainty.ts';

interface EvalOptions extends OutputOptions {
  readonly limit?: number;
  readonly half: Half;
  readonly out: string;
  readonly resume?: string;
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
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval motors
  candor eval spider --limit 100 --output json
  candor eval compare out/eval/before.jsonl out/eval/after.jsonl
  candor eval link bird --mode retrieval
  candor eval boundary
  candor eval uncertainty --only static

Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package; Motors needs none. defog runs on
the PostgreSQL server in CANDOR_EVAL_POSTGRES; scripts/eval-defog.ts starts one for the run.
With --output json the last line on stdout is {suite, cases, metrics, seconds}. Ctrl-C stops after the current case.`,
    )
    .action((suite: string, options: EvalOptions) =>
      runCommand(context, options.output, () => runEval(suite, options, context.io)),
    );
  addCompareCommand(command, context);
  addEvalAmbiguityCommand(command, context);
  addEvalLinkCommand(command, context);
  addEvalBoundaryCommand(command, context);
  addEvalAnswerableCommand(command, context);
  addEvalUncertaintyCommand(command, context);
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
  const progress = makeProgress(io.stderr, options.quiet === true);
  const report = await runWithProgress(name, options, io, progress).finally(progress.clear);
  io.stdout.write(options.output === 'json' ? renderJson(summariseSuite(report), 0) : renderSuite(report));
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

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
  const session = openSuiteSession(suite, places);
  try {
    return await runSuite(suite, {
      ask: session.ask,
      read: session.read,
      out: resolve(io.cwd, options.out),
      half: options.half,
      ...(options.limit === undefined ? {} : { limit: options.limit }),
      ...(options.resume === undefined ? {} : { resume: resolve(io.cwd, options.resume) }),
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
