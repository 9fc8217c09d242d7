/** The clauses a query does not use. */
export const BARE = {
  kind: 'select' as const,
  distinct: false,
  joins: [],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
};

/** Joins a query of one row to every row. */
export const ALWAYS = [
  { left: { kind: 'literal' as const, value: 1 }, right: { kind: 'literal' as const, value: 1 } },
];
