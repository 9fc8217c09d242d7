import { describe, expect, it } from 'vitest';
import { parseCalibrator, parseIsotonic, parseRiskCurve } from './calibration-schema.ts';

const PATH = 'models/nodes.json';
const MAP = { scores: [-1, 0, 2], values: [0.1, 0.1, 0.7] };
const OTHERS = { slope: 1, intercept: -2, rows: 900 };
const CURVE = {
  rows: 10,
  wrong: 3,
  aurc: 0.2,
  coverageAt5: 0.4,
  coverageAt10: 0.5,
  points: [
    { threshold: 0.1, shown: 4, wrong: 0 },
    { threshold: 0.6, shown: 10, wrong: 3 },
  ],
};

const long = (length: number): number[] => Array.from({ length }, (_, at) => (at + 1) / (length + 1));

describe('the calibration of a model file', () => {
  it('is read as it was written', () => {
    const calibrator = { groups: { Column: { ...MAP, rows: 600 } }, others: OTHERS };
    expect(parseIsotonic(MAP, PATH)).toEqual(MAP);
    expect(parseCalibrator(calibrator, PATH)).toEqual(calibrator);
    expect(parseRiskCurve(CURVE, PATH)).toEqual(CURVE);
  });

  it.each<[string, unknown, string]>([
    ['no object', 7, 'its calibration: '],
    ['values that fall', { ...MAP, values: [0.1, 0.3, 0.2] }, 'values[2]: values must not fall'],
    ['scores that fall', { ...MAP, scores: [0, 0, 2] }, 'scores[1]: scores must ascend'],
    ['certainty', { ...MAP, values: [0, 0.1, 0.7] }, 'values[0]: '],
    ['more than certainty', { ...MAP, values: [0.1, 0.1, 1.2] }, 'values[2]: '],
    ['a score that is no number', { ...MAP, scores: [0, Number.NaN, 2] }, 'scores[1]: '],
    ['a score without bounds', { ...MAP, scores: [0, 1, 1e12] }, 'scores[2]: '],
    ['a value too few', { ...MAP, values: [0.1, 0.7] }, 'values: there are 2 values; expected 3'],
    ['no knot', { scores: [], values: [] }, 'scores: '],
    ['too many knots', { scores: long(257), values: long(257) }, 'scores: '],
    ['what no version has written', { ...MAP, sources: [1] }, 'its calibration: '],
  ])('as a map is refused: %s', (_, json, message) => {
    expect(() => parseIsotonic(json, PATH)).toThrow(`cannot use the model ${PATH}: ${message}`);
    expect(() => parseIsotonic(json, PATH)).toThrow(
      expect.objectContaining({ code: 'uncertainty.model-invalid' }),
    );
  });

  it.each<[string, unknown, string]>([
    ['a slope below 0', { groups: {}, others: { ...OTHERS, slope: -1 } }, 'others.slope: '],
    ['no map for other groups', { groups: {} }, 'others: '],
    [
      'a falling map of a group',
      { groups: { Column: { scores: [0, 1], values: [0.5, 0.4], rows: 600 } }, others: OTHERS },
      'groups.Column.values[1]: values must not fall',
    ],
    [
      'too many groups',
      {
        groups: Object.fromEntries(long(1_001).map((_, at) => [`g${at}`, { ...MAP, rows: 600 }])),
        others: OTHERS,
      },
      'groups: more than 1000 groups',
    ],
  ])('as a calibrator is refused: %s', (_, json, message) =>
    expect(() => parseCalibrator(json, PATH)).toThrow(`cannot use the model ${PATH}: ${message}`),
  );

  it.each<[string, unknown, string]>([
    ['thresholds that fall', points([0.6, 4, 0], [0.6, 10, 3]), 'points[1]: a point must follow'],
    ['coverage that falls', points([0.1, 10, 0], [0.6, 10, 3]), 'points[1]: a point must follow'],
    ['errors that fall', points([0.1, 4, 4], [0.6, 10, 3]), 'points[1]: a point must follow'],
    ['more errors than rows', points([0.1, 2, 3], [0.6, 10, 3]), 'points[0]: a point must follow'],
    ['rows beyond the last point', points([0.1, 4, 0], [0.6, 9, 3]), 'points: the last point must show all'],
    ['no point', points(), 'points: '],
    ['half a row', points([0.1, 4.5, 0], [0.6, 10, 3]), 'points[0].shown: '],
    ['a risk above 1', points([0.1, 4, 0], [1.6, 10, 3]), 'points[1].threshold: '],
  ])('as a risk–coverage curve is refused: %s', (_, json, message) =>
    expect(() => parseRiskCurve(json, PATH)).toThrow(`cannot use the model ${PATH}: ${message}`),
  );
});

function points(...all: readonly (readonly [number, number, number])[]): unknown {
  return { ...CURVE, points: all.map(([threshold, shown, wrong]) => ({ threshold, shown, wrong })) };
}
