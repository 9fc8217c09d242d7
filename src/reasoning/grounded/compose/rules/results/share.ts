import type { Mention } from '../../../question/mention/mention.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import type { Projection } from '../../frame/frame.ts';
import { columnScore, isTextLike, tableScore } from '../../frame/nouns.ts';

/** "what percentage of the films are rated R", "what share of the total sales comes from Brazil": the part against all. */
export const share: Rule = {
  name: 'share',
  examples: ['What percentage of singers are from France?', 'What share of the concerts took place in 2014?'],
  apply(cursor) {
    const cue = cursor.cue(0, 'share');
    const mention = cursor.at(0);
    if (cue === undefined || mention === undefined) return 0;
    if (saysPercent(cursor)) return 1;
    if (cursor.frame.projections.length > 0) return 0;
    const of = ofValue(cursor) ?? ofAll(cursor);
    if (of === undefined) return 0;
    cursor.frame.share = { isPercent: /percent|%/i.test(mention.text) };
    cursor.frame.projections.push(of.measured);
    cursor.mode = 'modify';
    return of.next;
  },
};

interface SharedFigure {
  readonly measured: Projection;
  readonly next: number;
}

/** "the share of the invoices, in percent": how the share is written. */
function saysPercent({ frame, position, mentions }: Cursor): boolean {
  const isIn = /^in$/i.test(mentions[position - 1]?.text ?? '');
  if (!isIn || frame.share === undefined || !/^percent$/i.test(mentions[position]?.text ?? '')) return false;
  frame.share = { isPercent: true };
  return true;
}

function ofAll(cursor: Cursor): SharedFigure | undefined {
  const at = cursor.skip(1);
  const isSum = cursor.cue(at, 'aggregate')?.function === 'sum';
  const next = isSum ? cursor.skip(at + 1) : at;
  const noun = cursor.noun(next);
  return noun === undefined ? undefined : { measured: figureOf(noun, isSum), next: next + 1 };
}

/** "the share of London in the total passengers of all stations": what is narrowed stands before what is added up. */
function ofValue(cursor: Cursor): SharedFigure | undefined {
  const value = cursor.at(1);
  const isIn = /^(?:in|of|on)\b/i.test(cursor.at(2)?.text ?? '');
  if (cursor.role(1) !== 'value' || value === undefined || !isIn) return undefined;
  const at = cursor.skip(2, ['preposition', 'of', 'stop', 'aggregate']);
  const noun = cursor.noun(at);
  if (noun === undefined) return undefined;
  const operands = [{ kind: 'value' as const, mention: value }];
  cursor.addFilter({ attributes: [], operator: '=', operands, mention: value });
  return { measured: figureOf(noun, true), next: at + 1 };
}

/** Rows of a table are counted, a column of numbers is added up. */
function figureOf(noun: Mention, isSum: boolean): Projection {
  const isColumn = columnScore(noun) > tableScore(noun) && !isTextLike(noun);
  return { aggregate: isColumn && (isSum || isAmount(noun)) ? 'sum' : 'count', isDistinct: false, noun };
}

function isAmount({ text }: Mention): boolean {
  return /(?:sales|revenue|turnover|budget|cost|spending|amount|income|profit)s?$/i.test(text);
}
