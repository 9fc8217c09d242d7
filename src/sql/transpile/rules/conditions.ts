/** IS, equality with NULL, rows of values, and truth as a number. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { as, build, castNode, copy, numberNode, operatorNode } from '../translation/built-node.ts';
import { asValue, isTextName, kindIn, LOOSE, numberFrom } from '../translation/loose-values.ts';
import type { Rules, Translation } from '../translation/translation.ts';
import { typeName } from '../translation/type-names.ts';

export const CONDITION_RULES: Rules = {
  Is: translateIs,
  NullSafeEQ: translateNullSafe,
  NullSafeNEQ: translateNullSafe,
  EQ: translateComparison,
  NEQ: translateComparison,
  LT: translateComparison,
  LTE: translateComparison,
  GT: translateComparison,
  GTE: translateComparison,
  In: translateIn,
  Between: translateBetween,
  UnaryOperator: translateSign,
  Where: translateCondition,
  Having: translateCondition,
};

/** What IS may be followed by in the standard; SQLite compares any two values with it. */
const TRUTHS: ReadonlySet<string> = new Set(['Null', 'Boolean', 'Var']);
const NO_TRUTH: ReadonlySet<DialectName> = new Set(['trino', 'snowflake']);

function translateIs(node: SqlNode, translation: Translation): PrintableNode | undefined {
  if (node.flags.call !== undefined) return isNull(node, translation);
  const { to, unsupported, translate } = translation;
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (left === undefined || right === undefined) return undefined;
  if (TRUTHS.has(right.type)) {
    const isMissing = right.type === 'Var' || (right.type === 'Boolean' && NO_TRUTH.has(to));
    if (isMissing) unsupported('syntax', node, `${to} has no IS ${right.value?.toUpperCase()}`);
    return copy(node, translation);
  }
  return to === 'sqlite'
    ? operatorNode('Is', translate(left), translate(right))
    : operatorNode('NullSafeEQ', translate(left), translate(right));
}

/** ISNULL(x) of MySQL. */
function isNull(node: SqlNode, { translate }: Translation): PrintableNode | undefined {
  const [value] = node.children;
  return value && operatorNode('Is', translate(value), build('Null'));
}

function translateNullSafe(node: SqlNode, { to, translate }: Translation): PrintableNode | undefined {
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (left === undefined || right === undefined) return undefined;
  const isEqual = node.type === 'NullSafeEQ';
  if (to !== 'mysql' && to !== 'sqlite') return operatorNode(node.type, translate(left), translate(right));
  const equal = operatorNode(to === 'sqlite' ? 'Is' : 'NullSafeEQ', translate(left), translate(right));
  if (isEqual) return equal;
  return build('Not', [as('this', equal)]);
}

/** Two sides of different kinds: SQLite and MySQL make them alike, the others want it said. */
function translateComparison(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (left === undefined || right === undefined) return undefined;
  const { operator } = node.flags;
  const flags = operator === '!=' ? { operator } : {};
  const sides = [
    as('this', comparable(left, right, translation)),
    as('expression', comparable(right, left, translation)),
  ];
  return build(node.type, sides, { flags });
}

const EQUALITIES: ReadonlySet<string> = new Set(['EQ', 'NEQ']);
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

function textLiteralOf({ flags, value }: SqlNode): string | undefined {
  return flags.string === undefined ? undefined : value;
}

/** A side as the other side is compared with it. */
function comparable(side: SqlNode, other: SqlNode, translation: Translation): PrintableNode {
  const { from, to, translate } = translation;
  if (!LOOSE.has(from) || LOOSE.has(to)) return translate(side);
  const kind = kindIn(side, translation);
  const otherKind = kindIn(other, translation);
  const isNumber = side.type === 'Literal' && side.flags.string === undefined;
  // A number beside a column of texts becomes a text, and all other texts beside numbers become numbers.
  const isBesideTexts = otherKind === 'text' && other.type === 'Column' && !isTextName(other, translation);
  if (isNumber && isBesideTexts && from === 'sqlite') {
    return build('Literal', [], { value: side.value, flags: { string: 'true' } });
  }
  if (kind === 'boolean' && otherKind === 'integer') return asValue(side, translation);
  // No number is equal to a text that is none; the others would try to make one of it.
  const isNumberColumn = (kind === 'integer' || kind === 'real') && side.type === 'Column';
  const word = isTextName(other, translation) ? other.children[0]?.value : textLiteralOf(other);
  const isBesideWord = word !== undefined && !NUMBER.test(word);
  if (isNumberColumn && isBesideWord && EQUALITIES.has(side.parent?.type ?? '')) {
    return castNode(translate(side), typeName('text', to) ?? 'VARCHAR');
  }
  const isTextColumn = kind === 'text' && side.type === 'Column' && !isTextName(side, translation);
  const isBesideNumber = (otherKind === 'integer' || otherKind === 'real') && other.type !== 'Literal';
  return isTextColumn && isBesideNumber ? numberFrom(translate(side), to) : translate(side);
}

function translateBetween(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const value = child(node, 'this');
  const low = child(node, 'low');
  const high = child(node, 'high');
  if (value === undefined || low === undefined || high === undefined || node.flags.symmetric !== undefined)
    return undefined;
  return build('Between', [
    as('this', translation.translate(value)),
    as('low', comparable(low, value, translation)),
    as('high', comparable(high, value, translation)),
  ]);
}

/** `number IN (SELECT text …)`: compared as texts, since the query cannot be changed from outside. */
function translateIn(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, translate, changed } = translation;
  const left = child(node, 'this');
  const query = child(node, 'query');
  if (left === undefined || query === undefined || !LOOSE.has(from) || LOOSE.has(to)) return undefined;
  const kind = kindIn(left, translation);
  const otherKind = kindIn(query, translation);
  const isNumber = kind === 'integer' || kind === 'real';
  const isBesideNumbers = otherKind === 'integer' || otherKind === 'real';
  if (kind === 'text' && isBesideNumbers && left.type === 'Column') {
    changed('type', node, `a text that is no number is in no list of numbers in ${from}, unknown in ${to}`);
    return build('In', [as('this', numberFrom(translate(left), to)), translate(query)]);
  }
  if (!isNumber || otherKind !== 'text') return undefined;
  changed('type', node, `${from} finds a number among texts by its value, ${to} here by its digits`);
  const text = castNode(translate(left), typeName('text', to) ?? 'VARCHAR');
  return build('In', [as('this', text), translate(query)]);
}

/** `WHERE 1` and `WHERE a` with a number: true unless zero. */
function translateCondition(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, translate } = translation;
  const condition = child(node, 'this');
  if (condition === undefined || !LOOSE.has(from) || LOOSE.has(to)) return undefined;
  const kind = kindIn(condition, translation);
  if (kind !== 'integer' && kind !== 'real') return undefined;
  return build(node.type, [as('this', operatorNode('NEQ', translate(condition), numberNode('0')))]);
}

/** `!a` is NOT, and BINARY only says that case matters, which elsewhere it does. */
function translateSign(
  node: SqlNode,
  { from, to, unsupported, translate }: Translation,
): PrintableNode | undefined {
  const operand = child(node, 'this');
  if (operand === undefined) return undefined;
  const sign = node.flags.operator;
  if (sign === '!') return build('Not', [as('this', translate(operand))]);
  if (sign === 'BINARY' && from === 'mysql') return translate(operand);
  unsupported('syntax', node, `${to} has no ${sign}`);
  return undefined;
}
