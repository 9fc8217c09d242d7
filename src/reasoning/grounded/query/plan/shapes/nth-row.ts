import type { Expression, SelectItem, SelectQuery } from '../../../../../sql/index.ts';
import { BARE, cause } from '../parts/query-parts.ts';

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
