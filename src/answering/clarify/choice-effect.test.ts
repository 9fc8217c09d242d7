import { describe, expect, it } from 'vitest';
import type { ChoiceEffect } from '../../answer.ts';
import { choiceEffectText, effectBetween, type MeasuredResult, sizeOf } from './choice-effect.ts';

type Rows = MeasuredResult['rows'];

function result(rows: Rows, truncatedBy: MeasuredResult['truncatedBy'] = null): MeasuredResult {
  return { columns: (rows[0] ?? ['a']).map((_, at) => `c${at}`), rows, truncatedBy };
}

const CASES: readonly (readonly [Rows, Rows, ChoiceEffect | undefined, string])[] = [
  [[[5856]], [[5856]], undefined, ''],
  [[['Lyon'], ['Nice']], [['Nice'], ['Lyon']], undefined, ''],
  [
    [[5856]],
    [[5912]],
    { kind: 'figure', value: 5912, answered: 5856, change: 56 / 5856 },
    '5,912 instead of 5,856, +1 %',
  ],
  [
    [['100.50']],
    [['90.45']],
    { kind: 'figure', value: 90.45, answered: 100.5, change: -0.1 },
    '90.45 instead of 100.5, −10 %',
  ],
  [[[0]], [[7]], { kind: 'figure', value: 7, answered: 0 }, '7 instead of 0'],
  [
    [['Ana']],
    [['Ana'], ['Ben']],
    { kind: 'rows', rows: 2, answered: 1, differing: 0 },
    '2 rows instead of 1',
  ],
  [
    [[1970, 8]],
    [
      [1970, 8],
      [1971, 0],
      [1972, null],
    ],
    { kind: 'rows', rows: 3, answered: 1, differing: 0, isOfNothing: true },
    '3 rows instead of 1, groups of nothing make the difference',
  ],
  [
    [
      ['Lyon', 8],
      ['Nice', 0],
    ],
    [['Lyon', 8]],
    { kind: 'rows', rows: 1, answered: 2, differing: 1, isOfNothing: true },
    '1 row instead of 2, groups of nothing make the difference',
  ],
  [
    [['Lyon', 8]],
    [
      ['Lyon', 8],
      ['Nice', 0],
      ['Metz', 2],
    ],
    { kind: 'rows', rows: 3, answered: 1, differing: 0 },
    '3 rows instead of 1',
  ],
  [
    [['Ana']],
    [],
    { kind: 'rows', rows: 0, answered: 1, differing: 1 },
    '0 rows instead of 1, 1 of these differ',
  ],
  [
    [['Ana'], ['Ben']],
    [['Ben'], ['Cleo'], ['Dan']],
    { kind: 'rows', rows: 3, answered: 2, differing: 1 },
    '3 rows instead of 2, 1 of these differ',
  ],
  [[['Ana']], [['Ben']], { kind: 'values', differing: 1, rows: 1 }, 'another row'],
  [
    [
      ['Lyon', 10],
      ['Nice', 10],
    ],
    [
      ['Lyon', 10],
      ['Nice', 15],
    ],
    { kind: 'values', differing: 1, rows: 2, largest: 0.5 },
    '1 of 2 rows differ, by up to +50 %',
  ],
  // From nothing to something is no share, and the others' shares would hide it.
  [
    [
      ['Lyon', 0],
      ['Nice', 10],
    ],
    [
      ['Lyon', 100],
      ['Nice', 11],
    ],
    { kind: 'values', differing: 2, rows: 2 },
    '2 of 2 rows differ',
  ],
  // The largest change, whichever way it goes, of rows of one name.
  [
    [
      ['Lyon', 10],
      ['Nice', 20],
    ],
    [
      ['Nice', 21],
      ['Lyon', 8],
    ],
    { kind: 'values', differing: 2, rows: 2, largest: -0.2 },
    '2 of 2 rows differ, by up to −20 %',
  ],
  [
    [
      ['Lyon', 10],
      ['Lyon', 20],
    ],
    [
      ['Lyon', 11],
      ['Lyon', 20],
    ],
    { kind: 'values', differing: 1, rows: 2 },
    '1 of 2 rows differ',
  ],
  // Of two columns of figures neither is the one, and from nothing there is no share.
  [[['Lyon', 1, 2]], [['Lyon', 1, 3]], { kind: 'values', differing: 1, rows: 1 }, 'another row'],
  [[[null]], [[3]], { kind: 'values', differing: 1, rows: 1 }, 'another row'],
  // The same with another column beside it cannot be the same rows.
  [[['a']], [['a', 1]], { kind: 'values', differing: 1, rows: 1, isOtherShape: true }, 'other columns'],
  [
    [['a']],
    [
      ['a', 1],
      ['a', 2],
    ],
    { kind: 'rows', rows: 2, answered: 1, differing: 1, isOtherShape: true },
    '2 rows instead of 1, with other columns',
  ],
  // As often as it occurs.
  [[['a'], ['a']], [['a'], ['b']], { kind: 'values', differing: 1, rows: 2 }, '1 of 2 rows differ'],
];

describe('the effect of another choice', () => {
  it.each(CASES)('%j → %j', (answered, other, effect, text) => {
    const found = effectBetween(result(answered), result(other));
    expect(found === undefined ? undefined : { ...found, ...rounded(found) }).toEqual(
      effect === undefined ? undefined : { ...effect, ...rounded(effect) },
    );
    expect(found === undefined ? '' : choiceEffectText(found)).toBe(text);
  });

  it('says at least how many rows where they were cut, and nothing of an answer that was', () => {
    expect(effectBetween(result([['a']]), result([['a'], ['b']], 'rows'))).toEqual({
      kind: 'rows',
      rows: 2,
      answered: 1,
      differing: 0,
      isAtLeast: true,
    });
    expect(effectBetween(result([['a']], 'rows'), result([['a']]))).toMatchObject({ kind: 'unmeasured' });
  });

  it('weighs a figure by its change, and nothing that was not measured', () => {
    expect(sizeOf({ kind: 'figure', value: 5, answered: 10, change: -0.5 })).toBe(0.5);
    expect(sizeOf({ kind: 'rows', rows: 6, answered: 1, differing: 0 })).toBe(5);
    expect(sizeOf({ kind: 'rows', rows: 4, answered: 4, differing: 4 })).toBe(1);
    expect(sizeOf({ kind: 'values', differing: 1, rows: 4 })).toBe(0.25);
    expect(sizeOf({ kind: 'values', differing: 4, rows: 4, largest: -0.01 })).toBe(0.01);
    expect(sizeOf({ kind: 'unmeasured', because: 'it was not run' })).toBe(0);
    expect(sizeOf(undefined)).toBe(0);
  });
});

/** Shares as they are told; floating numbers differ in their last digits. */
function rounded(effect: ChoiceEffect): object {
  const shares = Object.entries(effect).filter(([name]) => name === 'change' || name === 'largest');
  return Object.fromEntries(shares.map(([name, share]) => [name, Number(Number(share).toFixed(9))]));
}
