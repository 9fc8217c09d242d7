import { expect, it } from 'vitest';
import type { Cell } from '../sql/dialects/cell.ts';
import { groupResults } from './group-results.ts';
import { figureOf } from './read-figure.ts';

it.each<[Cell, number | undefined]>([
  [3, 3],
  [3n, 3],
  ['100.00', 100],
  ['0.0000000001', 1e-10],
  ['1.5e3', 1500],
  ['-0.5', -0.5],
  ['100', undefined],
  ['1.2.3', undefined],
  ['v1.0', undefined],
  ['', undefined],
  [null, undefined],
  [true, undefined],
])('the figure of %s', (cell, figure) => expect(figureOf(cell)).toBe(figure));

it.each<[Cell, Cell, boolean]>([
  ['100.00', 100, true],
  ['100.00', '100.0', true],
  ['100.00', 100n, true],
  ['0.10', 0.1, true],
  ['100.01', 100, false],
  ['100', 100, false],
])('%s and %s are the same: %s', (left, right, isSame) => {
  const results = [left, right].map((cell) => ({ columns: ['c'], rows: [[cell]] }));
  const policy = { columns: 'given', rows: 'list', tolerance: 1e-6, textEqualsNumber: false } as const;
  expect(groupResults(results, policy)).toEqual([0, isSame ? 0 : 1]);
});
