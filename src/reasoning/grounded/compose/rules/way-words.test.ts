import { describe, expect, it } from 'vitest';
import { smallKnowledge } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { findMentions } from '../../question/mention/find-mentions.ts';
import { tokenise } from '../../question/read/tokenise.ts';
import { Cursor } from '../frame/cursor.ts';
import { wayWords } from './conditions/filter.ts';

const KNOWLEDGE = smallKnowledge();

/** The way words as they are seen from the last value of a question. */
function wordsOf(question: string): readonly string[] {
  const mentions = findMentions(question, tokenise(question), [], KNOWLEDGE);
  const cursor = new Cursor(mentions);
  cursor.position = mentions.findLastIndex((mention) => mention.values.length > 0);
  return wayWords(cursor);
}

describe('wayWords', () => {
  it.each([
    ['Show concerts from Lisbon', 'source'],
    ['Show concerts departing from Lisbon', 'source'],
    ['Show concerts to Lisbon', 'destination'],
    ['Show concerts arriving in Lisbon', 'destination'],
  ])('“%s” speaks of the %s', (question, word) => expect(wordsOf(question)).toContain(word));

  it.each(['Show concerts in Lisbon', 'Lisbon', 'Show the city Lisbon'])(
    '“%s” speaks of neither',
    (question) => expect(wordsOf(question)).toEqual([]),
  );
});
