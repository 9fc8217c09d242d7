import { describe, expect, it } from 'vitest';
import { SINGER_FACTS, singerQuery } from '../../../../test/fixtures/uncertainty/singers.ts';
import { seededRandom } from '../../../lib/seeded-random.ts';
import {
  applyIsotonic,
  calibrate,
  decodeUncertaintyModel,
  encodeUncertaintyModel,
  featureSpace,
  PUBLISHED_GROUPS,
  readFeatures,
  scoreQuery,
} from '../../../uncertainty/index.ts';
import { auc } from '../../metrics/auc.ts';
import { NodeRows } from '../data/node-rows.ts';
import { localisation } from '../experiments/localisation.ts';
import { nodeFigures } from '../experiments/node-figures.ts';
import { dealFolds, scoreUnseen, trainUncertainty } from './train-uncertainty.ts';

const SPACE = featureSpace(PUBLISHED_GROUPS);
const QUERIES = [
  'SELECT name FROM singer WHERE age > 20',
  'SELECT nam FROM singer WHERE age > 20',
  "SELECT age FROM singer WHERE country = 'France'",
  "SELECT age FROM singer WHERE cuntry = 'France'",
  'SELECT COUNT(*) FROM concert JOIN singer ON concert.singer_id = singer.id',
  'SELECT COUNT(*) FROM concerts JOIN singer ON concerts.singer_id = singer.id',
];

/** What the schema does not have is wrong, with some noise; six made-up databases. */
function madeRows(): NodeRows {
  const rows = new NodeRows(SPACE, 16);
  const random = seededRandom(3);
  for (let at = 0; at < 180; at += 1) {
    const sql = QUERIES[at % QUERIES.length] ?? '';
    const query = singerQuery(sql);
    const isWrong = at % 2 === 1;
    const names = new Set(['nam', 'cuntry', 'concerts']);
    const labels = query.tree.nodes.map(({ type, value, children }) => {
      const name =
        type === 'Column' || type === 'Table' ? children.find(({ role }) => role === 'this')?.value : value;
      return Number(names.has(name ?? '') !== random() < 0.02);
    });
    rows.add({
      ...{ question: `q${at}`, database: `d${Math.floor(at / 30)}`, tag: 'made', isRight: !isWrong },
      types: query.tree.nodes.map(({ type }) => type),
      labels: Uint8Array.from(labels),
      values: readFeatures(query, { schema: SINGER_FACTS }, SPACE),
    });
  }
  return rows;
}

const SETTINGS = { trees: 30, minLeafRows: 10, learningRate: 0.2 };

describe('training a model of uncertainty', () => {
  const rows = madeRows();

  it('learns what is wrong, is calibrated on databases it has not seen, and marks the right unit', async () => {
    const trained = await trainUncertainty(rows, rows.queries, { folds: 3, nodeSettings: SETTINGS });
    const { nodeLogOdds, queryLogOdds } = trained.heldOut;
    const figures = nodeFigures(rows, rows.queries, nodeLogOdds, {
      ...{ train: rows.queries, calibrator: trained.calibrator, resamples: 20 },
    });
    expect(figures.all.auc).toBeGreaterThan(0.85);
    expect(figures.all.auc).toBeGreaterThan(figures.typeOnly);
    expect(figures.calibration?.ece).toBeLessThan(0.05);
    const wrong = rows.queries.map(({ isRight }) => Number(!isRight));
    expect(auc(queryLogOdds, wrong)).toBeGreaterThan(0.9);
    const marks = localisation(rows, rows.queries, nodeLogOdds, trained.calibrator);
    expect(marks.topUnitOfWronglyAnswered).toBeGreaterThan(0.9);
    expect(trained.curve.points.at(-1)?.shown).toBeGreaterThan(60);
  });

  it('gives the same model twice, and one that its file gives back', async () => {
    const train = () => trainUncertainty(rows, rows.queries, { folds: 2, nodeSettings: SETTINGS });
    const [one, other] = [await train(), await train()];
    const parts = ({ model: nodes, ...trained }: typeof one) => {
      const { codes, calibrator, queries, queryCalibrator, curve } = trained;
      const about = { about: 'A test.', data: {}, scores: {}, groups: [...PUBLISHED_GROUPS] };
      return encodeUncertaintyModel({ ...about, nodes, codes, calibrator, queries, queryCalibrator, curve });
    };
    const file = parts(one);
    expect(parts(other)).toEqual(file);
    const model = decodeUncertaintyModel(file, 'a test');
    const [first] = rows.queries;
    if (first === undefined) throw new Error('no query');
    const unseen = scoreUnseen(one, rows, [first]);
    const scored = scoreQuery(singerQuery(QUERIES[0] ?? ''), { schema: SINGER_FACTS }, model);
    expect(Array.from(scored.probabilities)).toEqual(
      Array.from(scored.probabilities, (_, at) =>
        calibrate(one.calibrator, rows.typeAt(first.start + at), unseen.nodeLogOdds[first.start + at] ?? 0),
      ),
    );
    expect(scored.queryRisk).toBe(applyIsotonic(one.queryCalibrator, unseen.queryLogOdds[0] ?? 0));
  });

  it('deals databases whole, the largest first', () => {
    const folds = dealFolds(rows.queries, 4);
    expect(folds).toHaveLength(4);
    for (const { inside, outside } of folds) {
      const left = new Set(inside.map(({ database }) => database));
      expect(outside.some(({ database }) => left.has(database))).toBe(false);
      expect(inside.length + outside.length).toBe(rows.queries.length);
    }
    expect(dealFolds(rows.queries, 99)).toHaveLength(6);
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort();
    const training = trainUncertainty(rows, rows.queries, { folds: 2, nodeSettings: SETTINGS, signal });
    await expect(training).rejects.toMatchObject({ code: 'boosting.cancelled' });
  });
});
