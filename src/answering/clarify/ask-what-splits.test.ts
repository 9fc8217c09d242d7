import { describe, expect, it } from 'vitest';
import type { Assumption, ChoiceEffect } from '../../answer.ts';
import type { Outcome } from '../answer/build-answer.ts';
import { askWhatSplits, whatSplits } from './ask-what-splits.ts';

function assumption(text: string, likely: number | undefined, value: number): Assumption {
  const effect = { kind: 'figure', value, answered: 100, change: (value - 100) / 100 } as const;
  return {
    ...{ kind: 'model', text, phrase: 'orders' },
    ...(likely !== undefined && { likely }),
    alternatives: [{ choice: `not ${text}`, label: `not ${text}`, sql: `SELECT ${value}`, effect }],
  };
}

const CASES: readonly (readonly [string, readonly Assumption[], string | undefined])[] = [
  ['is as open as a coin and changes the figure', [assumption('a', 0.5, 140)], 'a'],
  ['most people mean', [assumption('a', 0.6, 140)], undefined],
  ['most people mean, though it is another answer', [assumption('a', 0.6, 160)], 'a'],
  ['nearly all mean', [assumption('a', 0.7, 900)], undefined],
  ['changes hardly anything', [assumption('a', 0.5, 104)], undefined],
  ['was not weighed', [assumption('a', undefined, 140)], undefined],
  ['has no other choice', [{ kind: 'model', text: 'a', likely: 0.2 }], undefined],
  ['changes most, of several', [assumption('a', 0.5, 110), assumption('b', 0.5, 60)], 'b'],
  [
    'is the least likely, of those that change all',
    [assumption('a', 0.5, 300), assumption('b', 0.3, 0)],
    'b',
  ],
];

const EFFECTS: readonly (readonly [string, ChoiceEffect, boolean])[] = [
  ['a group of nothing', { kind: 'rows', rows: 6, answered: 7, differing: 1 }, false],
  ['many groups of nothing', { kind: 'rows', rows: 13, answered: 8, differing: 0, isOfNothing: true }, false],
  ['other rows', { kind: 'rows', rows: 3, answered: 7, differing: 4 }, true],
  ['other columns', { kind: 'rows', rows: 18, answered: 15, differing: 15, isOtherShape: true }, false],
  ['other figures', { kind: 'values', differing: 3, rows: 3, largest: 0.3 }, true],
  ['figures that are nearly the same', { kind: 'values', differing: 3, rows: 3, largest: 0.01 }, false],
  ['what was not run', { kind: 'unmeasured', because: 'it took too long' }, false],
];

describe('what is worth a question', () => {
  it.each(EFFECTS)('%s', (_, effect, isAsked) => {
    const open: Assumption = {
      ...{ kind: 'model', text: 'a', likely: 0.5 },
      alternatives: [{ choice: 'b', label: 'b', effect }],
    };
    expect(whatSplits({ assumptions: [open] }) === open).toBe(isAsked);
  });
});

describe('what an answer turns on', () => {
  it.each(CASES)('an assumption that %s', (_, assumptions, asked) => {
    expect(whatSplits({ assumptions })?.text).toBe(asked);
  });

  it('is asked with what each choice comes to', () => {
    const answered = {
      kind: 'answered',
      sql: 'SELECT 100',
      assumptions: [assumption('a', 0.5, 140)],
    } as unknown as Outcome;
    expect(askWhatSplits(answered, 'How many orders?')).toEqual({
      ...{ kind: 'clarify', gap: 'intent', phrase: 'orders' },
      ask: 'The answer turns on what your words leave open. Which is meant?',
      options: [
        { label: 'a', question: 'How many orders? (a)', sql: 'SELECT 100' },
        {
          label: 'not a: 140 instead of 100, +40 %',
          question: 'How many orders? (not a)',
          sql: 'SELECT 140',
        },
      ],
    });
    const settled = { ...answered, assumptions: [assumption('a', 0.9, 140)] } as unknown as Outcome;
    expect(askWhatSplits(settled, 'How many orders?')).toBe(settled);
  });
});
