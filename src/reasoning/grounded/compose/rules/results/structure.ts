import { timeGrain } from '../../../question/read/calendar.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { columnScore, isTableLike } from '../../frame/nouns.ts';
import { hadBefore } from '../../frame/what-is-done.ts';

const COMMAND = /^(?:show|list|give|return|find|display|report|tell|please|provide)$/i;

/** "distinct", "both", "or", "who", "where", sentence ends: set how the next words are read. */
export const structure: Rule = {
  name: 'structure',
  examples: ['Show all distinct countries.', 'Which people like both tea and coffee?'],
  apply(cursor) {
    const mention = cursor.at(0);
    if (mention === undefined) return 0;
    if (mention.isSentenceEnd) {
      endSentence(cursor);
      return 1;
    }
    switch (mention.cue === undefined || cursor.role(0) !== 'cue' ? undefined : mention.cue.kind) {
      case 'distinct':
        cursor.isDistinct = true;
        cursor.frame.isDistinct = true;
        return 1;
      case 'both':
        // "in both stores": each of all there are, which no condition here tells.
        if (namesAll(cursor)) cursor.frame.unread.push(mention);
        cursor.isBoth = true;
        return 1;
      case 'or':
        cursor.connective = 'or';
        return 1;
      case 'and':
        hadBefore(cursor);
        cursor.pending = undefined;
        cursor.statistic = undefined;
        return 1;
      case 'relative':
        if (/which$/i.test(mention.text) && cursor.frame.projections.length === 0 && askedGrain(cursor))
          return 2;
        if (asksColumn(cursor)) return 2;
        if (cursor.frame.projections.length > 0) cursor.mode = 'modify';
        return 1;
      case 'have':
        if (cursor.frame.projections.length > 0) cursor.mode = 'modify';
        return 1;
      case 'wh':
        if (
          /^(?:which|what)$/i.test(mention.text) &&
          cursor.frame.projections.length === 0 &&
          askedGrain(cursor)
        )
          return 2;
        if (asksMore(cursor)) cursor.frame.unread.push(mention);
        return asked(cursor) ? 1 : wh(cursor);
      case 'stop':
        // "how many albums does Iron Maiden have": what follows narrows.
        if (/^(?:do|does|did)$/i.test(mention.text) && cursor.frame.projections.length > 0)
          cursor.mode = 'modify';
        return 1;
      case 'of':
      case 'by':
      case 'be':
      case 'preposition':
        return 1;
      default:
        return 0;
    }
  },
};

function namesAll(cursor: Cursor): boolean {
  const at = cursor.skip(1, ['stop', 'of']);
  const noun = cursor.noun(at);
  const isPlace = cursor.cue(-1, 'preposition') !== undefined;
  return (
    isPlace &&
    noun !== undefined &&
    isTableLike(noun) &&
    /s$/i.test(noun.text) &&
    cursor.cue(at + 1, 'and') === undefined &&
    cursor.role(at + 1) !== 'value'
  );
}

/** "what was the highest invoice, and who paid it?": a second thing is asked for, of which no column is named. */
function asksMore(cursor: Cursor): boolean {
  const { mentions, position, frame } = cursor;
  const isJoint = cursor.cue(-1, 'and') !== undefined && frame.projections.length > 0;
  const isPerson = /^(?:who|whom|where|when)$/i.test(cursor.at(0)?.text ?? '');
  if (!isJoint || !isPerson) return false;
  const before = mentions.slice(1, position);
  // "students who like tea and who like coffee" narrows twice.
  if (before.some(({ text }) => /^(?:who|whom|that|which|whose|where|when)$/i.test(text))) return false;
  return !mentions.slice(position + 1).some(({ nouns, values }) => nouns.length > 0 || values.length > 0);
}

/** What the next sentence is about: what to show, how to sort, or more of the same rows. */
function endSentence(cursor: Cursor): void {
  cursor.pending = undefined;
  cursor.absence = undefined;
  cursor.statistic = undefined;
  cursor.isNegated = false;
  cursor.isDenied = false;
  const next = cursor.at(1);
  const { projections } = cursor.frame;
  // "… They should be located in big states.": more of the same rows.
  const goesOn = /^(?:they|these|those)$/i.test(next?.text ?? '') && !cursor.at(2)?.nouns.length;
  if (goesOn && projections.length > 0) {
    cursor.mode = 'modify';
    return;
  }
  const isCommand = COMMAND.test(next?.text ?? '');
  const isVague = projections.every((item) => item.noun !== undefined && columnScore(item.noun) < 0.85);
  const isPlain = projections.every((item) => item.aggregate === undefined);
  // "Which restaurants …? Order the results by name.": nothing else is to be shown.
  const isSorting = next?.cue?.kind === 'order';
  if (next !== undefined && !isSorting && isPlain && (isCommand || isVague)) {
    // "Which makers …? List the id and the name.": the second sentence says what to show.
    cursor.frame.contexts.push(...cursor.frame.projections.flatMap((item) => item.noun ?? []));
    cursor.frame.projections = [];
  }
  cursor.mode = 'project';
}

/** "… and with which aircraft?", "and in which years did": one more thing is asked for. */
function asksColumn(cursor: Cursor): boolean {
  const noun = cursor.noun(1);
  const isAsked = /\b(?:which|what)$/i.test(cursor.at(0)?.text ?? '') && cursor.cue(-1, 'and') !== undefined;
  if (!isAsked || noun === undefined || cursor.frame.projections.length === 0) return false;
  if (cursor.frame.projections.some(({ aggregate }) => aggregate !== undefined)) return false;
  cursor.frame.projections.push({ isDistinct: false, noun });
  cursor.mode = 'modify';
  return true;
}

/** "which month": the months are what is asked for. */
function askedGrain(cursor: Cursor): boolean {
  const mention = cursor.at(1);
  const part = mention === undefined ? undefined : timeGrain(mention.text);
  if (part === undefined || mention === undefined || columnScore(mention) >= 0.9) return false;
  cursor.frame.grains.push({ part, mention });
  cursor.mode = 'modify';
  return true;
}

/** What a question word alone asks for, as words of column names. */
const ASKED: ReadonlyMap<string, readonly string[]> = new Map([
  ['when', ['date', 'time', 'year']],
  ['where', ['hometown', 'location', 'address', 'city', 'place', 'country']],
  ['how old', ['age']],
  ['how tall', ['height']],
  ['how heavy', ['weight']],
]);

/** "when was the last concert", "where is the youngest teacher from", "how old are they": the word itself is asked for. */
function asked(cursor: Cursor): boolean {
  const mention = cursor.at(0);
  const attributes = ASKED.get(mention?.text.toLowerCase() ?? '');
  const before = cursor.at(-1);
  const opens = before === undefined || before.isSentenceEnd || before.isComma || before.cue?.kind === 'and';
  const isAsked = cursor.cue(1, 'be') !== undefined || cursor.cue(1, 'stop') !== undefined;
  if (attributes === undefined || !opens || !isAsked) return false;
  cursor.frame.projections.push({ isDistinct: false, attributes });
  cursor.mode = 'modify';
  return true;
}

/** "who" and "which" inside a sentence open a condition; at its start they open what is asked. */
function wh(cursor: Parameters<Rule['apply']>[0]): number {
  const before = cursor.at(-1);
  const opens = before === undefined || before.isSentenceEnd || before.isComma || before.cue?.kind === 'and';
  if (!opens && cursor.frame.projections.length > 0) cursor.mode = 'modify';
  else if (opens) cursor.mode = 'project';
  return 1;
}
