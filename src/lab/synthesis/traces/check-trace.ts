import type { Category, Citation } from '../bench-item.ts';
import { findColumn } from '../inventory/find-column.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { Trace } from './write-trace.ts';

const FEWEST_WORDS = 30;
const MOST_WORDS = 250;
const MOST_WORDS_MULTI_STEP = 600;

/**
 * What is wrong with a trace; undefined where every fact it cites is there in the item's own context and its length is
 * within bounds (BAR-SQL §6).
 */
export function checkTrace(
  { think, citations }: Trace,
  category: Category,
  inventory: Inventory,
): string | undefined {
  const words = think.split(/\s+/).length;
  const most = category === 'multi_step' ? MOST_WORDS_MULTI_STEP : MOST_WORDS;
  if (words < FEWEST_WORDS || words > most) return `it has ${words} words`;
  if (citations.length === 0) return 'it cites nothing';
  const unknown = citations.find((citation) => !exists(citation, inventory));
  return unknown === undefined ? undefined : `it cites ${unknown.store} ${unknown.ref}, which is not there`;
}

function exists({ store, ref }: Citation, { semantics, catalog }: Inventory): boolean {
  // The whole store: that it was searched, and nothing found.
  if (ref === '*') return true;
  switch (store) {
    case 'schema':
      return findColumn(ref, catalog) !== undefined;
    case 'metric':
      return semantics.metrics.some(({ name }) => name === ref);
    case 'domain':
      return (
        ref.startsWith('time_rules') || semantics.vagueTerms.some(({ term }) => ref === `vague_terms.${term}`)
      );
    case 'data':
      return findColumn(ref.slice(0, ref.indexOf('=')), catalog) !== undefined;
  }
}
