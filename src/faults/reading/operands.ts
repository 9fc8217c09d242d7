/** What stands on the two sides of an operator, and whether their types go together. */
import type { Column } from '../../catalog/index.ts';
import type { Family } from '../../sql/scope/index.ts';
import { child, type SqlNode, type SqlTree, textOf } from '../../sql/tree/index.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import type { ReadQuery } from './read-query.ts';

export interface Operands {
  readonly operator: SqlNode;
  readonly left: SqlNode;
  readonly right: SqlNode;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const COMPARISONS = words('EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is');
const PATTERNS = words('Like ILike Glob SimilarTo RegexpLike RegexpILike');
const ARITHMETIC = words('Add Sub Mul Div IntDiv Mod Pow');
const OTHERS = words('And Or Xor DPipe BitwiseAnd BitwiseOr BitwiseXor Between In');
const OPERATORS: ReadonlySet<string> = new Set([...COMPARISONS, ...PATTERNS, ...ARITHMETIC, ...OTHERS]);

export const isPattern = ({ type }: SqlNode): boolean => PATTERNS.has(type);

/** The sides of an operator; of IN the value and its list's first item or query, of BETWEEN the value and its lower bound. */
export function operandsOf(operator: SqlNode): Operands | undefined {
  if (!OPERATORS.has(operator.type)) return undefined;
  const [left, right] = operator.children;
  return left === undefined || right === undefined ? undefined : { operator, left, right };
}

/** The operator that a node is, or is an operand of: in brackets, with a sign, or as the name of a column. */
export function operatorAt(node: SqlNode): SqlNode | undefined {
  if (OPERATORS.has(node.type)) return node;
  const { parent } = outOfWrapping(
    node.type === 'Identifier' && node.parent !== undefined ? node.parent : node,
  );
  return parent !== undefined && OPERATORS.has(parent.type) ? parent : undefined;
}

const WRAPPING = words('Paren Neg Pos Collate');

function outOfWrapping(node: SqlNode): SqlNode {
  let at = node;
  while (at.role === 'this' && at.parent !== undefined && WRAPPING.has(at.parent.type)) at = at.parent;
  return at;
}

/** What is inside brackets, a sign or a collation. */
export function unwrapped(node: SqlNode): SqlNode {
  let at: SqlNode = node;
  while (WRAPPING.has(at.type)) {
    const inner = child(at, 'this');
    if (inner === undefined) return at;
    at = inner;
  }
  return at;
}

/** The comparison a value stands in, and what it is compared with; `operator` of a CASE with a value is its branch. */
export interface Compared {
  readonly operator: SqlNode;
  readonly opposite: SqlNode;
}

export function comparedWith(value: SqlNode): Compared | undefined {
  const side = outOfWrapping(value);
  const operator = side.parent;
  if (operator === undefined) return undefined;
  const opposite = oppositeOf(side, operator);
  return opposite && { operator, opposite: unwrapped(opposite) };
}

function oppositeOf(side: SqlNode, operator: SqlNode): SqlNode | undefined {
  if (COMPARISONS.has(operator.type) || PATTERNS.has(operator.type)) {
    return operator.children.find((other) => other !== side);
  }
  if (operator.type === 'In' || operator.type === 'Between') {
    return side.role === 'this' ? undefined : child(operator, 'this');
  }
  // CASE x WHEN value
  const isBranch = operator.type === 'If' && side.role === 'this' && operator.role === 'ifs';
  return isBranch && operator.parent !== undefined ? child(operator.parent, 'this') : undefined;
}

/** 1 the same family, 0.5 one can be read as the other, 0 they cannot, -1 not known. */
type Compatibility = 1 | 0.5 | 0 | -1;

export type CompatibilityReader = (operator: SqlNode, one: SqlNode, other: SqlNode) => Compatibility;

export function compatibilityReader(query: ReadQuery, schema: SchemaFacts): CompatibilityReader {
  const familyAt = (node: SqlNode): Family => query.families[node.id] ?? 'unknown';
  return (operator, one, other) => {
    const families: readonly [Family, Family] = [familyAt(one), familyAt(other)];
    if (families.includes('unknown') || families.includes('other')) return -1;
    if (PATTERNS.has(operator.type) || operator.type === 'DPipe') {
      return families[0] === 'text' && families[1] === 'text' ? 1 : 0.5;
    }
    if (families[0] === families[1]) return 1;
    if (families[0] === 'text') return readAs(one, families[1]) ? 0.5 : 0;
    if (families[1] === 'text') return readAs(other, families[0]) ? 0.5 : 0;
    return isConvertible(operator, families) ? 0.5 : 0;
  };

  /** Whether a text can be read as a value of another family. */
  function readAs(text: SqlNode, family: Family): boolean {
    const inner = unwrapped(text);
    const written = writtenText(inner, query);
    if (written !== undefined) return isReadable(written, family);
    if (family === 'date') return true;
    // A computed text is never equal to a number: engines convert for columns, or refuse.
    if (inner.type !== 'Column' || family !== 'numeric') return false;
    const reference = query.scopes.references[inner.id];
    const origin = reference?.kind === 'column' ? reference.output.origin : undefined;
    const column = origin?.kind === 'schema' ? schema.columns.get(origin.column.id) : undefined;
    return column === undefined || mayHoldNumbers(column);
  }
}

/** The text of a literal, also of one that SQLite reads where double quotes name no column; undefined for others. */
export function writtenText(node: SqlNode, { scopes }: ReadQuery): string | undefined {
  if (node.type === 'Literal') return node.flags.string === undefined ? undefined : (node.value ?? '');
  if (scopes.references[node.id]?.kind !== 'text') return undefined;
  return child(node, 'this')?.value;
}

const READABLE: Readonly<Partial<Record<Family, RegExp>>> = {
  numeric: /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i,
  date: /^\s*(?:\d{4}(?:[-/]?\d{1,2}){0,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d{2})(?:[T :.]|$)|^now$/i,
  bool: /^(?:t|f|true|false|y|n|yes|no|on|off|0|1)$/i,
};

/** No number or date is longer, and a search through a text of any length could take long. */
const LONGEST_READ = 100;

function isReadable(text: string, family: Family): boolean {
  return text.length <= LONGEST_READ && (READABLE[family]?.test(text) ?? false);
}

/** `d + 1`, and truth values that are stored as 0 and 1. */
function isConvertible({ type }: SqlNode, families: readonly [Family, Family]): boolean {
  if (families.includes('date')) return (type === 'Add' || type === 'Sub') && !families.includes('bool');
  return true;
}

const HOLDS_NUMBERS = new WeakMap<Column, boolean>();

/** A text column whose examples all read as numbers, or of which no example is known. */
function mayHoldNumbers(column: Column): boolean {
  const known = HOLDS_NUMBERS.get(column);
  if (known !== undefined) return known;
  const { examples = [], pattern } = column.profile ?? {};
  const holds = pattern === 'number' || examples.every((value) => isReadable(value, 'numeric'));
  HOLDS_NUMBERS.set(column, holds);
  return holds;
}

// Conditions as they are joined: the parts that all have to hold, and where a part stands.

/** The parts of a condition that AND joins. */
export function andedIn(condition: SqlNode): readonly SqlNode[] {
  return condition.type === 'And' ? condition.children.flatMap(andedIn) : [condition];
}

/** An AND behind it would take a part of it for itself: `a OR b`. */
export function needsBrackets({ type }: SqlNode): boolean {
  return type === 'Or' || type === 'Xor';
}

/** The condition as written, so that AND may join it. */
export function conditionText(condition: SqlNode, tree: SqlTree): string {
  const text = textOf(tree, condition);
  return needsBrackets(condition) ? `(${text})` : text;
}

/** It stands in WHERE, HAVING or ON, alone or with others, where NULL is as good as false and nothing turns it round. */
export function isCondition({ role, parent }: SqlNode): boolean {
  if (parent === undefined) return false;
  const isClause = parent.type === 'Where' || parent.type === 'Having' || parent.type === 'Qualify';
  if (isClause || (parent.type === 'Join' && role === 'on')) return true;
  return JOINING.has(parent.type) && isCondition(parent);
}

const JOINING: ReadonlySet<string> = new Set(['And', 'Or', 'Paren']);
