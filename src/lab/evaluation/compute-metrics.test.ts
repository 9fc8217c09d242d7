import { describe, expect, it } from 'vitest';
import type { CaseRecord } from './case-record.ts';
import { calibrationFigures, computeMetrics, surelyWrong, toldAnswers } from './compute-metrics.ts';

function record(index: number, given: Partial<CaseRecord>): CaseRecord {
  const verdict = given.verdict ?? 'right';
  return {
    ...{ suite: 'chinook', id: `case ${index}`, index, database: 'chinook', tags: [], question: 'How many?' },
    ...{ expected: 'answered', outcome: 'answered', verdict, correct: verdict === 'right' },
    ...given,
  };
}

describe('how well wrong answers are told from right ones', () => {
  const records = [
    record(0, { probability: 0.9, risk: 0.1 }),
    record(1, { probability: 0.8, risk: 0.7, verdict: 'wrong' }),
    record(2, { probability: 0.5, risk: 0.4 }),
    record(3, { outcome: 'abstain', verdict: 'declined' }),
    record(4, { probability: 0.7 }),
    // In no figure.
    record(5, { verdict: 'gold-failed', probability: 0.99 }),
    record(6, { expected: 'reject', verdict: 'forced', probability: 0.95, risk: 0 }),
  ];
  const metrics = computeMetrics('chinook', records);

  it('is the accuracy of the surest half, where a refusal comes last', () =>
    // Five answerable cases; of .9 and .8 the first is right.
    expect(metrics.accuracySurestHalf).toBe(50));

  it('is an AUC by probability and by risk, of the answers that have them', () => {
    // .8 is wrong: of the three right ones .5 and .7 look worse.
    expect(metrics.probabilityAuc).toBeCloseTo(1 / 3, 3);
    expect(metrics.riskAuc).toBe(1);
    expect(metrics.riskAucLow).toBe(1);
  });

  it('is not measured where all answers are right', () => {
    const right = computeMetrics('chinook', [
      record(0, { probability: 0.9 }),
      record(1, { probability: 0.5 }),
    ]);
    expect(right).not.toHaveProperty('probabilityAuc');
    expect(right).not.toHaveProperty('riskAuc');
    expect(right.accuracySurestHalf).toBe(100);
  });
});

describe('whether the risk that was told came true', () => {
  const told = toldAnswers([
    record(0, { risk: 0.1 }),
    record(1, { risk: 0.3, verdict: 'wrong' }),
    record(2, { risk: 0.2, expected: 'reject', verdict: 'forced' }),
    // No answer, no risk, and a case that is broken itself.
    record(3, { risk: 0.9, outcome: 'abstain', verdict: 'declined' }),
    record(4, { verdict: 'wrong' }),
    record(5, { risk: 0.9, verdict: 'gold-failed' }),
  ]);

  it('is said by means in percent and by the distance of both', () =>
    // |.1 − 0|, |.3 − 1| and |.2 − 1|, a bin each.
    expect(calibrationFigures(told)).toEqual({ riskTold: 20, riskWrong: 66.67, riskEce: 0.533 }));

  it('lists the wrong ones with the least risk first, and says nothing of nothing', () => {
    expect(surelyWrong(told).map(({ id }) => id)).toEqual(['case 2', 'case 1']);
    expect(surelyWrong(told, 1)).toHaveLength(1);
    expect(calibrationFigures([])).toEqual({});
  });
});
