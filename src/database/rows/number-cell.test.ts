import fc from 'fast-check';
import { expect, it } from 'vitest';
import { figureOf } from '../../results/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { toDecimalCell, toWholeCell } from './number-cell.ts';

it.each<[string, Cell]>([
  ['42', 42],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['-170141183460469231731687303715884105728', -170141183460469231731687303715884105728n],
])('the whole number %s', (text, cell) => expect(toWholeCell(text)).toBe(cell));

it.each<[string, Cell]>([
  ['1.50', '1.50'],
  ['100.00', '100.00'],
  ['-0.05', '-0.05'],
  ['0.0000000001', '0.0000000001'],
  ['100', 100],
  ['123456789012345', 123456789012345],
  ['99999999999999999999999999999999999999', 99999999999999999999999999999999999999n],
  ['NaN', Number.NaN],
  ['-Infinity', -Infinity],
])('the decimal %s', (text, cell) => expect(toDecimalCell(text)).toBe(cell));

it('prints every decimal as the engine wrote it, and counts it as the number it is', () => {
  const digits = fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n });
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 12 }), (whole, scale) => {
      const sign = whole < 0n ? '-' : '';
      const padded = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
      const at = padded.length - scale;
      const text = scale === 0 ? sign + padded : `${sign}${padded.slice(0, at)}.${padded.slice(at)}`;
      expect(String(toDecimalCell(text))).toBe(text);
      expect(figureOf(toDecimalCell(text))).toBe(Number(text));
    }),
  );
});
