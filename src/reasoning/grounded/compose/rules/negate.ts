import type { Cursor, Rule } from '../cursor.ts';
import { withoutFlag } from '../flag-condition.ts';
import { columnScore, isTableLike } from '../nouns.ts';

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
    let at = cursor.skip(1, ['stop', 'have', 'be', 'preposition', 'distinct', 'of']);
    while (cursor.role(at) === 'unknown' && cursor.at(at)?.isVerbLike)
      at = cursor.skip(at + 1, ['stop', 'have', 'be', 'preposition', 'distinct']);
    const noun = cursor.noun(at);
    if (withoutFlag(cursor, at)) return at + 1;
    // "that no film is in": a bare "is" at the end compares nothing.
    const be =
      cursor.cue(at + 1, 'be') !== undefined && !endsHere(cursor, at + 2)
        ? cursor.cue(at + 1, 'be')
        : undefined;
    const follows = cursor.cue(at + 1, 'compare') ?? be;
    const holdsValue = cursor.role(at + 1) === 'value' && noun !== undefined && columnScore(noun) > 0.8;
    if (noun !== undefined && isTableLike(noun) && follows === undefined && !holdsValue) {
      const absence = { noun, filters: [], mention };
      cursor.frame.absences.push(absence);
      cursor.absence = absence;
      return at + 1;
    }
    // "have no composer", "have not been returned": nothing is recorded.
    if (noun !== undefined && columnScore(noun) > 0 && follows === undefined && endsHere(cursor, at + 1)) {
      cursor.addFilter({ noun, attributes: [], operator: 'null', operands: [], isNegated: false, mention });
      return at + 1;
    }
    cursor.isNegated = true;
    return 1;
  },
};
