/** Arithmetic that differs: division, remainders, rounding. */
import type { DialectName } from '../../dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { as, build, callNode, castNode, numberNode, operatorNode } from '../built-node.ts';
import { copy } from '../copy-node.ts';
import { asNumber, kindIn } from '../loose-values.ts';
import { plainNumber } from '../read-interval.ts';
import type { Rules, Translation } from '../translation.ts';
import { typeName } from '../type-names.ts';
import { DIVIDES_WHOLE, type ValueKind } from '../value-kind.ts';
import { translateShift } from './time-shifts.ts';

export const NUMBER_RULES: Rules = {
  Add: translateSum,
  Sub: translateSum,
  Mul: translateProduct,
  DateAdd: translateShift,
  DateSub: translateShift,
  DatetimeAdd: translateShift,
  DatetimeSub: translateShift,
  TimestampAdd: translateShift,
  TimestampSub: translateShift,
  Div: translateDivision,
  Mod: translateRemainder,
  Round: translateRound,
};

function translateSum(node: SqlNode, translation: Translation): PrintableNode | undefined {
  return translateShift(node, translation) ?? translateProduct(node, translation);
}

function translateProduct(node: SqlNode, translation: Translation): PrintableNode | undefined {
  if (node.flags.call !== undefined) return undefined;
  return build(
    node.type,
    node.children.map((side) => asNumber(side, translation)),
  );
}

/** Division by zero is NULL here, infinite in DuckDB, an error in the others. */
const NULL_BY_ZERO: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql']);

function translateDivision(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, changed } = translation;
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (node.flags.call !== undefined || left === undefined || right === undefined) return undefined;
  const kinds = [kindIn(left, translation), kindIn(right, translation)];
  const isReal = kinds.includes('real');
  const areWhole = kinds.every(isWhole);
  const dividend = asNumber(left, translation);
  const divisor = divisorOf(right, translation);
  if (DIVIDES_WHOLE.has(from) === DIVIDES_WHOLE.has(to) || isReal)
    return operatorNode('Div', dividend, divisor);
  if (!DIVIDES_WHOLE.has(from)) {
    return operatorNode('Div', castNode(dividend, typeName('float64', to) ?? 'DOUBLE'), divisor);
  }
  if (areWhole) return wholeDivision(dividend, divisor, to);
  changed('division', node, `${from} drops the rest when both are whole numbers, ${to} does not`);
  return operatorNode('Div', dividend, divisor);
}

function isWhole(kind: ValueKind | undefined): boolean {
  return kind === 'integer' || kind === 'boolean';
}

function wholeDivision(dividend: PrintableNode, divisor: PrintableNode, to: DialectName): PrintableNode {
  if (to === 'bigquery') return callNode('DIV', [dividend, divisor]);
  if (to === 'snowflake') return callNode('TRUNC', [operatorNode('Div', dividend, divisor)]);
  return operatorNode('IntDiv', dividend, divisor);
}

/** The divisor, made NULL instead of zero where the source's division would be NULL. */
function divisorOf(right: SqlNode, { from, to, translate }: Translation): PrintableNode {
  const divisor = translate(right);
  const isSafe = !NULL_BY_ZERO.has(from) || NULL_BY_ZERO.has(to) || isNeverZero(right);
  return isSafe ? divisor : callNode('NULLIF', [divisor, numberNode('0')], 'Nullif');
}

function isNeverZero(node: SqlNode): boolean {
  const inner = node.type === 'Paren' ? (node.children[0] ?? node) : node;
  const number = plainNumber(inner);
  return (number !== undefined && Number(number) !== 0) || inner.type === 'Nullif';
}

/** `a % b` and MOD(a, b): BigQuery has only the call, SQLite only the sign, and that for whole numbers. */
function translateRemainder(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, changed, translate } = translation;
  const [left, right] = node.children;
  if (left === undefined || right === undefined || node.children.length !== 2) return undefined;
  const mayBeReal = [left, right].some((side) => kindIn(side, translation) === 'real');
  if (mayBeReal && (from === 'sqlite' || to === 'sqlite')) {
    changed('division', node, 'sqlite cuts both sides of % to whole numbers');
  }
  const divisor = divisorOf(right, translation);
  if (to === 'bigquery') return callNode('MOD', [translate(left), divisor]);
  return operatorNode('Mod', translate(left), divisor);
}

/** PostgreSQL rounds to digits only what is NUMERIC. */
function translateRound(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, translate } = translation;
  const [value, digits] = node.children;
  if (value === undefined || node.children.length > 2) return undefined;
  if (to !== 'postgres' || digits === undefined || kindIn(value, translation) === 'integer') {
    return copy(node, translation);
  }
  const isNumeric = value.type === 'Cast' && /^(?:NUMERIC|DECIMAL)/.test(child(value, 'to')?.value ?? '');
  const number = isNumeric ? translate(value) : castNode(translate(value), 'NUMERIC');
  return build('Round', [as('this', number), as('expressions', translate(digits))], node);
}
