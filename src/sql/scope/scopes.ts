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
 * Reading a name is a step, and so is each column that a star makes. A star over stars, or recursion inside recursion,
 * makes millions of them out of a short text; the largest query that people wrote for a public benchmark takes 2,000.
 */
const MAX_STEPS = 200_000;
const STEPS_OF_NODE = 4;

/**
 * Resolves all names of a tree against a schema; what is missing or in doubt becomes a reference that says so.
 * `scopes(tree, schema).references[column.id]` tells what a column means. Throws `sql.too-large` when a text stands for
 * too much.
 */
export function scopes(tree: SqlTree, schema: NamedSchema): Scopes {
  const known = RESOLVED.get(tree)?.get(schema);
  if (known !== undefined) return known;
  const resolved = resolve(tree, schema);
  const bySchema = RESOLVED.get(tree) ?? new WeakMap<NamedSchema, Scopes>();
  RESOLVED.set(tree, bySchema.set(schema, resolved));
  return resolved;
}

/** A guard asks for the same names half a dozen times; neither tree nor schema ever changes. */
const RESOLVED = new WeakMap<SqlTree, WeakMap<NamedSchema, Scopes>>();

function resolve(tree: SqlTree, schema: NamedSchema): Scopes {
  const count = tree.nodes.length;
  const reading: Reading = {
    tree,
    rules: NAME_RULES[tree.dialect],
    schema: indexSchema(schema),
    references: new Array(count),
    sources: new Array(count),
    scopes: new Array(count),
    used: [],
    steps: { taken: 0, allowed: MAX_STEPS + STEPS_OF_NODE * count },
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
