/** Which operator a comparison stands for. */
import { splitName } from '../../../../language/index.ts';
import type { Comparison } from '../../../../sql/print/index.ts';
import type { Cue } from '../../question/mention/lexicon.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { columnScore, isTableLike, isTextLike } from './nouns.ts';

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

/** "wrestlers days held less than 100", "students aged above 22": the column stands right before, and is not shown. */
export function saidBefore({ frame, mentions, position }: Cursor): Mention | undefined {
  const before = mentions[position - 1]?.cue?.kind === 'be' ? mentions[position - 2] : mentions[position - 1];
  const last = frame.projections.at(-1);
  if (before === undefined || before.cue !== undefined || columnScore(before) < 0.85 || isTextLike(before))
    return undefined;
  if (last?.noun !== before) return isTableLike(before) ? undefined : before;
  if (frame.projections.length === 1 || last.aggregate !== undefined) return undefined;
  frame.projections.pop();
  return before;
}
