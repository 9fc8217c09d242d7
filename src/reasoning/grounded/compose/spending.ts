import type { Cursor } from './cursor.ts';

/** What a column of money is called. */
export const MONEY = ['total', 'amount', 'payment amount', 'price'];

/** What is paid: a price is of one piece, and no sum of prices is what somebody spends. */
export const PAID = ['total', 'amount', 'payment amount'];

export const SPENT = /^(?:spent|spend|spends|spending|paid|pay|pays|earned|earn|earns)$/i;

/** "customers who have spent over 45 dollars", "who spent the most": what somebody spends is added up. */
export function saysSpent(cursor: Cursor): boolean {
  const at = cursor.cue(-1, 'stop') === undefined ? -1 : -2;
  const verb = cursor.at(at);
  // Who "was paid" did not pay.
  if (cursor.cue(at - 1, 'be') !== undefined) return false;
  return verb !== undefined && verb.cue === undefined && verb.nouns.length === 0 && SPENT.test(verb.text);
}
