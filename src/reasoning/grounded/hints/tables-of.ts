import type { Definition } from './definition.ts';

/** Tables that a definition speaks of beyond doubt: those of columns that only one table has. */
export function tablesOf({ meaning }: Definition): string[] {
  const { columns, conditions, ranking, figure, heldBy = [] } = meaning;
  const named = [
    ...columns,
    ...conditions.flatMap(({ literal }) => (literal === undefined ? [] : [literal.columns])),
    ...(ranking === undefined ? [] : [ranking.columns]),
    ...(figure?.kind === 'aggregate' ? [figure.columns] : []),
    ...heldBy,
  ];
  const own = named.flatMap((names) => (names.length === 1 ? (names[0]?.tableId ?? []) : []));
  const whole = conditions.flatMap(({ literal, tables }) => (literal === undefined ? tables : []));
  return [...own, ...whole, ...(figure?.kind === 'expression' ? figure.tables : [])];
}
