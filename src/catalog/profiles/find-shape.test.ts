import { expect, it } from 'vitest';
import { findShape } from './find-shape.ts';

it.each([
  [
    [
      ['ABC-123', 2],
      ['XYZ-999', 3],
      ['XY-1', 5],
    ],
    { form: 'AAA-999', share: 0.5 },
  ],
  [
    [
      ['Köln', 1],
      ['Bonn', 1],
    ],
    { form: 'Aaaa', share: 1 },
  ],
  [[['ÉCOLE élève', 1]], { form: 'A+ a+', share: 1 }],
  [
    [
      ['1234567', 1],
      ['12345', 1],
    ],
    { form: '9+', share: 1 },
  ],
  [
    [
      ['A1', 3],
      ['the quick brown fox jumps over the lazy dog, twice', 4],
    ],
    undefined,
  ],
  [[], undefined],
] as const)('%j', (texts, shape) => expect(findShape(texts)).toEqual(shape));
