import { expect, it } from 'vitest';
import type { Cell } from '../../sql/cell.ts';
import { toDecimalCell, toWholeCell } from './number-cell.ts';

it.each<[string, Cell]>([
  ['42', 42],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['-170141183460469231731687303715884105728', -170141183460469231731687303715884105728n],
])('the whole number %s', (text, cell) => expect(toWholeCell(text)).toBe(cell));

it.each<[string, Cell]>([
  ['1.50', 1.5],
  ['-0.05', -0.05],
  ['123456789012345', 123456789012345],
  ['1234567890.12345', 1234567890.12345],
  ['1234567890.123456', '1234567890.123456'],
  ['0.000000000000000000000000000000000001', 1e-36],
  ['99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
])('the decimal %s', (text, cell) => expect(toDecimalCell(text)).toBe(cell));
