import type { Mention } from '../../../question/mention/mention.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { describedByFlag } from '../../frame/flag-condition.ts';
import { columnScore, isTableLike, tableScore } from '../../frame/nouns.ts';
import { isDoneThen } from '../../frame/what-is-done.ts';

/** "how many singers", "the number of different countries". */
export const count: Rule = {
  name: 'count',
  examples: ['How many singers are there?', 'Show the number of different countries.'],
  apply(cursor) {
    if (cursor.cue(0, 'count') === undefined) return 0;
    if (countsBefore(cursor)) return 1;
    let at = cursor.skip(1);
    let isDistinct = false;
    if (cursor.cue(at, 'distinct') !== undefined) {
      isDistinct = true;
      at = cursor.skip(at + 1);
    }
    // "the number of United Airlines flights": the value narrows what is counted.
    const isNarrowed = cursor.role(at) === 'value' && cursor.noun(at + 1) !== undefined;
    if (isNarrowed && cursor.mode === 'project') {
      cursor.frame.projections.push({ aggregate: 'count', isDistinct, noun: cursor.noun(at + 1) });
      return at;
    }
    if (describedByFlag(cursor, at)) at++;
    // "the number of store locations": the table only says whose.
    const owner = cursor.noun(at);
    const owned = cursor.noun(at + 1);
    if (countsCompared(cursor, at, isDistinct)) return at + 2;
    if (
      owner !== undefined &&
      owned !== undefined &&
      isTableLike(owner) &&
      columnScore(owned) > tableScore(owned) &&
      !isDoneThen(cursor, at + 1) &&
      // "the number of branches opened before 2010"
      !(/^\w+(?:ed|en|wn)$/i.test(owned.text) && columnScore(owned) < 0.85)
    ) {
      cursor.frame.contexts.push(owner);
      at++;
    }
    const noun = cursor.noun(at);
    const compared = cursor.skip(noun === undefined ? at : at + 1, ['stop', 'be', 'have', 'of']);
    // "whose number of concerts is more than 3" is a condition, left to the having rule.
    if (cursor.mode === 'modify' && cursor.cue(compared, 'compare') !== undefined) return 0;
    const living = noun === undefined ? liveSomewhere(cursor, at) : undefined;
    if (living !== undefined) {
      cursor.frame.projections.push({ aggregate: 'sum', isDistinct: false, attributes: ['population'] });
      return living;
    }
    if (asksAgain(cursor)) return 1;
    if (noun === undefined && cursor.frame.projections.some((item) => item.aggregate === 'count')) return 1;
    // "how many French singers": what is counted stands behind what describes it.
    const described = noun === undefined ? describedNoun(cursor, at) : undefined;
    if (described !== undefined) {
      cursor.frame.projections.push({ aggregate: 'count', isDistinct, noun: described });
      return at;
    }
    if (noun === undefined) {
      const previous = cursor.frame.contexts.at(-1);
      cursor.frame.projections.push({ aggregate: 'count', isDistinct, noun: previous });
      return 1;
    }
    cursor.frame.projections.push({ aggregate: 'count', isDistinct, noun });
    const listed = isDistinct ? [] : countedBeside(cursor, at);
    for (const other of listed)
      cursor.frame.projections.push({ aggregate: 'count', isDistinct, noun: other });
    const last = listed.at(-1);
    if (last !== undefined) return last.index - (cursor.at(0)?.index ?? 0) + 1;
    // "the number of different majors and cities"
    const second =
      isDistinct && /^and$/i.test(cursor.at(at + 1)?.text ?? '') ? cursor.noun(at + 2) : undefined;
    if (second === undefined || second.isPossessed || isTableLike(second) || isTableLike(noun)) return at + 1;
    cursor.frame.projections.push({ aggregate: 'count', isDistinct, noun: second });
    return at + 3;
  },
};

/** "how many artists, albums and tracks are there": every table of the list is counted. */
function countedBeside(cursor: Cursor, offset: number): readonly Mention[] {
  const first = cursor.noun(offset);
  if (first === undefined || !isManyOf(first)) return [];
  const listed: Mention[] = [];
  let isClosed = false;
  for (let at = offset + 1; !isClosed; ) {
    const isComma = cursor.at(at)?.isComma === true;
    isClosed = cursor.cue(isComma ? at + 1 : at, 'and') !== undefined;
    if (!isComma && !isClosed) return [];
    at += isComma && isClosed ? 2 : 1;
    const noun = cursor.noun(at);
    if (noun === undefined || !isManyOf(noun)) return [];
    listed.push(noun);
    at += 1;
    if (isClosed && cursor.noun(at) !== undefined) return [];
  }
  return listed;
}

/** Rows of a table, and nothing else that is called so. */
function isManyOf(noun: Mention): boolean {
  return /s$/i.test(noun.text) && tableScore(noun) >= MANY && tableScore(noun) > columnScore(noun);
}

const MANY = 0.93;

/** "track count per genre": the noun before is what is counted. */
function countsBefore(cursor: Cursor): boolean {
  const { projections } = cursor.frame;
  const last = projections.at(-1);
  const isCount = /^counts?$/i.test(cursor.at(0)?.text ?? '');
  if (!isCount || last?.noun?.index !== cursor.position - 1 || last.aggregate !== undefined) return false;
  projections[projections.length - 1] = { ...last, aggregate: 'count' };
  return true;
}

/** "how many films cost more than 20": the films are counted, and what they cost is compared. */
function countsCompared(cursor: Cursor, offset: number, isDistinct: boolean): boolean {
  const [owner, owned] = [cursor.noun(offset), cursor.noun(offset + 1)];
  if (owner === undefined || owned === undefined || !/^how many$/i.test(cursor.at(0)?.text ?? ''))
    return false;
  const at = cursor.skip(offset + 2, ['stop']);
  const isNumber = cursor.role(at) === 'number' || cursor.cue(at, 'compare') !== undefined;
  const isVerb = !/s$/i.test(owned.text) && /s$/i.test(owner.text);
  const isColumn = isTableLike(owner) && columnScore(owned) > tableScore(owned);
  if (!isColumn || !isVerb || (!isNumber && cursor.cue(at, 'between') === undefined)) return false;
  cursor.frame.projections.push({ aggregate: 'count', isDistinct, noun: owner });
  cursor.mode = 'modify';
  cursor.pending = owned;
  return true;
}

/** "how many people live in the district": where nothing is called people, those that a column of populations counts. */
function liveSomewhere(cursor: Cursor, offset: number): number | undefined {
  const people = cursor.at(offset);
  const isPeople = /^(?:people|persons|inhabitants|residents|citizens)$/i.test(people?.text ?? '');
  if (people?.isUnknown !== true || !isPeople) return undefined;
  const at = cursor.skip(offset + 1, ['be', 'relative', 'stop']);
  return /^(?:live|lives|living|lived|reside|resides|residing|dwell|dwelling)$/i.test(
    cursor.at(at)?.text ?? '',
  )
    ? at + 1
    : undefined;
}

/** "how many rock tracks and how many jazz tracks": a second figure, with conditions of its own. */
function asksAgain(cursor: Cursor): boolean {
  const { projections, filters } = cursor.frame;
  const isCounted = projections.some(({ aggregate }) => aggregate === 'count');
  const isHowMany = /^how many$/i.test(cursor.at(0)?.text ?? '') && cursor.cue(-1, 'and') !== undefined;
  const mention = cursor.at(0);
  if (mention === undefined || !isCounted || !isHowMany || filters.length === 0) return false;
  cursor.frame.unread.push(mention);
  return true;
}

function describedNoun(cursor: Cursor, offset: number): Mention | undefined {
  const isDescribing = (at: number): boolean =>
    cursor.role(at) === 'value' || cursor.at(at)?.meaning !== undefined;
  let at = offset;
  while (isDescribing(at)) at += 1;
  const noun = at === offset ? undefined : cursor.noun(at);
  return noun !== undefined && isTableLike(noun) ? noun : undefined;
}
