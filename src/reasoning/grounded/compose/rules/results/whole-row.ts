import type { Mention } from '../../../question/mention/mention.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { isTableLike, tableScore } from '../../frame/nouns.ts';

const EVERYTHING =
  /^(?:information|info|details?|everything|records?|rows?|data|attributes?|columns?|entries)$/i;

const OPENING = /^(?:information|info|details?|records?|rows?|data|attributes?|columns?|entries) of /i;

/** "all the information about the concerts": every column of the table. */
export const wholeRow: Rule = {
  name: 'whole-row',
  examples: ['Show all the details of the concerts.', 'List everything about the stadiums.'],
  apply(cursor) {
    if (cursor.mode !== 'project' || cursor.frame.projections.length > 0) return 0;
    const start = opening(cursor);
    const word = cursor.at(start);
    const named = cursor.noun(start);
    // "details of the concerts" may be one name, of the table.
    if (start > 0 && named !== undefined && OPENING.test(named.text) && isTableLike(named)) {
      cursor.frame.projections.push({ isDistinct: false, isWhole: true, noun: named });
      return start + 1;
    }
    if (word === undefined || !EVERYTHING.test(word.text)) return 0;
    const isAll =
      /^everything$/i.test(word.text) || cursor.at(start - 1)?.text.toLowerCase() === 'all' || start > 0;
    const at = cursor.skip(start + 1, ['stop', 'of', 'preposition']);
    // "all the information about the Marketing department": the value narrows what follows it.
    const isValue = cursor.role(at) === 'value';
    const noun = cursor.noun(isValue ? at + 1 : at);
    if (isValue && noun === undefined && at > start + 1 && aboutOne(cursor, start, at)) return at;
    if (!isAll || at === start + 1 || noun === undefined || !isTableLike(noun) || tableScore(noun) < 0.85)
      return 0;
    const isWhole = cursor.mentions
      .slice(Math.max(0, cursor.position - 2), cursor.position + start)
      .some(({ text }) => WHOLE.test(text));
    const own = isWhole ? undefined : ownColumn(word, noun);
    cursor.frame.projections.push(
      own === undefined ? { isDistinct: false, isWhole: true, noun } : { isDistinct: false, noun: own },
    );
    if (own !== undefined) cursor.addContext(noun);
    if (isValue) cursor.mode = 'modify';
    return isValue ? at : at + 1;
  },
};

/** "everything about Ana Silva", "all about Ana": the whole rows of whatever table it is that the name is of. */
function aboutOne(cursor: Cursor, start: number, at: number): boolean {
  const value = cursor.at(at);
  const isAbout = cursor.mentions
    .slice(cursor.position + start, cursor.position + at)
    .some(({ text }) => /^(?:about|on|of|regarding)$/i.test(text));
  const isEnd = cursor.at(at + 1) === undefined || cursor.at(at + 1)?.isSentenceEnd === true;
  if (value === undefined || value.values.length === 0 || !isAbout || !isEnd) return false;
  const tables = new Map(value.values.map(({ tableId, score }) => [tableId, score]));
  const nouns = [...tables].map(([tableId, score]) => ({
    kind: 'table' as const,
    id: tableId,
    tableId,
    score: Math.min(ABOUT, score),
    why: 'the table of the value',
  }));
  cursor.frame.projections.push({ isDistinct: false, isWhole: true, noun: { ...value, nouns } });
  cursor.mode = 'modify';
  return true;
}

const ABOUT = 0.9;

/** "the details of the products" where a product has a column of details: that column, unless everything is asked for. */
function ownColumn(word: Mention, { nouns: [table] }: Mention): Mention | undefined {
  const own = word.nouns.filter(
    (noun) => noun.kind === 'column' && noun.tableId === table?.tableId && noun.score >= OWN,
  );
  return /^details?$/i.test(word.text) && own.length === 1 ? { ...word, nouns: own } : undefined;
}

const OWN = 0.6;
const WHOLE = /^(?:all|of all|complete|every)\b/i;

/** Past "all", "all of the", "all the available". */
function opening(cursor: Cursor): number {
  let at = 0;
  while (/^(?:all|of|the|of the|all the|of all|complete|available|every)$/i.test(cursor.at(at)?.text ?? ''))
    at++;
  return at;
}
