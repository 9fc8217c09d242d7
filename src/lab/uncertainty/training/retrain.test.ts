import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openSmallSession,
  type SmallSession,
} from '../../../../test/fixtures/grounded/open-small-session.ts';
import { drawPairs } from '../../../../test/fixtures/uncertainty/draw-pairs.ts';
import { tinyModel } from '../../../../test/fixtures/uncertainty/tiny-model.ts';
import { prepareSchemaFacts } from '../../../faults/index.ts';
import { prepareLinking } from '../../../linking/index.ts';
import { formSchemaOpinion } from '../../../reasoning/grounded/linking/index.ts';
import { decodeUncertaintyModel, prepareQuestion, recalibrateModel } from '../../../uncertainty/index.ts';
import { type OwnPair, type OwnSources, readOwnRows } from './own-rows.ts';
import { LEAST_QUESTIONS, retrain } from './retrain.ts';

let small: SmallSession;
let sources: OwnSources;
let knownFile: Uint8Array;
let pairs: readonly OwnPair[];
beforeAll(async () => {
  small = await openSmallSession();
  const { catalog } = small.session;
  const { linker, forests } = await prepareLinking(catalog);
  knownFile = await tinyModel(catalog);
  pairs = drawPairs(catalog).slice(0, LEAST_QUESTIONS + 4);
  sources = {
    catalog,
    schema: prepareSchemaFacts(catalog),
    prepare: (text) =>
      prepareQuestion({ text }, catalog, formSchemaOpinion({ question: text }, linker, forests)),
    known: decodeUncertaintyModel(knownFile, 'known'),
  };
}, 60_000);
afterAll(() => small.close());

describe('readOwnRows', () => {
  it('makes candidates of every pair, and of a correction both of its queries', async () => {
    const [first] = pairs;
    if (first === undefined) throw new Error('no pair');
    const corrected = { ...first, wrong: 'SELECT 1' };
    const { rows, queryLogOdds, nodeLogOdds } = await readOwnRows([first, corrected], sources, { seed: 1 });
    expect(rows.queries).toHaveLength(8 + 10);
    expect(queryLogOdds).toHaveLength(18);
    expect(nodeLogOdds).toHaveLength(rows.count);
    expect(rows.queries.slice(8, 10).map(({ isRight }) => isRight)).toEqual([false, true]);
    expect(new Set(rows.queries.map(({ database }) => database)).size).toBe(1);
  });

  it('counts what cannot be read', async () => {
    const { leftOut, questions } = await readOwnRows([{ question: 'Why?', gold: 'SELECT FROM' }], sources, {
      seed: 1,
    });
    expect({ leftOut, questions }).toEqual({ leftOut: 1, questions: 0 });
  });
});

describe('retrain', () => {
  it('measures three models on questions held out, and takes one that is better in both', async () => {
    const trained = await retrain(pairs, sources, { seed: 1, knownFile });
    expect(trained).toMatchObject({ questions: 44, heldOutQuestions: 11, queries: 44 * 8, leftOut: 0 });
    for (const { nodes, queries } of Object.values(trained.losses)) {
      expect(nodes).toBeGreaterThan(0);
      expect(queries).toBeGreaterThan(0);
    }
    expect(trained.file === undefined).toBe(trained.choice === 'known');
    const { known } = trained.losses;
    const chosen = trained.losses[trained.choice];
    if (trained.choice !== 'known') {
      expect(chosen.nodes).toBeLessThan(known.nodes);
      expect(chosen.queries).toBeLessThan(known.queries);
      const model = decodeUncertaintyModel(trained.file ?? new Uint8Array(), 'own');
      expect(model.space.names).toEqual(sources.known.space.names);
    }
  }, 120_000);

  it('says how many questions are missing', async () => {
    const few = pairs
      .slice(0, 30)
      .flatMap((pair) => [pair, { ...pair, question: ` ${pair.question.toUpperCase()}` }]);
    await expect(retrain(few, sources, { seed: 1, knownFile })).rejects.toMatchObject({
      code: 'uncertainty.too-few-pairs',
      message: expect.stringContaining('10 more'),
    });
  });

  it('stops when told to', async () => {
    const signal = AbortSignal.abort();
    await expect(retrain(pairs, sources, { seed: 1, knownFile, signal })).rejects.toHaveProperty(
      'name',
      'AbortError',
    );
  });
});

describe('recalibrateModel', () => {
  it('keeps the forests and takes other probabilities', () => {
    const { calibrator, curve } = sources.known;
    const queryCalibrator = { ...sources.known.queryCalibrator };
    const changed = { calibrator: { ...calibrator, groups: {} }, queryCalibrator, curve };
    const model = decodeUncertaintyModel(recalibrateModel(knownFile, changed), 'changed');
    expect(model.calibrator.groups).toEqual({});
    expect(model.about).toBe(sources.known.about);
  });
});
