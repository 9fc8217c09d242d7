import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { resolvePlaces } from '../../../lab/corpus/index.ts';
import { measureRisk, renderRisk, riskMetrics } from '../../../lab/uncertainty/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addOutputOptions, type OutputOptions, parseCount } from '../../context/options.ts';
import { makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface EvalRiskOptions extends OutputOptions {
  readonly perQuestion: number;
}

/** `candor eval risk`: whether the risk of a query means what it says, for writers and databases it has not seen. */
export function addEvalRiskCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('risk')
    .description(
      'Measure the risk that is told of SQL by others, on databases that nothing was learned from.',
    )
    .option('--per-question <n>', 'queries of each question, drawn by chance', parseCount, 8);
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval risk
  candor eval risk --per-question 2 --output json

The queries are what some fifty systems wrote for three databases of BIRD dev and for Spider dev, judged by their rows. Nothing that
ships was learned or chosen on them. Told are the order (AUC), the level (ECE), what passes at a target and how much of it is wrong,
how many right and wrong queries carry a mark, and the same by writer. With the databases left out while training, the figures stand
in the model's own file; candor eval uncertainty measures parts. Benchmark data is read from the folder in CANDOR_DATA, else from
../shared/data beside the package. With --output json the last line on stdout is {suite, metrics}.`,
    )
    .action((options: EvalRiskOptions) =>
      runCommand(context, options.output, () => runEvalRisk(options, context.io)),
    );
}

async function runEvalRisk({ perQuestion, output, quiet }: EvalRiskOptions, io: Io): Promise<number> {
  const named = readTerminalEnvironment(io.env).dataDirectory;
  const { dataDirectory } = resolvePlaces(
    named === undefined ? {} : { dataDirectory: resolve(io.cwd, named) },
  );
  const progress = makeProgress(io.stderr, quiet === true);
  const report = await measureRisk({
    ...{ dataDirectory, perQuestion, signal: io.signal },
    onProgress: (stage, done, total) => progress.report({ stage, done, total }),
  }).finally(progress.clear);
  io.stdout.write(
    output === 'json'
      ? renderJson({ suite: 'risk', metrics: riskMetrics(report) }, 0)
      : `${renderRisk(report)}\n`,
  );
  return 0;
}
