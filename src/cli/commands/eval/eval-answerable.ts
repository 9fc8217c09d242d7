import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { resolvePlaces } from '../../../lab/corpus/index.ts';
import {
  type AnswerableMetrics,
  learnBoundary,
  measureAnswerable,
  readEhrsql,
} from '../../../lab/suites/answerable/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addOutputOptions, type OutputOptions, parseCount } from '../../context/options.ts';
import { makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface EvalAnswerableOptions extends OutputOptions {
  readonly falseRefusals: number;
  readonly seed: number;
}

/** `candor eval answerable`: a boundary learned from labelled questions, measured on others. */
export function addEvalAnswerableCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('answerable')
    .description(
      'Learn from the training questions of EHRSQL-2024 which cannot be answered, and measure it on the validation questions.',
    )
    .option(
      '--false-refusals <percent>',
      'answerable questions that may be refused, in cross-validation',
      parsePercent,
      5,
    )
    .option('--seed <n>', 'of the order of training', parseCount, 1);
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval answerable
  candor eval answerable --false-refusals 3 --output json

Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package. No rows are needed and no database
is opened: only the wording of a question is looked at. With --output json the last line on stdout is {suite, questions, metrics, threshold}.`,
    )
    .action((options: EvalAnswerableOptions) =>
      runCommand(context, options.output, () => runEvalAnswerable(options, context.io)),
    );
}

/** Reads a share in percent. */
export function parsePercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== '' && percent > 0 && percent < 100) return percent;
  throw new InvalidArgumentError('Give a share in percent above 0 and below 100, such as 5.');
}

async function runEvalAnswerable(
  { falseRefusals, seed, output, quiet }: EvalAnswerableOptions,
  io: Io,
): Promise<number> {
  const named = readTerminalEnvironment(io.env).dataDirectory;
  const { dataDirectory } = resolvePlaces(
    named === undefined ? {} : { dataDirectory: resolve(io.cwd, named) },
  );
  const [train, valid] = [await readEhrsql('train', dataDirectory), await readEhrsql('valid', dataDirectory)];
  const progress = makeProgress(io.stderr, quiet === true);
  const learnt = await learnBoundary(train, {
    seed,
    falseRefusals: falseRefusals / 100,
    ...(io.signal && { signal: io.signal }),
    onProgress: (done, total) => progress.report({ stage: 'learning', done, total }),
  }).finally(progress.clear);
  const metrics = measureAnswerable(valid, learnt);
  const { threshold } = learnt.learned;
  io.stdout.write(
    output === 'json'
      ? renderJson({ suite: 'ehrsql2024', questions: valid.length, metrics, threshold }, 0)
      : reportText(metrics, valid.length),
  );
  return 0;
}

function reportText(metrics: AnswerableMetrics, questions: number): string {
  const figure = (name: string): string => (metrics[name] ?? 0).toFixed(1);
  const line = (label: string, name: string): string =>
    `${label.padEnd(32)} ${figure(name).padStart(5)} %   ${figure(`${name}Low`)}–${figure(`${name}High`)}`;
  return [
    `${questions} questions that were not learned from`,
    line('unanswerable found', 'unanswerableFound'),
    line('answerable refused', 'falseRefusalRate'),
    `AUC ${(metrics.auc ?? 0).toFixed(3)}; in cross-validation ${figure('foundInCrossValidation')} % found, ${figure('falseRefusalsInCrossValidation')} % refused`,
    '',
  ].join('\n');
}
