import { expect, it } from 'vitest';
import { isAboutHidden } from './authored.ts';

const HIDDEN = new Set(['staff', 'hr.pay']);

it.each([
  ['a hidden table', ['staff'], [], true],
  ['a column of one', [], ['staff.salary'], true],
  ['a column of one whose name has a dot', [], ['staff.salary.net'], true],
  ['a column of one with a schema', ['orders'], ['hr.pay.amount'], true],
  ['another table', ['orders'], ['orders.staff'], false],
  ['a table whose name begins alike', ['staffing'], ['staffing.day'], false],
  ['nothing', [], [], false],
])('a note about %s', (_, tables, columns, expected) => {
  expect(isAboutHidden({ tables, columns }, HIDDEN)).toBe(expected);
});
