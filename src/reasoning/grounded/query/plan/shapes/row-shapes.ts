import type { Expression, SelectItem, SelectQuery } from '../../../../../sql/print/index.ts';
import { BARE, cause, type PlanView } from '../parts/plan-view.ts';

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

/** "the second most expensive": rows are numbered in the order of the ranking, and one is taken. */
export function nthRow(query: SelectQuery, place: number): SelectQuery {
  const shown = query.select.map(
    (item, index): SelectItem => ({ ...item, alias: headOf(item, index, query) }),
  );
  const number: Expression = {
    kind: 'window',
    function: 'row_number',
    partitionBy: [],
    orderBy: query.orderBy,
    cause: cause(undefined, `place ${place} of the ranking`),
  };
  const column = (name: string): Expression => ({ kind: 'column', table: 'ranked', column: name });
  return {
    ...BARE,
    ctes: [
      {
        name: 'ranked',
        query: {
          ...query,
          select: [...shown, { expression: number, alias: 'place' }],
          distinct: false,
          orderBy: [],
          limit: undefined,
        },
      },
    ],
    select: shown.map(({ alias = '' }) => ({ expression: column(alias) })),
    from: { table: 'ranked' },
    where: [
      { kind: 'compare', operator: '=', left: column('place'), right: { kind: 'literal', value: place } },
    ],
  };
}

/** The name of its column where no other has it. */
function headOf({ expression, alias }: SelectItem, index: number, { select }: SelectQuery): string {
  const name = alias ?? (expression.kind === 'column' ? expression.column : undefined);
  const isShared =
    name === 'place' ||
    select.filter(({ expression: other }) => other.kind === 'column' && other.column === name).length > 1;
  return name === undefined || isShared ? `value_${index + 1}` : name;
}
