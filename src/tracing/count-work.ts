import { AsyncLocalStorage } from 'node:async_hooks';

/** What was looked up on the way to an answer. */
export interface LookUpCounts {
  /** Statements that the database ran: probes, choices, candidates, the answer itself. */
  queries: number;
  /** Statements that it planned without running them. */
  plans: number;
  /** Searches for stored values. */
  valueSearches: number;
  /** Searches for the nearest vectors. */
  vectorSearches: number;
}

const inWork = new AsyncLocalStorage<LookUpCounts>();

/** Counts what the work looks up, and what it starts; the counts are there while it goes on and when it fails. */
export function countLookUps<T>(work: () => T): {
  readonly result: T;
  readonly counts: Readonly<LookUpCounts>;
} {
  const counts = { queries: 0, plans: 0, valueSearches: 0, vectorSearches: 0 };
  return { result: inWork.run(counts, work), counts };
}

/** Work that is done once for many, such as opening a database, counts for none of them. */
export function uncounted<T>(work: () => T): T {
  return inWork.exit(work);
}

export function countOne(what: keyof LookUpCounts): void {
  const counts = inWork.getStore();
  if (counts !== undefined) counts[what]++;
}

/** All of them together. */
export function sumOfLookUps({
  queries,
  plans,
  valueSearches,
  vectorSearches,
}: Readonly<LookUpCounts>): number {
  return queries + plans + valueSearches + vectorSearches;
}
