import type { Metric, SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';

const SELLS = /^(?:sold|sells?|selling|bought|buys?|purchased|purchases?)$/i;
const NOTHING = /^(?:nothing|none|no one|nobody)$/i;

/** A verb that stands for a figure of sales. */
export interface Sale {
  readonly metric: Metric;
  readonly mention: Mention;
  /** "sold nothing": there are none. */
  readonly nothing?: Mention;
}

/**
 * "which dealers sold the most", "customers that bought nothing": the verb ranks or denies, and no noun says what was sold of. The
 * figure is the first that people chose for "sales", else the one called so. "How many were sold" stays open: it is asked about.
 */
export function findSale(mentions: readonly Mention[], semantics: SemanticModel): Sale | undefined {
  const mention = mentions.find(({ text, values }) => SELLS.test(text) && values.length === 0);
  if (mention === undefined) return undefined;
  const after = mentions
    .filter(({ index, cue }) => index > mention.index && cue?.kind !== 'stop')
    .slice(0, 2);
  const nothing = after.find(({ text }) => NOTHING.test(text));
  const ranks = after.some(({ cue }) => cue?.kind === 'superlative' && cue.byCount);
  if (nothing === undefined && !ranks) return undefined;
  const [first] = semantics.vagueTerms.find(({ term }) => term === 'sales')?.options ?? [];
  const metric = semantics.metrics.find(
    ({ name, synonyms }) => name === first || (first === undefined && [name, ...synonyms].includes('sales')),
  );
  return metric === undefined ? undefined : { metric, mention, nothing };
}
