import type { LookUpCounts } from './count-work.ts';
import { inSpan } from './in-span.ts';

const COUNTED = {
  find_values: 'valueSearches',
  search_vectors: 'vectorSearches',
} as const satisfies Record<string, keyof LookUpCounts>;

/** Something looked for in what is known of a database, which the engine has no part in. */
export function lookUp<T>(what: keyof typeof COUNTED, work: () => Promise<T>): Promise<T> {
  return inSpan(`candor.${what}`, { needsParent: true, counts: COUNTED[what] }, work);
}
