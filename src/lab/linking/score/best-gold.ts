import { scoreItems } from './score-items.ts';

/** The tables and columns of one right query. */
export interface GoldSet {
  readonly tables: ReadonlySet<string>;
  /** Null where no query tells. */
  readonly fields: ReadonlySet<string> | null;
}

/**
 * Of several right queries the one that was meant, as far as what came tells: the highest recall of tables, then of columns, then
 * the first; both levels are scored against the same one. Source: LinkedIn, section 8, where scoring against one gold alone
 * under-reports recall by 10 to 15 points.
 */
export function bestGold(
  golds: readonly [GoldSet, ...GoldSet[]],
  came: { readonly tables: ReadonlySet<string>; readonly fields: ReadonlySet<string> },
): GoldSet {
  const recallOf = ({ tables, fields }: GoldSet) => ({
    table: scoreItems(tables, came.tables).recall,
    field: fields === null ? 0 : scoreItems(fields, came.fields).recall,
  });
  return golds.reduce((best, other) => {
    const [one, two] = [recallOf(best), recallOf(other)];
    const isBetter = two.table > one.table || (two.table === one.table && two.field > one.field);
    return isBetter ? other : best;
  });
}
