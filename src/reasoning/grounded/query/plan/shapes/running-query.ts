import type { Expression, SelectItem, SelectQuery } from '../../../../../sql/index.ts';
import type { PlanView } from '../parts/plan-view.ts';
import { BARE } from '../parts/query-parts.ts';

/** "running total of payments per month": each step of time with all before it, within the other groups. Null without a step, or beside another figure. */
export function runningQuery(query: SelectQuery, { bound }: PlanView): SelectQuery | null {
  const figures = query.select.filter(({ expression }) => expression.kind === 'aggregate');
  const [figure, second] = figures;
  const steps = query.select.filter(({ expression }) => expression.kind === 'date-part');
  const [step, other] = steps;
  const isAdded =
    figure?.expression.kind === 'aggregate' &&
    !figure.expression.distinct &&
    /^(?:count|sum)$/.test(figure.expression.function);
  const isPlain = query.orderBy.length === 0 && query.limit === undefined && query.having.length === 0;
  if (step === undefined || other !== undefined || second !== undefined || !isAdded || !isPlain) return null;
  if (bound.groups.filter(({ part }) => part !== undefined).length !== 1 || query.ctes !== undefined)
    return null;
  const named = query.select.map(
    (item, index): SelectItem => ({
      ...item,
      alias: item === step ? 'step' : item === figure ? 'value' : `group_${index + 1}`,
    }),
  );
  const of = (name: string): Expression => ({ kind: 'column', table: 'grouped', column: name });
  const others = named.filter(({ alias }) => alias !== 'step' && alias !== 'value');
  // Two of one name are two groups.
  const keys = query.groupBy
    .filter(({ kind }) => kind !== 'date-part')
    .map((expression, index): SelectItem => ({ expression, alias: `key_${index + 1}` }));
  const total: Expression = {
    kind: 'window',
    function: 'sum',
    argument: of('value'),
    partitionBy: keys.map(({ alias = '' }) => of(alias)),
    orderBy: [{ expression: of('step'), direction: 'asc' }],
    cause: { why: 'running total', certainty: 'stated' },
  };
  return {
    ...BARE,
    ctes: [{ name: 'grouped', query: { ...query, select: [...keys, ...named] } }],
    select: named.map(({ alias = '' }) => ({ expression: alias === 'value' ? total : of(alias) })),
    from: { table: 'grouped' },
    orderBy: [...others.map(({ alias = '' }) => alias), 'step'].map((alias) => ({
      expression: of(alias),
      direction: 'asc' as const,
    })),
  };
}
