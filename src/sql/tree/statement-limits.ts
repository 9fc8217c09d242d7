/** How large a statement may be, so that reading and judging it takes a bounded time, whoever wrote it. */
import type { SqlNode } from './node.ts';

export interface StatementLimits {
  /** Of the text, in UTF-16 units. */
  readonly characters: number;
  /** White space and comments are none. */
  readonly tokens: number;
  /** Places in FROM and JOIN, in all queries of the statement. */
  readonly tables: number;
  /** Common table expressions, in all WITH clauses. */
  readonly ctes: number;
  /** Items of one select list, or of one USING. */
  readonly columns: number;
}

/**
 * What a caller may write. The largest of 19,700 queries that people wrote for public benchmarks has 5,643 characters,
 * 1,029 tokens, 21 tables, 10 CTEs and 16 items in a list; `npx tsx bench/guard.ts`
 * prints these figures.
 */
export const STATEMENT_LIMITS: StatementLimits = {
  characters: 400_000,
  tokens: 120_000,
  tables: 1_000,
  ctes: 500,
  columns: 5_000,
};

/** What may become of a statement once restrictions stand in the place of its tables. */
export const REWRITTEN_LIMITS: StatementLimits = {
  characters: 1_000_000,
  tokens: 300_000,
  tables: 5_000,
  ctes: 2_500,
  columns: 20_000,
};

export interface PassedLimit {
  readonly limit: keyof StatementLimits;
  readonly count: number;
  readonly allowed: number;
}

const WHAT: Readonly<Record<keyof StatementLimits, string>> = {
  characters: 'characters',
  tokens: 'words and signs',
  tables: 'places of a table',
  ctes: 'common table expressions',
  columns: 'items in one list of columns',
};

export function describePassed({ limit, count, allowed }: PassedLimit): string {
  return `the statement has ${count} ${WHAT[limit]}, more than the ${allowed} allowed`;
}

/** The first limit of which there is more than allowed. */
export function passedLimit(
  counts: Partial<Readonly<Record<keyof StatementLimits, number>>>,
  limits: StatementLimits,
): PassedLimit | undefined {
  for (const [limit, count] of Object.entries(counts)) {
    const allowed = limits[limit as keyof StatementLimits];
    if (count > allowed) return { limit: limit as keyof StatementLimits, count, allowed };
  }
  return undefined;
}

/** How many there are of what is limited in a tree. */
export type TreeSize = Readonly<Pick<StatementLimits, 'tables' | 'ctes' | 'columns'>>;

export function sizeOfTree(nodes: readonly SqlNode[]): TreeSize {
  let [tables, ctes, columns] = [0, 0, 0];
  for (const { type, children } of nodes) {
    if (type === 'From' || type === 'Join') tables += 1;
    else if (type === 'CTE') ctes += 1;
    // Columns of USING are a list too.
    if (type === 'Select' || type === 'Join') {
      const isItem = type === 'Select' ? 'expressions' : 'using';
      const items = children.reduce((count, { role }) => (role === isItem ? count + 1 : count), 0);
      columns = Math.max(columns, items);
    }
  }
  return { tables, ctes, columns };
}
