import type { Query } from '../sql/index.ts';

/** A column that a mention of the question became, as the query writes it. */
export interface Binding {
  /** The name of its table in the query. */
  readonly table: string;
  readonly column: string;
  /** It narrows the rows: the mention is a value of it, or compares it. */
  readonly isCondition: boolean;
}

/** The columns that each mention became, by its index in the reading's mentions. */
export function bindingsOf(query: Query): ReadonlyMap<number, readonly Binding[]> {
  const bindings = new Map<number, Binding[]>();
  walk(query, undefined, bindings);
  return bindings;
}

/** Goes through the plain data of a query tree; the innermost cause owns a column. */
function walk(part: unknown, mention: Owner | undefined, bindings: Map<number, Binding[]>): void {
  if (Array.isArray(part)) {
    for (const item of part) walk(item, mention, bindings);
    return;
  }
  if (!isRecord(part)) return;
  const owner = ownerOf(part) ?? mention;
  if (part.kind === 'column' && typeof part.table === 'string' && typeof part.column === 'string') {
    if (owner === undefined) return;
    const known = bindings.get(owner.mention) ?? [];
    const { table, column } = { table: part.table, column: part.column };
    if (!known.some((one) => one.table === table && one.column === column))
      bindings.set(owner.mention, [...known, { table, column, isCondition: owner.isCondition }]);
    return;
  }
  for (const [name, inner] of Object.entries(part)) {
    // The keys of a membership test are the way there, not what the words became.
    if (part.kind === 'in-query' && name === 'value') continue;
    if (part.kind === 'in-query' && name === 'query') {
      walkMembers(inner, owner, bindings);
      continue;
    }
    if (name !== 'cause' && name !== 'joins') walk(inner, owner, bindings);
  }
}

function walkMembers(query: unknown, owner: Owner | undefined, bindings: Map<number, Binding[]>): void {
  if (!isRecord(query)) return;
  for (const [name, inner] of Object.entries(query))
    if (name !== 'select' && name !== 'joins') walk(inner, owner, bindings);
}

interface Owner {
  readonly mention: number;
  readonly isCondition: boolean;
}

const CONDITIONS: ReadonlySet<unknown> = new Set(['compare', 'between', 'like', 'null', 'in', 'in-query']);

function ownerOf(part: Readonly<Record<string, unknown>>): Owner | undefined {
  const { cause, kind } = part;
  if (!isRecord(cause) || typeof cause.mention !== 'number') return undefined;
  return { mention: cause.mention, isCondition: CONDITIONS.has(kind) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
