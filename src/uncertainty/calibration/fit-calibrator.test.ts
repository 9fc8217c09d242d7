import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { parseCalibrator } from './calibration-schema.ts';
import { type CalibratorRows, calibrate, fitCalibrator } from './fit-calibrator.ts';
import { fitPlatt } from './fit-platt.ts';

/** Over-confident scores: the truth is at half their log-odds, and columns are wrong more often than tables. */
const SHIFTS: Readonly<Record<string, number>> = { column: 0.5, table: -1, literal: 0 };

function draw(seed: number, counts: Readonly<Record<string, number>>): CalibratorRows {
  const random = seededRandom(seed);
  const groups = Object.entries(counts).flatMap(([group, count]) => Array<string>(count).fill(group));
  const scores = groups.map(() => 8 * random() - 4);
  const labels = groups.map((group, row) => {
    const odds = (scores[row] ?? 0) / 2 + (SHIFTS[group] ?? 0);
    return Number(random() < 1 / (1 + Math.exp(-odds)));
  });
  return { scores, labels, groups };
}

const rows = draw(1, { column: 4_000, table: 500, literal: 499 });
const calibrator = fitCalibrator(rows);

describe('a calibrator', () => {
  it('has a map of its own for every group of 500 rows, and one of all rows for the others', () => {
    expect(Object.keys(calibrator.groups)).toEqual(['column', 'table']);
    expect(calibrator.groups.column?.rows).toBe(4_000);
    expect(calibrator.others).toEqual({ rows: 4_999, ...fitPlatt(rows) });
  });

  it('has no map of its own for a group whose rows are all of one label', () => {
    const { scores, groups } = rows;
    const labels = Array.from(rows.labels).map((label, row) => (groups[row] === 'table' ? 0 : label));
    expect(Object.keys(fitCalibrator({ scores, labels, groups }).groups)).toEqual(['column']);
  });

  it('takes the number of rows it is told', () =>
    expect(Object.keys(fitCalibrator(rows, { leastRows: 499 }).groups)).toHaveLength(3));

  it('does not count rows without weight', () => {
    const weights = Array.from(rows.labels).map((_, row) => (rows.groups[row] === 'table' ? 0 : 1));
    const weighted = fitCalibrator({ ...rows, weights });
    expect(Object.keys(weighted.groups)).toEqual(['column']);
    expect(weighted.others.rows).toBe(4_499);
  });

  it('mends over-confident scores of rows it has not seen, group by group', () => {
    const large = fitCalibrator(draw(3, { column: 4_000, table: 4_000 }));
    const unseen = draw(2, { column: 6_000, table: 6_000 });
    const probabilities = Array.from(unseen.scores, (score, row) =>
      calibrate(large, unseen.groups[row] ?? '', score),
    );
    for (const group of ['column', 'table']) {
      for (const [from, to] of [
        [-4, -2],
        [-2, 0],
        [0, 2],
        [2, 4],
      ] as const) {
        const members = probabilities.flatMap((probability, row) => {
          const score = unseen.scores[row] ?? 0;
          return unseen.groups[row] === group && score >= from && score < to
            ? [{ probability, label: unseen.labels[row] ?? 0 }]
            : [];
        });
        const off = members.reduce((sum, { probability, label }) => sum + probability - label, 0);
        expect(Math.abs(off / members.length)).toBeLessThan(0.05);
      }
    }
  });

  it('never falls as the score rises, in groups it knows and in others', () => {
    for (const group of ['column', 'table', 'literal', 'join', 'constructor', '__proto__', '']) {
      let before = 0;
      for (let score = -6; score <= 6; score += 0.05) {
        const probability = calibrate(calibrator, group, score);
        expect(probability).toBeGreaterThanOrEqual(before);
        before = probability;
      }
      expect(before).toBeLessThan(1);
    }
  });

  it('says the same after a model file has held it', () => {
    const back = parseCalibrator(JSON.parse(JSON.stringify(calibrator)), 'model.json');
    expect(back).toEqual(calibrator);
    expect(JSON.stringify(calibrator).length).toBeLessThan(6_000);
  });

  it('names what is wrong with its rows', () => {
    expect(() => fitCalibrator({ ...rows, groups: ['column'] })).toThrow(
      'groups has length 1; expected 4999, one a row',
    );
    expect(() => fitCalibrator(rows, { leastRows: 0 })).toThrow('leastRows is 0; expected 1 or more');
  });
});
