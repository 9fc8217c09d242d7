import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeLinkFigures, figuresBy, harmonicMean } from './link-metrics.ts';
import type { LinkRecord } from './link-record.ts';
import { scoreItems } from './score-items.ts';

function record(gold: string, linked: string, more: Partial<LinkRecord> = {}): LinkRecord {
  const [wanted, found] = [gold, linked].map((text) => new Set(text.split(' ').filter(Boolean)));
  const score = { ...scoreItems(wanted!, found!), gold: wanted!.size, linked: found!.size, missing: [] };
  const cost = { tokens: 0, ms: 1, keptShare: 0.5, keptTableShare: 1 };
  return { set: 's', mode: 'm', id: '1', database: 'd', table: score, field: score, ...cost, ...more };
}

describe('figures of a run', () => {
  it('are macro averages: NSF is the mean of the F1 of questions', () => {
    // recall 1, ½; precision ½, 1; F1 ⅔, ⅔: their mean is ⅔, while the F1 of the means ¾, ¾ would be ¾.
    const { field } = computeLinkFigures([record('a', 'a b'), record('a b', 'a')]);
    expect(field?.srr.value).toBeCloseTo(50, 10);
    expect(field?.nsr.value).toBeCloseTo(75, 10);
    expect(field?.nsp.value).toBeCloseTo(75, 10);
    expect(field?.nsf.value).toBeCloseTo(200 / 3, 10);
  });

  it('keep questions that were linked to nothing, and leave out those without gold columns', () => {
    const figures = computeLinkFigures([
      record('a', 'a', { tokens: 300, ms: 10 }),
      record('a', '', { error: { code: 'x', message: 'y' }, ms: 30, keptShare: 0 }),
      record('a', 'a', { field: null, ms: 20 }),
    ]);
    expect(figures).toMatchObject({ cases: 3, failed: 1, tokens: 100, p50Ms: 20 });
    expect(figures.field).toMatchObject({ cases: 2, nsr: { value: 50 } });
    expect(figures.keptShare).toBeCloseTo(1 / 3, 10);
    expect(computeLinkFigures([record('a', 'a', { field: null })]).field).toBeUndefined();
  });

  it('have intervals around them that repeat', () => {
    const records = Array.from({ length: 40 }, (_, at) => record('a', at % 4 === 0 ? 'b' : 'a'));
    const { table } = computeLinkFigures(records);
    expect(table.srr.value).toBe(75);
    expect(table.srr.low).toBeLessThan(75);
    expect(table.srr.low).toBeGreaterThan(55);
    expect(table.srr.high).toBeGreaterThan(75);
    expect(computeLinkFigures(records).table.srr).toEqual(table.srr);
  });

  it('are given by group in the order of the records', () => {
    const records = [record('a', 'a', { database: 'y' }), record('a', 'b', { database: 'x' })];
    const groups = figuresBy(records, ({ database }) => database);
    expect([...groups].map(([name, { table }]) => [name, table.srr.value])).toEqual([
      ['y', 100],
      ['x', 0],
    ]);
  });
});

describe('the law NSF ≤ harmonic mean of NSR and NSP', () => {
  it('holds of any run', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdef'));
    const cases = fc.array(fc.tuple(fc.uniqueArray(fc.constantFrom(...'abcdef'), { minLength: 1 }), ids), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(cases, (pairs) => {
        const records = pairs.map(([gold, linked]) => record(gold.join(' '), linked.join(' ')));
        const { table } = computeLinkFigures(records, { resamples: 1 });
        expect(table.nsf.value).toBeLessThanOrEqual(harmonicMean(table.nsr.value, table.nsp.value) + 1e-9);
      }),
    );
  });

  it('is held of every report: scores that break it are a bug', () => {
    const wrong = { ...record('a', 'a').table, f1: 1, recall: 0.5, precision: 0.5 };
    expect(() => computeLinkFigures([record('a', 'a', { table: wrong })])).toThrow(/harmonic mean/);
  });

  // NSR, NSP, NSF of EviLink's paper, table of fields: BIRD dev, then Spider2-Snow.
  it.each([
    [89.84, 81.91, 83.98],
    [97.1, 44.32, 57.89],
    [54.61, 71.87, 58.64],
    [98.51, 10.68, 18.05],
    [99.76, 11.39, 19.28],
    [88.14, 47.19, 58.58],
    [97.33, 41.97, 55.27],
    [94.06, 69.79, 77.01],
    [75.02, 69.53, 68.78],
    [96.2, 23.84, 33.62],
    [82.85, 48.89, 54.68],
    [97.01, 31.78, 43.08],
  ])('holds of the published row %f, %f, %f', (nsr, nsp, nsf) => {
    expect(nsf).toBeLessThanOrEqual(harmonicMean(nsr, nsp));
  });
});
