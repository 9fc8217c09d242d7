import type { Mention } from '../../question/mention/mention.ts';

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

/** The best columns it may name all hold words: they can be counted, but nothing is more than they are. */
export function isTextLike(mention: Mention): boolean {
  const columns = mention.nouns.filter((noun) => noun.kind === 'column');
  const best = columns.filter((noun) => noun.score >= columnScore(mention) - 0.05);
  return best.length > 0 && best.every((noun) => noun.isText === true);
}
