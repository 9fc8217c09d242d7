import type { Mention, NounMatch } from '../../question/mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { isTableLike } from './nouns.ts';

/** A column that says yes or no is named as well as this where the words around it ask for one. */
const HAD = 0.7;
const WELL_NAMED = 0.8;

/** "customers who are active", "courses with projects and exams": the column itself says yes or no. */
export function flagCondition(cursor: Cursor, noun: Mention): boolean {
  // "that are both discontinued and in stock"
  const isFiller = cursor.cue(-1, 'stop') !== undefined || cursor.cue(-1, 'both') !== undefined;
  const lead = cursor.at(isFiller ? -2 : -1);
  const isHad =
    lead?.cue?.kind === 'have' || lead?.text.toLowerCase() === 'with' || followsFlag(cursor, lead);
  const flag = flagOf(noun, isHad ? HAD : WELL_NAMED);
  if (flag === undefined) return false;
  const isSaidOf = lead?.cue?.kind === 'be' || followsCondition(cursor, lead);
  if (isHad ? isTableLike(noun) || !endsHad(cursor) : !isSaidOf || !(isPlainEnd(cursor) || isJoined(cursor)))
    return false;
  addFlag(cursor, noun, flag, cursor.isNegated);
  return true;
}

/** "both discontinued and in stock": what the rows are is said, and not of what they are. */
export function isLoneFlag(cursor: Cursor, noun: Mention): boolean {
  const isLone = cursor.cue(-1, 'both') !== undefined && cursor.frame.projections.length === 0;
  if (!isLone || flagOf(noun, WELL_NAMED) === undefined) return false;
  cursor.frame.unread.push(noun);
  return true;
}

/** "open businesses": the flag stands before what it describes. */
export function describedByFlag(cursor: Cursor, offset: number): boolean {
  const [noun, described] = [cursor.noun(offset), cursor.noun(offset + 1)];
  if (noun === undefined || described === undefined || isTableLike(noun) || !isTableLike(described))
    return false;
  const flag = flagOf(noun, WELL_NAMED);
  if (flag === undefined || described.nouns.every(({ tableId }) => tableId !== flag.tableId)) return false;
  addFlag(cursor, noun, flag, cursor.isNegated);
  return true;
}

/** "categories without discontinued products": there are none of which the flag says so. */
export function withoutFlagged(cursor: Cursor, offset: number, mention: Mention): boolean {
  const [noun, described] = [cursor.noun(offset), cursor.noun(offset + 1)];
  if (noun === undefined || described === undefined || isTableLike(noun) || !isTableLike(described))
    return false;
  const flag = flagOf(noun, WELL_NAMED);
  const [first] = cursor.frame.projections;
  const isOfOther = first?.noun !== undefined && first.noun.nouns[0]?.tableId !== flag?.tableId;
  if (flag === undefined || !isOfOther || described.nouns.every(({ tableId }) => tableId !== flag.tableId))
    return false;
  const absence = { noun: described, filters: [], stated: [], mention };
  cursor.frame.absences.push(absence);
  cursor.absence = absence;
  addFlag(cursor, noun, flag, false);
  return true;
}

/** "without exams". */
export function withoutFlag(cursor: Cursor, offset: number): boolean {
  const noun = cursor.noun(offset);
  const flag = noun === undefined || isTableLike(noun) ? undefined : flagOf(noun, HAD);
  if (noun === undefined || flag === undefined) return false;
  addFlag(cursor, noun, flag, true);
  return true;
}

/** Of columns that are named as well: a view that shows the rows of one value has a column of that name that says nothing. */
function flagOf({ nouns }: Mention, least: number): NounMatch | undefined {
  const [best] = nouns;
  if (best?.kind !== 'column' || best.score <= least) return undefined;
  return nouns.find((noun) => noun.isFlag === true && noun.kind === 'column' && noun.score === best.score);
}

function addFlag(cursor: Cursor, noun: Mention, flag: NounMatch, isNegated: boolean): void {
  const number = (flag.isOpposite === true) === isNegated ? 1 : 0;
  cursor.addFilter({
    noun,
    attributes: [],
    operator: '=',
    operands: [{ kind: 'number', number, mention: noun }],
    isNegated: false,
    mention: noun,
  });
}

/** The second of "with projects and exams". */
function followsFlag(cursor: Cursor, lead: Mention | undefined): boolean {
  const last = cursor.frame.filters.at(-1)?.mention;
  const isJoint = lead?.isComma === true || lead?.cue?.kind === 'and' || lead?.cue?.kind === 'or';
  return isJoint && last?.index === lead.index - 1 && flagOf(last, HAD) !== undefined;
}

/** "are discontinued and in stock": another condition follows, and no second name that the two are columns of. */
function isJoined(cursor: Cursor): boolean {
  const isAnd = cursor.cue(1, 'and') !== undefined || cursor.cue(1, 'or') !== undefined;
  const next = cursor.skip(2, ['stop', 'be', 'not']);
  return isAnd && (cursor.cue(next, 'preposition') !== undefined || cursor.at(next)?.meaning !== undefined);
}

/** The second of "that are both in stock and discontinued". */
function followsCondition(cursor: Cursor, lead: Mention | undefined): boolean {
  const isAnd = lead?.cue?.kind === 'and' || lead?.cue?.kind === 'or';
  const before = lead === undefined ? undefined : cursor.mentions[lead.index - 1];
  return isAnd && before?.meaning !== undefined;
}

function endsHad(cursor: Cursor): boolean {
  const kind = cursor.at(1)?.cue?.kind;
  return (
    isPlainEnd(cursor) ||
    (kind !== undefined && ['and', 'or', 'preposition', 'group', 'be', 'stop'].includes(kind))
  );
}

/** Nothing is said of the noun that stands here: the sentence ends, or goes on with something else. */
export function isPlainEnd(cursor: Cursor): boolean {
  const next = cursor.at(1);
  return (
    next === undefined ||
    next.isSentenceEnd ||
    next.isComma ||
    next.cue?.kind === 'order' ||
    (next.cue?.kind === 'relative' && !opensComparison(cursor, 2)) ||
    cursor.cue(1, 'of') !== undefined
  );
}

/** "a location that contains NY", "an age that is above 20". */
function opensComparison(cursor: Cursor, offset: number): boolean {
  const at = cursor.skip(offset, ['be', 'stop']);
  return cursor.cue(at, 'like') !== undefined || cursor.cue(at, 'compare') !== undefined;
}
