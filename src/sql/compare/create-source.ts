/** One entry of FROM as names see it. */
import { child, type SqlNode } from '../tree/node.ts';
import { identifierKey } from './identifier-key.ts';
import type { Keying } from './keying.ts';
import type { Source } from './names.ts';
import type { NormalQuery } from './normal-form.ts';
import { outputsOf, renamed } from './outputs.ts';
import type { Relation } from './relations.ts';

export function createSource(
  keying: Keying,
  { node, join }: Relation,
  query: NormalQuery | undefined,
): Source {
  const alias = child(node, 'alias');
  const given = alias && child(alias, 'this')?.value?.toLowerCase();
  const tableName = nameOf(node);
  const isQualified = node.children.some(({ role }) => role === 'db');
  const cte = tableName === undefined || isQualified ? undefined : keying.ctes.get(tableName);
  const base = cte?.label ?? baseOf(node, query);
  const outputs = cte?.outputs ?? (query && outputsOf(query));
  return {
    node,
    name: given ?? tableName,
    base,
    label: base,
    isShared: false,
    query,
    outputs: outputs && renamed(outputs, alias),
    isInner: join === 'inner',
  };
}

function nameOf(relation: SqlNode): string | undefined {
  const name = relation.type === 'Table' ? child(relation, 'this') : undefined;
  return name?.type === 'Identifier' ? name.value?.toLowerCase() : undefined;
}

/** Schemas that are meant when none is named. */
const DEFAULT_SCHEMAS: ReadonlySet<string> = new Set(['main', 'public']);

/** The whole dotted name of a table; `$q` stands for a derived one, `$f` for a function. */
function baseOf(node: SqlNode, query: NormalQuery | undefined): string {
  if (query !== undefined) return '$q';
  if (nameOf(node) === undefined) return '$f';
  const parts = node.children.filter(({ type }) => type === 'Identifier');
  const names = parts.map(({ value }) => identifierKey(value ?? ''));
  const isDefault = names.length === 2 && DEFAULT_SCHEMAS.has(names[0] ?? '');
  return (isDefault ? names.slice(1) : names).join('.');
}
