import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { encodeModelFile } from '../../../boosting/index.ts';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { readSuite } from '../../../lab/corpus/index.ts';
import {
  type AdaptedEngine,
  adaptEngine,
  openPairSet,
  openTrainingSet,
  type TrainedEngine,
  trainEngine,
  writeEngine,
} from '../../../lab/engine/index.ts';
import { openRatingModels, PROJECT_RATING_FILE } from '../../../reasoning/grounded/rate/index.ts';
import type { Session } from '../../../session/index.ts';
import { writeWhole } from '../../../store/index.ts';
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
import { counted, makeProgress, type Progress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface EngineOptions extends ProjectOptions, OutputOptions {
  readonly seed: number;
  readonly dryRun?: boolean;
  readonly from?: 'spider-train';
  readonly out?: string;
  readonly limit?: number;
}

const LICENCE = 'CC BY-SA 4.0, Yu et al. 2018';
const FOLDS = 3;

/** `candor train engine`: what rates the readings of the grounded engine. */
export function addTrainEngineCommand(train: Command, context: CommandContext): void {
  const command = train
    .command('engine')
    .description(
      'Train what rates the readings of the grounded engine: beside the known models on verified pairs, or anew on a benchmark.',
    )
    .option('--seed <n>', 'draws the rows that are learned from', parseCount, 1)
    .option('--dry-run', 'measure only; nothing is written')
    .addOption(
      new Option(
        '--from <suite>',
        'train all models anew on this benchmark, which takes some 30 minutes',
      ).choices(['spider-train']),
    )
    .option('--out <dir>', 'with --from: the folder to write the models to')
    .option('--limit <n>', 'with --from: only this many questions, evenly spread', parseCount);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor train engine --dry-run                                  would the pairs of this project help?
  candor train engine
  candor train engine --from spider-train --out out/engine       the models that come with Candor

Without --from it learns from examples/*.sql. The forest lies in .candor/${PROJECT_RATING_FILE} and is kept only where it is better on
pairs held out; delete the file to go back to the known models. --from reads the folder in CANDOR_DATA, else ../shared/data beside the package.`,
    )
    .action((options: EngineOptions) => {
      const misuse = misuseOf(options);
      if (misuse !== undefined) return command.error(`error: ${misuse}`, { exitCode: 2 });
      const { from } = options;
      return runCommand(context, options.output, () =>
        from === undefined ? adapt(options, context.io) : trainAnew(from, options, context.io),
      );
    });
}

function misuseOf({ from, out, limit, dryRun }: EngineOptions): string | undefined {
  if (from === undefined)
    return out === undefined && limit === undefined ? undefined : '--out and --limit go with --from';
  return out === undefined && dryRun !== true
    ? '--from needs --out, the folder to write the models to, or --dry-run'
    : undefined;
}

async function adapt(options: EngineOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const use = async (session: Session): Promise<number> => {
    const adapted = await watched(options, io, async (progress) =>
      adaptEngine(openPairSet(session, io.signal), await openRatingModels(), {
        seed: options.seed,
        signal: io.signal,
        onProgress: (stage, done, total) => progress.report({ stage, done, total }),
      }),
    );
    const isWritten = adapted.own !== undefined && options.dryRun !== true;
    if (isWritten)
      await writeWhole(join(config.derivedDirectory, PROJECT_RATING_FILE), fileOf(adapted, options));
    const { own: _, ...figures } = adapted;
    io.stdout.write(
      options.output === 'json'
        ? renderJson({ ...figures, isBetter: adapted.own !== undefined, isWritten })
        : `${adaptedLines(adapted, isWritten).join('\n')}\n`,
    );
    return 0;
  };
  // A forest of another version must not stand in the way of the one that replaces it.
  return withSession(config, io, options.quiet === true, use, { isUntrained: true });
}

function fileOf({ own, questions, right, loss }: AdaptedEngine, { seed }: EngineOptions): Uint8Array {
  if (own === undefined) throw new Error('nothing was trained');
  return encodeModelFile({
    model: own,
    about: 'whether a reading of a question is right, beside the known model; candor train engine',
    data: { 'verified pairs': String(questions), seed: String(seed) },
    scores: { right: right.own, rightBefore: right.known, loss: loss.own, lossBefore: loss.known },
  });
}

function adaptedLines({ own, questions, right, loss }: AdaptedEngine, isWritten: boolean): string[] {
  const row = (name: string, share: number, mean: number): string =>
    `  ${name.padEnd(38)}${share.toFixed(1).padStart(8)}${mean.toFixed(4).padStart(10)}`;
  return [
    `${counted(questions, 'verified pair')}; a right reading is among those rated in ${right.any} %`,
    '',
    'on pairs held out',
    `  ${''.padEnd(38)}${'right %'.padStart(8)}${'log-loss'.padStart(10)}`,
    row('the models that come with Candor', right.known, loss.known),
    row('with what this project has verified', right.own, loss.own),
    '',
    own === undefined
      ? 'The models that come with Candor are as good; nothing was written.'
      : isWritten
        ? `Better; written to .candor/${PROJECT_RATING_FILE}.`
        : 'Better; nothing was written (--dry-run).',
  ];
}

async function trainAnew(name: 'spider-train', options: EngineOptions, io: Io): Promise<number> {
  const { out, seed, limit } = options;
  const { dataDirectory } = readTerminalEnvironment(io.env);
  const places = dataDirectory === undefined ? {} : { dataDirectory: resolve(io.cwd, dataDirectory) };
  const suite = await readSuite(name, places);
  const cases = limit === undefined ? suite.cases : evenlySpread(suite.cases, limit);
  const trained = await watched(options, io, (progress) =>
    trainEngine(openTrainingSet({ ...suite, cases }, { ...places, signal: io.signal }), {
      folds: FOLDS,
      seed,
      signal: io.signal,
      onProgress: (stage, done, total) => progress.report({ stage, done, total }),
    }),
  );
  const folder = out === undefined || options.dryRun === true ? undefined : resolve(io.cwd, out);
  const provenance = { data: `${name}, ${cases.length} questions`, licence: LICENCE, seed };
  const bytes = folder === undefined ? 0 : await writeEngine(trained, folder, provenance);
  const { questions, rows, heldOut } = trained;
  io.stdout.write(
    options.output === 'json'
      ? renderJson({ questions, rows, heldOut, bytes })
      : `${trainedLines(trained, folder, bytes).join('\n')}\n`,
  );
  return 0;
}

function evenlySpread<T>(all: readonly T[], most: number): T[] {
  const kept = Math.min(all.length, most);
  return all.filter(
    (_, at) => Math.floor((at * kept) / all.length) < Math.floor(((at + 1) * kept) / all.length),
  );
}

function trainedLines(
  { questions, rows, heldOut }: TrainedEngine,
  folder: string | undefined,
  bytes: number,
): string[] {
  return [
    `${counted(questions, 'question')}, ${counted(rows, 'candidate')} learned from`,
    '',
    'on databases held out, of the questions that the rules read:',
    `  ${'the first of the rules is right'.padEnd(38)}${heldOut.rules.toFixed(1).padStart(6)} %`,
    `  ${'the best rated is right'.padEnd(38)}${heldOut.first.toFixed(1).padStart(6)} %`,
    `  ${'one of those rated is right'.padEnd(38)}${heldOut.any.toFixed(1).padStart(6)} %`,
    '',
    folder === undefined
      ? 'Nothing was written (--dry-run).'
      : `Written to ${folder}, ${(bytes / 1e6).toFixed(1)} MB.`,
  ];
}

async function watched<T>(
  { quiet }: EngineOptions,
  io: Io,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = makeProgress(io.stderr, quiet === true);
  try {
    return await work(progress);
  } catch (error) {
    if (io.signal.aborted)
      throw new CandorError('engine.cancelled', 'Training was stopped; nothing was written.');
    throw error;
  } finally {
    progress.clear();
  }
}
