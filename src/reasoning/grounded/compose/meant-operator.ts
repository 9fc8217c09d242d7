import type { Comparison } from '../../../sql/index.ts';
import type { Cue } from '../mention/lexicon.ts';
import type { Mention } from '../mention/mention.ts';
import { splitName } from '../read/split-name.ts';

const MIRRORED = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** "younger than the average age": who is younger has the later birth date, but the lower age. */
export function meantOperator(
  { operator, attributes }: Extract<Cue, { kind: 'compare' }>,
  noun: Mention | undefined,
): Comparison {
  const words = splitName(noun?.text ?? '');
  const isTurned = attributes.some(
    (attribute) =>
      attribute.startsWith('-') &&
      splitName(attribute.slice(1)).every((word) => words.includes(word) || words.includes(`${word}d`)),
  );
  return isTurned ? MIRRORED[operator] : operator;
}
