/** A model of a project's own, where its pairs and corrections are enough for one that is better than the known one. */
import { createHash } from 'node:crypto';
import { CandorError } from '../../../errors.ts';
import { encodeUncertaintyModel, fitCalibrator, recalibrateModel } from '../../../uncertainty/index.ts';
import type { RowQuery } from '../data/node-rows.ts';
import {
  calibrated,
  keyOfQuestion,
  type OwnPair,
  type OwnRows,
  type OwnSources,
  readOwnRows,
} from './own-rows.ts';
import { calibrateQueries, rowsOf, scoreUnseen, trainUncertainty } from './train-uncertainty.ts';

export interface RetrainOptions {
  readonly seed: number;
  /** Text of the known model: what is kept of it when only its calibration is fitted anew. */
  readonly knownFile: Uint8Array;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, of: number) => void;
}

export type ModelChoice = 'known' | 'recalibrated' | 'own';

export interface Retrained {
  readonly choice: ModelChoice;
  /** Of the model to be written; undefined where the known one is best. */
  readonly file?: Uint8Array;
  readonly questions: number;
  readonly heldOutQuestions: number;
  readonly queries: number;
  readonly leftOut: number;
  /** On questions that none of them had seen. */
  readonly losses: Readonly<Record<ModelChoice, HeldOutLoss>>;
}

/** Mean negative log-likelihood, in nats; less is better. */
export interface HeldOutLoss {
  readonly nodes: number;
  readonly queries: number;
}

/** Fewer cannot be split into questions to learn from and questions to measure on. */
export const LEAST_QUESTIONS = 40;
/** One question in four is held out. */
const HELD_OUT = 4;
const FOLDS = 3;
const TREES = 80;

/**
 * Three models are measured on every fourth question: the known one as it is, the known one with its calibration
 * fitted to the other questions, and one trained on these alone. A more fitted one is chosen where both of its losses,
 * of nodes and of queries, are lower; it is then made of all questions. The same seed gives the same model. Throws
 * `uncertainty.too-few-pairs`.
 */
export async function retrain(
  pairs: readonly OwnPair[],
  sources: OwnSources,
  options: RetrainOptions,
): Promise<Retrained> {
  refuseTooFew(new Set(pairs.map(keyOfQuestion)).size);
  const { seed, signal, onProgress } = options;
  const read = await readOwnRows(pairs, sources, {
    seed,
    signal,
    onProgress: (done, of) => onProgress?.('reading pairs', done, of),
  });
  refuseTooFew(read.questions);
  const [learned, held] = split(read.rows.queries);
  const own = await train(read, learned, options, 'held out');
  const losses = {
    known: lossOf(read, held, calibrated(read, sources.known)),
    recalibrated: lossOf(read, held, calibrated(read, recalibrate(read, learned))),
    own: lossOf(read, held, ownScores(read, held, own)),
  };
  const choice = choose(losses);
  const about = aboutOf(pairs, read, options);
  return {
    choice,
    ...(choice === 'recalibrated' && {
      file: recalibrateModel(options.knownFile, recalibrate(read, read.rows.queries)),
    }),
    ...(choice === 'own' && { file: await ownFile(read, { options, about, losses }) }),
    questions: read.questions,
    heldOutQuestions: new Set(held.map(({ question }) => question)).size,
    queries: read.rows.queries.length,
    leftOut: read.leftOut,
    losses,
  };
}

function refuseTooFew(questions: number): void {
  if (questions >= LEAST_QUESTIONS) return;
  throw new CandorError(
    'uncertainty.too-few-pairs',
    `There are ${questions} questions with SQL that was verified or corrected; ${LEAST_QUESTIONS} are needed, ${LEAST_QUESTIONS - questions} more.`,
    { data: { questions, needed: LEAST_QUESTIONS } },
  );
}

/** By question, in the order they were met: what was held out does not depend on the seed. */
function split(queries: readonly RowQuery[]): readonly [readonly RowQuery[], readonly RowQuery[]] {
  const places = new Map([...new Set(queries.map(({ question }) => question))].map((id, at) => [id, at]));
  const isHeld = ({ question }: RowQuery): boolean => (places.get(question) ?? 0) % HELD_OUT === HELD_OUT - 1;
  return [queries.filter((query) => !isHeld(query)), queries.filter(isHeld)];
}

type Trained = Awaited<ReturnType<typeof trainUncertainty>>;

function train(
  { rows }: OwnRows,
  queries: readonly RowQuery[],
  { seed, signal, onProgress }: RetrainOptions,
  what: string,
): Promise<Trained> {
  return trainUncertainty(rows, queries, {
    folds: FOLDS,
    nodeSettings: { trees: TREES, seed },
    ...(signal && { signal }),
    onProgress: (stage, done, of) => onProgress?.(`training, ${what}: ${stage}`, done, of),
  });
}

function recalibrate(
  { rows, nodeLogOdds, queryLogOdds }: OwnRows,
  queries: readonly RowQuery[],
): Pick<Trained, 'calibrator' | 'queryCalibrator' | 'curve'> {
  const chosen = rowsOf(queries);
  const calibrator = fitCalibrator({
    scores: Float64Array.from(chosen, (row) => nodeLogOdds[row] ?? 0),
    labels: Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    groups: Array.from(chosen, (row) => rows.typeAt(row)),
  });
  const places = new Map(rows.queries.map((query, at) => [query, at]));
  const scores = Float64Array.from(queries, (query) => queryLogOdds[places.get(query) ?? -1] ?? 0);
  return { calibrator, ...calibrateQueries(queries, scores) };
}

interface Probabilities {
  /** By row; by query of all rows. */
  readonly nodes: Float64Array;
  readonly queries: Float64Array;
}

function ownScores(read: OwnRows, held: readonly RowQuery[], own: Trained): Probabilities {
  const { nodeLogOdds, queryLogOdds } = scoreUnseen(own, read.rows, held);
  const places = new Map(held.map((query, at) => [query, at]));
  const ofAll = read.rows.queries.map((query) => queryLogOdds[places.get(query) ?? -1] ?? 0);
  return calibrated({ rows: read.rows, nodeLogOdds, queryLogOdds: Float64Array.from(ofAll) }, own);
}

function lossOf({ rows }: OwnRows, held: readonly RowQuery[], said: Probabilities): HeldOutLoss {
  const chosen = rowsOf(held);
  const isHeld = new Set(held);
  const known = rows.queries.flatMap((query, at) =>
    isHeld.has(query) && query.isRight !== undefined ? [{ at, wrong: Number(!query.isRight) }] : [],
  );
  return {
    nodes: logLoss(
      Array.from(chosen, (row) => said.nodes[row] ?? 0),
      Array.from(chosen, (row) => rows.labelAt(row)),
    ),
    queries: logLoss(
      known.map(({ at }) => said.queries[at] ?? 0),
      known.map(({ wrong }) => wrong),
    ),
  };
}

/** From the least fitted to the most: each has to be better in both. */
function choose(losses: Retrained['losses']): ModelChoice {
  const isBetter = (one: HeldOutLoss, other: HeldOutLoss): boolean =>
    one.nodes < other.nodes && one.queries < other.queries;
  const first = isBetter(losses.recalibrated, losses.known) ? 'recalibrated' : 'known';
  return isBetter(losses.own, losses[first]) ? 'own' : first;
}

function aboutOf(pairs: readonly OwnPair[], { questions }: OwnRows, { seed }: RetrainOptions): About {
  const hash = createHash('sha256').update(JSON.stringify(pairs)).digest('hex');
  return {
    about: `Trained on ${questions} questions of this project by candor train uncertainty --seed ${seed}.`,
    data: { 'verified pairs and corrections': hash },
  };
}

interface About {
  readonly about: string;
  readonly data: Readonly<Record<string, string>>;
}

async function ownFile(
  read: OwnRows,
  given: { readonly options: RetrainOptions; readonly about: About; readonly losses: Retrained['losses'] },
): Promise<Uint8Array> {
  const { rows } = read;
  const { model, ...trained } = await train(read, rows.queries, given.options, 'all');
  const { nodes, queries } = given.losses.own;
  return encodeUncertaintyModel({
    ...trained,
    ...given.about,
    scores: { heldOutNodeLogLoss: nodes, heldOutQueryLogLoss: queries },
    groups: rows.space.names,
    nodes: model,
  });
}

/** Probabilities are kept so far off certainty, or one sure mistake would decide everything. */
const LEAST = 1e-4;

/** Mean negative log-likelihood of 0/1 labels under probabilities, in nats; NaN without rows. */
export function logLoss(probabilities: readonly number[], labels: readonly number[]): number {
  const sum = probabilities.reduce((total, p, row) => {
    const bounded = Math.min(1 - LEAST, Math.max(LEAST, p));
    return total - Math.log(labels[row] === 1 ? bounded : 1 - bounded);
  }, 0);
  return sum / probabilities.length;
}
