/** The risk that ships, on SQL of real systems over databases that it has not learned from; judged as `candor review` does. */
import { certainFaults } from '../../../faults/index.ts';
import { readQuery } from '../../../faults/reading/index.ts';
import { seededRandom } from '../../../lib/index.ts';
import { checkReadOnly } from '../../../sql/index.ts';
import {
  addFaults,
  assessQuery,
  boundParts,
  labelNodes,
  openUncertaintyModel,
  partsToLookAt,
  thresholdFor,
  type UncertaintyModel,
} from '../../../uncertainty/index.ts';
import { TEST_DATABASES } from '../../linking/replay-set.ts';
import {
  type PredictedQuestion,
  type Prediction,
  readPredictionSet,
  writersOf,
} from '../data/prediction-set.ts';
import { askedOf, type PreparedDatabase, prepareDatabase } from '../data/read-rows.ts';
import { type JudgedCase, type RiskReport, riskFigures, TARGETS, writerFigures } from './risk-figures.ts';

export interface MeasureRiskOptions {
  readonly dataDirectory: string;
  /** Queries of a question, drawn by chance: dozens of systems answer the same one. */
  readonly perQuestion?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, of: number) => void;
}

const PER_QUESTION = 8;

/** Throws `eval.data-missing`. */
export async function measureRisk(options: MeasureRiskOptions): Promise<RiskReport> {
  const model = await openUncertaintyModel();
  const bird = await judgeSet('bird', model, options);
  const spider = await judgeSet('spider', model, options);
  return {
    sets: [
      riskFigures('BIRD dev, three databases', bird),
      riskFigures('Spider dev', spider),
      riskFigures('both', [...bird, ...spider]),
    ],
    writers: writerFigures([...bird, ...spider]),
  };
}

async function judgeSet(
  name: 'bird' | 'spider',
  model: UncertaintyModel,
  { dataDirectory, perQuestion = PER_QUESTION, signal, onProgress }: MeasureRiskOptions,
): Promise<readonly JudgedCase[]> {
  const { databases, questions } = await readPredictionSet(name, dataDirectory);
  const unseen = questions.filter(({ database }) => name === 'spider' || TEST_DATABASES.has(database));
  const limits = TARGETS.map((target) => thresholdFor(model.promise, target) ?? -1);
  const random = seededRandom(1);
  const prepared = new Map<string, PreparedDatabase>();
  const cases: JudgedCase[] = [];
  for (const [at, question] of unseen.entries()) {
    signal?.throwIfAborted();
    onProgress?.(name, at, unseen.length);
    const found = databases.get(question.database);
    if (found === undefined) continue;
    const database = prepared.get(question.database) ?? (await prepareDatabase(found, signal));
    prepared.set(question.database, database);
    const judge = judgeOf(question, database, { model, limits });
    for (const prediction of drawn(question.predictions, perQuestion, random)) {
      const judged = judge(prediction);
      if (judged !== undefined) cases.push({ ...judged, question: `${name} ${question.id}` });
    }
  }
  return cases;
}

/** Those whose rows were judged, in an order of chance. */
function drawn(
  predictions: readonly Prediction[],
  count: number,
  random: () => number,
): readonly Prediction[] {
  return predictions
    .filter(({ isRight }) => isRight !== undefined)
    .map((prediction) => ({ prediction, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, count)
    .map(({ prediction }) => prediction);
}

/** What cannot be read or is no query is left out: a review refuses it. */
function judgeOf(
  question: PredictedQuestion,
  database: PreparedDatabase,
  { model, limits }: { readonly model: UncertaintyModel; readonly limits: readonly number[] },
): (prediction: Prediction) => JudgedCase | undefined {
  const { catalog, facts, labels } = database;
  const asked = askedOf(question, database);
  const gold = readQuery(question.goldSql, catalog.dialect, catalog);
  return ({ sql, isRight, setups }) => {
    const read = readQuery(sql, catalog.dialect, catalog);
    if (!read.ok || isRight === undefined || !checkReadOnly(read.query.tree).readOnly) return undefined;
    const { query } = read;
    const faults = certainFaults(query, facts);
    const alone = assessQuery(read, sql, { schema: facts, asked }, model);
    const assessment = boundParts(addFaults(alone, faults, query));
    const wrongNodes = gold.ok ? labelNodes(query.tree, gold.query.tree, {}, labels) : undefined;
    const [top] = partsToLookAt(assessment);
    const isKnown = wrongNodes?.includes(1) === true && top !== undefined;
    return {
      ...{ question: question.id, database: question.database, isRight, risk: assessment.queryRisk },
      writers: writersOf(setups),
      passes: limits.map((limit) => assessment.queryRisk <= limit),
      marks: assessment.units,
      isTopWrong: isKnown ? top.nodes.some((node) => wrongNodes[node] === 1) : undefined,
    };
  };
}
