/** Trains what rates the readings of the grounded engine, from questions with gold queries on databases with rows. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeModelFile, type TrainingSettings, type TreeModel } from '../../boosting/index.ts';
import { CandorError } from '../../errors.ts';
import { seededRandom } from '../../lib/index.ts';
import {
  type AskedModels,
  mentionContext,
  mentionRole,
  namedPlaces,
  questionGrams,
  questionSymbols,
  RATING_FILES,
  READING_FEATURES,
  SHAPE_PARTS,
  type ShapePart,
} from '../../reasoning/grounded/rate/index.ts';
import {
  encodeSoftmaxModels,
  type SoftmaxExample,
  type SoftmaxModel,
  type SoftmaxSettings,
  trainSoftmax,
} from '../../softmax/index.ts';
import { writeWhole } from '../../store/index.ts';
import { foldForests } from '../stacking/fold-forests.ts';
import { SampledRows } from '../stacking/sampled-rows.ts';
import {
  addRows,
  type EngineTrainingSet,
  type JudgedQuestion,
  judgeQuestion,
  type TrainingItem,
} from './training-set.ts';

export interface TrainedEngine {
  readonly asked: AskedModels;
  readonly readings: TreeModel;
  readonly questions: number;
  readonly rows: number;
  /** On databases that the models behind it have not seen. */
  readonly heldOut: EngineScores;
}

/** Shares of the questions that were read, in percent. */
interface EngineScores {
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

interface AskedExample {
  readonly fold: number;
  readonly grams: readonly string[];
  readonly shape: Readonly<Record<ShapePart, string>>;
  readonly roles: readonly SoftmaxExample[];
}

/** Outlines rarer than this are one label: too few to learn from. */
const RARE = 8;

/** What questions say of the queries they ask for, collected question by question. */
class AskedExamples {
  readonly #examples: AskedExample[] = [];

  add({ question, gold }: TrainingItem, fold: number): void {
    const symbols = questionSymbols(question.tokens, question.mentions);
    const roles = namedPlaces(symbols).map(({ mention, place }) => ({
      features: mentionContext(symbols, place),
      label: mentionRole(mention, gold),
    }));
    this.#examples.push({ fold, grams: questionGrams(symbols), shape: gold.shape, roles });
  }

  get size(): number {
    return this.#examples.length;
  }

  /** Models of all folds but one, or of all. */
  train(settings: Partial<SoftmaxSettings>, without?: number): AskedModels {
    const examples = this.#examples.filter(({ fold }) => fold !== without);
    const shapes = Object.fromEntries(
      SHAPE_PARTS.map((part) => [
        part,
        trainPart(
          part,
          examples.map(({ grams, shape }) => ({ features: grams, label: shape[part] })),
          settings,
        ),
      ]),
    ) as Record<ShapePart, AskedModels['roles']>;
    const roles = trainPart(
      'roles',
      examples.flatMap((example) => example.roles),
      settings,
    );
    return { shapes, roles };
  }
}

function trainPart(
  part: string,
  all: readonly SoftmaxExample[],
  settings: Partial<SoftmaxSettings>,
): SoftmaxModel {
  const examples = withoutRare(all);
  const labels = new Set(examples.map(({ label }) => label));
  if (labels.size >= 2) return trainSoftmax(examples, settings);
  throw new CandorError(
    'engine.too-few-questions',
    `Of “${part}” there is nothing to tell apart: ${labels.size} of its labels are due in ${RARE} questions or more, two are needed.`,
  );
}

function withoutRare(examples: readonly SoftmaxExample[]): SoftmaxExample[] {
  const counts = new Map<string, number>();
  for (const { label } of examples) counts.set(label, (counts.get(label) ?? 0) + 1);
  return examples.filter(({ label }) => (counts.get(label) ?? 0) >= RARE);
}

/** What the models were trained on, for people. */
export interface EngineProvenance {
  readonly data: string;
  readonly licence: string;
  readonly seed: number;
}

/** Writes the models of an engine into a folder, each file whole; returns their size in bytes. */
export async function writeEngine(
  { asked, readings, questions, rows, heldOut }: TrainedEngine,
  folder: string,
  { data, licence, seed }: EngineProvenance,
): Promise<number> {
  const provenance = { data, licence, seed, trained: questions };
  const files = new Map<string, Uint8Array>([
    [
      RATING_FILES.asked,
      encodeSoftmaxModels({ models: { ...asked.shapes, roles: asked.roles }, provenance }),
    ],
    [
      RATING_FILES.readings,
      encodeModelFile({
        model: readings,
        about: 'whether a reading of a question is right; candor train engine',
        data: { data, licence, seed: String(seed), questions: String(questions), rows: String(rows) },
        scores: { ...heldOut },
      }),
    ],
  ]);
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of files) await writeWhole(join(folder, name), bytes);
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}
