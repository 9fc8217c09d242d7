import type { Searched } from '../answer.ts';
import type { GroundedKnowledge } from '../reasoning/grounded/index.ts';

/** What carries a phrase names it this well; below it a hit only is the nearest there is. */
const CARRIES_FROM = 0.85;
const MOST_HITS = 3;
/** Nothing has a longer name. */
const MOST_WORDS = 12;
const ARTICLE = /^(?:the|a|an|any|our|their)\s+/i;

export interface CarrierSearch {
  readonly searched: readonly Searched[];
  /** What carries the phrase, the best first; none: a refusal is confirmed. */
  readonly carriers: readonly string[];
}

/**
 * Looks for what a phrase may name: metrics and dimensions with their synonyms, tables, columns, stored values and what
 * people call them. The record of a failed search is what a refusal needs, whoever proposes it.
 */
export function searchCarrier(
  phrase: string,
  { catalog, semantics, names, lookupValue }: GroundedKnowledge,
): CarrierSearch {
  const text = phrase.trim().replace(ARTICLE, '');
  const words = text.split(/\s+/).slice(0, MOST_WORDS);
  const named = text === '' ? [] : names.match(words);
  const columns = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0);
  const of = (kind: (typeof named)[number]['kind']): Hit[] =>
    best(named.filter((noun) => noun.kind === kind).map(({ id, score }) => ({ name: id, score })));
  const values = text === '' ? [] : lookupValue(text);
  const stored = best(
    values.map(({ columnId, value, score }) => ({ name: `${columnId} = ${value}`, score })),
  );
  const searched: readonly Searched[] = [
    { what: 'metrics', count: semantics.metrics.length, hits: of('metric') },
    { what: 'dimensions', count: semantics.dimensions.length, hits: of('dimension') },
    { what: 'tables', count: catalog.tables.length, hits: of('table') },
    { what: 'columns', count: columns, hits: of('column') },
    { what: 'values', hits: stored },
  ];
  const found = best(searched.flatMap(({ hits }) => hits));
  return { searched, carriers: found.filter(({ score }) => score >= CARRIES_FROM).map(({ name }) => name) };
}

type Hit = Searched['hits'][number];

function best(hits: readonly Hit[]): Hit[] {
  const sorted = [...hits].sort((a, b) => b.score - a.score);
  const once = sorted.filter(({ name }, at) => sorted.findIndex((other) => other.name === name) === at);
  return once
    .slice(0, MOST_HITS)
    .map(({ name, score }) => ({ name, score: Math.min(1, Math.round(score * 100) / 100) }));
}
