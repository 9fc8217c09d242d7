/** Turns the logical names of foreign expressions into `table.column`, as our fragments name columns. */
import { readOneColumn } from '../../semantic/semantic-file.ts';
import { columnText, rewriteColumns } from './sql-expression.ts';

/**
 * Marks a name as that of a member, for formats that tell `{CUBE.status}`, a member, from `{CUBE}.status`, a column. One
 * that is not there is no column either.
 */
export const MEMBER_MARK = 'member:';

/** A dataset as expressions see it. */
export interface LogicalTable {
  readonly name: string;
  /** The physical table, in lower case. */
  readonly table: string;
  /** Expressions of its columns and metrics, by name in lower case, over the physical table or other members. */
  readonly members: ReadonlyMap<string, string>;
}

export interface Resolved {
  readonly sql: string;
  /** Physical tables whose columns it names. */
  readonly tables: readonly string[];
}

/** Members that name members: deeper, or longer than this, is a circle or an attack. */
const MAX_DEPTH = 20;
const MAX_LENGTH = 20_000;

/**
 * The expression with every name replaced: `orders.net` by what the member `net` of `orders` is, other names by the
 * physical column of that name. Names without a dataset belong to `home`. `undefined` when it is no single expression,
 * names an unknown dataset, or its members name each other in a circle.
 */
export function resolveExpression(
  sql: string,
  tables: readonly LogicalTable[],
  home?: LogicalTable,
): Resolved | undefined {
  const used = new Set<string>();
  const resolved = resolve(sql, { tables, home, used, depth: 0 });
  return resolved === undefined ? undefined : { sql: resolved, tables: [...used] };
}

interface Scope {
  readonly tables: readonly LogicalTable[];
  readonly home: LogicalTable | undefined;
  readonly used: Set<string>;
  readonly depth: number;
  /** The member being read: its own name in it is the physical column. */
  readonly inside?: string;
}

function resolve(sql: string, scope: Scope): string | undefined {
  if (scope.depth > MAX_DEPTH) return undefined;
  const text = rewriteColumns(sql, (parts) => resolveName(parts, scope));
  return text === undefined || text.length > MAX_LENGTH ? undefined : text;
}

function resolveName(parts: readonly string[], scope: Scope): string | undefined {
  const name = parts.at(-1) ?? '';
  const owner = parts.length > 1 ? findTable(parts.at(-2) ?? '', scope) : scope.home;
  if (owner === undefined) return undefined;
  const id = `${owner.name}.${name}`.toLowerCase();
  const member = id === scope.inside ? undefined : owner.members.get(name.toLowerCase());
  if (member === undefined && name.startsWith(MEMBER_MARK)) return undefined;
  if (member === undefined) {
    scope.used.add(owner.table);
    return columnText(owner.table, name);
  }
  const inner = resolve(member, { ...scope, home: owner, depth: scope.depth + 1, inside: id });
  return inner === undefined || readOneColumn(inner) !== undefined ? inner : `(${inner})`;
}

/** By the name of the dataset, else by that of its table. */
function findTable(name: string, { tables }: Scope): LogicalTable | undefined {
  const wanted = name.toLowerCase();
  return (
    tables.find((table) => table.name.toLowerCase() === wanted) ??
    tables.find(({ table }) => table.toLowerCase() === wanted)
  );
}
