import { PAID, SPENT } from '../../frame/amounts.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { isTableLike } from '../../frame/nouns.ts';

/** "how much did Ana Silva spend", "how much has the customer Ana paid": what somebody spends is added up. */
export const spent: Rule = {
  name: 'spent',
  examples: ['How much did Chloe Martin spend?', 'How much has the singer Denis Petit paid in total?'],
  apply(cursor) {
    const { frame } = cursor;
    if (!/^how much$/i.test(cursor.at(0)?.text ?? '') || frame.projections.length > 0) return 0;
    const verb = verbBehind(cursor);
    if (verb === undefined) return 0;
    frame.projections.push({ aggregate: 'sum', isDistinct: false, attributes: PAID });
    frame.used.add(verb);
    cursor.mode = 'modify';
    return 1;
  },
};

/** Where the verb stands, behind whoever it is that spends. */
function verbBehind(cursor: Cursor): number | undefined {
  let at = cursor.skip(1, ['stop', 'have', 'of']);
  const noun = cursor.noun(at);
  if (noun !== undefined && isTableLike(noun)) at += 1;
  if (cursor.role(at) !== 'value') return undefined;
  const verb = cursor.at(at + 1);
  return verb !== undefined && verb.cue === undefined && SPENT.test(verb.text) ? verb.index : undefined;
}
