import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { LEARNED_BOUNDARY_FILE, writeLearnedBoundary } from '../../boundary/index.ts';
import { readExamples } from '../../knowledge/index.ts';
import { learnBoundary, questionFilesIn, readLabelled } from '../../lab/index.ts';
import { writeWhole } from '../../store/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import {
  addOutputOptions,
  addProjectOptions,
  collectText,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../options.ts';
import { makeProgress, renderJson } from '../render/index.ts';
import { parsePercent } from './eval-answerable.ts';

interface TrainBoundaryOptions extends ProjectOptions, OutputOptions {
  readonly from: readonly string[];
  readonly falseRefusals: number;
  readonly seed: number;
  readonly dryRun?: boolean;
}

/** `candor train boundary`: which questions cannot be answered here, learned from labelled ones. */
export function addTrainBoundaryCommand(train: Command, context: CommandContext): void {
  const command = train
    .command('boundary')
    .description('Learn from labelled questions of a project which others cannot be answered.')
    .option('--from <file>', 'a question file besides those in tests/; may be given again', collectText, [])
    .option(
      '--false-refusals <percent>',
      'answerable questions that may be refused, in cross-validation',
      parsePercent,
      5,
    )
    .option('--seed <n>', 'of the order of training', parseCount, 1)
    .option('--dry-run', 'measure only; nothing is written');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor train boundary --dry-run                  how well would it tell them?
  candor train boundary --from refused-2024.yml

It learns from tests/*.yml (what is due an answer, and what is due a refusal), from examples/*.sql and from --from; 20 of each are needed.
The model lies in .candor/${LEARNED_BOUNDARY_FILE} and holds wordings without numbers and without words that fewer than four questions have. Delete it to ask without it.`,
    )
    .action((options: TrainBoundaryOptions) =>
      runCommand(context, options.output, () => runTrainBoundary(options, context.io)),
    );
}

async function runTrainBoundary(options: TrainBoundaryOptions, io: Io): Promise<number> {
  const { from, falseRefusals, seed, dryRun, output, quiet } = options;
  const config = await readCommandConfig(io, options);
  const files = [
    ...(await questionFilesIn(join(config.root, 'tests'))),
    ...from.map((file) => resolve(io.cwd, file)),
  ];
  const questions = await readLabelled(files, await readExamples(config.examplesDirectory));
  const progress = makeProgress(io.stderr, quiet === true);
  const learnt = await learnBoundary(questions, {
    seed,
    falseRefusals: falseRefusals / 100,
    ...(io.signal && { signal: io.signal }),
    onProgress: (done, total) => progress.report({ stage: 'learning', done, total }),
  }).finally(progress.clear);
  const { learned, answerable, beyond } = learnt;
  const isWritten = dryRun !== true;
  const path = join(config.derivedDirectory, LEARNED_BOUNDARY_FILE);
  const provenance = {
    data: 'labelled questions of the project',
    licence: 'of the project',
    seed,
    trained: questions.length,
  };
  if (isWritten) await writeWhole(path, writeLearnedBoundary(learned, provenance));
  const figures = {
    ...{ answerable, beyond, isWritten },
    found: Number((100 * learnt.found).toFixed(1)),
    falseRefusals: Number((100 * learnt.falseRefusals).toFixed(1)),
  };
  io.stdout.write(
    output === 'json'
      ? renderJson(figures)
      : `learned from ${answerable} questions with an answer and ${beyond} without\n` +
          `held out, with the questions like them: ${figures.found} % of those without an answer found, ${figures.falseRefusals} % of the others refused\n` +
          `${isWritten ? path : 'nothing was written'}\n`,
  );
  return 0;
}
