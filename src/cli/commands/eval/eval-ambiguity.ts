import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { resolvePlaces } from '../../../lab/corpus/index.ts';
import {
  type AmbiguityReport,
  type AmbiguitySplit,
  runAmbiguity,
} from '../../../lab/suites/ambiguity/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addOutputOptions, type OutputOptions } from '../../context/options.ts';
import { makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT } from '../../terminal/io.ts';

interface EvalAmbiguityOptions extends OutputOptions {
  readonly split: AmbiguitySplit;
}

/** `candor eval ambiguity`: whether questions with two readings are asked back with the true two. */
export function addEvalAmbiguityCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('ambiguity')
    .description('Measure clarifications on AmbiQT, and false alarms on the ordinary questions of Spider.')
    .addOption(
      new Option('--split <split>', 'train: what choices may be made on; it has no table splits')
        .choices(['train', 'validation'])
        .default('validation'),
    );
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval ambiguity
  candor eval ambiguity --split train
  candor eval ambiguity --output json

truePairRate is the share of questions of which a clarification offers both readings, for every place where they part;
falseAlarmRate is the share of ordinary questions that are asked back, falseAlarmRate.elsewhere that of questions
against a schema with a table twice that they do not need. No model is called.
Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package.
With --output json the last line on stdout is {suite, split, metrics, intervals, leftOut}. Ctrl-C stops after the current question.`,
    )
    .action((options: EvalAmbiguityOptions) =>
      runCommand(context, options.output, () => runEvalAmbiguity(options, context.io)),
    );
}

async function runEvalAmbiguity({ split, output, quiet }: EvalAmbiguityOptions, io: Io): Promise<number> {
  const named = readTerminalEnvironment(io.env).dataDirectory;
  const { dataDirectory } = resolvePlaces(
    named === undefined ? {} : { dataDirectory: resolve(io.cwd, named) },
  );
  const progress = makeProgress(io.stderr, quiet === true);
  const report = await runAmbiguity(split, {
    dataDirectory,
    signal: io.signal,
    onProgress: (done, total) => progress.report({ stage: 'reading questions', done, total }),
  }).finally(progress.clear);
  io.stdout.write(output === 'json' ? renderJson(summarise(report), 0) : render(report));
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

function summarise({ split, figures, leftOut }: AmbiguityReport) {
  const entries = Object.entries(figures);
  return {
    suite: 'ambiguity',
    split,
    metrics: Object.fromEntries(entries.map(([name, { share }]) => [name, share])),
    intervals: Object.fromEntries(
      entries.map(([name, { low, high, total }]) => [name, { low, high, total }]),
    ),
    leftOut,
  };
}

function render({ split, figures, leftOut }: AmbiguityReport): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lines = Object.entries(figures).map(
    ([name, { hits, total, share, low, high }]) =>
      `${name.padEnd(34)} ${percent(share).padStart(8)}  [${percent(low)}, ${percent(high)}]  ${hits} of ${total}`,
  );
  const unread = Object.entries(leftOut).map(([kind, count]) => `${kind} ${count}`);
  return `${split}\n${lines.join('\n')}\nnot read, for their gold: ${unread.join(', ')}\n`;
}
