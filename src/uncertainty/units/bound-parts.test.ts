import { describe, expect, it } from 'vitest';
import type { Assessment, UnitRisk } from './node-risk.ts';
import { boundParts } from './unit-risks.ts';

const UNIT: UnitRisk = {
  ...{ kind: 'literal', span: { start: 7, end: 8 }, text: '7', nodes: [1], reasons: [], probability: 0.9 },
};

function assessed(queryRisk: number, units: readonly UnitRisk[] = [UNIT]): Assessment {
  const nodes = [{ node: 1, type: 'Literal', probability: 0.9, reasons: [] }];
  return { sql: 'SELECT 7', nodes, units, queryRisk };
}

describe('boundParts', () => {
  it('leaves no part that is likelier wrong than the whole', () => {
    const { nodes, units, weakest } = boundParts(assessed(0.4));
    expect([nodes[0]?.probability, units[0]?.probability, weakest]).toEqual([0.4, 0.4, undefined]);
  });

  it('takes the mark away where the whole is sure, and keeps it as where to look', () => {
    const { units, weakest } = boundParts(assessed(0.1));
    expect(units).toEqual([]);
    expect(weakest).toMatchObject({ text: '7', probability: 0.1 });
  });

  it('bounds the weakest part that was known as well', () => {
    const { weakest } = boundParts({ ...assessed(0.1, []), weakest: { ...UNIT, probability: 0.2 } });
    expect(weakest?.probability).toBe(0.1);
  });

  it('changes nothing where the whole is the likelier', () => {
    expect(boundParts(assessed(0.95))).toEqual(assessed(0.95));
  });
});
