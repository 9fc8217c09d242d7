/** Numbers for names: trees split at thresholds, so names are put in the order of how often their nodes were wrong. */
import type { Feature, FeatureValue } from '../features/feature.ts';

/** By name of the feature: its names, the least often wrong first. A name's number is its place. */
export type CategoryCodes = Readonly<Record<string, readonly string[]>>;

/** Rows that a name is thought to have had before, at the error rate of all. */
const PRIOR_ROWS = 50;
const MOST_CATEGORIES = 250;

/** Counts of a category's rows, by its name. */
export type CategoryCounts = ReadonlyMap<string, { readonly rows: number; readonly wrong: number }>;

/**
 * Names by their rate of errors, rare ones drawn to the rate of all (target statistics, as in CatBoost's and LightGBM's
 * treatment of categories; Fisher 1958: for a binary label the best split is one of this order).
 */
export function orderCategories(counts: CategoryCounts): readonly string[] {
  const all = [...counts.values()];
  const rows = all.reduce((sum, one) => sum + one.rows, 0);
  const rate = rows === 0 ? 0 : all.reduce((sum, one) => sum + one.wrong, 0) / rows;
  const standing = ({ rows: own, wrong }: { readonly rows: number; readonly wrong: number }): number =>
    (wrong + PRIOR_ROWS * rate) / (own + PRIOR_ROWS);
  return [...counts]
    .toSorted(([, one], [, other]) => other.rows - one.rows)
    .slice(0, MOST_CATEGORIES)
    .sort(([one, a], [other, b]) => standing(a) - standing(b) || (one < other ? -1 : 1))
    .map(([name]) => name);
}

/** Writes one row of `values` as the numbers of a model. */
export type RowEncoder = (values: readonly FeatureValue[], row: number, into: Float64Array) => void;

/** Turns the values of rows into the numbers of a model; a name it has not met is missing. */
export function encoder(features: readonly Feature[], codes: CategoryCodes): RowEncoder {
  const named = features.flatMap(({ name, kind }, column) =>
    kind === 'category'
      ? [{ column, places: new Map(codes[name]?.map((category, place) => [category, place])) }]
      : [],
  );
  const width = features.length;
  return (values, row, into) => {
    const start = row * width;
    for (let column = 0; column < width; column += 1) {
      const value = values[start + column];
      into[column] = typeof value === 'number' ? value : Number.NaN;
    }
    for (const { column, places } of named) {
      const value = values[start + column];
      if (typeof value === 'string') into[column] = places.get(value) ?? Number.NaN;
    }
  };
}
