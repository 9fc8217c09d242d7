/** Expressions of a hint's SQL, bound to the catalog; undefined where anything is unknown here. */

import type { AggregateFunction, Expression } from '../../../../sql/print/index.ts';
import { child, childrenIn, type SqlNode } from '../../../../sql/tree/index.ts';
import type { Condition } from '../mention/definition.ts';
import { type Binding, columnOf, columnsOf, toPredicate } from './binding.ts';

const ARITHMETIC: Readonly<Record<string, '+' | '-' | '*' | '/'>> = {
  Add: '+',
  Sub: '-',
  Mul: '*',
  Div: '/',
  ADD: '+',
  SUBTRACT: '-',
  SUBSTRACT: '-',
  MULTIPLY: '*',
  DIVIDE: '/',
  DEVIDE: '/',
  DIVDE: '/',
};

const AGGREGATES: Readonly<Record<string, AggregateFunction>> = {
  Sum: 'sum',
  Avg: 'avg',
  Count: 'count',
  Max: 'max',
  Min: 'min',
  AVERAGE: 'avg',
};

const DATE_PARTS = { Year: 'year', Month: 'month', Day: 'day' } as const;

/** `DIVIDE(SUM(cost), COUNT(id))` → the tree of our own queries. */
export function bindExpression(node: SqlNode, binding: Binding): Expression | undefined {
  const name = callName(node);
  const operator = ARITHMETIC[name];
  if (operator !== undefined) return bindArithmetic(node, operator, binding);
  const aggregate = AGGREGATES[name];
  if (aggregate !== undefined) return bindAggregate(node, aggregate, binding);
  switch (node.type) {
    case 'Paren':
    case 'Alias':
    case 'Cast':
      return bindArgument(node, binding);
    case 'Literal':
      return literalOf(node);
    case 'Neg': {
      const value = bindArgument(node, binding);
      return value?.kind === 'literal' ? { ...value, value: -Number(value.value) } : undefined;
    }
    case 'Column':
      return bindColumn(node, binding);
    case 'Case':
      return bindCase(node, binding);
    case 'If':
      return bindBranch(node, child(node, 'false'), binding);
    default:
      return bindDatePart(node, binding);
  }
}

/** The name of a call in capitals where it has no type of its own, else the type. */
export function callName(node: SqlNode): string {
  return node.type === 'Anonymous' ? (node.value ?? '').toUpperCase() : node.type;
}

function bindColumn(node: SqlNode, binding: Binding): Expression | undefined {
  const [column] = columnsOf(node, binding);
  return column === undefined ? undefined : columnOf(column, binding);
}

function literalOf(node: SqlNode): Expression | undefined {
  if (node.value === undefined) return undefined;
  if (node.flags.string !== undefined) return { kind: 'literal', value: node.value };
  const number = Number(node.value);
  return Number.isFinite(number) ? { kind: 'literal', value: number } : undefined;
}

function bindArgument(node: SqlNode, binding: Binding): Expression | undefined {
  const inner = child(node, 'this') ?? childrenIn(node, 'expressions')[0];
  return inner === undefined ? undefined : bindExpression(inner, binding);
}

/** All operands of an operator or a call, in order. */
function operandsOf(node: SqlNode): readonly SqlNode[] {
  return node.type === 'Anonymous' ? childrenIn(node, 'expressions') : node.children;
}

function bindArithmetic(
  node: SqlNode,
  operator: '+' | '-' | '*' | '/',
  binding: Binding,
): Expression | undefined {
  const operands = operandsOf(node).map((operand) => bindExpression(operand, binding));
  if (operands.length < 2) return undefined;
  return operands.reduce((left, right) =>
    left === undefined || right === undefined ? undefined : combine(operator, left, right),
  );
}

/** A ratio is scaled before it is divided: one rounding less, and what others compute by hand. */
export function combine(operator: '+' | '-' | '*' | '/', left: Expression, right: Expression): Expression {
  if (operator === '*' && right.kind === 'arithmetic' && left.kind === 'literal')
    return combine('*', right, left);
  if (operator === '*' && left.kind === 'arithmetic' && left.operator === '/' && right.kind === 'literal')
    return { ...left, left: { kind: 'arithmetic', operator: '*', left: left.left, right } };
  return { kind: 'arithmetic', operator, left, right };
}

function bindAggregate(node: SqlNode, name: AggregateFunction, binding: Binding): Expression | undefined {
  const operand = child(node, 'this') ?? childrenIn(node, 'expressions')[0];
  if (operand === undefined) return undefined;
  if (operand.type === 'Star')
    return { kind: 'aggregate', function: name, distinct: false, argument: { kind: 'star' } };
  const distinct = operand.type === 'Distinct';
  const inner = distinct ? childrenIn(operand, 'expressions')[0] : operand;
  if (inner === undefined) return undefined;
  const counted = countedTable(inner, binding);
  if (counted !== undefined && name === 'count') return counted;
  const conditions = conditionsWithin(inner, binding);
  if (conditions !== undefined) return countWhere(conditions, binding);
  const argument = bindExpression(inner, binding);
  if (argument === undefined) return undefined;
  const isText = name === 'sum' && textColumns(inner, binding);
  return { kind: 'aggregate', function: isText ? 'count' : name, distinct, argument };
}

/** `COUNT(club)` where that is a table: its rows. */
function countedTable(node: SqlNode, { names, tables }: Binding): Expression | undefined {
  const name = node.type === 'Column' ? (child(node, 'this')?.value ?? '') : '';
  const table = names.columns(name).length === 0 ? names.table(name) : undefined;
  if (table === undefined) return undefined;
  tables.add(table);
  return { kind: 'aggregate', function: 'count', distinct: false, argument: { kind: 'star' } };
}

/** Texts are not added up: `SUM(name WHERE …)` counts them. */
function textColumns(node: SqlNode, binding: Binding): boolean {
  const value = node.type === 'Case' ? child(child(node, 'ifs') ?? node, 'true') : node;
  return columnsOf(value, binding)[0]?.family === 'text' && value?.type === 'Column';
}

const CONDITIONS = new Set([
  'EQ',
  'NEQ',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'And',
  'Or',
  'Not',
  'Between',
  'In',
  'Like',
  'Is',
]);

/** True where the node is true or false of a row. */
export function isCondition(node: SqlNode): boolean {
  return CONDITIONS.has(node.type) || (node.type === 'Paren' && node.children.some(isCondition));
}

/** `SUM(gender = 'F')`: the rows of which it holds. */
function countWhere(conditions: readonly Condition[], binding: Binding): Expression {
  binding.inside.push(...conditions);
  const when = {
    kind: 'and' as const,
    parts: conditions.map((condition) => toPredicate(condition, binding)),
  };
  const one = { kind: 'literal' as const, value: 1 };
  const argument: Expression = { kind: 'case', when, value: one, otherwise: { kind: 'literal', value: 0 } };
  return { kind: 'aggregate', function: 'sum', distinct: false, argument };
}

/** `SUM(a = 1)` and `SUM(a = 1 WHERE b = 2)`: what is true or false is counted where it is true. */
function conditionsWithin(node: SqlNode, binding: Binding): readonly Condition[] | undefined {
  if (isCondition(node)) return binding.conditions(node, binding);
  const branch =
    node.type === 'Case' && child(node, 'default') === undefined ? child(node, 'ifs') : undefined;
  const [test, value] = branch === undefined ? [] : [child(branch, 'this'), child(branch, 'true')];
  if (test === undefined || value === undefined || !isCondition(value)) return undefined;
  const [one, other] = [binding.conditions(test, binding), binding.conditions(value, binding)];
  return one === undefined || other === undefined ? undefined : [...one, ...other];
}

function bindCase(node: SqlNode, binding: Binding): Expression | undefined {
  const [branch, second] = childrenIn(node, 'ifs');
  if (branch === undefined || second !== undefined || child(node, 'this') !== undefined) return undefined;
  return bindBranch(branch, child(node, 'default'), binding);
}

function bindBranch(branch: SqlNode, rest: SqlNode | undefined, binding: Binding): Expression | undefined {
  const [test, then] = [child(branch, 'this'), child(branch, 'true')];
  const conditions = test === undefined ? undefined : binding.conditions(test, binding);
  const value = then === undefined ? undefined : bindExpression(then, binding);
  const otherwise = rest === undefined || rest.type === 'Null' ? undefined : bindExpression(rest, binding);
  if (
    conditions === undefined ||
    value === undefined ||
    (rest !== undefined && rest.type !== 'Null' && otherwise === undefined)
  )
    return undefined;
  binding.inside.push(...conditions);
  const when = {
    kind: 'and' as const,
    parts: conditions.map((condition) => toPredicate(condition, binding)),
  };
  return { kind: 'case', when, value, ...(otherwise && { otherwise }) };
}

const FORMATS: Readonly<Record<string, 'year' | 'month' | 'day'>> = {
  '%Y': 'year',
  '%m': 'month',
  '%d': 'day',
};

/** `YEAR(d)`, `STRFTIME('%Y', d)`; of the present it is a number. */
function bindDatePart(node: SqlNode, binding: Binding): Expression | undefined {
  const format = node.type === 'TimeToStr' ? (child(node, 'this')?.value ?? '') : '';
  const part = Object.hasOwn(DATE_PARTS, node.type)
    ? DATE_PARTS[node.type as keyof typeof DATE_PARTS]
    : Object.hasOwn(FORMATS, format)
      ? FORMATS[format]
      : undefined;
  const operand = node.type === 'TimeToStr' ? childrenIn(node, 'expressions')[0] : child(node, 'this');
  if (part === undefined || operand === undefined) return undefined;
  if (part === 'year' && isPresent(operand, binding))
    return { kind: 'literal', value: binding.now.getUTCFullYear() };
  const argument = bindExpression(operand, binding);
  return argument?.kind === 'column' || argument?.kind === 'from-epoch'
    ? { kind: 'date-part', part, argument }
    : undefined;
}

function isPresent(node: SqlNode, binding: Binding): boolean {
  if (node.type === 'CurrentTimestamp' || node.type === 'CurrentDate') return true;
  const name =
    node.type === 'Column' && columnsOf(node, binding).length === 0 ? child(node, 'this')?.value : node.value;
  return /^(?:now|today|current_timestamp|current_date)$/i.test(name ?? '');
}
