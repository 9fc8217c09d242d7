/** Spans of time in the target's spelling. */
import type { PrintableNode } from '../print/printable.ts';
import { as, build, numberNode, operatorNode, textNode, wordNode } from './built-node.ts';
import type { TimeSpan } from './read-interval.ts';
import type { Translation } from './translation.ts';

/** `undefined` for SQLite, which has no intervals. */
export function writeInterval(
  { amount, unit }: TimeSpan,
  translation: Translation,
): PrintableNode | undefined {
  const { to, translate } = translation;
  const isPlain = typeof amount === 'string';
  const word = as('unit', wordNode(unit.toUpperCase()));
  switch (to) {
    case 'sqlite':
      return undefined;
    case 'mysql':
    case 'bigquery':
    case 'duckdb': {
      const value = isPlain ? numberNode(amount) : translate(amount);
      const inBrackets = isPlain || to !== 'duckdb' ? value : build('Paren', [as('this', value)]);
      return build('Interval', [as('this', inBrackets), word]);
    }
    case 'trino':
      return multiplied(amount, translation, (number) =>
        build('Interval', [as('this', textNode(number)), word]),
      );
    default:
      return multiplied(amount, translation, (number) =>
        build('Interval', [as('this', textNode(`${number} ${unit}`))]),
      );
  }
}

/** Where the amount must stand in a text, an expression multiplies a span of one. */
function multiplied(
  amount: TimeSpan['amount'],
  { to, translate }: Translation,
  write: (number: string) => PrintableNode,
): PrintableNode | undefined {
  if (typeof amount === 'string') return write(amount);
  return to === 'snowflake' ? undefined : operatorNode('Mul', translate(amount), write('1'));
}
