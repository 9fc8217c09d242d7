/** Which name a node bears, what the name is used for, and whether something of that name is there. */

import type { ReadQuery } from '../../faults/index.ts';
import type { Reference, Scope, SqlNode } from '../../sql/index.ts';
import type { Spelling } from './lexical-spelling.ts';

/**
 * A `qualifier` stands before another name, in a column or a table. A name is `given` where the query itself makes it:
 * an alias, a CTE, a parameter, a word of a call.
 */
export type NameUse = 'column' | 'table' | 'qualifier' | 'given';

/** The Identifier that names an Identifier, Column, Table or TableAlias; undefined for all others, stars and functions. */
export function identifierOf(node: SqlNode): SqlNode | undefined {
  if (node.type === 'Identifier') return node;
  if (node.type !== 'Column' && node.type !== 'Table' && node.type !== 'TableAlias') return undefined;
  for (const below of node.children) {
    if (below.role === 'this') return below.type === 'Identifier' ? below : undefined;
  }
  return undefined;
}

export function useOf({ role, parent }: SqlNode): NameUse {
  switch (parent?.type) {
    case 'Column':
      return role === 'this' ? 'column' : 'qualifier';
    case 'Table':
      return role === 'this' ? 'table' : 'qualifier';
    case 'Join':
    case 'Star':
      return 'column';
    default:
      return 'given';
  }
}

/** Whether the name exists: in the schema in its role, or because the query makes it. */
export function isNameThere(
  identifier: SqlNode,
  use: NameUse,
  spelling: Spelling,
  query: ReadQuery,
): boolean {
  switch (use) {
    case 'given':
      return true;
    case 'table':
      return spelling.isTable || isSourceKnown(identifier, query);
    case 'qualifier':
      return spelling.isTable || isQualifierKnown(identifier, query);
    case 'column':
      return spelling.isColumn || isColumnKnown(referenceOf(identifier, query));
  }
}

/** Of the Column the Identifier stands in, or its own: USING, EXCEPT of a star. */
export function referenceOf({ id, parent }: SqlNode, { scopes }: ReadQuery): Reference | undefined {
  return scopes.references[id] ?? (parent && scopes.references[parent.id]);
}

function isSourceKnown({ parent }: SqlNode, { scopes }: ReadQuery): boolean {
  const source = parent && scopes.sources[parent.id];
  return source !== undefined && source.kind !== 'unknown-table';
}

function isQualifierKnown(identifier: SqlNode, query: ReadQuery): boolean {
  if (identifier.parent?.type === 'Table') return isSourceKnown(identifier, query);
  const reference = referenceOf(identifier, query);
  if (reference === undefined) return false;
  return reference.kind !== 'unknown' || (reference.node !== identifier && reference.missing === 'column');
}

/** An open column may be there or not; that a source is unknown does not make its name exist. */
function isColumnKnown(reference: Reference | undefined): boolean {
  switch (reference?.kind) {
    case undefined:
    case 'unknown':
    case 'open':
    case 'text':
      return false;
    default:
      return true;
  }
}

/** Whether a source that a node sees bears the name (lower case), or has a column of it: in its own query or an outer one. */
export function isNameInScope(lower: string, scope: Scope | undefined): boolean {
  for (let at = scope; at !== undefined; at = at.outer) {
    for (const { key, table, columns } of at.sources) {
      if (key === lower || table?.key === lower || columns.byKey.has(lower)) return true;
    }
  }
  return false;
}
