import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assessment } from '../units/node-risk.ts';
import { riskWithWriter } from './risk-with-writer.ts';

const WEIGHTS = { intercept: 0.8, sql: 0.3, writer: 0.6 };
const share = fc.double({ min: 0, max: 1, noNaN: true });

function assessment(queryRisk: number): Assessment {
  const unit = { kind: 'literal', span: { start: 0, end: 1 }, text: '7', nodes: [1], reasons: [] } as const;
  return {
    sql: 'SELECT 7',
    nodes: [{ node: 1, type: 'Literal', probability: 0.9, reasons: [] }],
    units: [{ ...unit, probability: 0.9 }],
    queryRisk,
  };
}

function riskOf(risk: number, probability: number, isDefined = false): number {
  return riskWithWriter(assessment(risk), { probability, isDefined }, WEIGHTS).queryRisk;
}

describe('riskWithWriter', () => {
  it('falls with the probability of the writer and rises with the risk of the SQL', () => {
    fc.assert(
      fc.property(share, share, share, (risk, low, high) => {
        const [less, more] = low <= high ? [low, high] : [high, low];
        expect(riskOf(risk, more)).toBeLessThanOrEqual(riskOf(risk, less));
        expect(riskOf(less, risk)).toBeLessThanOrEqual(riskOf(more, risk));
      }),
    );
  });

  it('is the logistic of both log-odds', () => {
    // 0.8 + 0.3·ln(.5/.5) + 0.6·ln(.2/.8) = 0.8 - 0.8318 = -0.0318
    expect(riskOf(0.5, 0.8)).toBeCloseTo(1 / (1 + Math.exp(0.0318)), 4);
  });

  it('of defined figures is that of their reading, whatever the SQL looks like', () => {
    expect(riskOf(0.8, 0.95, true)).toBeCloseTo(0.05, 12);
    expect(riskOf(0.02, 0.95, true)).toBeCloseTo(0.05, 12);
  });

  it('says nothing of what could not be looked at', () => {
    const unread = { ...assessment(1), unreadBecause: 'does not parse' };
    expect(riskWithWriter(unread, { probability: 1, isDefined: true }, WEIGHTS)).toBe(unread);
  });
});
