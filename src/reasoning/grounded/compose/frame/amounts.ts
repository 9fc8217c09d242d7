/** Amounts: what a number is of, in which unit, and of how many it is said. */
import type { Comparison } from '../../../../sql/print/index.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { type Unit, unitNamed } from '../../question/read/units.ts';
import type { Cursor } from './cursor.ts';
import type { StatisticOperand } from './frame.ts';
import { columnScore, isTableLike, isTextLike, tableScore } from './nouns.ts';

const LINK = /^(?:than|the|that|those|of|of the|to|is|are)$/i;
const ALL = /^(?:of all|all|every|each)$/i;
const ANY = /^(?:some|any)$/i;

/**
 * What "larger than any country", "above the salary of all teachers" compare with, and the offset behind it:
 * the smallest of their figures or the largest. Stands on the cue of the comparison.
 */
export function quantifiedOperand(
  cursor: Cursor,
  operator: Comparison,
): { operand: StatisticOperand; next: number } | undefined {
  let at = skipLinks(cursor, 1);
  const repeated = cursor.noun(at);
  const isRepeated = repeated !== undefined && columnScore(repeated) > 0 && !isTableLike(repeated);
  if (isRepeated) at = skipLinks(cursor, at + 1);
  const mention = cursor.at(at);
  const isAll = ALL.test(mention?.text ?? '');
  const noun = cursor.noun(cursor.skip(at, ['stop', 'of', 'group']));
  if (mention === undefined || (!isAll && !ANY.test(mention.text))) return undefined;
  if (noun === undefined || !isTableLike(noun)) return undefined;
  if (isRepeated && cursor.pending === undefined) cursor.pending = repeated;
  const isMore = operator === '>' || operator === '>=';
  return {
    operand: {
      kind: 'statistic',
      function: isMore === isAll ? 'max' : 'min',
      noun: isRepeated ? repeated : undefined,
      filters: [],
      mention,
    },
    next: noun.index - cursor.position + 1,
  };
}

function skipLinks(cursor: Cursor, offset: number): number {
  let at = offset;
  while (LINK.test(cursor.at(at)?.text ?? '')) at++;
  return at;
}

const SMALL: ReadonlyMap<string, number> = new Map([
  ['one', 1],
  ['once', 1],
  ['single', 1],
  ['twice', 2],
]);

/** The number of a word that counts only where a number is due: "more than one", "at least twice". */
export function smallNumber(mention: Mention | undefined): number | undefined {
  return SMALL.get(mention?.text.toLowerCase() ?? '');
}

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

/** A unit behind a number, with what else says which column it measures. */
export interface UnitBehind {
  readonly said: string;
  readonly unit: Unit;
  /** Where the question goes on. */
  readonly next: number;
  /** "5 minutes in length": the column. */
  readonly noun?: Mention;
  /** "6 feet tall": words that the column is called by. */
  readonly attributes?: readonly string[];
}

const HOW: Readonly<Record<string, readonly string[]>> = {
  long: ['length', 'duration', 'time', 'distance'],
  old: ['age'],
  tall: ['height'],
  high: ['height', 'altitude', 'elevation'],
  wide: ['width'],
  deep: ['depth'],
  heavy: ['weight'],
};

/** "5 minutes", "80 kg", "6 feet tall": the unit at an offset; rows of a table called so are no unit. */
export function unitBehind(cursor: Cursor, offset: number): UnitBehind | undefined {
  const mention = cursor.at(offset);
  const unit = mention === undefined || mention.isQuoted ? undefined : unitNamed(mention.text);
  if (mention === undefined || unit === undefined || tableScore(mention) >= 0.85) return undefined;
  const said = mention.text;
  const next = offset + 1;
  const noun = measuredIn(cursor, next);
  if (noun !== undefined) return { said, unit, noun, next: next + 2 };
  const how = cursor.at(next)?.text.toLowerCase() ?? '';
  const attributes = Object.hasOwn(HOW, how) ? HOW[how] : undefined;
  return { said, unit, attributes, next: attributes === undefined ? next : next + 1 };
}

/** "more than 30000 in salary": the column stands behind the number. */
export function measuredIn(cursor: Cursor, offset: number): Mention | undefined {
  const noun = /^(?:in|of)$/i.test(cursor.at(offset)?.text ?? '') ? cursor.noun(offset + 1) : undefined;
  return noun !== undefined && columnScore(noun) >= 0.85 && !isTableLike(noun) && !isTextLike(noun)
    ? noun
    : undefined;
}

/** What a figure is of, and where the words behind it begin: in "the average track length" the table only says whose length. */
export function measuredNoun(
  cursor: Cursor,
  at: number,
): { readonly noun: Mention; readonly next: number } | undefined {
  const noun = cursor.noun(at);
  if (noun === undefined) return undefined;
  const measured = cursor.noun(at + 1);
  if (measured === undefined || !isTableLike(noun) || columnScore(measured) <= tableScore(measured))
    return { noun, next: at + 1 };
  cursor.frame.contexts.push(noun);
  return { noun: measured, next: at + 2 };
}
