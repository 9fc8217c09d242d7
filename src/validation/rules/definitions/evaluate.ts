/** What a condition makes of a value of one column: enough of SQL to tell `NOT is_deleted` from `is_deleted <> 1`. */
import type { SqlNode } from '../../../sql/index.ts';

export type Value = string | number | boolean | null;

/** Whether a node is the column whose value is given. */
export type IsColumn = (node: SqlNode) => boolean;

/** True, false, or neither (NULL counts as false); undefined where it hangs on something else. */
export function accepts(condition: SqlNode, isColumn: IsColumn, value: Value): boolean | undefined {
  const result = evaluate(condition, { isColumn, value });
  return result === undefined ? undefined : isTrue(result);
}

interface Given {
  readonly isColumn: IsColumn;
  readonly value: Value;
}

function evaluate(node: SqlNode, given: Given): Value | undefined {
  if (given.isColumn(node)) return given.value;
  const [first, second] = node.children;
  switch (node.type) {
    case 'Literal':
      return node.flags.string === undefined ? Number(node.value) : (node.value ?? '');
    case 'Boolean':
      return node.value === 'true';
    case 'Null':
      return null;
    case 'Paren':
    case 'Cast':
    case 'TryCast':
    case 'Collate':
    case 'Trim':
      return first && evaluate(first, given);
    case 'Lower':
    case 'Upper':
      return first && text(evaluate(first, given), node.type);
    case 'Coalesce':
      return firstFilled(node.children, given);
    case 'Not':
      return first && negated(evaluate(first, given));
    case 'And':
    case 'Or':
      return joined(node, given);
    case 'In':
      return within(node, given);
    case 'Between':
      return between(node, given);
    case 'Is':
    case 'NullSafeEQ':
    case 'NullSafeNEQ':
      return first && second && isSame(node.type, [evaluate(first, given), evaluate(second, given)]);
    default:
      if (first !== undefined && second !== undefined && COMPARED.has(node.type))
        return compared(node.type, evaluate(first, given), evaluate(second, given));
      // Nothing comes of nothing, whatever is called.
      return node.children.some((one) => evaluate(one, given) === null) ? null : undefined;
  }
}

function isTrue(value: Value): boolean {
  return value === true || (typeof value === 'number' && value !== 0);
}

function text(value: Value | undefined, type: string): Value | undefined {
  if (typeof value !== 'string') return value;
  return type === 'Lower' ? value.toLowerCase() : value.toUpperCase();
}

function firstFilled(nodes: readonly SqlNode[], given: Given): Value | undefined {
  for (const node of nodes) {
    const value = evaluate(node, given);
    if (value !== null) return value;
  }
  return null;
}

function negated(value: Value | undefined): Value | undefined {
  return value === undefined || value === null ? value : !isTrue(value);
}

/** What hangs on something else leaves open what the other side does not settle. */
function joined({ type, children }: SqlNode, given: Given): Value | undefined {
  const sides = children.map((side) => evaluate(side, given));
  const settles = type === 'Or';
  if (sides.some((side) => side !== undefined && side !== null && isTrue(side) === settles)) return settles;
  return sides.includes(undefined) ? undefined : sides.includes(null) ? null : !settles;
}

function within({ children }: SqlNode, given: Given): Value | undefined {
  const [value, ...list] = children.map((one) => evaluate(one, given));
  if (value === null) return null;
  if (value === undefined || list.length === 0 || list.includes(undefined)) return undefined;
  return list.some((one) => one !== null && one !== undefined && equal(value, one));
}

function between({ children }: SqlNode, given: Given): Value | undefined {
  const [value, low, high] = children.map((one) => evaluate(one, given));
  const above = compared('GTE', value, low);
  const below = compared('LTE', value, high);
  return above === undefined || below === undefined ? undefined : above === true && below === true;
}

function isSame(type: string, [one, other]: readonly (Value | undefined)[]): Value | undefined {
  if (one === undefined || other === undefined) return undefined;
  const same = one === null || other === null ? one === other : equal(one, other);
  return type === 'NullSafeNEQ' ? !same : same;
}

function compared(type: string, one: Value | undefined, other: Value | undefined): Value | undefined {
  if (one === null || other === null) return null;
  if (one === undefined || other === undefined) return undefined;
  switch (type) {
    case 'EQ':
      return equal(one, other);
    case 'NEQ':
      return !equal(one, other);
    case 'Like':
    case 'ILike':
      return matches(`${one}`, `${other}`);
    default:
      return ordered(type, one, other);
  }
}

const COMPARED: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'Like', 'ILike', 'GT', 'GTE', 'LT', 'LTE']);

function ordered(type: string, one: Value, other: Value): boolean {
  const [left, right] =
    isNumber(one) && isNumber(other) ? [Number(one), Number(other)] : [`${one}`, `${other}`];
  if (type === 'GT') return left > right;
  if (type === 'GTE') return left >= right;
  return type === 'LT' ? left < right : left <= right;
}

/** Texts that read as numbers are equal to them: engines convert, and models write both. */
function equal(one: Value, other: Value): boolean {
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other);
  return `${one}`.toLowerCase() === `${other}`.toLowerCase();
}

function isNumber(value: Value): boolean {
  if (typeof value !== 'string') return value !== null;
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value);
}

/** `%` and `_`, without an expression made of foreign text. */
function matches(value: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.toLowerCase().split('%');
  let left = value.toLowerCase();
  if (!left.startsWith(head)) return false;
  if (rest.length === 0) return left === head;
  left = left.slice(head.length);
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const at = left.indexOf(part);
    if (at < 0) return false;
    left = left.slice(at + part.length);
  }
  return left.endsWith(last);
}
