/** Cube's references inside SQL: `{CUBE}.column`, `{CUBE.member}`, `{other.member}`. */
import { type LogicalTable, MEMBER_MARK } from '../foreign/resolve-expression.ts';
import { columnText, rewriteColumns } from '../foreign/sql-expression.ts';

const REFERENCE = /\$?\{\s*([A-Za-z_][\w.]*)\s*\}/g;

/** The key of a member in a `LogicalTable`. */
export function memberKey(name: string): string {
  return `${MEMBER_MARK}${name}`.toLowerCase();
}

/**
 * The SQL with references as plain names over `cube`; `undefined` when it holds what is decided at run time (filter
 * parameters, security context, templates of Jinja).
 */
export function plainSql(sql: string, cube: string): string | undefined {
  if (/\{\{|\{%|FILTER_PARAMS|FILTER_GROUP|SECURITY_CONTEXT|SQL_UTILS|COMPILE_CONTEXT/.test(sql))
    return undefined;
  let isPlain = true;
  const text = sql.replace(REFERENCE, (whole, path: string, at: number) => {
    const isOwner = sql.slice(at + whole.length).startsWith('.');
    const steps = path.split('.').map((step) => (step === 'CUBE' ? cube : step));
    if (isOwner) return columnText(steps.at(-1) ?? '');
    const [member = '', owner = cube] = [...steps].reverse();
    if (steps.length > 1 || path !== 'CUBE')
      return `${columnText(owner)}.${columnText(MEMBER_MARK + member)}`;
    isPlain = false;
    return whole;
  });
  return isPlain && !/[{}]/.test(text.replace(/'(?:[^']|'')*'/g, '')) ? text : undefined;
}

/** Our fragment over one table as Cube writes it: every column as `{CUBE}.column`. */
export function cubeSql(sql: string): string {
  return rewriteColumns(sql, (parts) => `{CUBE}.${columnText(parts.at(-1) ?? '')}`) ?? sql;
}

/** The members of a cube as expressions see them. */
export function logicalCube(
  name: string,
  table: string,
  members: readonly (readonly [name: string, sql: string])[],
): LogicalTable {
  return { name, table, members: new Map(members.map(([member, sql]) => [memberKey(member), sql])) };
}
