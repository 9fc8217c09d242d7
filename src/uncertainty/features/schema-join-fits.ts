/** Whether the columns that a query joins by are those of a key. */

import type { ReadQuery, SchemaFacts } from '../../faults/index.ts';
import type { Reference, SqlNode } from '../../sql/index.ts';

/**
 * By node id: 1 a key joins the two columns, 0.5 they have one name and it is that of a key, 0 neither; undefined where
 * a node joins nothing. For the `=` of two columns in ON or of two sources elsewhere (a join written with a comma), its
 * columns and their names, names in USING, and for a Join the best of its conditions.
 */
export function joinFits({ tree, scopes }: ReadQuery, schema: SchemaFacts): readonly (number | undefined)[] {
  const fits: (number | undefined)[] = new Array(tree.nodes.length);
  const idsOf = (node: SqlNode) => columnIds(scopes.references[node.id]);
  for (const node of tree.nodes) {
    if (node.type === 'EQ') {
      const [left, right] = node.children;
      if (left?.type !== 'Column' || right?.type !== 'Column') continue;
      const join = joinAround(node);
      if (join === undefined && !isOfTwoSources(scopes.references[left.id], scopes.references[right.id]))
        continue;
      const fit = fitOf(schema, idsOf(left), idsOf(right));
      for (const part of [node, left, right]) fits[part.id] = fit;
      for (const part of [...left.children, ...right.children]) fits[part.id] = fit;
      raise(fits, join, fit);
    } else if (node.role === 'using' && node.parent?.type === 'Join') {
      const ids = idsOf(node);
      const fit = fitOf(schema, ids, ids);
      fits[node.id] = fit;
      raise(fits, node.parent, fit);
    }
  }
  return fits;
}

function raise(fits: (number | undefined)[], join: SqlNode | undefined, fit: number): void {
  if (join !== undefined) fits[join.id] = Math.max(fits[join.id] ?? 0, fit);
}

/** The Join in whose condition a node stands. */
function joinAround(node: SqlNode): SqlNode | undefined {
  for (let at: SqlNode | undefined = node; at !== undefined && at.type !== 'Select'; at = at.parent) {
    if (at.parent?.type === 'Join' && at.role !== 'this') return at.parent;
  }
  return undefined;
}

function isOfTwoSources(one: Reference | undefined, other: Reference | undefined): boolean {
  return one?.kind === 'column' && other?.kind === 'column' && one.source !== other.source;
}

const NO_IDS: readonly string[] = [];

/** The columns of the schema that a name is the value of, also through derived tables. */
function columnIds(reference: Reference | undefined): readonly string[] {
  const physical = reference?.lineage.physical;
  return physical === undefined || physical.length === 0 ? NO_IDS : physical.map(({ id }) => id);
}

function fitOf(schema: SchemaFacts, left: readonly string[], right: readonly string[]): number {
  let best = 0;
  for (const one of left) {
    for (const other of right) {
      if (schema.isKeyPair(one, other)) return 1;
      if (one !== other && isNamesake(schema, one, other)) best = 0.5;
    }
  }
  return best;
}

/** Both ends of a key in many schemas that declare none. */
function isNamesake(schema: SchemaFacts, one: string, other: string): boolean {
  const name = schema.columns.get(one)?.name.toLowerCase();
  const isSame = name !== undefined && name === schema.columns.get(other)?.name.toLowerCase();
  return isSame && (isKey(schema, one) || isKey(schema, other));
}

function isKey({ primaryKeys, referring, referred }: SchemaFacts, id: string): boolean {
  return primaryKeys.has(id) || referring.has(id) || referred.has(id);
}
