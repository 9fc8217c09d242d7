import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import type { SuitePlaces } from '../../../lab/corpus/index.ts';
import type { Half } from '../../../lab/evaluation/index.ts';
import {
  ALTERED_SUITE_NAMES,
  type AlteredReport,
  type AlteredSuite,
  readAlteredSuite,
  readWordList,
  renderAltered,
  runAltered,
  summariseAltered,
} from '../../../lab/suites/altered/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addOutputOptions, collectText, type OutputOptions, parseCount } from '../../context/options.ts';
import { makeProgress, type Progress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { CANCELLED_EXIT } from '../../terminal/io.ts';

/** Asked where nobody names a suite, as far as their data is here. */
const DEFAULT_SUITES = ['chinook', 'sakila', 'motors', 'spider', 'ferrum'] as const;

interface EvalAlteredOptions extends OutputOptions {
  readonly suite: readonly string[];
  readonly limit?: number;
  readonly half: Half;
  readonly seed: number;
  readonly words?: string;
  readonly out: string;
  readonly resume?: string;
}

/** `candor eval altered`: does every word of a question have its effect? */
export function addEvalAlteredCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('altered')
    .description(
      'Alter questions that are answered right, and measure whether the answer changes, stays or asks as it must.',
    )
    .option(
      '--suite <name>',
      `a suite to take questions from; may be given again (default: ${DEFAULT_SUITES.join(', ')}, where their data is here)`,
      collectText,
      [],
    )
    .option('--limit <n>', 'only this many questions of each suite, evenly spread', parseCount)
    .addOption(
      new Option('--half <half>', 'questions at even or odd places only')
        .choices(['even', 'odd', 'all'])
        .default('all'),
    )
    .option('--seed <n>', 'what words and values are drawn with', parseSeed, 1)
    .option(
      '--words <file>',
      'YAML or JSON with words by class (noun, adjective, place, person, organisation) and synonyms (default: a list that ships)',
    )
    .option('--out <dir>', 'folder for the JSON lines file with every question', 'out/eval')
    .option('--resume <file>', 'go on with the file of a run that was stopped');
  addOutputOptions(command, ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval altered --suite chinook
  candor eval altered --suite spider --half even --limit 100 --output json
  candor eval altered --suite motors --seed 7 --words words.yml      fresh words, other draws

A restriction that the database knows nothing of is inserted, a number, a value, a direction, a negation is changed, words are
replaced by synonyms, politeness and noise are added. Only what has a certain outcome is made. The built-in engine is asked.
Benchmark data is read from the folder in CANDOR_DATA, else from ../shared/data beside the package; Motors needs none.
With --output json the last line on stdout is {suite, seed, questions, right, altered, metrics, kinds, seconds}. Ctrl-C stops after the current question.`,
    )
    .action((options: EvalAlteredOptions) =>
      runCommand(context, options.output, () => runEvalAltered(options, context.io)),
    );
}

function parseSeed(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number from 0 to 999999999.');
}

async function runEvalAltered(options: EvalAlteredOptions, io: Io): Promise<number> {
  const progress = makeProgress(io.stderr, options.quiet === true);
  const report = await measure(options, io, progress).finally(progress.clear);
  io.stdout.write(
    options.output === 'json' ? renderJson(summariseAltered(report), 0) : renderAltered(report),
  );
  return report.isComplete ? 0 : CANCELLED_EXIT;
}

async function measure(
  { suite, seed, half, limit, words, out, resume }: EvalAlteredOptions,
  io: Io,
  progress: Progress,
): Promise<AlteredReport> {
  const { dataDirectory } = readTerminalEnvironment(io.env);
  const places = dataDirectory === undefined ? {} : { dataDirectory: resolve(io.cwd, dataDirectory) };
  const wordList = await readWordList(words === undefined ? undefined : resolve(io.cwd, words));
  const suites = await readSuites(suite, { places, io, progress });
  return runAltered(suites, {
    ...places,
    ...{ seed, half, words: wordList, out: resolve(io.cwd, out), signal: io.signal },
    ...(limit !== undefined && { limit }),
    ...(resume !== undefined && { resume: resolve(io.cwd, resume) }),
    onProgress: ({ suite: name, done, total, secondsLeft }) =>
      progress.report({ stage: `altering ${name}`, done, total, etaSeconds: secondsLeft }),
  });
}

interface Reading {
  readonly places: SuitePlaces;
  readonly io: Io;
  readonly progress: Progress;
}

/** Those named; where none is, those whose data is here, and the others are said. */
async function readSuites(
  named: readonly string[],
  { places, io, progress }: Reading,
): Promise<readonly AlteredSuite[]> {
  const unknown = named.find((name) => !ALTERED_SUITE_NAMES.some((known) => known === name));
  if (unknown !== undefined)
    throw new CandorError(
      'eval.unknown-suite',
      `There is no suite ${unknown}; there are ${ALTERED_SUITE_NAMES.join(', ')}.`,
    );
  const suites: AlteredSuite[] = [];
  for (const name of named.length > 0 ? named : DEFAULT_SUITES) {
    try {
      const onProgress = (event: { readonly done: number; readonly total: number }): void =>
        progress.report({ stage: `making the ${name} database`, ...event });
      suites.push(await readAlteredSuite(name, { ...places, signal: io.signal, onProgress }));
    } catch (error) {
      const isMissing = error instanceof CandorError && error.code === 'eval.data-missing';
      if (named.length > 0 || !isMissing) throw error;
      progress.report({ stage: 'suites', done: 0, total: 1, message: `left out: ${error.message}` });
    }
  }
  return suites;
}
