import {
  BEYOND,
  type LearnedBoundary,
  maskedWords,
  questionFeatures,
  scoreBy,
} from '../../../boundary/index.ts';
import { CandorError } from '../../../errors.ts';
import { trainSoftmax } from '../../../softmax/index.ts';
import type { LabelledQuestion } from './read-labelled.ts';

export interface LearnBoundaryOptions {
  /** Share of answerable questions that may be refused, in cross-validation; the threshold is set by it. */
  readonly falseRefusals: number;
  readonly seed: number;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface LearntBoundary {
  readonly learned: LearnedBoundary;
  readonly answerable: number;
  readonly beyond: number;
  /** In cross-validation at the threshold, as shares. */
  readonly found: number;
  readonly falseRefusals: number;
}

const FOLDS = 10;
/** Questions that must have a word for it to be no name. */
const COMMON = 4;
/** What a question that cannot be answered counts, as there are few. */
const BEYOND_WEIGHT = 4;
/** With fewer of a kind nothing can be held out. */
const LEAST_LABELLED = 20;

/**
 * Learns from labelled questions which others cannot be answered. The threshold is the score that no more than the
 * given share of answerable questions reaches when questions like them were held out. Throws `boundary.too-few`.
 */
export async function learnBoundary(
  questions: readonly LabelledQuestion[],
  options: LearnBoundaryOptions,
): Promise<LearntBoundary> {
  const { falseRefusals, signal, onProgress } = options;
  const answerable = questions.filter(({ isAnswerable }) => isAnswerable).length;
  const beyond = questions.length - answerable;
  if (Math.min(answerable, beyond) < LEAST_LABELLED)
    throw new CandorError(
      'boundary.too-few',
      `There are ${answerable} questions with an answer and ${beyond} without; ${LEAST_LABELLED} of each are needed.`,
    );
  const common = commonWordsOf(questions);
  const folds = dealFolds(questions, FOLDS, (word) => common.has(word));
  const scores = new Array<number>(questions.length).fill(0);
  for (let fold = 0; fold < FOLDS; fold++) {
    signal?.throwIfAborted();
    onProgress?.(fold, FOLDS + 1);
    await pause();
    const score = scoreBy(
      train(
        questions.filter((_, at) => folds[at] !== fold),
        options.seed,
      ),
    );
    for (const [at, { question }] of questions.entries())
      if (folds[at] === fold) scores[at] = score(question);
  }
  const threshold = thresholdOf(
    scores.filter((_, at) => questions[at]?.isAnswerable === true),
    falseRefusals,
  );
  const reached = (isAnswerable: boolean): number =>
    scores.filter((score, at) => questions[at]?.isAnswerable === isAnswerable && score >= threshold).length;
  onProgress?.(FOLDS, FOLDS + 1);
  return {
    ...{ answerable, beyond },
    learned: { ...train(questions, options.seed), threshold },
    found: reached(false) / beyond,
    falseRefusals: reached(true) / answerable,
  };
}

/** Lets a signal and the progress through between two folds. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function train(questions: readonly LabelledQuestion[], seed: number): Omit<LearnedBoundary, 'threshold'> {
  const commonWords = commonWordsOf(questions);
  const isCommon = (word: string): boolean => commonWords.has(word);
  const model = trainSoftmax(
    questions.map(({ question, isAnswerable }) => ({
      features: questionFeatures(question, isCommon),
      label: isAnswerable ? 'answerable' : BEYOND,
      weight: isAnswerable ? 1 : BEYOND_WEIGHT,
    })),
    { seed },
  );
  const wordings = questions.flatMap(({ question, isAnswerable }) =>
    isAnswerable ? [maskedWords(question, isCommon).join(' ')] : [],
  );
  return { commonWords, model, answerable: [...new Set(wordings)].map((wording) => wording.split(' ')) };
}

function commonWordsOf(questions: readonly LabelledQuestion[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { question } of questions)
    for (const word of new Set(maskedWords(question, () => true)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set([...counts].flatMap(([word, count]) => (count >= COMMON ? [word] : [])));
}

/** Just above the score of the first answerable question too many. */
function thresholdOf(scores: readonly number[], share: number): number {
  const sorted = [...scores].sort((a, b) => b - a);
  const first = sorted[Math.floor(share * sorted.length)] ?? Number.NEGATIVE_INFINITY;
  return first + Math.abs(first) * Number.EPSILON + Number.MIN_VALUE;
}

// Folds for cross-validation in which near wordings stay together, so that what is held out is new.

/** From this share of common words on two wordings are near. What cannot be answered is rarer, and held out more widely. */
const NEAR = { answerable: 0.7, beyond: 0.4 } as const;

/** For each question the number of its fold, from 0; groups of near wordings are dealt out, the largest first. */
export function dealFolds(
  questions: readonly LabelledQuestion[],
  folds: number,
  isCommon: (word: string) => boolean,
): readonly number[] {
  const deal = new Array<number>(questions.length).fill(0);
  for (const isAnswerable of [true, false]) {
    const places = questions.flatMap((each, at) => (each.isAnswerable === isAnswerable ? [at] : []));
    const words = places.map((at) => new Set(maskedWords(questions[at]?.question ?? '', isCommon)));
    const groups = groupNear(words, isAnswerable ? NEAR.answerable : NEAR.beyond);
    groups
      .sort((a, b) => b.length - a.length)
      .forEach((group, turn) => {
        for (const member of group) deal[places[member] ?? 0] = turn % folds;
      });
  }
  return deal;
}

/** Groups by single links: two sets belong together where so large a share of their words is in both. */
function groupNear(sets: readonly ReadonlySet<string>[], near: number): number[][] {
  const parents = sets.map((_, at) => at);
  const find = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[at] = root;
    return root;
  };
  for (const [at, left] of sets.entries())
    for (const [other, right] of sets.entries()) {
      if (other >= at) break;
      if (find(at) !== find(other) && likeness(left, right) >= near) parents[find(at)] = find(other);
    }
  const groups = new Map<number, number[]>();
  for (const at of sets.keys()) {
    const group = groups.get(find(at));
    if (group === undefined) groups.set(find(at), [at]);
    else group.push(at);
  }
  return [...groups.values()];
}

/** Jaccard. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / (left.size + right.size - shared || 1);
}
