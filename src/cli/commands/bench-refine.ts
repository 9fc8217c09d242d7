import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { connectProject } from '../../connect-project.ts';
import { CandorError } from '../../errors.ts';
import { type RefineReport, refineBench } from '../../lab/index.ts';
import { presentOf } from '../../session.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import { CANCELLED_EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../options.ts';
import { makeProgress, renderJson } from '../render/index.ts';
import { withSession } from '../with-session.ts';

interface BenchRefineOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly out: string;
  readonly samples: number;
  readonly concurrency: number;
  readonly resume?: boolean;
}

const MOST_SAMPLES = 10;
const MOST_AT_ONCE = 32;

/** `candor bench refine`: a language model words the questions anew and tries to refute the refusals. */
export function addBenchRefineCommand(bench: Command, context: CommandContext): void {
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
  io.stdout.write(output === 'json' ? renderJson(report, 0) : reportText(report));
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

function reportText(report: RefineReport): string {
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
