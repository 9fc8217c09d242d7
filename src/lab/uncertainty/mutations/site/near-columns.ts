/** Which column a model would take in place of another. */

import type { Column } from '../../../../catalog/index.ts';
import { nearestNames } from '../../../../language/index.ts';
import type { Site } from './site.ts';

/** Families that models take for each other without a cast. */
const SAME_FAMILY = 2;
const SHARED_WORD = 2;
const ASKED_WORD = 3;
const BOTH_KEYS = 2;

/** One of the pool, more often the more it has in common with the column and with the words of the question. */
export function pickNear(site: Site, column: Column, pool: readonly Column[]): Column | undefined {
  const others = pool.filter(({ id }) => id !== column.id);
  return pickWeighted(
    site.random,
    others.map((other) => [other, nearness(site, column, other)] as const),
  );
}

function nearness({ schema, askedWords }: Site, column: Column, other: Column): number {
  const wanted = schema.wordsOf(column);
  const words = [...schema.wordsOf(other)];
  const shared = words.filter((word) => wanted.has(word)).length;
  const asked = words.filter((word) => askedWords.has(word)).length;
  const isFamily = column.family === other.family;
  const areKeys = schema.keys.has(column.id) && schema.keys.has(other.id);
  const sum =
    (isFamily ? SAME_FAMILY : 0.1) +
    (SHARED_WORD * shared) / Math.max(1, words.length) +
    (ASKED_WORD * asked) / Math.max(1, words.length) +
    (areKeys ? BOTH_KEYS : 0);
  return sum ** 2;
}

/** Columns of the pool whose names look or read like this one's. */
export function alikeColumns(column: Column, pool: readonly Column[]): readonly Column[] {
  const names = new Set(
    nearestNames(
      column.name,
      pool.map(({ name }) => name),
      8,
    ),
  );
  return pool.filter(({ id, name }) => id !== column.id && names.has(name));
}

export function pickWeighted<T>(
  random: () => number,
  weighted: readonly (readonly [item: T, weight: number])[],
): T | undefined {
  let rest = random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of weighted) {
    rest -= weight;
    if (rest < 0) return item;
  }
  return weighted.findLast(([, weight]) => weight > 0)?.[0];
}
