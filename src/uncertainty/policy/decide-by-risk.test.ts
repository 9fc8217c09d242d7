import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CertainFault } from '../../faults/index.ts';
import type { RiskThresholds } from '../calibration/threshold-for.ts';
import type { Assessment } from '../units/node-risk.ts';
import { decideByRisk, type RiskCase } from './decide-by-risk.ts';

const UNIT: Assessment['units'][number] = {
  ...{ kind: 'column', span: { start: 7, end: 8 }, text: 'a', probability: 0.7, nodes: [1], reasons: [] },
};
const assessment = (queryRisk: number, parts: Partial<Assessment> = {}): Assessment => ({
  ...{ sql: 'SELECT a FROM t', nodes: [], units: [UNIT], queryRisk, ...parts },
});
const fault = (isRefused: boolean): CertainFault => ({
  ...{ kind: 'unknown-column', node: 1, span: { start: 7, end: 8 }, text: 'no such column', instead: [] },
  isRefused,
});
const DECISIVE: CertainFault = { ...fault(false), kind: 'wrong-join' };
/** May show risks up to four times the target; nothing below a target of 2 %. */
const CURVE: RiskThresholds = { thresholdFor: (target) => (target < 0.02 ? undefined : 4 * target) };
const BASE: Omit<RiskCase, 'assessment'> = { curve: CURVE, targetRisk: 0.05, canRepair: true };

describe('the decision by risk', () => {
  it.each<[when: string, risk: number, parts: Partial<RiskCase>, action: string]>([
    ['the risk is at the first threshold', 0.2, {}, 'answer'],
    ['the risk is between the thresholds', 0.3, {}, 'warn'],
    ['the risk is beyond both', 0.5, {}, 'repair'],
    ['nobody can repair', 0.5, { canRepair: false }, 'abstain'],
    ['no part is suspicious', 0.5, { assessment: assessment(0.5, { units: [] }) }, 'abstain'],
    ['the target is out of reach, twice the target is not', 0.05, { targetRisk: 0.01 }, 'warn'],
    ['both targets are out of reach', 0.05, { targetRisk: 0.005, canRepair: false }, 'abstain'],
    ['the engine would refuse it', 0.01, { faults: [fault(true)] }, 'repair'],
    ['the engine would refuse it for good', 0.01, { faults: [fault(true)], canRepair: false }, 'abstain'],
    ['a measured risk is small in spite of a doubt', 0.1, { faults: [fault(false)] }, 'answer'],
    ['a fault decides, and the curve would let the query pass', 0.1, { faults: [DECISIVE] }, 'warn'],
    ['a fault decides, and the risk is beyond both', 0.97, { faults: [DECISIVE] }, 'repair'],
    [
      'the query could not be read',
      1,
      { assessment: assessment(1, { unreadBecause: 'too large' }) },
      'abstain',
    ],
    ['the risk is no number', Number.NaN, { canRepair: false }, 'abstain'],
  ])('when %s', (_, risk, parts, action) => {
    expect(decideByRisk({ ...BASE, assessment: assessment(risk), ...parts }).action).toBe(action);
  });

  it.each<[faults: readonly CertainFault[], canRepair: boolean, action: string]>([
    [[], true, 'answer'],
    [[fault(false)], true, 'repair'],
    [[fault(false)], false, 'warn'],
    [[fault(false), fault(true)], false, 'abstain'],
  ])('goes by certain faults before a model is calibrated', (faults, canRepair, action) => {
    const decision = decideByRisk({ assessment: assessment(0.6), targetRisk: 0.05, canRepair, faults });
    expect(decision).toMatchObject({ action, r1: undefined, r2: undefined });
  });

  it('says why and by which thresholds', () => {
    expect(decideByRisk({ ...BASE, assessment: assessment(0.3) })).toEqual({
      ...{ action: 'warn', reason: 'its risk 0.30 is above 0.20', r1: 0.2, r2: 0.4 },
    });
  });

  it('is never bolder for a greater risk or a smaller target', () => {
    const boldness = { answer: 3, warn: 2, repair: 1, abstain: 0 };
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, fc.boolean(), (risk, targetRisk, by, canRepair) => {
        const decide = (queryRisk: number, target: number) =>
          boldness[
            decideByRisk({ assessment: assessment(queryRisk), curve: CURVE, targetRisk: target, canRepair })
              .action
          ];
        expect(decide(risk + by, targetRisk)).toBeLessThanOrEqual(decide(risk, targetRisk));
        expect(decide(risk, targetRisk * by)).toBeLessThanOrEqual(decide(risk, targetRisk));
      }),
    );
  });

  it('keeps the second threshold at or above the first, whatever the curve says', () => {
    const falling: RiskThresholds = { thresholdFor: (target) => 1 - target };
    const { r1, r2 } = decideByRisk({ ...BASE, curve: falling, assessment: assessment(0.5) });
    expect(r2).toBe(r1);
  });
});
