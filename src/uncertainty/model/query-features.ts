/** What the risk of a whole query is read from: the risks of its nodes, and the query beside the question and the others. */
import type { FeatureSpace } from '../features/feature-space.ts';

/** Types whose nodes are looked at apart. */
const TYPES = ['Column', 'Table', 'Literal', 'Identifier', 'Join', 'EQ', 'Select'] as const;
const LEAVES: ReadonlySet<string> = new Set(['Column', 'Table', 'Literal']);
/** What a query is built of: how many nodes of each it has. */
const COUNTED = [
  ...['Join', 'Where', 'Group', 'Having', 'Order', 'Limit', 'Distinct', 'Subquery', 'Intersect', 'Except'],
  ...['Count', 'Sum', 'Avg', 'Max', 'Min', 'Case', 'If', 'Cast', 'Window', 'TimeToStr', 'Substring', 'Null'],
  ...['And', 'Or', 'Not', 'In', 'Like', 'Between', 'Is', 'EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE'],
  ...['Sub', 'Div', 'Mul', 'Star'],
] as const;
/** Groups of which some features are the same for all nodes of a query. */
const WHOLE =
  /^(?:n_(?!children|siblings)|unused_|asks_|first_selected|selected_family|link_missing|link_superfluous|link_table_|others_(?:whole|select|from|where|order|group|tables|columns|largest|different)$|faults_|query_node_count)/;

export interface QueryFeatures {
  readonly names: readonly string[];
  /** `types` and `probabilities` by node; `first`: the row of the root, categories as numbers. */
  readonly read: (
    types: readonly string[],
    probabilities: ArrayLike<number>,
    first: ArrayLike<number>,
  ) => Float64Array;
}

export function queryFeatures({ features }: FeatureSpace): QueryFeatures {
  const whole = features.flatMap(({ name }, column) => (WHOLE.test(name) ? [column] : []));
  const names = [
    ...['any_leaf_wrong', 'highest', 'second_highest', 'mean', 'expected_errors', 'nodes'],
    ...TYPES.flatMap((type) => [`highest_${type}`, `mean_${type}`]),
    ...COUNTED.map((type) => `count_${type}`),
    ...whole.map((column) => features[column]?.name ?? ''),
  ];
  return {
    names,
    read: (types, probabilities, first) => {
      const row = new Float64Array(names.length);
      row.set(readRisks(types, probabilities));
      let at = 6 + 2 * TYPES.length;
      for (const count of countTypes(types)) row[at++] = count;
      for (const column of whole) row[at++] = first[column] ?? Number.NaN;
      return row;
    },
  };
}

function countTypes(types: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return COUNTED.map((type) => counts.get(type) ?? 0);
}

function readRisks(types: readonly string[], probabilities: ArrayLike<number>): readonly number[] {
  let [highest, second, sum, right] = [0, 0, 0, 1];
  const perType = new Map<string, { highest: number; sum: number; count: number }>();
  for (const [node, type] of types.entries()) {
    const p = probabilities[node] ?? 0;
    if (p > highest) [highest, second] = [p, highest];
    else if (p > second) second = p;
    sum += p;
    if (LEAVES.has(type)) right *= 1 - p;
    const known = perType.get(type);
    if (known === undefined) perType.set(type, { highest: p, sum: p, count: 1 });
    else {
      known.highest = Math.max(known.highest, p);
      known.sum += p;
      known.count += 1;
    }
  }
  const ofTypes = TYPES.flatMap((type) => {
    const known = perType.get(type);
    return known === undefined ? [Number.NaN, Number.NaN] : [known.highest, known.sum / known.count];
  });
  return [1 - right, highest, second, sum / Math.max(1, types.length), sum, types.length, ...ofTypes];
}
