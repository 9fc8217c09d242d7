/** Conditions of a hint's SQL, bound to the catalog. */
import {
  type Comparison,
  child,
  childrenIn,
  type Expression,
  type Predicate,
  type SqlNode,
} from '../../../sql/index.ts';
import { bindExpression } from './bind-expression.ts';
import { type Binding, columnsOf } from './binding.ts';
import type { Condition, LiteralCondition } from './definition.ts';
import { literalCondition } from './literal-condition.ts';
import { toPredicate } from './to-predicate.ts';

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  EQ: '=',
  NEQ: '<>',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
};

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The conditions that must hold together; undefined where one of them cannot be read. */
export function bindConditions(node: SqlNode, binding: Binding): Condition[] | undefined {
  switch (node.type) {
    case 'Paren':
      return node.children[0] && bindConditions(node.children[0], binding);
    case 'And': {
      const [left, right] = node.children.map((part) => bindConditions(part, binding));
      return left === undefined || right === undefined ? undefined : [...left, ...right];
    }
    case 'Or':
      return bindEither(node, binding);
    case 'Not':
      return bindNot(node, binding);
    default: {
      const condition =
        COMPARISONS[node.type] === undefined ? bindWord(node, binding) : bindComparison(node, binding);
      return condition && [condition];
    }
  }
}

/** `a = 1 OR a = 2` is one condition on a column; other alternatives stay as they are. */
function bindEither(node: SqlNode, binding: Binding): Condition[] | undefined {
  const [left, right] = node.children.map((part) => bindConditions(part, binding));
  if (left === undefined || right === undefined) return undefined;
  const [one, other] = [left[0], right[0]];
  const isList =
    left.length + right.length === 2 &&
    isEquality(one) &&
    isEquality(other) &&
    one.columns[0]?.id === other.columns[0]?.id;
  if (isList) return [{ ...one, operator: 'in', values: [...one.values, ...other.values] }];
  const tables = new Set<string>();
  const side = (conditions: readonly Condition[]): Predicate => ({
    kind: 'and',
    parts: conditions.map((condition) => toPredicate(condition, { names: binding.names, tables })),
  });
  return [
    { kind: 'predicate', predicate: { kind: 'or', parts: [side(left), side(right)] }, tables: [...tables] },
  ];
}

function isEquality(condition: Condition | undefined): condition is LiteralCondition {
  return (
    condition?.kind === 'literal' &&
    !condition.isNegated &&
    (condition.operator === '=' || condition.operator === 'in')
  );
}

function bindNot(node: SqlNode, binding: Binding): Condition[] | undefined {
  const inner = node.children[0] && bindConditions(node.children[0], binding);
  const [only, second] = inner ?? [];
  if (only?.kind !== 'literal' || second !== undefined || only.operator === 'between') return undefined;
  return [{ ...only, isNegated: !only.isNegated }];
}

function bindWord(node: SqlNode, binding: Binding): Condition | undefined {
  const columns = columnsOf(child(node, 'this'), binding);
  if (columns.length === 0) return undefined;
  const simple = (
    operator: LiteralCondition['operator'],
    nodes: readonly (SqlNode | undefined)[],
  ): LiteralCondition | undefined => {
    const values = nodes.flatMap((each) => literalValue(each, binding) ?? []);
    return values.length === nodes.length
      ? literalCondition({ kind: 'literal', columns, operator, values, isNegated: false }, binding.names)
      : undefined;
  };
  switch (node.type) {
    case 'Between':
      return simple('between', [child(node, 'low'), child(node, 'high')]);
    case 'In':
      return simple('in', childrenIn(node, 'expressions'));
    case 'Like':
      return simple('like-anywhere', [child(node, 'expression')]);
    case 'Is':
      return child(node, 'expression')?.type === 'Null' ? simple('null', []) : undefined;
    default:
      return undefined;
  }
}

function bindComparison(node: SqlNode, binding: Binding): Condition | undefined {
  const operator = COMPARISONS[node.type];
  const [left, right] = [child(node, 'this'), child(node, 'expression')];
  if (operator === undefined || left === undefined || right === undefined) return undefined;
  return (
    compareWithLiteral(left, right, operator, binding) ??
    compareWithLiteral(right, left, MIRRORED[operator], binding) ??
    compareExpressions(left, right, operator, binding)
  );
}

function compareWithLiteral(
  left: SqlNode,
  right: SqlNode,
  operator: Comparison,
  binding: Binding,
): LiteralCondition | undefined {
  const columns = columnsOf(left, binding);
  const value = literalValue(right, binding);
  if (columns.length === 0 || value === undefined) return undefined;
  const isNegated = operator === '<>';
  return literalCondition(
    { kind: 'literal', columns, operator: isNegated ? '=' : operator, values: [value], isNegated },
    binding.names,
  );
}

/** A literal; also a bare word that is no column: `alignment = Bad`. */
function literalValue(node: SqlNode | undefined, binding: Binding): string | number | undefined {
  if (node?.type === 'Paren' || node?.type === 'Neg' || node?.type === 'Literal') {
    const literal = bindExpression(node, binding);
    if (literal?.kind !== 'literal' || typeof literal.value === 'boolean') return undefined;
    return literal.value ?? undefined;
  }
  const isWord =
    node?.type === 'Column' && child(node, 'table') === undefined && columnsOf(node, binding).length === 0;
  return isWord ? child(node, 'this')?.value : undefined;
}

function compareExpressions(
  left: SqlNode,
  right: SqlNode,
  operator: Comparison,
  binding: Binding,
): Condition | undefined {
  const own: Binding = { ...binding, tables: new Set(), inside: [] };
  const [one, other] = [bindExpression(left, own), bindExpression(right, own)];
  if (one === undefined || other === undefined || hasAggregate(one) || hasAggregate(other)) return undefined;
  const predicate: Predicate = { kind: 'compare', operator, left: one, right: asPartNumber(one, other) };
  return own.tables.size === 0 ? undefined : { kind: 'predicate', predicate, tables: [...own.tables] };
}

/** `STRFTIME('%Y', d) = '2012'`: our parts of dates are numbers. */
function asPartNumber(left: Expression, right: Expression): Expression {
  const isNumber = left.kind === 'date-part' && right.kind === 'literal' && /^\d+$/.test(String(right.value));
  return isNumber && right.kind === 'literal' ? { ...right, value: Number(right.value) } : right;
}

/** Whether a figure over several rows stands anywhere inside. */
export function hasAggregate(expression: Expression): boolean {
  if (expression.kind === 'aggregate') return true;
  if (expression.kind === 'arithmetic')
    return hasAggregate(expression.left) || hasAggregate(expression.right);
  return false;
}
