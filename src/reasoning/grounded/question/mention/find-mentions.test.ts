import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallKnowledge } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { emptySemanticModel } from '../../../../knowledge/semantic/index.ts';
import { findTimes } from '../read/find-times.ts';
import { tokenise } from '../read/tokenise.ts';
import { findMentions } from './find-mentions.ts';
import type { Mention } from './mention.ts';

const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-05-15T12:00:00Z');

function mentionsOf(question: string, knowledge = KNOWLEDGE): Mention[] {
  const times = findTimes(question, NOW, knowledge.semantics.timeRules);
  return findMentions(question, tokenise(question), times, knowledge);
}

/** What a mention stands for, shortest first: cue, best noun, best value, time, number, or `?`. */
function meaning(mention: Mention): string {
  if (mention.isSentenceEnd || mention.isComma) return mention.text;
  if (mention.isUnknown) return '?';
  const parts = [
    mention.cue?.kind,
    mention.nouns[0]?.id,
    mention.values[0] === undefined ? undefined : `${mention.values[0].columnId}=${mention.values[0].value}`,
    mention.time?.label,
    mention.number?.toString(),
  ];
  return parts.filter((part) => part !== undefined).join(' | ');
}

describe('findMentions', () => {
  const covers: readonly (readonly [question: string, spans: readonly string[]])[] = [
    ['phone number', ['phone number']],
    ['how many singers', ['how many', 'singers']],
    ['phone number of singers', ['phone number of singers']],
    ['show us singers in the US', ['show', 'us', 'singers', 'in', 'the', 'US']],
    ['singers from France', ['singers', 'from', 'France']],
    ['songs of Ana Silva', ['songs', 'of', 'Ana Silva']],
    ['students with first name', ['students', 'with', 'first name']],
    ['concerts in March 2023', ['concerts', 'in', 'March 2023']],
    ['concerts between March and June 2023', ['concerts', 'between March and June 2023']],
    ['singers older than 30', ['singers', 'older than', '30']],
    ["'Ocean Park' and Grand Dome", ["'Ocean Park'", 'and', 'Grand Dome']],
    ['more than or equal to 3', ['more than or equal to', '3']],
    ['in descending order of capacity', ['in descending order', 'of', 'capacity']],
    ['zebra crossings', ['zebra', 'crossings']],
    ['', []],
  ];
  it.each(covers)('%j is covered by %j', (question, spans) => {
    expect(mentionsOf(question).map((mention) => mention.text)).toEqual(spans);
  });

  const meanings: readonly (readonly [question: string, meanings: readonly string[]])[] = [
    ['singers', ['singers']],
    ['capacity.', ['stadiums.capacity', '.']],
    ['cats', ['pets.kind=cat']],
    ['dog', ['pets.kind=dog']],
    ['Ana Silva', ['singers.name=Ana Silva']],
    ['lisbon', ['stadiums.city=Lisbon']],
    ['zebra', ['?']],
    ['3,000', ['3000']],
    ['average', ['aggregate']],
  ];
  it.each(meanings)('%j means %j', (question, expected) => {
    expect(mentionsOf(question).map(meaning)).toEqual(expected);
  });

  it('keeps every column that holds a value', () => {
    const [france] = mentionsOf('France');
    expect(france?.values.map((value) => value.columnId).sort()).toEqual([
      'singers.country',
      'stadiums.country',
    ]);
  });

  it('prefers what people wrote down over what is stored', () => {
    const knowledge = smallKnowledge({
      ...emptySemanticModel,
      valueMappings: [{ column: 'students.team', value: 'Red', surface: ['crimson', 'Paris'] }],
    });
    expect(mentionsOf('crimson', knowledge)[0]?.values[0]).toMatchObject({
      columnId: 'students.team',
      value: 'Red',
      why: 'value mapping of students.team',
    });
    expect(mentionsOf('Paris', knowledge)[0]?.values[0]?.columnId).toBe('students.team');
  });

  it('marks possession, quotes, verbs and the unknown', () => {
    const mentions = mentionsOf("singers who yodel and their age 'x y'");
    const marks = (text: string) => mentions.find((mention) => mention.text === text);
    expect(marks('yodel')).toMatchObject({ isUnknown: true, isVerbLike: true });
    expect(marks('age')).toMatchObject({ isPossessed: true });
    expect(marks("'x y'")).toMatchObject({ isQuoted: true, isUnknown: false });
  });
});

const word = fc.constantFrom(
  ..."how many the singers name phone number of Ana Silva France Paris 'Ocean Park' in March 2023 older than 30 or , . and last 3 months zebra total by each not between 1,000 first dog's 🎤".split(
    ' ',
  ),
);

describe('the cover', () => {
  it('tiles the tokens: every token stands in just one mention, in order', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 16 }), (words) => {
        const question = words.join(' ');
        const tokens = tokenise(question);
        let at = 0;
        for (const [index, mention] of mentionsOf(question).entries()) {
          expect(mention.index).toBe(index);
          expect(mention.from).toBe(at);
          expect(mention.to).toBeGreaterThan(mention.from);
          expect(question.slice(mention.span.start, mention.span.end)).toBe(mention.text);
          expect(mention.span).toEqual({
            start: tokens[mention.from]?.start,
            end: tokens[mention.to - 1]?.end,
          });
          at = mention.to;
        }
        expect(at).toBe(tokens.length);
      }),
      { seed: 3, numRuns: 600 },
    );
  });

  it('loses no word: what means nothing is marked unknown', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        for (const mention of mentionsOf(words.join(' '))) {
          const isExplained =
            mention.cue !== undefined ||
            mention.nouns.length + mention.values.length > 0 ||
            mention.number !== undefined ||
            mention.time !== undefined;
          if (isExplained) expect(mention.isUnknown).toBe(false);
          else if (/^[\p{L}_]+$/u.test(mention.text)) expect(mention.isUnknown, mention.text).toBe(true);
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
