/** Conditions of a query on one column, and whether they keep to a condition that people have written. */
import { columnsInSql } from '../../../knowledge/semantic/index.ts';
import { type DialectName, parse } from '../../../sql/index.ts';
import type { Source } from '../../../sql/scope/index.ts';
import { ancestor, child, type SqlNode, walk } from '../../../sql/tree/index.ts';
import { aggregateAround, conditionOf, type Mention, type QueryUses } from './query-uses.ts';

export interface Said {
  readonly node: SqlNode;
  readonly mention: Mention;
  /** CASE WHEN … THEN 0: what is met is left out. */
  readonly isInverted: boolean;
  /** It holds for one aggregate, not for the rows of its query. */
  readonly within: SqlNode | undefined;
}

/** Everything that is asked of a column of one use of its table. */
export function conditionsOn(column: string, uses: QueryUses, source?: Source): readonly Said[] {
  return uses.mentionsOf(column, source).flatMap((mention) => {
    const node = conditionOf(mention.node);
    if (node === undefined || mention.isMade === true || (source !== undefined && isOutside(node, source)))
      return [];
    return [{ node, mention, isInverted: leavesOut(node), within: aggregateAround(mention.node) }];
  });
}

/** A LEFT JOIN keeps the rows before it, whatever its ON says of them. */
function isOutside(node: SqlNode, source: Source): boolean {
  const join = ancestor(node, ({ type }) => type === 'Join' || type === 'Select');
  if (join?.type !== 'Join' || join.flags.side !== 'LEFT') return false;
  return !(join.start <= source.node.start && source.node.end <= join.end) && join.start > source.node.start;
}

function leavesOut(condition: SqlNode): boolean {
  const branch = condition.parent?.type === 'If' ? condition.parent : undefined;
  const result = branch && child(branch, 'true');
  return result?.type === 'Null' || (result?.type === 'Literal' && result.value === '0');
}

/** The column is shown or grouped by: whoever reads the rows sees what they are of. */
export function isShown(column: string, uses: QueryUses, source?: Source): boolean {
  return uses
    .mentionsOf(column, source)
    .some(
      ({ node, isMade }) =>
        isMade !== true && conditionOf(node) === undefined && aggregateAround(node) === undefined,
    );
}

/** Whether a condition lets a value pass; undefined where it cannot be told. */
export function lets(
  { node, mention: { source, id }, isInverted }: Said,
  value: Value,
  uses: QueryUses,
): boolean | undefined {
  const isColumn: IsColumn = (one) =>
    uses.homesOf(one).some((home) => home.source === source && home.id === id);
  const passes = accepts(node, isColumn, value);
  return passes === undefined ? undefined : passes !== isInverted;
}

export interface Rule {
  readonly sql: string;
  readonly columns: readonly string[];
  /** Of one column only. */
  readonly passes?: (value: Value) => boolean | undefined;
  readonly literals: readonly Value[];
}

/** A condition of the semantic model, read. */
export function readRule(sql: string, dialect: DialectName): Rule {
  const columns = [...new Set(columnsInSql(sql))];
  const parsed = parse(`SELECT 1 FROM t WHERE ${sql}`, dialect);
  const where = parsed.ok ? child(parsed.tree.root, 'where') : undefined;
  const condition = where && child(where, 'this');
  if (condition === undefined || columns.length !== 1) return { sql, columns, literals: [] };
  return {
    sql,
    columns,
    passes: (value) => accepts(condition, ({ type }) => type === 'Column', value),
    literals: literalsIn(condition),
  };
}

export function literalsIn(node: SqlNode): readonly Value[] {
  const found: Value[] = [];
  for (const one of walk(node)) {
    if (one.type === 'Select') break;
    if (one.type === 'Literal')
      found.push(one.flags.string === undefined ? Number(one.value) : (one.value ?? ''));
  }
  return found;
}

/** Values that nothing was written about. */
const FRESH: readonly Value[] = [0, 1, 2, 'other', '2099-12-31'];

/** What a column may hold, as far as it is written: of a flag or of a list of codes nothing else; NULL only where it is spoken of. */
function domainOf(said: Said, { sql, columns, literals }: Rule, { semantics }: QueryUses): readonly Value[] {
  const mapped = semantics.valueMappings.filter(({ column }) => columns.includes(column));
  const written = [...literals, ...literalsIn(said.node), ...mapped.map(({ value }) => value)];
  const isFlag = written.length > 0 && written.every((value) => value === 0 || value === 1);
  const open = isFlag ? [0, 1] : mapped.length > 0 ? [] : FRESH;
  return [...open, ...written, ...(/\bnull\b/i.test(sql) ? [null] : [])];
}

/** Every value that the rule keeps out is met by the condition. */
export function meetsAllOut(said: Said, rule: Rule, uses: QueryUses): boolean {
  const { passes } = rule;
  if (passes === undefined) return false;
  return domainOf(said, rule, uses).every(
    (value) => passes(value) !== false || lets(said, value, uses) === true,
  );
}

/** No value passes the condition that the rule keeps out. */
export function keeps(said: Said, rule: Rule, uses: QueryUses): boolean {
  const { passes } = rule;
  if (passes === undefined) return true;
  return domainOf(said, rule, uses).every(
    (value) => passes(value) !== false || lets(said, value, uses) !== true,
  );
}

/** What a condition makes of a value of one column: enough of SQL to tell `NOT is_deleted` from `is_deleted <> 1`. */
type Value = string | number | boolean | null;

/** Whether a node is the column whose value is given. */
type IsColumn = (node: SqlNode) => boolean;

/** True, false, or neither (NULL counts as false); undefined where it hangs on something else. */
function accepts(condition: SqlNode, isColumn: IsColumn, value: Value): boolean | undefined {
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
