import type { Mention } from '../../../question/mention/mention.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { withoutFlag, withoutFlagged } from '../../frame/flag-condition.ts';
import { columnScore, isTableLike, tableScore } from '../../frame/nouns.ts';

function endsHere(cursor: Cursor, offset: number): boolean {
  const next = cursor.at(cursor.skip(offset, ['stop']));
  return (
    next === undefined ||
    next.isSentenceEnd ||
    next.isComma ||
    next.cue?.kind === 'and' ||
    next.cue?.kind === 'preposition'
  );
}

/** "without any concert", "that do not have a pet", "not from France". */
export const negate: Rule = {
  name: 'negate',
  examples: ['Show the stadiums without any concert.', 'Which singers are not from France?'],
  apply(cursor) {
    const mention = cursor.at(0);
    if (cursor.cue(0, 'not') === undefined || mention === undefined) return 0;
    cursor.mode = cursor.frame.projections.length > 0 ? 'modify' : cursor.mode;
    const nothing = nothingAt(cursor);
    if (nothing !== undefined) return nothing;
    const at = negatedAt(cursor);
    const noun = cursor.noun(at);
    if (withoutFlagged(cursor, at, mention)) return at + 2;
    if (withoutFlag(cursor, at)) return at + 1;
    // "that no film is in": a bare "is" at the end compares nothing.
    const be =
      cursor.cue(at + 1, 'be') !== undefined && !endsHere(cursor, at + 2)
        ? cursor.cue(at + 1, 'be')
        : undefined;
    const follows = cursor.cue(at + 1, 'compare') ?? be;
    const holdsValue = cursor.role(at + 1) === 'value' && noun !== undefined && columnScore(noun) > 0.8;
    if (noun !== undefined && isTableLike(noun) && follows === undefined && !holdsValue) {
      const absence = { noun, filters: [], stated: [], mention };
      cursor.frame.absences.push(absence);
      cursor.absence = absence;
      return at + 1;
    }
    // "have no composer", "have not been returned": nothing is recorded.
    const isOfValue = cursor.role(cursor.skip(at + 1, ['stop', 'preposition', 'by'])) === 'value';
    if (
      noun !== undefined &&
      columnScore(noun) > 0 &&
      follows === undefined &&
      !isOfValue &&
      endsHere(cursor, at + 1)
    ) {
      // "never made an order": a thing that may be there or not.
      const isThing = tableScore(noun) >= 0.6 && /^(?:an?|any)$/i.test(cursor.at(at - 1)?.text ?? '');
      if (isThing || standsForRow(cursor, noun)) {
        const absence = { noun, filters: [], stated: [], mention };
        cursor.frame.absences.push(absence);
        cursor.absence = absence;
        return at + 1;
      }
      cursor.addFilter({ noun, attributes: [], operator: 'null', operands: [], isNegated: false, mention });
      return at + 1;
    }
    cursor.isNegated = true;
    cursor.isDenied = isDenial(cursor, mention.text);
    return 1;
  },
};

/** "without allergies", where `allergy` is a column of `has_allergy` alone: whoever has none has no row there, and no empty one. */
function standsForRow(cursor: Cursor, { nouns }: Mention): boolean {
  const columns = nouns.filter(({ kind, score }) => kind === 'column' && score >= 0.85);
  const tables = nouns.filter(({ kind, score }) => kind === 'table' && score >= 0.55);
  const isShown = (tableId: string): boolean =>
    cursor.frame.projections.some(({ noun }) => noun?.nouns[0]?.tableId === tableId);
  return (
    columns.length > 0 &&
    columns.every(({ tableId }) => !isShown(tableId) && tables.some((table) => table.tableId === tableId))
  );
}

/** "bought nothing", "did not buy anything": no row of whatever belongs to them. */
function nothingAt(cursor: Cursor): number | undefined {
  const end = [0, 1, 2].find((offset) => /^(?:nothing|anything)$/i.test(cursor.at(offset)?.text ?? ''));
  const isAlone = cursor.at(0)?.text.toLowerCase() === 'nothing';
  if (end === undefined || (end === 0) !== isAlone || cursor.frame.projections.length === 0) return undefined;
  const verb = end === 0 ? cursor.at(-1) : cursor.at(end - 1);
  const mention = verb?.cue === undefined ? verb : cursor.at(0);
  if (mention !== undefined) cursor.frame.absences.push({ filters: [], stated: [], mention });
  if (mention !== undefined && end === 0) cursor.frame.used.add(mention.index);
  return end + 1;
}

const FILLING = ['stop', 'have', 'be', 'preposition', 'distinct', 'by'] as const;

/** Offset of what is negated: past filler, verbs that say nothing, and verbs that sound like a name. */
function negatedAt(cursor: Cursor): number {
  let at = cursor.skip(1, [...FILLING, 'of']);
  for (;;) {
    const next = cursor.skip(at + 1, FILLING);
    const isVerb =
      (cursor.role(at) === 'unknown' && cursor.at(at)?.isVerbLike === true) ||
      ((cursor.cue(at, 'like') !== undefined || isWeakVerb(cursor, at)) && isThing(cursor, next));
    if (!isVerb) return at;
    at = next;
  }
}

/** "don't play video games", "not built a mill": before a full name stands a verb, though a name may begin so. */
function isWeakVerb(cursor: Cursor, offset: number): boolean {
  const noun = cursor.noun(offset);
  return noun !== undefined && noun.to - noun.from === 1 && (noun.nouns[0]?.score ?? 0) < 0.8;
}

function isThing(cursor: Cursor, offset: number): boolean {
  const noun = cursor.noun(offset);
  return noun !== undefined && isTableLike(noun) && tableScore(noun) >= 0.85;
}

/** "did not give 4 stars", "is not allergic to soy" deny that there is such a row; "is not 4" speaks of each row. */
function isDenial(cursor: Cursor, text: string): boolean {
  if (
    /^(?:never|.*\b(?:do|does|did|don't|doesn't|didn't|cannot|has|have|had|haven't|hasn't)\b.*)$/i.test(text)
  )
    return true;
  const role = cursor.role(cursor.skip(1, ['stop', 'preposition', 'be']));
  return role === 'noun' || role === 'unknown';
}

/** "except those having an album in Rock", "other than the ones from France": what follows is left out. */
export const except: Rule = {
  name: 'except',
  examples: ['List all singers except those who had concerts.', 'Show the stadiums except those in France.'],
  apply(cursor) {
    const mention = cursor.at(0);
    const cue = cursor.cue(0, 'compare');
    const isExcept = cue?.operator === '<>' && cue.isPostfix !== true;
    if (mention === undefined || !isExcept || cursor.frame.projections.length === 0) return 0;
    const those = cursor.skip(1, ['stop', 'of']);
    if (!/^(?:those|the ones|ones|these)$/i.test(cursor.at(those - 1)?.text ?? '')) return 0;
    const at = cursor.skip(those, ['relative', 'wh', 'have', 'be', 'stop', 'preposition']);
    const noun = cursor.noun(at);
    cursor.mode = 'modify';
    if (noun !== undefined && isTableLike(noun)) {
      const absence = { noun, filters: [], stated: [], mention };
      cursor.frame.absences.push(absence);
      cursor.absence = absence;
      return at + 1;
    }
    cursor.isNegated = true;
    cursor.isDenied = true;
    return at;
  },
};
