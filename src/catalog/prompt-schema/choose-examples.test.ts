import { expect, it } from 'vitest';
import type { ColumnProfile, TypeFamily } from '../schema/catalog.ts';
import { chooseExamples } from './column-facts.ts';

interface Facts extends Partial<ColumnProfile> {
  readonly family?: TypeFamily;
}

const column = ({ family = 'text', examples = [], ...profile }: Facts) => ({
  ...{ id: 't.c', tableId: 't', name: 'c', type: 'text', family, isNullable: true },
  profile: { scannedRows: 9, nullCount: 0, distinctCount: 9, examples, ...profile },
});
const of = (length: number): string => 'x'.repeat(length);
const PII = { kind: 'email', because: 'its name says email', isWithheld: true } as const;

it.each<[string, Facts, readonly string[], number, readonly string[]]>([
  ['three of five', { examples: ['a', 'b', 'c', 'd', 'e'] }, [], 5, ['a', 'b', 'c']],
  ['no more than are asked for', { examples: ['a', 'b', 'c'] }, [], 2, ['a', 'b']],
  ['none where none are asked for', { examples: ['a'] }, ['b'], 0, []],
  ['not empty, each once, with their blanks', { examples: [' a', 'a ', ' ', 'b'] }, [], 5, [' a', 'b']],
  ['one date', { family: 'time', examples: ['2024-01-01', '2024-01-02'] }, [], 5, ['2024-01-01']],
  [
    'one text that is a date',
    { pattern: 'iso-date', examples: ['2024-01-01', '2024-01-02'] },
    [],
    5,
    ['2024-01-01'],
  ],
  ['all of 20 characters', { examples: [of(20), 'b'] }, [], 5, [of(20), 'b']],
  ['one where the longest has 21', { examples: ['a', of(21)] }, [], 5, ['a']],
  ['one where the longest has 50', { examples: [of(50), 'b'] }, [], 5, [of(50)]],
  ['none where the longest has 51', { examples: ['a', of(51)] }, [], 5, []],
  [
    'one time that is written in many words',
    { semanticClass: 'temporal', examples: [of(51), of(60)] },
    [],
    5,
    [of(51)],
  ],
  ['no time that may have been cut', { semanticClass: 'temporal', examples: [of(80)] }, [], 5, []],
  [
    'what is shown is measured, not what is behind it',
    { examples: ['a', 'b', 'c', of(51)] },
    [],
    5,
    ['a', 'b', 'c'],
  ],
  [
    'no addresses',
    { examples: ['a@b.org', 'https://x.y/z', 'www.x.y', 'shop.com', 'Mr. Com'] },
    [],
    5,
    ['Mr. Com'],
  ],
  ['values of the question first', { examples: ['a', 'b', 'c'] }, ['z'], 5, ['z', 'a', 'b']],
  ['values of the question once', { examples: ['a', 'b', 'c'] }, ['b'], 5, ['b', 'a', 'c']],
  ['long values of the question whole', { examples: ['a'] }, [of(120)], 5, [of(120), 'a']],
  ['no value that would have to be cut', { examples: ['a'] }, [of(201)], 5, ['a']],
  [
    'a date of the question, no other',
    { family: 'time', examples: ['2024-01-01'] },
    ['2020-02-02'],
    5,
    ['2020-02-02'],
  ],
  ['nothing of a withheld column', { examples: ['a'], pii: PII }, ['b'], 5, []],
])('shows %s', (_, facts, found, most, shown) =>
  expect(chooseExamples(column(facts), found, most)).toEqual(shown),
);

it('shows values of the question of a column without a profile', () => {
  const { profile: _, ...bare } = column({});
  expect(chooseExamples(bare, ['a'], 5)).toEqual(['a']);
});
