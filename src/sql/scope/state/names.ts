/** Names as the text writes them, and as they are compared. */
import { child, type SqlNode } from '../../tree/node.ts';

export interface Name {
  readonly node: SqlNode;
  readonly parts: readonly SqlNode[];
  /** In lower case. */
  readonly keys: readonly string[];
}

export function readName(node: SqlNode, parts: readonly SqlNode[] = node.children): Name {
  return { node, parts, keys: parts.map((part) => (part.value ?? '').toLowerCase()) };
}

/** As written, without quotes: `s.name`. */
export function writtenName(parts: readonly SqlNode[]): string {
  return parts.map((part) => part.value ?? '').join('.');
}

/** The alias of a relation: `AS d (a, b)`. */
export interface RelationAlias {
  /** The Identifier of the name. */
  readonly node: SqlNode | undefined;
  readonly name: string | undefined;
  readonly columns: readonly SqlNode[];
}

export const NO_ALIAS: RelationAlias = { node: undefined, name: undefined, columns: [] };

/** Reads the TableAlias of a relation or CTE. */
export function readAlias(relation: SqlNode): RelationAlias {
  const alias = child(relation, 'alias');
  if (alias === undefined) return NO_ALIAS;
  if (alias.type === 'Identifier') return { node: alias, name: alias.value, columns: [] };
  const node = child(alias, 'this');
  const columns = alias.children
    .filter((part) => part.role === 'columns')
    .map((part) => (part.type === 'ColumnDef' ? (child(part, 'this') ?? part) : part));
  return { node, name: node?.value, columns };
}

export function columnNames({ columns }: RelationAlias): readonly string[] {
  return columns.map((column) => column.value ?? '');
}
