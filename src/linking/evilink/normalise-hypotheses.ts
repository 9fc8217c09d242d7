/** What is kept of the hypotheses a reasoner wrote (evilink.md §4). */
import { compareText } from '../../lib/index.ts';
import type { LinkHypothesis } from '../../reasoning/roles/link-reasoner.ts';

export interface NormalisedHypotheses {
  /** Never empty, with different ids, at most `most`. */
  readonly hypotheses: readonly LinkHypothesis[];
  readonly warnings: readonly string[];
}

export interface HypothesisRules {
  /** Kmax. */
  readonly most: number;
  readonly mergeDuplicates: boolean;
  /** What the empty hypothesis says when nothing valid is left. */
  readonly question: string;
}

/**
 * Drops hypotheses without entities and those that differ in words only, cuts to `most` in the given order, and gives
 * one empty hypothesis when none is left. Ids that are missing or taken are made anew.
 */
export function normaliseHypotheses(
  written: readonly LinkHypothesis[],
  { most, mergeDuplicates, question }: HypothesisRules,
): NormalisedHypotheses {
  const withEntities = written.filter(({ entities }) => entities.some((entity) => entity.trim() !== ''));
  const different = mergeDuplicates ? firstOfEach(withEntities, meaningOf) : withEntities;
  const kept = withIds(different.slice(0, most));
  const warnings = [
    said(written.length - withEntities.length, 'without tables'),
    said(withEntities.length - different.length, 'that repeat another one'),
    said(different.length - kept.length, `beyond the first ${most}`),
  ].flat();
  if (kept.length > 0) return { hypotheses: kept, warnings };
  return {
    hypotheses: [emptyHypothesis(question)],
    warnings: [...warnings, 'no usable hypothesis: linked by the question alone'],
  };
}

function said(count: number, which: string): readonly string[] {
  return count === 0 ? [] : [`left out: ${count} ${count === 1 ? 'hypothesis' : 'hypotheses'} ${which}`];
}

function emptyHypothesis(question: string): LinkHypothesis {
  return {
    id: 'h1',
    summary: question,
    differsBy: [],
    entities: [],
    filters: [],
    joins: [],
    aggregations: [],
    time: '',
    ambiguous: [],
  };
}

/** Equal for near-duplicates: entities, joins, filtered fields, aggregate functions and time; not the words. */
function meaningOf({ entities, joins, filters, aggregations, time }: LinkHypothesis): string {
  return JSON.stringify([
    sorted(entities),
    sorted(joins.map(({ left, right }) => sorted([left, right]).join(' = '))),
    sorted(filters.map(({ field }) => field)),
    sorted(aggregations.map(({ function: name }) => name)),
    fold(time),
  ]);
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.map(fold).sort(compareText);
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const first = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return [...first.values()];
}

function withIds(hypotheses: readonly LinkHypothesis[]): readonly LinkHypothesis[] {
  const written = new Set(hypotheses.map(({ id }) => id));
  const taken = new Set<string>();
  return hypotheses.map((hypothesis) => {
    let id = hypothesis.id;
    for (let number = 1; id === '' || taken.has(id); number += 1)
      id = written.has(`h${number}`) ? '' : `h${number}`;
    taken.add(id);
    return id === hypothesis.id ? hypothesis : { ...hypothesis, id };
  });
}
