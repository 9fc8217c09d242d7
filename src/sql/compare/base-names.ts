/** What a qualifier stands for: alias to table, by the two readings of node-level uncertainty. */
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { relations } from './relations.ts';

/** The lower-case name of the table a qualifier stands for at a place; `undefined` when it stands for none. */
export type BaseNames = (qualifier: string, place: SqlNode) => string | undefined;

/** One map for the whole tree, as the paper has it: where an alias is given twice, the last one holds everywhere. */
export function treeBaseNames(tree: SqlTree): BaseNames {
  const names = new Map<string, string>();
  for (const node of tree.nodes) {
    if (RELATIONS.has(node.type) && node.role === 'this') addNames(names, node);
    if (node.type === 'CTE') addName(names, nameOfAlias(node));
  }
  return (qualifier) => names.get(qualifier);
}

/** A map for each SELECT, looking outward for names of queries around. */
export function scopedBaseNames(): BaseNames {
  const maps = new Map<SqlNode, ReadonlyMap<string, string>>();
  const mapOf = (select: SqlNode): ReadonlyMap<string, string> => {
    const known = maps.get(select);
    if (known !== undefined) return known;
    const names = new Map<string, string>();
    let unnamed = 0;
    for (const { node } of relations(select)) {
      addNames(names, node);
      // What has no table behind it is known by its place, so that another alias is no other name.
      if (node.type === 'Table') continue;
      unnamed += 1;
      const alias = nameOfAlias(node);
      if (alias !== undefined) names.set(alias, `$${unnamed}`);
    }
    maps.set(select, names);
    return names;
  };
  return (qualifier, place) => {
    for (let at: SqlNode | undefined = place; at !== undefined; at = at.parent) {
      const base = at.type === 'Select' ? mapOf(at).get(qualifier) : undefined;
      if (base !== undefined) return base;
    }
    return undefined;
  };
}

const RELATIONS: ReadonlySet<string> = new Set([
  'Table',
  'Subquery',
  'Unnest',
  'Lateral',
  'Values',
  'TableFromRows',
]);

/** A table answers to its alias and to its own name; what has no table behind it stands for itself. */
function addNames(names: Map<string, string>, relation: SqlNode): void {
  const alias = nameOfAlias(relation);
  const name = relation.type === 'Table' ? child(relation, 'this') : undefined;
  const base = name?.type === 'Identifier' ? name.value?.toLowerCase() : undefined;
  addName(names, base);
  if (alias !== undefined) names.set(alias, base ?? alias);
}

function addName(names: Map<string, string>, name: string | undefined): void {
  if (name !== undefined) names.set(name, name);
}

function nameOfAlias(node: SqlNode): string | undefined {
  const alias = child(node, 'alias');
  return alias && child(alias, 'this')?.value?.toLowerCase();
}
