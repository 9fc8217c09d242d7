import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { connectProject } from '../../connect-project.ts';
import { type BuildReport, buildBench, CATEGORIES, SPLITS, type Split } from '../../lab/index.ts';
import { presentOf } from '../../session.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import { CANCELLED_EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../options.ts';
import { makeProgress, renderJson } from '../render/index.ts';
import { withSession } from '../with-session.ts';

interface BenchBuildOptions extends ProjectOptions, OutputOptions {
  readonly items: number;
  readonly split: Split;
  readonly seed: number;
  readonly out: string;
  readonly resume?: boolean;
}

/** `candor bench build`: questions of eight categories with gold, each verified on the database. */
export function addBenchBuildCommand(bench: Command, context: CommandContext): void {
  const command = bench
    .command('build')
    .description('Make questions of eight categories with their gold, each verified on the database.')
    .option('--items <n>', 'how many, as many of each category', parseCount, 1_200)
    .addOption(
      new Option('--split <name>', 'train, valid and test share no template and no combination of values')
        .choices([...SPLITS])
        .default('test'),
    )
    .option('--seed <n>', 'another seed, other items', parseCount, 1)
    .option('--out <file>', 'JSON lines file, one item a line', 'out/bench/bench.jsonl')
    .option('--resume', 'go on with the file of a run that was stopped');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor bench build --out out/bench.jsonl                                1,200 items to measure with
  candor bench build --split train --items 20000 --out out/train.jsonl    training data
  candor bench build --split train --items 20000 --out out/train.jsonl --resume

It needs a semantic model with metrics, and no language model. A query is kept where two independent ways of working it out
agree on the database; what is refused or asked back is checked against every name and value. The same options give the same
items. Nothing in the database is changed. Ctrl-C stops; --resume goes on.`,
    )
    .action((options: BenchBuildOptions) =>
      runCommand(context, options.output, () => runBenchBuild(options, context.io)),
    );
}

async function runBenchBuild(options: BenchBuildOptions, io: Io): Promise<number> {
  const { items, split, seed, out, quiet, output, resume = false } = options;
  const config = await readCommandConfig(io, options);
  const report = await withSession(config, io, quiet === true, async (session) => {
    const engine = await connectProject(config);
    const progress = makeProgress(io.stderr, quiet === true);
    return buildBench({
      ...{ session, engine, items, split, seed, resume },
      now: presentOf(config).toISOString().slice(0, 10),
      file: resolve(io.cwd, out),
      signal: io.signal ?? new AbortController().signal,
      onProgress: ({ made, wanted, attempts }) =>
        progress.report({ stage: 'making items', done: made, total: wanted, table: `(${attempts} tried)` }),
    }).finally(async () => {
      progress.clear();
      await engine.close();
    });
  });
  io.stdout.write(output === 'json' ? renderJson(report, 0) : reportText(report));
  return report.isComplete || io.signal?.aborted !== true ? 0 : CANCELLED_EXIT;
}

function reportText(report: BuildReport): string {
  const { file, perCategory, metrics, dimensions, entities, attempts, dropped, seconds, isComplete } = report;
  const counts = CATEGORIES.map((category) => `  ${category.padEnd(14)} ${perCategory[category]}`);
  const reasons = Object.entries(dropped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${report.items} items in ${seconds} s, from ${metrics} metrics, ${dimensions} dimensions and ${entities} values`,
    ...counts,
    `${attempts} templates tried; not kept: ${reasons.join(', ') || 'none'}`,
    ...(isComplete
      ? []
      : ['Not every category is full: the run was stopped, or there is nothing more to make them of.']),
    `items: ${file}`,
    '',
  ].join('\n');
}
