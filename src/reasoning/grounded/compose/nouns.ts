import type { Mention } from '../mention/mention.ts';

/** Score with which a mention names a table. */
export function tableScore(mention: Mention): number {
  return Math.max(0, ...mention.nouns.filter((noun) => noun.kind === 'table').map((noun) => noun.score));
}

/** Score with which a mention names a column. */
export function columnScore(mention: Mention): number {
  return Math.max(0, ...mention.nouns.filter((noun) => noun.kind === 'column').map((noun) => noun.score));
}

/** The mention is better read as a table than as a column. */
export function isTableLike(mention: Mention): boolean {
  return tableScore(mention) > 0 && tableScore(mention) >= columnScore(mention) - 0.05;
}
