import { describe, expect, it } from 'vitest';
import { seededRandom } from '../lib/seeded-random.ts';
import type { EncodedPair } from './encode-results.ts';
import { matchColumns } from './match-columns.ts';

describe('matchColumns on wide results', () => {
  it('finds a hidden column and row order among 60 columns of 1,000 rows', () => {
    const random = seededRandom(7);
    const rows = Array.from({ length: 1000 }, () =>
      Array.from({ length: 60 }, () => Math.floor(random() * 4)),
    );
    const order = shuffle([...Array(60).keys()], random);
    const moved = shuffle(rows, random).map((row) => order.map((column) => row[column]!));
    expect(matchColumns(toPair(rows, moved), { orderMatters: false })).toBe('equal');
    // One changed cell that keeps every column's bag: two cells of a column swapped.
    const [first, second] = findUnequalPair(moved);
    const broken = moved.map((row) => [...row]);
    broken[first]![0] = moved[second]![0]!;
    broken[second]![0] = moved[first]![0]!;
    expect(matchColumns(toPair(rows, broken), { orderMatters: false })).toBe('different');
  });

  it('does not try the orders of columns that are all the same', () => {
    const rows = Array.from({ length: 50 }, (_, i) => Array(30).fill(i));
    const broken = rows.map((row, i) => [...row.slice(0, 29), i === 0 ? 1 : i === 1 ? 0 : i]);
    expect(matchColumns(toPair(rows, broken), { orderMatters: false, cellBudget: 200_000 })).toBe(
      'different',
    );
  });

  it('gives up as undecided when the budget is spent, instead of running on', () => {
    // Fourteen balanced yes/no columns over few rows: many partial orders fit, none fits to the end.
    const random = seededRandom(3);
    const balanced = (): number[] => shuffle([0, 0, 0, 0, 1, 1, 1, 1], random);
    const left = Array.from({ length: 14 }, balanced);
    const right = Array.from({ length: 14 }, balanced);
    const pair = {
      left: left.map((c) => Int32Array.from(c)),
      right: right.map((c) => Int32Array.from(c)),
    };
    expect(matchColumns(pair, { orderMatters: false, cellBudget: 100 })).toBe('undecided');
    expect(matchColumns(pair, { orderMatters: false })).toBe('different');
  });
});

function toPair(left: readonly (readonly number[])[], right: readonly (readonly number[])[]): EncodedPair {
  return { left: toColumns(left), right: toColumns(right) };
}

function toColumns(rows: readonly (readonly number[])[]): Int32Array[] {
  return rows[0]!.map((_, column) => Int32Array.from(rows, (row) => row[column]!));
}

function findUnequalPair(rows: readonly (readonly number[])[]): [number, number] {
  const second = rows.findIndex((row) => row[0] !== rows[0]![0] && row[1] !== rows[0]![1]);
  return [0, second];
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  return shuffled;
}
