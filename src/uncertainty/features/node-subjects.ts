/** Which column and table of the schema each node of a query is about. */

import type { ReadQuery } from '../../faults/reading/index.ts';
import type { Reference, Source } from '../../sql/scope/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';

/** Canonical ids by node id; undefined where a node is about nothing, or about something the schema does not have. */
export interface NodeSubjects {
  readonly columns: readonly (string | undefined)[];
  readonly tables: readonly (string | undefined)[];
  /** Of a literal: the column it is compared with. */
  readonly compared: readonly (string | undefined)[];
  /** Everything the query uses. */
  readonly usedColumns: ReadonlySet<string>;
  readonly usedTables: ReadonlySet<string>;
}

const KNOWN = new WeakMap<ReadQuery, NodeSubjects>();

/** Read once for a query: several groups of features ask. */
export function nodeSubjects(query: ReadQuery): NodeSubjects {
  const known = KNOWN.get(query);
  if (known !== undefined) return known;
  const subjects = readSubjects(query);
  KNOWN.set(query, subjects);
  return subjects;
}

function readSubjects({ tree, scopes }: ReadQuery): NodeSubjects {
  const columns: (string | undefined)[] = new Array(tree.nodes.length);
  const tables: (string | undefined)[] = new Array(tree.nodes.length);
  const compared: (string | undefined)[] = new Array(tree.nodes.length);
  for (const node of tree.nodes) {
    const { id, parent } = node;
    if (node.type === 'Column') {
      columns[id] = columnOf(scopes.references[id]);
      tables[id] = sourceOf(scopes.references[id])?.table?.id;
    } else if (node.type === 'Table') tables[id] = scopes.sources[id]?.table?.id;
    else if (parent !== undefined && (node.type === 'Identifier' || node.type === 'TableAlias')) {
      // A qualifier is about the table, the name itself about the column.
      if (node.role !== 'table') columns[id] = columns[parent.id];
      tables[id] = tables[parent.id];
    } else if (node.type === 'Literal') {
      const column = comparedColumn(node);
      if (column !== undefined) compared[id] = columns[column.id] ?? columnOf(scopes.references[column.id]);
    }
  }
  return {
    columns,
    tables,
    compared,
    usedColumns: new Set(columns.filter((id) => id !== undefined)),
    usedTables: new Set(tables.filter((id) => id !== undefined)),
  };
}

function columnOf(reference: Reference | undefined): string | undefined {
  if (reference?.kind !== 'column' && reference?.kind !== 'alias') return undefined;
  const { physical, from } = reference.lineage;
  return (physical[0] ?? (from.length === 1 ? from[0] : undefined))?.id;
}

function sourceOf(reference: Reference | undefined): Source | undefined {
  return reference?.kind === 'column' ? reference.source : undefined;
}

/** Types of nodes that compare one side with another. */
export const COMPARISONS: ReadonlySet<string> = new Set([
  ...['EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE', 'Like', 'ILike', 'Glob', 'In', 'Between', 'Is'],
  ...['NullSafeEQ', 'NullSafeNEQ'],
]);

/** The first column on the other side of the comparison that a literal stands in. */
function comparedColumn(literal: SqlNode): SqlNode | undefined {
  let below = literal;
  for (let at = literal.parent; at !== undefined; at = at.parent) {
    if (at.type === 'Select') return undefined;
    if (COMPARISONS.has(at.type)) return firstColumn(at.children.filter((side) => side !== below));
    below = at;
  }
  return undefined;
}

function firstColumn(nodes: readonly SqlNode[]): SqlNode | undefined {
  for (const node of nodes) {
    if (node.type === 'Column') return node;
    if (node.type === 'Select') continue;
    const found = firstColumn(node.children);
    if (found !== undefined) return found;
  }
  return undefined;
}
