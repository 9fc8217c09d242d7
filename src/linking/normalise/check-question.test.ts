import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuestion } from './check-question.ts';

const KNOWN = new Set(['orders', 'weather', 'song', 'qwertz']);
const isKnownWord = (word: string): boolean => KNOWN.has(word);

describe('what can be told without a model', () => {
  it.each<[string, string]>([
    ['meaningless', '???'],
    ['meaningless', 'hello'],
    ['meaningless', 'Hi there, how are you?'],
    ['meaningless', 'thanks!'],
    ['gibberish', 'asdfgh'],
    ['gibberish', 'Asdfjkl qwrtzp'],
    ['gibberish', 'hahahaha'],
    ['gibberish', 'bcdfghjk lmnpqrs'],
    ['out-of-scope', 'tell me a joke'],
    ['out-of-scope', 'Write a short poem about autumn'],
    ['out-of-scope', 'Who are you?'],
    ['out-of-scope', 'What is the recipe for pizza?'],
  ])('%s: %s', (validity, text) => {
    const checked = checkQuestion(text, { isKnownWord });
    expect(checked.validity).toBe(validity);
    expect(checked.because).not.toBe('');
  });

  it.each([
    'how many orders',
    'orders?',
    '2024',
    'and by region?',
    'how many are there?',
    'qwertz of asdfgh',
    'qwertz',
    'BRCA HTTPS',
    'value of “asdfgh”',
    'rhythm',
    'Angst vor Strcprstskrzkrk',
    'what was the weather in May?',
    'who wrote the song Hello',
    'write a list of songs: song and year',
    'test scores of students',
    'hello kitty sales',
    'Сколько заказов',
    '月別売上',
  ])('in doubt it is a question: %s', (text) =>
    expect(checkQuestion(text, { isKnownWord })).toEqual({ validity: 'ok', because: '' }),
  );

  it('says nothing of the scope where the schema is not known', () =>
    expect(checkQuestion('tell me a joke').validity).toBe('ok'));

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { validity, because } = checkQuestion(text, { isKnownWord });
        expect(because === '').toBe(validity === 'ok');
      }),
    );
  });
});
