import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { LEARNED_BOUNDARY_FILE, writeLearnedBoundary } from '../../../boundary/index.ts';
import { CandorError } from '../../../errors.ts';
import { readEdits, readExamples } from '../../../knowledge/authored/index.ts';
import { learnBoundary, questionFilesIn, readLabelled } from '../../../lab/suites/answerable/index.ts';
import { type OwnPair, type Retrained, retrain } from '../../../lab/uncertainty/index.ts';
import type { Session } from '../../../session/index.ts';
import { writeWhole } from '../../../store/index.ts';
import { openUncertaintyModel, PROJECT_MODEL_FILE, readShippedModel } from '../../../uncertainty/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  collectText,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { counted, makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { parsePercent } from '../eval/eval-answerable.ts';
import { addTrainEngineCommand } from './train-engine.ts';
import { addTrainRiskCommand } from './train-risk.ts';

/** `candor train`: models that learn from what a project has checked and corrected, or from benchmark data. */
export function defineTrainCommand(train: Command, context: CommandContext): void {
  train.addHelpText(
    'after',
    '\nExamples:\n  candor train risk --dry-run\n  candor train uncertainty --dry-run\n  candor train engine --dry-run',
  );
  addTrainUncertaintyCommand(train, context);
  addTrainEngineCommand(train, context);
  addTrainBoundaryCommand(train, context);
  addTrainRiskCommand(train, context);
}

interface TrainBoundaryOptions extends ProjectOptions, OutputOptions {
  readonly from: readonly string[];
  readonly falseRefusals: number;
  readonly seed: number;
  readonly dryRun?: boolean;
}

/** `candor train boundary`: which questions cannot be answered here, learned from labelled ones. */
function addTrainBoundaryCommand(train: Command, context: CommandContext): void {
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

interface TrainOptions extends ProjectOptions, OutputOptions {
  readonly seed: number;
  readonly dryRun?: boolean;
}

/** `candor train uncertainty`: what says which part of a query is wrong, from what a project has checked. */
function addTrainUncertaintyCommand(train: Command, context: CommandContext): void {
  const command = train
    .command('uncertainty')
    .description(
      'Train what says which part of a query is wrong; kept only where it is better on questions held out.',
    )
    .option('--seed <n>', 'draws the errors that are written into verified pairs', parseCount, 1)
    .option('--dry-run', 'measure only; nothing is written');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor train uncertainty --dry-run       how good would it be?
  candor train uncertainty

It learns from examples/*.sql, with typical errors written into them, and from knowledge/edits.jsonl (candor review
--corrected). The model lies in .candor/${PROJECT_MODEL_FILE}; delete the file to go back to the one that comes with Candor.`,
    )
    .action((options: TrainOptions) =>
      runCommand(context, options.output, () => runTrain(options, context.io)),
    );
}

async function runTrain(options: TrainOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  return withSession(config, io, options.quiet === true, async (session) => {
    const path = join(config.derivedDirectory, PROJECT_MODEL_FILE);
    const trained = await train(session, options, io);
    const isWritten = trained.file !== undefined && options.dryRun !== true;
    if (isWritten && trained.file !== undefined) await writeWhole(path, trained.file);
    io.stdout.write(
      options.output === 'json'
        ? renderJson(summary(trained, isWritten))
        : `${reportLines(trained, options).join('\n')}\n`,
    );
    return 0;
  });
}

async function train(session: Session, options: TrainOptions, io: Io): Promise<Retrained> {
  const pairs = await readPairs(session);
  const scoring = await session.scoring();
  // A model of the project has seen the questions that are held out here: it cannot be measured on them.
  const known = await openUncertaintyModel();
  const progress = makeProgress(io.stderr, options.quiet === true);
  try {
    return await retrain(
      pairs,
      { catalog: session.catalog, schema: scoring.schema, prepare: scoring.prepare, known },
      {
        seed: options.seed,
        knownFile: await readShippedModel(),
        signal: io.signal,
        onProgress: (stage, done, total) => progress.report({ stage, done, total }),
      },
    );
  } catch (error) {
    if (io.signal.aborted)
      throw new CandorError('uncertainty.cancelled', 'Training was stopped; nothing was written.');
    throw error;
  } finally {
    progress.clear();
  }
}

async function readPairs({ examples, config }: Session): Promise<readonly OwnPair[]> {
  const edits = await readEdits(config.knowledgeDirectory);
  return [
    ...examples.map(({ question, sql }) => ({ question, gold: sql })),
    ...edits.map(({ question, hint, sql, corrected }) => ({
      question,
      ...(hint !== undefined && { hint }),
      gold: corrected,
      wrong: sql,
    })),
  ];
}

function summary({ file: _, ...trained }: Retrained, isWritten: boolean) {
  return { ...trained, isWritten };
}

const NAMES: Readonly<Record<Retrained['choice'], string>> = {
  known: 'the model that comes with Candor',
  recalibrated: 'the same, calibrated to this project',
  own: 'trained on this project alone',
};

function reportLines(trained: Retrained, { dryRun }: TrainOptions): readonly string[] {
  const { questions, heldOutQuestions, queries, leftOut, losses, choice } = trained;
  const rows = (['known', 'recalibrated', 'own'] as const).map(
    (name) =>
      `  ${NAMES[name].padEnd(38)}${losses[name].nodes.toFixed(4).padStart(10)}${losses[name].queries.toFixed(4).padStart(10)}`,
  );
  const aside = leftOut === 0 ? '' : `; ${counted(leftOut, 'pair')} left out, whose SQL cannot be read`;
  const kept =
    dryRun === true ? 'nothing was written (--dry-run)' : `written to .candor/${PROJECT_MODEL_FILE}`;
  return [
    `${counted(questions, 'question')}, ${counted(queries, 'candidate')}${aside}`,
    '',
    `log-loss on ${counted(heldOutQuestions, 'question')} held out, less is better`,
    `  ${''.padEnd(38)}${'parts'.padStart(10)}${'queries'.padStart(10)}`,
    ...rows,
    '',
    choice === 'known' ? `Best: ${NAMES.known}; nothing was written.` : `Best: ${NAMES[choice]}; ${kept}.`,
  ];
}
