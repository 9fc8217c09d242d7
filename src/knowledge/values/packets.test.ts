import { expect, it } from 'vitest';
import { packets } from '../retrieve/values/find-values.ts';

const CASES: readonly (readonly [keyword: string, packets: readonly string[]])[] = [
  ['Fresno County Office', ['Fresno County Office', 'Fresno', 'County Office', 'Fresno County', 'Office']],
  ['Fresno', ['Fresno']],
  [
    "  county = 'Alameda'  ",
    ["county = 'Alameda'", 'Alameda', 'county', "= 'Alameda'", 'county =', "'Alameda'"],
  ],
  ['a==b', ['a==b', 'b']],
  ['x =', ['x =', 'x', '=']],
  ['', []],
  ['   ', []],
];

it.each(CASES)('the packets of %j', (keyword, expected) => {
  expect(packets(keyword)).toEqual(expected);
});

it('cuts a long keyword and bounds the packets of many words', () => {
  expect(packets('x'.repeat(1_000))).toEqual(['x'.repeat(200)]);
  expect(packets('word '.repeat(200)).length).toBeLessThanOrEqual(26);
});
