/** LookML's references inside SQL: `${TABLE}.column`, `${field}`, `${view.field}`. */
import { MEMBER_MARK } from '../resolve-expression.ts';
import { columnText } from '../sql-expression.ts';

/** The key of a field in a `LogicalTable`. */
export function fieldKey(name: string): string {
  return `${MEMBER_MARK}${name}`.toLowerCase();
}

/** The SQL with references as plain names over `view`; `undefined` when Liquid decides it at run time. */
export function plainLookmlSql(sql: string, view: string): string | undefined {
  if (/\{%|\{\{|@\{/.test(sql)) return undefined;
  const text = sql.replace(/\$\{\s*([A-Za-z_][\w.]*)\s*\}/g, (whole, path: string) => {
    if (path === 'TABLE') return columnText(view);
    const [name = '', owner = view, ...others] = path.split('.').reverse();
    return others.length > 0 ? whole : `${columnText(owner)}.${columnText(MEMBER_MARK + name)}`;
  });
  return text.includes('${') ? undefined : text;
}

/** The view and field of a plain name that `plainLookmlSql` made of `${view.field}`. */
export function readField(
  parts: readonly string[],
): { readonly view: string; readonly field: string } | undefined {
  const [name = '', view = ''] = [...parts].reverse();
  return name.startsWith(MEMBER_MARK) ? { view, field: name.slice(MEMBER_MARK.length) } : undefined;
}
