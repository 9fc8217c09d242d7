import type { Expression, SelectQuery } from '../../../../sql/index.ts';
import { BARE } from '../../plan/bare-query.ts';
import { groupAlias, isTimeGroup } from '../metric-block.ts';
import { columnOf, type MetricPlan } from '../metric-plan.ts';

/**
 * "running total of orders per month": each step of time with all before it, inside each of the other groups. Null where nothing
 * can be added up: without steps, or for a figure whose parts are no part of the whole, such as an average or different buyers.
 */
export function runningTotal(query: SelectQuery, plan: MetricPlan): SelectQuery | null {
  const { groups, bounds, knowledge } = plan;
  const [bound, second] = bounds;
  const step = groups.find(isTimeGroup);
  const figure = query.select.at(-1)?.alias;
  if (bound === undefined || second !== undefined || step === undefined || figure === undefined) return null;
  const [part, other] = bound.parts;
  const key = part?.table === undefined ? [] : knowledge.graph.table(part.table).primaryKey;
  const counted = /^\s*count\s*\(\s*distinct\s+([\w.]+)\s*\)\s*$/i.exec(part?.expression ?? '')?.[1];
  const isAdded =
    counted === undefined
      ? /^\s*(?:sum|count)\s*\(/i.test(part?.expression ?? '')
      : key.length === 1 && key[0] === counted.toLowerCase();
  if (other !== undefined || !isAdded) return null;
  const inGrouped = (name: string): Expression => columnOf('grouped', name);
  const names = groups.map(groupAlias);
  const total: Expression = {
    kind: 'window',
    function: 'sum',
    argument: inGrouped(figure),
    partitionBy: groups.filter((group) => group !== step).map((group) => inGrouped(groupAlias(group))),
    orderBy: [{ expression: inGrouped(groupAlias(step)), direction: 'asc' }],
    cause: { why: 'running total', certainty: 'stated' },
  };
  const { ctes = [], ...grouped } = query;
  return {
    ...BARE,
    ctes: [...ctes, { name: 'grouped', query: grouped }],
    select: [
      ...names.map((name) => ({ expression: inGrouped(name), alias: name })),
      { expression: total, alias: `running_total_of_${figure}` },
    ],
    from: { table: 'grouped' },
    orderBy: [...groups.filter((group) => group !== step), step].map((group) => ({
      expression: inGrouped(groupAlias(group)),
      direction: 'asc' as const,
    })),
  };
}
