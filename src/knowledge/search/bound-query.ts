import type { SearchQuery } from './search-store.ts';

/** No list is longer: limits come from settings, and a wrong one must not read a whole store into memory. */
const MOST_HITS = 100_000;

/** The query with limits that are whole numbers a database takes; `undefined` when it asks for nothing. */
export function boundQuery(query: SearchQuery): SearchQuery | undefined {
  const limit = boundLimit(query.limit);
  const perContent = query.perContent === undefined ? limit : boundLimit(query.perContent);
  if (limit === 0 || perContent === 0 || query.kinds.length === 0) return undefined;
  return { ...query, limit, perContent };
}

/** From 0 to the most hits; what is no number is 0. */
export function boundLimit(limit: number): number {
  return Number.isNaN(limit) ? 0 : Math.trunc(Math.min(MOST_HITS, Math.max(0, limit)));
}
