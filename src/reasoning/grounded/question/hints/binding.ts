import type { Column } from '../../../../catalog/index.ts';
import { type Expression, INVERSE_COMPARISON, type Predicate } from '../../../../sql/print/index.ts';
import { child, type SqlNode } from '../../../../sql/tree/index.ts';
import type { Condition } from '../mention/definition.ts';
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

/** A condition as part of an expression: of several columns of one name the likeliest is taken. */
export function toPredicate(condition: Condition, binding: Pick<Binding, 'names' | 'tables'>): Predicate {
  if (condition.kind === 'predicate') {
    for (const table of condition.tables) binding.tables.add(table);
    return condition.predicate;
  }
  const { operator, isNegated } = condition;
  const [column] = condition.columns;
  const value: Expression =
    column === undefined ? { kind: 'literal', value: null } : columnOf(column, binding);
  const literals = condition.values.map((literal) => ({ kind: 'literal' as const, value: literal }));
  const first = literals[0] ?? { kind: 'literal' as const, value: null };
  switch (operator) {
    case 'null':
      return { kind: 'null', value, negated: isNegated };
    case 'in':
      return { kind: 'in', value, values: literals, negated: isNegated };
    case 'between':
      return { kind: 'between', value, low: first, high: literals[1] ?? first };
    case 'like-start':
    case 'like-end':
    case 'like-anywhere': {
      const text = String(first.value).replace(/[\\%_]/g, '\\$&');
      const pattern = `${operator === 'like-start' ? '' : '%'}${text}${operator === 'like-end' ? '' : '%'}`;
      return { kind: 'like', value, pattern, negated: isNegated };
    }
    default:
      return {
        kind: 'compare',
        operator: isNegated ? INVERSE_COMPARISON[operator] : operator,
        left: value,
        right: first,
      };
  }
}
