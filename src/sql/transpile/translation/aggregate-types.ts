/** Which calls make one value out of many rows. */
import type { SqlNode } from '../../tree/node.ts';

const TYPES: ReadonlySet<string> = new Set(
  `Sum Count Avg GroupConcat ArrayAgg Stddev StddevPop StddevSamp Variance VariancePop CountIf LogicalAnd LogicalOr AnyValue
  ArgMax ArgMin Median PercentileCont PercentileDisc ApproxDistinct Quantile JSONArrayAgg JSONObjectAgg Corr CovarPop
  CovarSamp Mode ArrayConcatAgg BitwiseAndAgg BitwiseOrAgg BitwiseXorAgg`.split(/\s+/),
);
const NAMES: ReadonlySet<string> = new Set(['TOTAL', 'LIST', 'FIRST', 'LAST']);

/** MAX and MIN of several values are no aggregates in SQLite. */
export function isAggregate(node: SqlNode): boolean {
  if (node.flags.call === undefined) return false;
  if (node.type === 'Max' || node.type === 'Min') return node.children.length === 1;
  return TYPES.has(node.type) || NAMES.has((node.value ?? '').toUpperCase());
}

/** An aggregate in the expression itself, not in a query or a window inside of it. */
export function hasAggregate(node: SqlNode): boolean {
  if (node.type === 'Subquery' || node.type === 'Select' || node.type === 'Window') return false;
  return isAggregate(node) || node.children.some(hasAggregate);
}
