import { predictSoftmax, type SoftmaxModel } from '../../softmax/index.ts';

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

// How near the wording of a question is to the nearest of known ones: cosine of their words and pairs, rare ones weighing more.

type Vector = ReadonlyMap<string, number>;

const EDGE = '|';

/** Gives, for the masked words of a question, the similarity to the nearest known one, in [0, 1]. */
function prepareNearest(known: readonly (readonly string[])[]): (words: readonly string[]) => number {
  const documents = known.map(gramsOf);
  const counts = new Map<string, number>();
  for (const grams of documents) for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const vectorOf = (grams: ReadonlySet<string>): Vector => {
    const weights = new Map<string, number>();
    for (const gram of grams)
      weights.set(gram, Math.log((documents.length + 1) / ((counts.get(gram) ?? 0) + 1)));
    const length = Math.sqrt([...weights.values()].reduce((sum, weight) => sum + weight * weight, 0));
    return new Map([...weights].map(([gram, weight]) => [gram, length === 0 ? 0 : weight / length]));
  };
  const postings = new Map<string, (readonly [document: number, weight: number])[]>();
  for (const [at, grams] of documents.entries())
    for (const [gram, weight] of vectorOf(grams)) addTo(postings, gram, [at, weight]);
  return (words) => {
    const sums = new Float64Array(documents.length);
    for (const [gram, weight] of vectorOf(gramsOf(words)))
      for (const [at, other] of postings.get(gram) ?? []) sums[at] = (sums[at] ?? 0) + weight * other;
    return sums.reduce((best, sum) => Math.max(best, sum), 0);
  };
}

/** Words, and pairs of neighbours with the ends of the question. */
function gramsOf(words: readonly string[]): ReadonlySet<string> {
  const bounded = [EDGE, ...words, EDGE];
  return new Set(bounded.flatMap((word, at) => [word, `${word} ${bounded[at + 1] ?? EDGE}`]));
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

// What is looked at in a question to tell whether it can be answered here.

const STOP = 'START';
const END = 'END';
/** Longer runs of words are seldom said twice. */
const LONGEST = 4;

/**
 * Runs of one to four words, pairs of words with a gap between, and the first words of the question. Numbers and quoted
 * texts are masked, and so is every word that `isCommon` does not know: a name or a value, which says nothing about the
 * kind of question.
 */
export function questionFeatures(question: string, isCommon: (word: string) => boolean): string[] {
  const words = [STOP, ...maskedWords(question, isCommon), END];
  const features = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= LONGEST && at + length <= words.length; length++)
      features.add(words.slice(at, at + length).join(' '));
    for (let gap = 2; gap <= 3 && at + gap < words.length; gap++)
      features.add(`${words[at]} … ${words[at + gap]}`);
  }
  return [...features];
}

/** The words in lower case, with what only names something masked; several masked words in a row are one. */
export function maskedWords(question: string, isCommon: (word: string) => boolean): string[] {
  const text = question
    .normalize('NFKC')
    .toLowerCase()
    .replace(/"[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, ' NAME ')
    .replace(/[’']/g, '');
  const words = text.match(/[\p{L}]+|[\p{N}][\p{N}.,:/-]*/gu) ?? [];
  const masked = words.map((word) => {
    if (/^\p{N}/u.test(word)) return 'NUMBER';
    return word === 'NAME' || !isCommon(word) ? 'NAME' : word;
  });
  return masked.filter((word, at) => word !== masked[at - 1] || !/^(?:NAME|NUMBER)$/.test(word));
}
