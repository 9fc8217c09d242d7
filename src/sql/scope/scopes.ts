/** Name resolution: the scopes of a tree and what every name in it means. */
import type { SqlNode, SqlTree } from '../tree/node.ts';
import { NAME_RULES } from './name-rules.ts';
import { readExpression } from './read-expression.ts';
import { readQuery } from './read-query.ts';
import { scopeOfQuery } from './read-with.ts';
import type { Reading } from './reading.ts';
import { indexSchema, type NamedSchema } from './schema-index.ts';
import type { Scope, Scopes } from './scope.ts';

/**
 * Resolves all names of a tree against a schema; what is missing or in doubt becomes a reference that says so.
 * `scopes(tree, schema).references[column.id]` tells what a column means.
 */
export function scopes(tree: SqlTree, schema: NamedSchema): Scopes {
  const count = tree.nodes.length;
  const reading: Reading = {
    tree,
    rules: NAME_RULES[tree.dialect],
    schema: indexSchema(schema),
    references: new Array(count),
    sources: new Array(count),
    scopes: new Array(count),
    used: [],
    readQuery,
    readExpression,
  };
  readQuery(reading, tree.root, { kind: 'root', parent: undefined, outer: undefined, ctes: undefined });
  return {
    tree,
    schema: reading.schema,
    root: scopeOfQuery(reading, tree.root),
    all: reading.scopes.filter((scope) => scope !== undefined),
    places: placesOf(tree, reading.scopes),
    references: reading.references,
    sources: reading.sources,
  };
}

/** Nodes come in preorder, so a node's parent has its place before it. */
function placesOf({ nodes }: SqlTree, opened: readonly (Scope | undefined)[]): (Scope | undefined)[] {
  const places: (Scope | undefined)[] = new Array(nodes.length);
  for (const node of nodes) places[node.id] = opened[node.id] ?? placeOfParent(node, places);
  return places;
}

function placeOfParent({ parent }: SqlNode, places: readonly (Scope | undefined)[]): Scope | undefined {
  return parent && places[parent.id];
}
