/** Trains what rates the readings of the grounded engine, from questions with gold queries on databases with rows. */
import type { TrainingSettings, TreeModel } from '../../boosting/index.ts';
import { type AskedModels, READING_FEATURES } from '../../reasoning/index.ts';
import { seededRandom } from '../../seeded-random.ts';
import type { SoftmaxSettings } from '../../softmax/index.ts';
import { foldForests } from '../stacking/fold-forests.ts';
import { SampledRows } from '../stacking/sampled-rows.ts';
import { addRows, type JudgedQuestion, judgeQuestion } from './judged-question.ts';
import { AskedExamples } from './train-asked.ts';
import type { EngineTrainingSet, TrainingItem } from './training-set.ts';

export interface TrainedEngine {
  readonly asked: AskedModels;
  readonly readings: TreeModel;
  readonly questions: number;
  readonly rows: number;
  /** On databases that the models behind it have not seen. */
  readonly heldOut: EngineScores;
}

/** Shares of the questions that were read, in percent. */
export interface EngineScores {
  /** The best rated candidate is right. */
  readonly first: number;
  /** The first candidate of the rules is. */
  readonly rules: number;
  /** Any candidate is. */
  readonly any: number;
}

export interface TrainEngineOptions {
  readonly folds: number;
  readonly seed?: number;
  readonly softmax?: Partial<SoftmaxSettings>;
  readonly trees?: Partial<TrainingSettings>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, total: number) => void;
}

const TREES: Partial<TrainingSettings> = {
  trees: 250,
  learningRate: 0.06,
  leaves: 31,
  minLeafRows: 40,
  l2: 5,
  rowShare: 0.7,
  columnShare: 0.5,
};
const SOFTMAX: Partial<SoftmaxSettings> = { epochs: 12, minCount: 4 };
/** Of the wrong candidates that are learned from. */
const SHARE = 0.6;

/**
 * In two stages, each learning from opinions about databases that the one before it has not seen (stacking, Wolpert 1992):
 * what questions ask for by their words, then which candidate is right.
 */
export async function trainEngine(
  set: EngineTrainingSet,
  options: TrainEngineOptions,
): Promise<TrainedEngine> {
  const { folds, seed = 1, signal } = options;
  const examples = new AskedExamples();
  await eachItem(set, options, 'read', (item, fold) => examples.add(item, fold));
  const softmax = { ...SOFTMAX, seed, ...options.softmax };
  const foldModels: AskedModels[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    signal?.throwIfAborted();
    options.onProgress?.('asked', fold, folds + 1);
    foldModels.push(examples.train(softmax, fold));
  }
  options.onProgress?.('asked', folds, folds + 1);
  const asked = examples.train(softmax);

  const rows = new SampledRows(READING_FEATURES, SHARE, seededRandom(seed));
  const judged: JudgedQuestion[] = [];
  await eachItem(set, options, 'candidates', async (item, fold) => {
    const question = await judgeQuestion(item, foldModels[fold] ?? asked, fold);
    if (question !== null) judged.push(question);
  });
  for (const question of judged) addRows(rows, question);
  const forests = await foldForests(rows, { ...TREES, seed, ...options.trees }, options);
  return {
    asked,
    readings: forests.all,
    questions: judged.length,
    rows: rows.size,
    heldOut: scoresOf(judged, (fold) => forests.of(fold).score),
  };
}

async function eachItem(
  set: EngineTrainingSet,
  { folds, signal, onProgress }: TrainEngineOptions,
  stage: string,
  visit: (item: TrainingItem, fold: number) => Promise<void> | void,
): Promise<void> {
  let done = 0;
  for (const [place, database] of set.databases.entries()) {
    signal?.throwIfAborted();
    await set.visit(database, async (item) => {
      await visit(item, place % folds);
      done += 1;
    });
    onProgress?.(stage, done, set.size);
  }
}

function scoresOf(
  judged: readonly JudgedQuestion[],
  scorer: (fold: number) => (row: ArrayLike<number>) => number,
): EngineScores {
  const tally = { first: 0, rules: 0, any: 0 };
  for (const { fold, rows, right } of judged) {
    const scores = rows.map(scorer(fold));
    const best = scores.indexOf(Math.max(...scores));
    if (right[best] === true) tally.first += 1;
    if (right[0] === true) tally.rules += 1;
    if (right.some(Boolean)) tally.any += 1;
  }
  const percent = (count: number): number => Number(((100 * count) / Math.max(1, judged.length)).toFixed(1));
  return { first: percent(tally.first), rules: percent(tally.rules), any: percent(tally.any) };
}
