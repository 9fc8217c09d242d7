import type { Command } from 'commander';
import type { Config } from '../../../config/index.ts';
import { questionFilesIn } from '../../../lab/suites/answerable/index.ts';
import {
  casesToLabel,
  type LabelCase,
  labelAnswers,
  readTestFile,
  unlabelled,
} from '../../../lab/testing/index.ts';
import { openRiskModels, type Session } from '../../../session/index.ts';
import {
  type AnswerLabel,
  addLabels,
  BUILT_IN_WRITER,
  fitProjectRisk,
  LABEL_SOURCES,
  LABELS_FILE,
  LEAST_LABELS,
  PROJECT_RISK_FILE,
  type ProjectRisk,
  projectThresholds,
  readLabels,
  shiftRisk,
  shippedThresholds,
  writeProjectRisk,
} from '../../../uncertainty/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { counted, makeProgress, percent, promiseText, renderJson } from '../../render/index.ts';
import { CANCELLED_EXIT, type Io } from '../../terminal/io.ts';

interface RiskOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly dryRun?: boolean;
  readonly workspace: string;
}

const TARGETS = [0.05, 0.1, 0.2] as const;

/** `candor train risk`: what the labelled answers of a project say of its risk, and what they promise. */
export function addTrainRiskCommand(train: Command, context: CommandContext): void {
  const command = train
    .command('risk')
    .description(
      'Move the risk of answers by what became of those of this project, and say what is promised.',
    )
    .option('--dry-run', 'tell how it stands; nothing is asked and nothing is written')
    .option(
      '--workspace <name>',
      'whose thumbs, where servers share a state and the project is a workspace of another',
      '',
    );
  addOutputOptions(addProjectOptions(addModelOptions(command, 'the built-in engine')), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor train risk --dry-run                    labels so far, what they promise, how many are lacking
  candor train risk                              ask what nobody has judged, with the built-in engine, and learn
  candor train risk --model openai:gpt-4.1       the same for the answers of a model, which costs its calls

Labels come from candor test, from thumbs in the chat (of servers that share a state, from there), and from tests/*.yml and examples/*.sql, which are asked here where they have none
yet; a pair is asked as if nobody had verified it. They lie in .candor/${LABELS_FILE}, without questions. With fewer than ${LEAST_LABELS} of
one writer nothing is moved. What was learned lies in .candor/${PROJECT_RISK_FILE}; delete it to go back to the risk that ships.`,
    )
    .action((options: RiskOptions) =>
      runCommand(context, options.output, () => runTrainRisk(options, context.io)),
    );
}

async function runTrainRisk(options: RiskOptions, io: Io): Promise<number> {
  const named = { ...options, model: options.model ?? 'none' };
  const read = await readCommandConfig(io, named);
  // What a target would withhold has to be judged as well, or only what seemed sure would be.
  const config: Config = { ...read, targetRisk: undefined };
  const tests = await readTests(config, io);
  return withSession(config, io, options.quiet === true, async (session) => {
    const before = await openRiskModels(session.config.derivedDirectory);
    const known = await withThumbs(await readLabels(config.derivedDirectory), config, options);
    const writer = (await session.models?.())?.answers.id ?? BUILT_IN_WRITER;
    const asking = { known: known.labels, writer, modelId: before.modelId };
    const waiting = unlabelled(casesToLabel(tests, session), asking);
    const asked = options.dryRun === true ? [] : await askAll(waiting, session, options, io);
    await addLabels(config.derivedDirectory, asked);
    const { labels } = options.dryRun === true ? known : await readLabels(config.derivedDirectory);
    const fitted = fitProjectRisk(labels, before.modelId);
    const isCancelled = io.signal.aborted;
    const isWritten = options.dryRun !== true && !isCancelled && fitted.size > 0;
    if (isWritten)
      await writeProjectRisk(config.derivedDirectory, fitted, {
        model: before.modelId,
        at: session.wallClock(),
      });
    const writers = [...new Set([writer, ...fitted.keys()])].map((name) =>
      stateOf(name, labels, { fitted, ...before }),
    );
    const state: RiskState = {
      ...{ writers, asked: asked.length, waiting: waiting.length - asked.length, isWritten },
      ofOtherModels: labels.filter(({ model }) => model !== before.modelId).length,
      ...{ unreadable: known.unreadable, isSetAside: before.known.isOfOthers },
    };
    io.stdout.write(options.output === 'json' ? renderJson(state) : `${stateLines(state).join('\n')}\n`);
    return isCancelled ? CANCELLED_EXIT : 0;
  });
}

/** Where servers share a state, thumbs are kept there: those that are newer than what is known come to the labels. */
async function withThumbs(
  known: Awaited<ReturnType<typeof readLabels>>,
  config: Config,
  { dryRun, workspace }: RiskOptions,
): Promise<Awaited<ReturnType<typeof readLabels>>> {
  if (config.server.state === undefined) return known;
  // Only who shares a state waits for the server's packages.
  const { openServerState, sharedThumbs } = await import('../../../server/index.ts');
  const state = await openServerState(config);
  try {
    const newest = new Map(known.labels.map((label) => [keyOf(label), label]));
    const fresh = (await sharedThumbs(state, workspace)).filter(
      (thumb) => (newest.get(keyOf(thumb))?.at ?? '') < thumb.at,
    );
    for (const thumb of fresh) newest.set(keyOf(thumb), thumb);
    const all = [...newest.values()];
    if (dryRun !== true) await addLabels(config.derivedDirectory, all);
    return { ...known, labels: all };
  } finally {
    await state.close();
  }
}

function keyOf({ question, writer }: AnswerLabel): string {
  return `${question} ${writer}`;
}

async function readTests({ testsDirectory }: Config, io: Io) {
  const files = await questionFilesIn(testsDirectory);
  const read = await Promise.all(files.map((file) => readTestFile(file, io.cwd)));
  return read.flatMap(({ cases }) => cases);
}

async function askAll(
  cases: readonly LabelCase[],
  session: Session,
  { quiet }: RiskOptions,
  io: Io,
): Promise<readonly AnswerLabel[]> {
  const progress = makeProgress(io.stderr, quiet === true);
  return labelAnswers(cases, session, {
    signal: io.signal,
    onProgress: (done, total) => progress.report({ stage: 'asking what nobody has judged', done, total }),
  }).finally(progress.clear);
}

interface RiskState {
  readonly writers: readonly WriterState[];
  readonly asked: number;
  /** Questions that could be asked and were not, or that had no answer with a risk. */
  readonly waiting: number;
  /** Labels whose risk other models told. */
  readonly ofOtherModels: number;
  readonly unreadable: number;
  /** What was learned before is of other models. */
  readonly isSetAside: boolean;
  readonly isWritten: boolean;
}

interface WriterState {
  readonly writer: string;
  readonly labels: Readonly<Record<string, number>>;
  readonly wrong: number;
  /** What a risk of a tenth and of three tenths is told as; absent: nothing is moved. */
  readonly told?: readonly (readonly [before: number, now: number])[];
  readonly targets: readonly TargetState[];
}

interface TargetState {
  readonly target: number;
  readonly isOwn: boolean;
  readonly labelsNeeded?: number;
  /** Where the project promises it: the told risk up to which answers are shown, and how many of the labelled ones that are. */
  readonly upTo?: number;
  readonly shown?: number;
}

function stateOf(
  writer: string,
  all: readonly AnswerLabel[],
  {
    fitted,
    modelId,
    shippedCurves,
  }: Awaited<ReturnType<typeof openRiskModels>> & {
    readonly fitted: ReadonlyMap<string, ProjectRisk>;
  },
): WriterState {
  const labels = all.filter((label) => label.writer === writer && label.model === modelId);
  const own = fitted.get(writer);
  const shipped = shippedCurves(writer).promise;
  const thresholds = own === undefined ? shippedThresholds(shipped) : projectThresholds(own, shipped);
  const shift = own?.shift;
  const targets = TARGETS.map((target): TargetState => {
    const promise = thresholds.promiseFor(target);
    const upTo = promise.isOwn ? thresholds.thresholdFor(target) : undefined;
    if (upTo === undefined || shift === undefined) return promise;
    const shown = labels.filter(({ risk }) => shiftRisk(risk, shift) <= upTo).length / labels.length;
    return { ...promise, upTo, shown };
  });
  return {
    writer,
    labels: Object.fromEntries(
      LABEL_SOURCES.map((from) => [from, labels.filter((label) => label.from === from).length]),
    ),
    wrong: labels.filter(({ isWrong }) => isWrong).length,
    ...(shift && { told: [0.1, 0.3].map((risk) => [risk, shiftRisk(risk, shift)] as const) }),
    targets,
  };
}

function stateLines(state: RiskState): readonly string[] {
  const { asked, waiting, ofOtherModels, unreadable, isSetAside, isWritten } = state;
  const aside = [
    ...(isSetAside ? [`.candor/${PROJECT_RISK_FILE} was learned with other models and is set aside`] : []),
    ...(ofOtherModels === 0 ? [] : [`${counted(ofOtherModels, 'label')} of other models left out`]),
    ...(unreadable === 0
      ? []
      : [`${counted(unreadable, 'line')} of .candor/${LABELS_FILE} left out: no label`]),
  ];
  return [
    ...state.writers.flatMap((writer) => [...writerLines(writer), '']),
    `${counted(asked, 'answer')} judged now, ${waiting} without a label`,
    ...aside,
    isWritten ? `written to .candor/${PROJECT_RISK_FILE}` : 'nothing was written',
  ];
}

function writerLines({ writer, labels, wrong, told, targets }: WriterState): readonly string[] {
  const count = Object.values(labels).reduce((sum, each) => sum + each, 0);
  const sources = Object.entries(labels).flatMap(([from, each]) => (each === 0 ? [] : [counted(each, from)]));
  const from = sources.length === 0 ? '' : ` (${sources.join(', ')})`;
  return [
    `${writer}: ${counted(count, 'labelled answer')}${from}, ${wrong} wrong`,
    told === undefined
      ? `  the risk stays as it ships: ${counted(LEAST_LABELS - count, 'more label')} needed before it is moved`
      : `  ${told.map(([before, now]) => `a risk of ${percent(before)} is told as ${percent(now)}`).join(', ')}`,
    ...targets.map(({ upTo, shown = 0, ...promise }) => {
      const until = upTo === undefined ? '' : `: up to a risk of ${percent(upTo)}, ${percent(shown)} of them`;
      return `  ${promiseText(promise)}${until}`;
    }),
  ];
}
