import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { stringify } from 'yaml';
import { presentOf } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import {
  type BuildReport,
  buildBench,
  CATEGORIES,
  EXPORT_FORMATS,
  type ExportFormat,
  type RefineReport,
  readBench,
  readInventory,
  refineBench,
  SPLITS,
  type Split,
  toQuestion,
  toTrainingLine,
} from '../../../lab/synthesis/index.ts';
import { connectProject } from '../../../onboarding/index.ts';
import { writeWhole } from '../../../store/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT } from '../../terminal/io.ts';

/** `candor bench`: benchmarks and training data out of a database and its semantic model. */
export function defineBenchCommand(bench: Command, context: CommandContext): void {
  bench.addHelpText(
    'after',
    '\nExamples:\n  candor bench build --out out/bench.jsonl\n  candor bench refine out/bench.jsonl --model openai:gpt-4.1 --out out/refined.jsonl\n  candor eval boundary out/bench.jsonl\n  candor bench export out/bench.jsonl --format training',
  );
  addBenchBuildCommand(bench, context);
  addBenchRefineCommand(bench, context);
  addBenchExportCommand(bench, context);
}

interface BenchExportOptions extends ProjectOptions {
  readonly format: ExportFormat;
  readonly out: string;
  readonly quiet?: boolean;
}

/** `candor bench export`: items as trainers or question files want them. */
function addBenchExportCommand(bench: Command, context: CommandContext): void {
  const command = bench
    .command('export')
    .description('Write the items of a benchmark as training data, or as a question file.')
    .argument('<file>', 'what `candor bench build` wrote')
    .addOption(
      new Option('--format <format>', 'training: prompts with what to write; questions: YAML for tests/')
        .choices([...EXPORT_FORMATS])
        .default('training'),
    )
    .requiredOption('--out <file>', 'file to write; one that is there is replaced')
    .option('--quiet', 'no progress and no notices on stderr; errors are still printed');
  addProjectOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  candor bench export out/train.jsonl --out out/sft.jsonl
  candor bench export out/bench.jsonl --format questions --out tests/bench.yml

A prompt holds what is known of the metric and its tables, a few others beside it, rules, stored values and the question. Items
whose context differs from the project's own are left out of a question file: there another answer is due.`,
    )
    .action((file: string, options: BenchExportOptions) =>
      runCommand(context, undefined, () => runBenchExport(file, options, context.io)),
    );
}

async function runBenchExport(file: string, options: BenchExportOptions, io: Io): Promise<number> {
  const items = await readBench(resolve(io.cwd, file));
  const out = resolve(io.cwd, options.out);
  if (options.format === 'questions') {
    const questions = items.flatMap((item) => toQuestion(item) ?? []);
    await writeWhole(out, stringify(questions));
    io.stdout.write(`${questions.length} of ${items.length} items: ${out}\n`);
    return 0;
  }
  const config = await readCommandConfig(io, options);
  const lines = await withSession(config, io, options.quiet === true, async (session) => {
    const now = presentOf(config).toISOString().slice(0, 10);
    const inventory = await readInventory({ ...session, now });
    return items.map((item) => JSON.stringify(toTrainingLine(item, inventory)));
  });
  await writeWhole(out, `${lines.join('\n')}\n`);
  io.stdout.write(`${lines.length} items: ${out}\n`);
  return 0;
}

interface BenchBuildOptions extends ProjectOptions, OutputOptions {
  readonly items: number;
  readonly split: Split;
  readonly seed: number;
  readonly out: string;
  readonly resume?: boolean;
}

/** `candor bench build`: questions of eight categories with gold, each verified on the database. */
function addBenchBuildCommand(bench: Command, context: CommandContext): void {
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

interface BenchRefineOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly out: string;
  readonly samples: number;
  readonly concurrency: number;
  readonly resume?: boolean;
}

const MOST_SAMPLES = 10;
const MOST_AT_ONCE = 32;

/** `candor bench refine`: a language model words the questions anew and tries to refute the refusals. */
function addBenchRefineCommand(bench: Command, context: CommandContext): void {
  const command = bench
    .command('refine')
    .description('Have a language model word the questions anew and try to answer those that are refused.')
    .argument('<file>', 'what `candor bench build` wrote')
    .requiredOption('--out <file>', 'JSON lines file to write, its items in the order of the first')
    .option(
      '--samples <n>',
      'queries written from new words that must all give the rows of the gold; 0 tries none',
      wholeNumber(0, MOST_SAMPLES),
      3,
    )
    .option('--concurrency <n>', 'items at once', wholeNumber(1, MOST_AT_ONCE), 4)
    .option('--resume', 'go on with the file of a run that was stopped');
  addModelOptions(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json'])
    .addHelpText(
      'after',
      `
Examples:
  candor bench refine out/bench.jsonl --model openai:gpt-4.1 --out out/refined.jsonl
  candor bench refine out/bench.jsonl --model gguf:small.gguf --samples 1 --out out/refined.jsonl --resume

New words keep numbers, stored values, metrics, dimensions and what is vague or missing; they are taken only where every sample gives
the rows of the gold. A refusal that a query refutes, by two verdicts, is left out. Questions and values are told to the model.`,
    )
    .action((file: string, options: BenchRefineOptions) =>
      runCommand(context, options.output, () => runBenchRefine(file, options, context.io)),
    );
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    if (count >= least && count <= most) return count;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

async function runBenchRefine(file: string, options: BenchRefineOptions, io: Io): Promise<number> {
  const { out, samples, concurrency, quiet, output, resume = false } = options;
  const config = await readCommandConfig(io, options);
  if (config.model === undefined)
    throw new CandorError('model.none', 'There is no model to refine the benchmark with.');
  const report = await withSession(config, io, quiet === true, async (session) => {
    const models = await session.models?.();
    if (models === undefined) throw new Error('a session with a model opens it');
    const engine = await connectProject(config);
    const progress = makeProgress(io.stderr, quiet === true);
    return refineBench({
      ...{ session, engine, models, resume, samples, concurrency },
      now: presentOf(config).toISOString().slice(0, 10),
      from: resolve(io.cwd, file),
      to: resolve(io.cwd, out),
      signal: io.signal,
      onProgress: ({ done, total }) => progress.report({ stage: 'refining items', done, total }),
    }).finally(async () => {
      progress.clear();
      await engine.close();
    });
  });
  io.stdout.write(output === 'json' ? renderJson(report, 0) : refineReport(report));
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

function refineReport(report: RefineReport): string {
  const { file, reworded, kept, dropped, calls, promptTokens, completionTokens, cost, isComplete } = report;
  const dollars = cost === undefined ? 'price not known' : `$${cost.toFixed(4)}`;
  return [
    `${reworded} items in new words`,
    `${kept['samples-disagree']} keep their own: queries written from new words gave other rows`,
    `${kept['no-usable-words']} keep their own: the model gave no words that say the same`,
    `${dropped.length} left out: a query answers what was held to have no answer`,
    `${calls} calls, ${promptTokens} tokens read, ${completionTokens} written, ${dollars}`,
    ...(isComplete ? [] : ['Stopped before the end; --resume goes on.']),
    `items: ${file}`,
    '',
  ].join('\n');
}
