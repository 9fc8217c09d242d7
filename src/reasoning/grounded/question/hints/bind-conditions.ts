/** Conditions of a hint's SQL, bound to the catalog. */

import type { Column } from '../../../../catalog/index.ts';
import type { Comparison, Expression, Predicate } from '../../../../sql/print/index.ts';
import { child, childrenIn, type SqlNode } from '../../../../sql/tree/index.ts';
import type { ColumnNames, Condition, LiteralCondition } from '../mention/definition.ts';
import { bindExpression } from './bind-expression.ts';
import { type Binding, columnsOf, toPredicate } from './binding.ts';
import type { HintNames } from './hint-names.ts';

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

/**
 * A comparison of a column with literals, as the database stores them: `gender = 'female'` → `'Female'`. Where the
 * column itself does not hold the text and is a key, the text is looked for in the table that it leads to.
 */
function literalCondition(given: LiteralCondition, names: HintNames): LiteralCondition {
  const condition = asPattern({ ...given, values: given.values.map(asDay) });
  if (condition.operator !== '=' && condition.operator !== 'in') return condition;
  const holding = holders(condition.columns, condition.values, names);
  if (holding !== undefined) return { ...condition, ...holding };
  const referred = condition.columns.flatMap((column) => names.referred(column));
  const texts = condition.values.every((value) => typeof value === 'string');
  return { ...condition, ...(texts ? holders(referred, condition.values, names) : undefined) };
}

/** The columns that store all of the values, and how they are written there. */
function holders(
  columns: ColumnNames,
  values: readonly (string | number)[],
  names: HintNames,
): Pick<LiteralCondition, 'columns' | 'values'> | undefined {
  const storedIn = (column: Column): (string | number)[] | undefined => {
    const stored = values.map((value) => names.stored(column, String(value)));
    return stored.some((value) => value === undefined) ? undefined : stored.flatMap((value) => value ?? []);
  };
  const holding = columns.filter((column) => storedIn(column) !== undefined);
  const [first] = holding;
  const written = first === undefined ? undefined : storedIn(first);
  return written === undefined ? undefined : { columns: holding, values: written };
}

/** `2019-8-2` and `2019/8/2` as days are stored: `2019-08-02`. */
function asDay(value: string | number): string | number {
  const [, year, month = '', day = ''] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(String(value).trim()) ?? [];
  return year === undefined ? value : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** `name = '%x%'` and `name LIKE 'x%'`: a pattern with a plain text inside, where it is one. */
function asPattern(condition: LiteralCondition): LiteralCondition {
  const [only, second] = condition.values;
  const isPattern = condition.operator === 'like-anywhere' || condition.operator === '=';
  if (typeof only !== 'string' || second !== undefined || !isPattern || !/^%|%$/.test(only))
    return condition.operator === 'like-anywhere' ? { ...condition, operator: '=' } : condition;
  const text = only.replace(/^%|%$/g, '');
  const operator = !only.startsWith('%') ? 'like-start' : only.endsWith('%') ? 'like-anywhere' : 'like-end';
  return { ...condition, operator, values: [text] };
}
