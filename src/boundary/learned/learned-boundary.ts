import { predictSoftmax, type SoftmaxModel } from '../../softmax/index.ts';
import { prepareNearest } from './nearest-known.ts';
import { maskedWords, questionFeatures } from './question-features.ts';

/** Class of the questions that cannot be answered. */
export const BEYOND = 'beyond';

/** What was learned from questions that people labelled. */
export interface LearnedBoundary {
  /** Words that enough questions have; every other is a name or a value. */
  readonly commonWords: ReadonlySet<string>;
  /** Two classes, `BEYOND` one of them. */
  readonly model: SoftmaxModel;
  /** The wordings that can be answered, masked: none of their names and values. */
  readonly answerable: readonly (readonly string[])[];
  /** From this score on a question is taken to be beyond what can be answered. */
  readonly threshold: number;
}

/**
 * Log-odds that a new wording weighs: a question unlike every answerable one is likelier beyond. Chosen by
 * cross-validation on the training questions of EHRSQL-2024 in which near wordings are held out together.
 */
const NOVELTY = 15;

/** Scores questions: the log-odds of being beyond by its words, less its nearness to an answerable wording. */
export function scoreBy(learned: Omit<LearnedBoundary, 'threshold'>): (question: string) => number {
  const { model, commonWords, answerable } = learned;
  const isCommon = (word: string): boolean => commonWords.has(word);
  const nearness = prepareNearest(answerable);
  const place = model.classes.indexOf(BEYOND);
  return (question) => {
    const probabilities = predictSoftmax(model, questionFeatures(question, isCommon));
    const beyond = probabilities[place] ?? 0;
    const odds = Math.log(Math.max(beyond, 1e-12) / Math.max(1 - beyond, 1e-12));
    return odds - NOVELTY * nearness(maskedWords(question, isCommon));
  };
}
