import { describe, expect, it } from 'vitest';
import { thingSet } from '../../../../test/fixtures/uncertainty/thing-set.ts';
import { openLinkForests } from '../../../reasoning/grounded/linking/index.ts';
import {
  ASKED_GROUPS,
  decodeUncertaintyModel,
  encodeUncertaintyModel,
  featureSpace,
  scoreValues,
} from '../../../uncertainty/index.ts';
import { dumpScores } from './score-dump.ts';
import { readShippedRows } from './shipped-rows.ts';
import { trainShipped } from './train-shipped.ts';

const groups = [...ASKED_GROUPS, 'agreement'] as const;
const forests = await openLinkForests();
const { rows } = await readShippedRows([thingSet('things')], featureSpace(groups), {
  forestsOf: () => forests,
  written: new Map(),
  judged: 3,
  seed: 1,
});
const train = () => trainShipped(rows, { folds: 2, groups, nodeSettings: { trees: 20 } });
const { parts } = await train();
const file = encodeUncertaintyModel({ ...parts, about: 'a test', data: {} });

describe('trainShipped', () => {
  it('gives the same model for the same rows', async () =>
    expect(encodeUncertaintyModel({ ...(await train()).parts, about: 'a test', data: {} })).toEqual(file));

  it('tells wrong queries from right ones in databases left out, and better beside others', () => {
    expect(parts.scores['node AUC, mutated alone']).toBeGreaterThan(0.7);
    expect(parts.scores['node AUC, mutated beside']).toBeGreaterThan(
      parts.scores['node AUC, mutated alone'] ?? 1,
    );
  });

  it('is read back as it scored', () => {
    const model = decodeUncertaintyModel(file, 'a test');
    const dump = dumpScores(rows, parts, 12);
    expect(dump).toHaveLength(12);
    for (const { values, logOdds } of dump) {
      const row = new Float64Array(values.length);
      model.encode(
        values.map((value) => value ?? Number.NaN),
        0,
        row,
      );
      expect(Math.abs(model.nodes.score(row) - logOdds)).toBeLessThan(1e-9);
    }
    const [query] = rows.queries;
    if (query === undefined) throw new Error('there is no query');
    const scored = scoreValues(['Select'], rows.valuesOf(query).slice(0, model.space.features.length), model);
    expect(scored.queryRisk).toBeGreaterThan(0);
    expect(scored.queryRisk).toBeLessThan(1);
  });
});
