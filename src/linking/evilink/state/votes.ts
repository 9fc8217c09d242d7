/** Support, credibility and buckets (EviLink, sections 3.3 and 3.4; evilink.md §6). */

/** What one path chose, with the reason it gave. */
export interface PathResult {
  /** Id of its hypothesis. */
  readonly hypothesis: string;
  /** By table id; the tables of all fields are among them. */
  readonly tables: ReadonlyMap<string, string>;
  /** By column id. */
  readonly fields: ReadonlyMap<string, string>;
}

interface Vote {
  readonly hypothesis: string;
  /** Empty where the path gave no reason. */
  readonly why: string;
}

export interface Votes {
  /** K: the paths that ended well. */
  readonly paths: number;
  /** Items that at least one path chose, with one vote a path; its length is the support s. */
  readonly of: ReadonlyMap<string, readonly Vote[]>;
}

export interface Buckets {
  readonly required: ReadonlySet<string>;
  readonly uncertain: ReadonlySet<string>;
}

/** Tables and fields are items of their own: one does not vote for the other. */
export function countVotes(paths: readonly PathResult[]): Votes {
  const of = new Map<string, Vote[]>();
  for (const { hypothesis, tables, fields } of paths) {
    for (const [id, why] of new Map([...tables, ...fields])) {
      const known = of.get(id);
      if (known === undefined) of.set(id, [{ hypothesis, why }]);
      else known.push({ hypothesis, why });
    }
  }
  return { paths: paths.length, of };
}

/** (s + 1) / (K + 2): the mean of Beta(1 + s, 1 + K − s), what is believed of the rate at which paths choose an item. */
export function credibility(support: number, paths: number): number {
  return (support + 1) / (paths + 2);
}

/** Whether the credibility reaches `tau` percent; whole numbers, so that no rounding decides a tie. */
export function isRequired(support: number, paths: number, tau: number): boolean {
  return (support + 1) * 100 >= tau * (paths + 2);
}

/** `tableOf` gives the table of a field, and undefined for a table. The table of a required field is required too. */
export function bucketVotes(votes: Votes, tau: number, tableOf: (id: string) => string | undefined): Buckets {
  const required = new Set<string>();
  for (const [id, { length }] of votes.of) if (isRequired(length, votes.paths, tau)) required.add(id);
  for (const id of [...required]) {
    const table = tableOf(id);
    if (table !== undefined) required.add(table);
  }
  const uncertain = new Set([...votes.of.keys()].filter((id) => !required.has(id)));
  return { required, uncertain };
}
