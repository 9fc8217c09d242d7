import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { resolvePlaces } from '../../../lab/corpus/index.ts';
import {
  EXPERIMENT_NAMES,
  type ExperimentName,
  experimentMetrics,
  plotExperiments,
  renderExperiments,
  runExperiments,
} from '../../../lab/uncertainty/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addOutputOptions, type OutputOptions, parseCount } from '../../context/options.ts';
import { makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface EvalUncertaintyOptions extends OutputOptions {
  readonly only?: readonly ExperimentName[];
  readonly folds: number;
  readonly plots?: string;
}

/** `candor eval uncertainty`: how well wrong parts of real model output are told from right ones. */
export function addEvalUncertaintyCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('uncertainty')
    .description('Measure node uncertainty on SQL that real models wrote for BIRD dev.')
    .option('--only <names>', `only these experiments: ${EXPERIMENT_NAMES.join(', ')}`, parseNames)
    .option(
      '--folds <n>',
      'folds that the open databases are dealt into; 8: one is left out at a time',
      parseCount,
      8,
    )
    .option('--plots <dir>', 'write reliability.svg and risk-coverage.svg into this folder');
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval uncertainty --only static                    the features of query, schema and question
  candor eval uncertainty --only samples4 --folds 4        and agreement with four more samples
  candor eval uncertainty --only shipped                   the model that comes with Candor; trains nothing
  candor eval uncertainty --plots out/plots --output json

Models are trained on eight databases and measured on california_schools, card_games and toxicology, which are never trained or
tuned on; figures named open are of databases left out of the training one fold at a time. All of it takes about 40 minutes.
The model that comes with Candor has learned from the eight as well, so only its figures named test say how good it is.
Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package.
With --output json the last line on stdout is {suite, metrics, unread}; unread is absent where no experiment reads the five
prompts. Ctrl-C stops between two trees.`,
    )
    .action((options: EvalUncertaintyOptions) =>
      runCommand(context, options.output, () => runEvalUncertainty(options, context.io)),
    );
}

function parseNames(text: string): readonly ExperimentName[] {
  return text.split(',').map((part) => {
    const name = EXPERIMENT_NAMES.find((known) => known === part.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`Give some of ${EXPERIMENT_NAMES.join(', ')}, with commas between.`);
  });
}

async function runEvalUncertainty(
  { only, folds, plots, output, quiet }: EvalUncertaintyOptions,
  io: Io,
): Promise<number> {
  const named = readTerminalEnvironment(io.env).dataDirectory;
  const { dataDirectory } = resolvePlaces(
    named === undefined ? {} : { dataDirectory: resolve(io.cwd, named) },
  );
  const progress = makeProgress(io.stderr, quiet === true);
  const report = await runExperiments({
    dataDirectory,
    folds,
    ...(only && { only }),
    signal: io.signal,
    onProgress: (stage, done, total) => progress.report({ stage, done, total }),
  }).finally(progress.clear);
  if (plots !== undefined) {
    const folder = resolve(io.cwd, plots);
    await mkdir(folder, { recursive: true });
    for (const [name, svg] of plotExperiments(report)) await writeFile(join(folder, name), svg);
  }
  io.stdout.write(
    output === 'json'
      ? renderJson({ suite: 'uncertainty', metrics: experimentMetrics(report), unread: report.unread }, 0)
      : `${renderExperiments(report)}\n`,
  );
  return 0;
}
