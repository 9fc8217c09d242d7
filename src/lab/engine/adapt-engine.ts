/** What rates readings, fitted to the verified pairs of a project where these are enough to be better by it. */
import { makeScorer, type TrainingSettings, type TreeModel, trainTrees } from '../../boosting/index.ts';
import { CandorError } from '../../errors.ts';
import { seededRandom } from '../../lib/index.ts';
import { type RatingModels, READING_FEATURES, rateRow } from '../../reasoning/grounded/rate/index.ts';
import { SampledRows } from '../stacking/sampled-rows.ts';
import type { TrainingItem } from './training-set.ts';
import { addRows, type JudgedQuestion, judgeQuestion } from './training-set.ts';

export interface AdaptedEngine {
  /** Absent where the known models alone are as good. */
  readonly own?: TreeModel;
  /** Pairs that could be read. */
  readonly questions: number;
  /** On pairs that the own forest had not seen: share whose best rated candidate is right, in percent, … */
  readonly right: {
    readonly known: number;
    readonly own: number;
    /** Any candidate is. */
    readonly any: number;
  };
  /** … and the mean log-loss over candidates, in nats. */
  readonly loss: { readonly known: number; readonly own: number };
}

export interface AdaptEngineOptions {
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (stage: string, done: number, total: number) => void;
}

/** Fewer cannot be split into pairs to learn from and pairs to measure on. */
export const LEAST_PAIRS = 20;
const FOLDS = 5;
const TREES: Partial<TrainingSettings> = {
  trees: 60,
  learningRate: 0.08,
  leaves: 6,
  minLeafRows: 10,
  l2: 10,
  rowShare: 0.8,
  columnShare: 0.5,
};

/**
 * A forest of the project's own, whose opinion stands beside that of the known one. It is kept where, on pairs held out in
 * turn, more questions come out right, or as many at a lower log-loss. Throws `engine.too-few-pairs`.
 */
export async function adaptEngine(
  items: readonly TrainingItem[],
  known: RatingModels,
  options: AdaptEngineOptions,
): Promise<AdaptedEngine> {
  const judged: JudgedQuestion[] = [];
  for (const [at, item] of items.entries()) {
    options.signal.throwIfAborted();
    const question = await judgeQuestion(item, known.asked, at % FOLDS);
    if (question !== null) judged.push(question);
    options.onProgress?.('reading pairs', at + 1, items.length);
  }
  checkEnough(judged);
  const rows = new SampledRows(READING_FEATURES, 1, seededRandom(options.seed));
  for (const question of judged) addRows(rows, question);
  const train = async (without?: number): Promise<TreeModel> =>
    (
      await trainTrees(rows.data(without), {
        settings: { ...TREES, seed: options.seed },
        signal: options.signal,
      })
    ).model;
  const base = { readings: known.readings };
  const own = new Tally();
  const before = new Tally();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    options.onProgress?.('held out', fold, FOLDS);
    const scorer = makeScorer(await train(fold));
    for (const question of judged.filter((each) => each.fold === fold)) {
      before.add(question, (row) => rateRow(row, base));
      own.add(question, (row) => rateRow(row, { ...base, own: scorer }));
    }
  }
  const isBetter = own.right > before.right || (own.right === before.right && own.loss < before.loss);
  const any = judged.filter(({ right }) => right.includes(true)).length;
  const percent = (count: number): number => Number(((100 * count) / judged.length).toFixed(1));
  return {
    ...(isBetter ? { own: await train() } : {}),
    questions: judged.length,
    right: { known: percent(before.right), own: percent(own.right), any: percent(any) },
    loss: { known: before.loss, own: own.loss },
  };
}

/** Whatever fold is held out, the others hold right candidates and wrong ones. */
function checkEnough(judged: readonly JudgedQuestion[]): void {
  const has = (isRight: boolean, without: number): boolean =>
    judged.some(({ fold, right }) => fold !== without && right.includes(isRight));
  const folds = Array.from({ length: FOLDS }, (_, fold) => fold);
  if (judged.length >= LEAST_PAIRS && folds.every((fold) => has(true, fold) && has(false, fold))) return;
  throw new CandorError(
    'engine.too-few-pairs',
    `Of the verified pairs the engine can read ${judged.length}; it needs ${LEAST_PAIRS}, some of them with a right reading and some with a wrong one.`,
  );
}

class Tally {
  right = 0;
  #sum = 0;
  #rows = 0;

  add({ rows, right }: JudgedQuestion, rate: (row: ArrayLike<number>) => number): void {
    const odds = rows.map(rate);
    if (right[odds.indexOf(Math.max(...odds))] === true) this.right += 1;
    for (const [at, each] of odds.entries()) {
      // log(1 + e^x) of the wrong sign is the loss; large odds must not overflow.
      const against = right[at] === true ? -each : each;
      this.#sum += Math.max(0, against) + Math.log1p(Math.exp(-Math.abs(against)));
      this.#rows += 1;
    }
  }

  /** Mean log-loss in nats. */
  get loss(): number {
    return this.#sum / Math.max(1, this.#rows);
  }
}
