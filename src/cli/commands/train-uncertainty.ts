import { join } from 'node:path';
import type { Command } from 'commander';
import { CandorError } from '../../errors.ts';
import { readEdits } from '../../knowledge/index.ts';
import { type OwnPair, type Retrained, retrain } from '../../lab/index.ts';
import type { Session } from '../../session.ts';
import { writeWhole } from '../../store/index.ts';
import { openUncertaintyModel, PROJECT_MODEL_FILE, readShippedText } from '../../uncertainty/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../options.ts';
import { counted, makeProgress, renderJson } from '../render/index.ts';
import { withSession } from '../with-session.ts';

interface TrainOptions extends ProjectOptions, OutputOptions {
  readonly seed: number;
  readonly dryRun?: boolean;
}

/** `candor train uncertainty`: what says which part of a query is wrong, from what a project has checked. */
export function addTrainUncertaintyCommand(train: Command, context: CommandContext): void {
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
    const file = join(config.derivedDirectory, PROJECT_MODEL_FILE);
    const trained = await train(session, options, io);
    const isWritten = trained.text !== undefined && options.dryRun !== true;
    if (isWritten && trained.text !== undefined) await writeWhole(file, trained.text);
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
        knownText: await readShippedText(),
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

function summary({ text: _, ...trained }: Retrained, isWritten: boolean) {
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
