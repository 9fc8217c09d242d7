/** Named filters of other tools that say what people call a stored value: `shipped` is `orders.status_code = 3`. */
import { inQuotes } from '../../../sql/dialects/index.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { columnText, equalityIn } from '../foreign/sql-expression.ts';

export interface Mapping {
  readonly column: string;
  readonly value: string | number;
  readonly surface: readonly string[];
}

/** The value mapping that a named condition is; `undefined` unless it compares one column with one value. */
export function readMapping(
  surface: readonly string[],
  sql: string,
  home: LogicalTable,
): Mapping | undefined {
  const resolved = resolveExpression(sql, [home], home);
  const equal = resolved && equalityIn(resolved.sql);
  if (equal === undefined || equal.parts.length !== 2) return undefined;
  const column = equal.parts.join('.').toLowerCase();
  if (!/^[^.\s]+\.[^.]+$/.test(column)) return undefined;
  return { column, value: equal.value, surface };
}

/** The condition of a mapping over the plain column name. */
export function mappingCondition({ column, value }: Mapping): string {
  const literal = typeof value === 'number' ? String(value) : inQuotes(value, "'");
  return `${columnText(column.slice(column.indexOf('.') + 1))} = ${literal}`;
}
