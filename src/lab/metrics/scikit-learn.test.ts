import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { auc } from './auc.ts';
import { averagePrecision } from './precision-recall.ts';
import { brier, ece } from './reliability.ts';

/** Rows and figures that `scikit_learn_metrics.py` beside the file has written. */
const CASE = z.object({
  scores: z.array(z.number()).min(90),
  labels: z.array(z.number()),
  weights: z.array(z.number()),
  auc: z.number(),
  weightedAuc: z.number(),
  averagePrecision: z.number(),
  weightedAveragePrecision: z.number(),
  brier: z.number(),
  weightedBrier: z.number(),
  ece: z.number().nullable(),
});

const path = join(import.meta.dirname, '../../../test/fixtures/uncertainty/scikit-learn-metrics.jsonl');
const cases = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => CASE.parse(JSON.parse(line)));

describe('metrics are those of scikit-learn', () => {
  it.each(cases.map((known, at) => ({ at, known })))('on rows $at', ({ known }) => {
    const { scores, labels, weights } = known;
    const near = (found: number, wanted: number) => expect(Math.abs(found - wanted)).toBeLessThan(1e-12);
    near(auc(scores, labels), known.auc);
    near(auc(scores, labels, weights), known.weightedAuc);
    near(averagePrecision({ scores, labels }), known.averagePrecision);
    near(averagePrecision({ scores, labels, weights }), known.weightedAveragePrecision);
    near(brier({ scores, labels }), known.brier);
    near(brier({ scores, labels, weights }), known.weightedBrier);
    if (known.ece !== null) near(ece({ scores, labels }), known.ece);
  });

  it('with and without ties', () =>
    expect(cases.map((known) => known.ece !== null)).toEqual([true, false, false]));
});
