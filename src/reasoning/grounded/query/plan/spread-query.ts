import type { Expression } from '../../../../sql/print/index.ts';
import type { Bound } from '../../resolve/bound.ts';
import type { ResolveContext } from '../../resolve/noun-candidates.ts';
import { buildQuery, type Plan } from './build-query.ts';
import type { PlanOptions } from './plan-options.ts';

/** The highest less the lowest, or how many times it: two figures of one column as one. Null where they are of two. */
export function spreadQuery(
  bound: Bound,
  kind: 'difference' | 'ratio',
  options: PlanOptions,
  context: ResolveContext,
): Plan | null {
  const [high, low, third] = bound.projections;
  const isOne = high?.column !== undefined && high.column === low?.column && third === undefined;
  const plan = isOne ? buildQuery(bound, options, context) : null;
  if (plan?.query.kind !== 'select') return null;
  const figures = plan.query.select.slice(-2).map(({ expression }) => expression);
  const [left, right] = figures;
  if (left === undefined || right === undefined) return null;
  const operator = kind === 'difference' ? '-' : '/';
  const expression: Expression = { kind: 'arithmetic', operator, left, right };
  const select = [...plan.query.select.slice(0, -2), { expression, alias: kind }];
  return { ...plan, query: { ...plan.query, select } };
}
