import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../../../config/index.ts';
import { readSuite, resolvePlaces } from '../../../lab/corpus/index.ts';
import {
  type BoundaryReport,
  boundaryFigures,
  renderBoundary,
  runBoundary,
} from '../../../lab/suites/boundary/index.ts';
import { readBench } from '../../../lab/synthesis/index.ts';
import { connectProject } from '../../../onboarding/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { makeProgress, type Progress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT } from '../../terminal/io.ts';

interface EvalBoundaryOptions extends ProjectOptions, OutputOptions {
  readonly limit?: number;
  readonly out: string;
  readonly resume?: string;
}

/** `candor eval boundary`: does it answer, ask and refuse where it should? */
export function addEvalBoundaryCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('boundary')
    .description(
      'Measure on a benchmark of eight categories whether it answers, asks and refuses where it should.',
    )
    .argument('[file]', 'what `candor bench build` wrote (default: the core of the Motors benchmark)')
    .option('--limit <n>', 'only this many items, evenly spread', parseCount)
    .option('--out <dir>', 'folder for the JSON lines file with every item', 'out/eval')
    .option('--resume <file>', 'go on with the file of a run that was stopped');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval boundary                                     the core of Motors, read and corrected by people
  candor eval boundary --limit 40 --output json
  candor eval boundary out/bench.jsonl --project shop      a benchmark of a project of yours

An SQL category is right where the rows are those of the gold; another where the outcome is the due one and names the
true missing item. Without a file Motors is made where it is missing, and --project and --database say nothing.
With --output json the last line on stdout is {suite, items, metrics, confusion, seconds}. Ctrl-C stops after the current item.`,
    )
    .action((file: string | undefined, options: EvalBoundaryOptions) =>
      runCommand(context, options.output, () => runEvalBoundary(file, options, context.io)),
    );
}

async function runEvalBoundary(
  file: string | undefined,
  options: EvalBoundaryOptions,
  io: Io,
): Promise<number> {
  const report = await measure(file, options, io);
  const { metrics, records, seconds } = report;
  const figures = { suite: 'boundary', items: records.length, ...boundaryFigures(metrics), seconds };
  io.stdout.write(options.output === 'json' ? renderJson(figures, 0) : renderBoundary(report));
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

async function measure(
  file: string | undefined,
  options: EvalBoundaryOptions,
  io: Io,
): Promise<BoundaryReport> {
  const { path, config } = await placeOf(file, options, io);
  const all = await readBench(path);
  const items = spread(all, options.limit ?? all.length);
  return withSession(config, io, options.quiet === true, async (session) => {
    const engine = await connectProject(config);
    const progress: Progress = makeProgress(io.stderr, options.quiet === true);
    return runBoundary(items, {
      session,
      engine,
      name: `boundary-${basename(path, '.jsonl')}`,
      out: resolve(io.cwd, options.out),
      ...(options.resume !== undefined && { resume: resolve(io.cwd, options.resume) }),
      signal: io.signal ?? new AbortController().signal,
      onProgress: (done, total) => progress.report({ stage: 'asking', done, total }),
    }).finally(async () => {
      progress.clear();
      await engine.close();
    });
  });
}

/** The benchmark and the project it was made for. */
async function placeOf(
  file: string | undefined,
  options: EvalBoundaryOptions,
  io: Io,
): Promise<{ readonly path: string; readonly config: Awaited<ReturnType<typeof readConfig>> }> {
  if (file !== undefined)
    return { path: resolve(io.cwd, file), config: await readCommandConfig(io, options) };
  const { project = '', cases } = await readSuite('motors', { signal: io.signal });
  const database = cases[0]?.databaseUrl;
  const config = await readConfig({ cwd: project, project, ...(database !== undefined && { database }) });
  const derivedDirectory = join(resolvePlaces({}).cacheDirectory, 'derived', 'motors');
  return { path: join(project, 'bench', 'core.jsonl'), config: { ...config, derivedDirectory } };
}

function spread<T>(items: readonly T[], most: number): readonly T[] {
  const step = items.length / Math.min(most, items.length);
  return items.filter((_, place) => Math.floor(place / step) !== Math.floor((place - 1) / step));
}
