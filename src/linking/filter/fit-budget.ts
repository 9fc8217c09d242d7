/** Cuts a filtered schema down to what may be shown. */

export interface FilterBudget {
  /** Tokens that the schema may take. */
  readonly tokens: number;
  /** Tokens of the schema with these columns. */
  readonly countTokens: (columnIds: ReadonlySet<string>) => number;
}

export interface Fitted {
  readonly kept: ReadonlySet<string>;
  /** Lowest score first. */
  readonly cut: readonly string[];
  /** Tokens of what is kept. */
  readonly tokens: number;
}

/**
 * Cuts as few of the columns as possible, the first of `cuttable` first, until the rest is within the budget; fewer
 * columns never take more tokens, so the number is found by halving. What is not in `cuttable` stays.
 */
export function fitBudget(
  columns: ReadonlySet<string>,
  cuttable: readonly string[],
  { tokens: limit, countTokens }: FilterBudget,
): Fitted {
  const without = (count: number): ReadonlySet<string> => {
    const gone = new Set(cuttable.slice(0, count));
    return new Set([...columns].filter((id) => !gone.has(id)));
  };
  let low = 0;
  let high = cuttable.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countTokens(without(middle)) <= limit) high = middle;
    else low = middle + 1;
  }
  const kept = without(low);
  return { kept, cut: cuttable.slice(0, low), tokens: countTokens(kept) };
}
