/** What the commands of an evaluation share: whom to ask, how many at once, and where the run is kept. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type ModelSettings, readGivenModel, readTerminalEnvironment } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { ANSWER_MODE_NAMES, type AnswerMode } from '../../../generation/index.ts';
import type { RunProgress } from '../../../lab/evaluation/index.ts';
import {
  addModelOptions,
  addOutputOptions,
  type ModelOptions,
  type OutputOptions,
  parseCount,
  parseDollars,
} from '../../context/options.ts';
import { makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT } from '../../terminal/io.ts';

export interface EvalRunOptions extends OutputOptions, ModelOptions {
  readonly limit?: number;
  readonly out: string;
  readonly resume?: string;
  readonly mode?: AnswerMode;
  readonly concurrency?: number;
  readonly maxCost?: number;
  readonly record?: string;
  readonly replay?: string;
}

/** Adds the options of a run, `--model` and `--output` among them. */
export function addRunOptions(command: Command): Command {
  command
    .option('--limit <n>', 'only this many cases, evenly spread over the suite', parseCount)
    .option('--out <dir>', 'folder for the JSON lines file with every case', 'out/eval')
    .option('--resume <file>', 'go on with the file of a run that was stopped');
  addModelOptions(command, 'the built-in engine')
    .option(
      '--concurrency <n>',
      'cases asked at the same time (default: model.requestsAtOnce with a model, else 1)',
      parseCount,
    )
    .option('--max-cost <usd>', 'ask nothing more when a model has cost this much', parseDollars)
    .option('--record <dir>', 'with a model: keep its replies in this folder')
    .option(
      '--replay <dir>',
      'with a model: answer from such a folder and ask nobody; cases with other prompts are named',
    );
  return addOutputOptions(command, ['table', 'json']);
}

/** `--mode`, for commands that ask questions. */
export function modeOption(): Option {
  return new Option('--mode <mode>', 'with a model: how much it may spend on a question').choices([
    ...ANSWER_MODE_NAMES,
  ]);
}

/** What cannot be done is said before anything is asked; `ofModels` are further options that need a model. */
export function checkRunOptions(
  { model = 'none', mode, record, replay, maxCost }: EvalRunOptions,
  { cwd }: Io,
  ofModels: Readonly<Record<string, unknown>> = {},
): void {
  const given = {
    ...ofModels,
    '--mode': mode,
    '--record': record,
    '--replay': replay,
    '--max-cost': maxCost,
  };
  const [option] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (model === 'none' && option !== undefined)
    throw new CandorError('model.none', `${option} needs --model: the built-in engine asks none.`);
  const fault = (message: string): CandorError => new CandorError('test.invalid-options', message);
  if (record !== undefined && replay !== undefined)
    throw fault('--record keeps replies and --replay gives them back: one of them.');
  // Every case would merely have a prompt that is not there.
  if (replay !== undefined && !existsSync(resolve(cwd, replay)))
    throw fault(`--replay: there is no folder ${resolve(cwd, replay)}.`);
}

/** The model with the folder of its recording; undefined: the built-in engine is asked. */
export async function readRunModel(
  { model, private: isPrivate, record, replay }: EvalRunOptions,
  { cwd, env }: Io,
): Promise<ModelSettings | undefined> {
  const settings = await readGivenModel({ cwd, model, isPrivate, env });
  if (settings === undefined) return undefined;
  return {
    ...settings,
    ...(record !== undefined && { record: resolve(cwd, record) }),
    ...(replay !== undefined && { replay: resolve(cwd, replay) }),
  };
}

/** Where the benchmark data lies. */
export function readPlaces({ cwd, env }: Io): { readonly dataDirectory?: string } {
  const { dataDirectory } = readTerminalEnvironment(env);
  return dataDirectory === undefined ? {} : { dataDirectory: resolve(cwd, dataDirectory) };
}

function runSettings(options: EvalRunOptions, io: Io, model: ModelSettings | undefined) {
  const { limit, out, resume, mode, concurrency, maxCost } = options;
  return {
    ...readPlaces(io),
    model,
    mode,
    limit,
    maxCost,
    out: resolve(io.cwd, out),
    resume: resume === undefined ? undefined : resolve(io.cwd, resume),
    concurrency: concurrency ?? model?.requestsAtOnce ?? 1,
    signal: io.signal,
  };
}

export type RunSettings = ReturnType<typeof runSettings> & {
  readonly onProgress: (progress: RunProgress) => void;
};

/** Checks, runs and prints one of the suites that have a form of their own. */
export async function runAndPrint<Report extends { readonly isComplete: boolean }>(
  options: EvalRunOptions,
  io: Io,
  suite: {
    readonly stage: string;
    readonly run: (settings: RunSettings) => Promise<Report>;
    readonly summarise: (report: Report) => unknown;
    readonly render: (report: Report) => string;
  },
): Promise<number> {
  checkRunOptions(options, io);
  const model = await readRunModel(options, io);
  const progress = makeProgress(io.stderr, options.quiet === true);
  const onProgress = ({ done, total, secondsLeft }: RunProgress) =>
    progress.report({ stage: suite.stage, done, total, etaSeconds: secondsLeft });
  const report = await suite.run({ ...runSettings(options, io, model), onProgress }).finally(progress.clear);
  io.stdout.write(options.output === 'json' ? renderJson(suite.summarise(report), 0) : suite.render(report));
  return report.isComplete ? 0 : CANCELLED_EXIT;
}
