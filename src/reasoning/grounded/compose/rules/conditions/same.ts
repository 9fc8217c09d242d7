import type { Cursor, Rule } from '../../frame/cursor.ts';
import { isTableLike } from '../../frame/nouns.ts';

/** "in the same city as Ana", "of the same genre as the track Balls": what a named row has there, whatever that is. */
export const same: Rule = {
  name: 'same',
  examples: [
    'Which singers come from the same country as Chloe Martin?',
    'List singers of the same age as Denis Petit.',
  ],
  apply(cursor) {
    const start = sameAt(cursor);
    const mention = start === undefined ? undefined : cursor.at(start);
    if (start === undefined || mention === undefined) return 0;
    const noun = cursor.noun(cursor.skip(start + 1, ['stop']));
    if (noun === undefined || cursor.frame.projections.length === 0) return 0;
    const as = noun.index - cursor.position + 1;
    if (!/^as$/i.test(cursor.at(as)?.text ?? '')) return 0;
    const at = valueBehind(cursor, as + 1);
    const value = at === undefined ? undefined : cursor.at(at);
    if (at === undefined || value === undefined || value.values.length === 0) {
      cursor.frame.dangling.push(mention);
      return start + 1;
    }
    const operator = cursor.isNegated ? '<>' : '=';
    cursor.isNegated = false;
    cursor.addFilter({
      noun,
      attributes: [],
      operator,
      operands: [{ kind: 'value', mention: value }],
      mention,
      isSame: true,
    });
    return at + 1;
  },
};

/** "same", "in the same", "have the same". */
function sameAt(cursor: Cursor): number | undefined {
  const isLed = ['preposition', 'of', 'have', 'by'] as const;
  const opens = isLed.some((kind) => cursor.cue(0, kind) !== undefined);
  return (opens ? [1, 2] : [0]).find((at) => /^(?:the )?same$/i.test(cursor.at(at)?.text ?? ''));
}

/** Past "the", and past what the row is: "as the customer Luis". */
function valueBehind(cursor: Cursor, offset: number): number | undefined {
  const at = cursor.skip(offset, ['stop']);
  if (cursor.role(at) === 'value') return at;
  const noun = cursor.noun(at);
  return noun !== undefined && isTableLike(noun) && cursor.role(at + 1) === 'value' ? at + 1 : undefined;
}
