/** Patches that join a table which a query reads from and does not name. */
import { child, childrenIn, type Patch, type Scope } from '../../sql/index.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { findJoinPath, type JoinStep } from './join-path.ts';
import { quoted, tablesIn } from './remedy.ts';

export interface AddedJoin {
  readonly patches: readonly Patch[];
  /** What its columns are qualified with, as it is to be written. */
  readonly name: string;
  /** Tables that were added, the goal among them. */
  readonly added: readonly string[];
}

export interface JoinPlace {
  readonly scope: Scope | undefined;
  readonly query: ReadQuery;
  readonly schema: SchemaFacts;
}

/** Over keys, from any table of the scope; undefined where none leads there, or a name would be taken twice. */
export function addJoin(goal: string, place: JoinPlace): AddedJoin | undefined {
  const { scope, query, schema } = place;
  const held = tablesIn(scope);
  const path = findJoinPath(
    schema,
    held.flatMap(({ table }) => table?.id ?? []),
    goal,
  );
  const end = fromEnd(scope);
  if (path === undefined || path.length === 0 || scope === undefined || end === undefined) return undefined;
  const names = new Map(held.map(({ table, name }) => [table?.id ?? '', quoted(name, query)]));
  const taken = new Set(scope.sources.map(({ key }) => key));
  const joins: string[] = [];
  for (const step of path) {
    const table = schema.tables.get(step.to);
    if (table === undefined || taken.has(table.name.toLowerCase())) return undefined;
    names.set(step.to, quoted(table.name, query));
    joins.push(` JOIN ${writtenTable(step.to, place)} ON ${joinCondition(step, names, place)}`);
  }
  const added = path.map(({ to }) => to);
  return {
    patches: [{ span: { start: end, end }, text: joins.join('') }, ...qualifyBare(added, place)],
    name: names.get(goal) ?? '',
    added,
  };
}

/** With the schema it stands in, where its name alone does not reach it. */
export function writtenTable(id: string, { query, schema }: JoinPlace): string {
  const table = schema.tables.get(id);
  return [...(table?.qualifier ?? []), table?.name ?? id].map((part) => quoted(part, query)).join('.');
}

/** `a.id = b.a_id`; names are those of the tables in this query, ready to be written. */
export function joinCondition(
  { from, to, pairs }: JoinStep,
  names: ReadonlyMap<string, string>,
  { query, schema }: JoinPlace,
): string {
  const column = (table: string, id: string) =>
    `${names.get(table) ?? table}.${quoted(schema.columns.get(id)?.name ?? id, query)}`;
  return pairs.map(([one, other]) => `${column(from, one)} = ${column(to, other)}`).join(' AND ');
}

function fromEnd(scope: Scope | undefined): number | undefined {
  if (scope?.query.type !== 'Select') return undefined;
  const from = child(scope.query, 'from');
  if (from === undefined) return undefined;
  return Math.max(from.end, ...childrenIn(scope.query, 'joins').map(({ end }) => end));
}

/** Names without a qualifier that an added table has as well keep their meaning only with one. */
function qualifyBare(added: readonly string[], { scope, query, schema }: JoinPlace): readonly Patch[] {
  const keys = new Set(
    added.flatMap((id) => (schema.tables.get(id)?.columns ?? []).map(({ name }) => name.toLowerCase())),
  );
  return query.tree.nodes.flatMap((node) => {
    if (node.type !== 'Column' || child(node, 'table') !== undefined) return [];
    const reference = query.scopes.references[node.id];
    if (reference?.kind !== 'column' || reference.scope !== scope || reference.merged !== undefined)
      return [];
    const { key } = reference.output;
    const { name } = reference.source;
    if (key === undefined || !keys.has(key) || name === undefined) return [];
    return [{ span: { start: node.start, end: node.start }, text: `${quoted(name, query)}.` }];
  });
}
