import { lemmaOf } from '../../../../../language/index.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import { smallNumber } from '../../frame/amounts.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { isTableLike } from '../../frame/nouns.ts';

/** "has only one album", "with a single track", "have just one customer": as many rows, no more. */
export const exactly: Rule = {
  name: 'exactly',
  examples: ['Which stadiums have only one concert?', 'Show the stadiums with a single concert.'],
  apply(cursor) {
    const often = happenedOnce(cursor);
    if (often !== undefined) return often;
    const isLed = cursor.cue(0, 'have') !== undefined || /^with$/i.test(cursor.at(0)?.text ?? '');
    const start = isLed ? 1 : 0;
    const isOnly = /^(?:only|just|precisely|exactly)$/i.test(cursor.at(start)?.text ?? '');
    if (!isLed && !isOnly) return 0;
    const at = isOnly ? start + 1 : start;
    const counted = countOf(cursor, at);
    // Without "only" an article says nothing: "has a dog".
    if (counted === undefined || cursor.frame.projections.length === 0) return 0;
    const { noun, number, mention, operator, next } = counted;
    cursor.addHaving({ noun, aggregate: 'count', operator, number, mention });
    cursor.isDenied = false;
    cursor.mode = 'modify';
    return next;
  },
};

/** "rented only once", "ordered exactly twice", "rented twice": the verb names the rows that are counted. */
function happenedOnce(cursor: Cursor): number | undefined {
  const isOnly = /^(?:only|just|precisely|exactly)$/i.test(cursor.at(0)?.text ?? '');
  const mention = cursor.at(isOnly ? 1 : 0);
  const times = /^(?:once|twice)$/i.test(mention?.text ?? '');
  // Without "only" once is no more than some time.
  if (mention === undefined || !times || (!isOnly && /^once$/i.test(mention.text))) return undefined;
  const verb = cursor.noun(-1);
  const isVerb = verb !== undefined && isTableLike(verb) && /(?:ed|en|wn)$/i.test(verb.text);
  if (!isVerb || cursor.isNegated || cursor.frame.projections.length === 0) return undefined;
  const number = smallNumber(mention) ?? 1;
  cursor.addHaving({ noun: verb, aggregate: 'count', operator: '=', number, mention });
  cursor.isDenied = false;
  cursor.mode = 'modify';
  return isOnly ? 2 : 1;
}

interface Counted {
  readonly noun: Mention;
  readonly number: number;
  readonly operator: '=' | '>=' | '<=';
  readonly mention: Mention;
  readonly next: number;
}

/** "one album", "a single album", "one or more albums". */
function countOf(cursor: Cursor, offset: number): Counted | undefined {
  let at = offset;
  if (/^an?$/i.test(cursor.at(at)?.text ?? '')) at++;
  const mention = cursor.at(at);
  if (mention === undefined || !/^(?:one|single)$/i.test(mention.text)) return undefined;
  const postfix = cursor.cue(at + 1, 'compare');
  const isOpen = postfix?.isPostfix === true;
  const noun = cursor.noun(isOpen ? at + 2 : at + 1);
  if (noun === undefined || !isTableLike(noun)) return undefined;
  const last = noun.text.toLowerCase().split(/\s+/).at(-1) ?? '';
  if (!isOpen && lemmaOf(last) !== last) return undefined;
  return {
    noun,
    number: smallNumber(mention) ?? 1,
    operator: !isOpen ? '=' : postfix.operator === '<=' ? '<=' : '>=',
    mention,
    next: isOpen ? at + 3 : at + 2,
  };
}
