import type { Column } from '../../../catalog/index.ts';
import { child, type Expression, type SqlNode } from '../../../sql/index.ts';
import type { Condition } from './definition.ts';
import type { HintNames } from './hint-names.ts';

/** What is needed and gathered while one part of a statement is bound. */
export interface Binding {
  readonly names: HintNames;
  /** The day that "now" means. */
  readonly now: Date;
  /** Tables of what was bound. */
  readonly tables: Set<string>;
  /** Conditions inside figures. */
  readonly inside: Condition[];
  /** Reads the conditions that stand inside an expression. */
  readonly conditions: (node: SqlNode, binding: Binding) => Condition[] | undefined;
}

/** Columns that a Column node may mean; none where it is another node. */
export function columnsOf(node: SqlNode | undefined, binding: Pick<Binding, 'names'>): readonly Column[] {
  if (node?.type === 'Paren') return columnsOf(node.children[0], binding);
  if (node?.type !== 'Column') return [];
  return binding.names.columns(child(node, 'this')?.value ?? '', child(node, 'table')?.value);
}

/** A column of our own trees; its table joins the statement. */
export function columnOf(column: Column, binding: Pick<Binding, 'names' | 'tables'>): Expression {
  binding.tables.add(column.tableId);
  return { kind: 'column', table: binding.names.tableName(column.tableId), column: column.name };
}
