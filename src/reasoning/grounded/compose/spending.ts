import type { Cursor } from './cursor.ts';

/** What a column of money is called. */
export const MONEY = ['total', 'amount', 'payment amount', 'price'];

/** What is paid: a price is of one piece, and no sum of prices is what somebody spends. */
export const PAID = ['total', 'amount', 'payment amount'];

/** What somebody earns stands in one row, and is added up nowhere. */
export const EARNED = ['salary', 'wage', 'income', 'earning', 'pay'];

export const SPENT = /^(?:spent|spend|spends|spending|paid|pay|pays)$/i;

/** "customers who have spent over 45 dollars", "who spent the most": what somebody spends is added up. */
export function saysSpent(cursor: Cursor): boolean {
  const at = cursor.cue(-1, 'stop') === undefined ? -1 : -2;
  const verb = cursor.at(at);
  // Who "was paid" did not pay.
  if (cursor.cue(at - 1, 'be') !== undefined) return false;
  return verb !== undefined && verb.cue === undefined && verb.nouns.length === 0 && SPENT.test(verb.text);
}

/** "who earns the most", "employees who make over 12000". */
export function saysEarned(cursor: Cursor): boolean {
  const at = cursor.cue(-1, 'stop') === undefined || EARNS.test(cursor.at(-1)?.text ?? '') ? -1 : -2;
  const verb = cursor.at(at);
  return verb !== undefined && verb.nouns.length === 0 && EARNS.test(verb.text);
}

const EARNS = /^(?:earned|earn|earns|earning|makes?)$/i;
