import { describe, expect, it } from 'vitest';
import type { Feature } from '../features/feature.ts';
import { type CategoryCounts, encoder, orderCategories } from './category-codes.ts';

const counts = (all: Readonly<Record<string, readonly [rows: number, wrong: number]>>): CategoryCounts =>
  new Map(Object.entries(all).map(([name, [rows, wrong]]) => [name, { rows, wrong }]));

describe('the order of categories', () => {
  it('is that of their errors, the least often wrong first', () =>
    expect(orderCategories(counts({ Column: [900, 90], Table: [900, 9], Literal: [900, 300] }))).toEqual([
      'Table',
      'Column',
      'Literal',
    ]));

  it('draws rare ones to the rate of all', () =>
    // Never wrong, but met once: between those that are seldom and those that are often wrong.
    expect(orderCategories(counts({ Max: [1, 0], Table: [900, 9], Literal: [900, 300] }))).toEqual([
      'Table',
      'Max',
      'Literal',
    ]));

  it('of equals is that of their names, and of 250 most', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`c${at}`, [300 - at, 0] as const]),
    );
    expect(orderCategories(counts(many))).toHaveLength(250);
    expect(orderCategories(counts({ b: [1, 0], a: [1, 0] }))).toEqual(['a', 'b']);
    expect(orderCategories(new Map())).toEqual([]);
  });
});

describe('rows as numbers', () => {
  const features: readonly Feature[] = [
    { name: 'node_type', kind: 'category', unit: 'name', about: 'x' },
    { name: 'depth', kind: 'count', unit: 'nodes', about: 'x' },
  ];
  const encode = encoder(features, { node_type: ['Table', 'Column'] });
  const read = (values: readonly (string | number)[], row: number): readonly number[] => {
    const into = new Float64Array(2);
    encode(values, row, into);
    return [...into];
  };

  it.each([
    [['Column', 3, 'Table', 4], 0, [1, 3]],
    [['Column', 3, 'Table', 4], 1, [0, 4]],
    [['Join', Number.NaN], 0, [Number.NaN, Number.NaN]],
    [['__proto__', 1], 0, [Number.NaN, 1]],
    [['constructor', 1], 0, [Number.NaN, 1]],
  ] as const)('of %j, row %d: %j', (values, row, expected) => expect(read(values, row)).toEqual(expected));

  it('have no categories that were not learned', () => {
    const into = new Float64Array(2);
    encoder(features, {})(['Column', 3], 0, into);
    expect([...into]).toEqual([Number.NaN, 3]);
  });
});
