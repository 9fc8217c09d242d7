/** Parts of a name that are words of an order elsewhere. */
import type { Ledger } from './ledger.ts';
import type { Expression } from './question-expressions.ts';

/** "first and last name", "drivers' first, last names": the name that is told in parts, where the query shows that part. */
export function isOfName({ from, to }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  const shown = NAME_PARTS[tokens[from]?.lower ?? ''];
  if (shown === undefined || ![...parts.columnNames].some((name) => shown.test(name))) return false;
  const behind = tokens.slice(to, to + NEAR_NAME);
  const name = behind.findIndex(({ lower }) => /^names?$/.test(lower));
  return (
    name >= 0 &&
    behind.slice(0, name).every(({ kind, lower }) => kind === 'comma' || BETWEEN_NAMES.test(lower))
  );
}

const NAME_PARTS: Readonly<Record<string, RegExp>> = {
  first: /^(?:f|first|fore|given)name$/,
  last: /^(?:l|last|sur|family)name$/,
};
const BETWEEN_NAMES = /^(?:first|last|middle|and|or|&|,)$/;

const NEAR_NAME = 4;
