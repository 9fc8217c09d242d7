import { describe, expect, it } from 'vitest';
import { parseCron } from './cron.ts';

/** 2024-02-28 was a Wednesday. */
const CASES: readonly [string, string, boolean][] = [
  ['* * * * *', '2024-02-28T10:17:42Z', true],
  ['0 3 * * *', '2024-02-28T03:00:59Z', true],
  ['0 3 * * *', '2024-02-28T03:01:00Z', false],
  ['0 3 * * *', '2024-02-28T04:00:00Z', false],
  ['*/15 * * * *', '2024-02-28T10:45:00Z', true],
  ['*/15 * * * *', '2024-02-28T10:44:00Z', false],
  ['5/20 * * * *', '2024-02-28T10:45:00Z', true],
  ['0 9-17/4 * * mon-fri', '2024-02-28T13:00:00Z', true],
  ['0 9-17/4 * * mon-fri', '2024-02-28T14:00:00Z', false],
  ['0 0 * * 7', '2024-03-03T00:00:00Z', true],
  ['0 0 * * SUN', '2024-03-03T00:00:00Z', true],
  ['0 0 29 2 *', '2024-02-29T00:00:00Z', true],
  ['0 0 1 * wed', '2024-02-28T00:00:00Z', true],
  ['0 0 1 * thu', '2024-02-28T00:00:00Z', false],
  ['0 0 28 * *', '2024-02-28T00:00:00Z', true],
  ['0 0 1,28 jan,feb *', '2024-02-28T00:00:00Z', true],
];

describe('a schedule', () => {
  it.each(CASES)('%s at %s: %s', (text, at, expected) =>
    expect(parseCron(text).matches(new Date(at))).toBe(expected),
  );

  it.each([
    ['0 3 * *', 'five fields'],
    ['60 3 * * *', '"60" is no minute (0 to 59)'],
    ['0 3 0 * *', '"0" is no day of the month'],
    ['0 3 * * xyz', '"xyz" is no day of the week'],
    ['0 5-3 * * *', '"5-3" is no hour'],
    ['*/0 * * * *', '"*/0" is no minute'],
    ['@daily', 'five fields'],
  ])('%s is refused: %s', (text, message) => expect(() => parseCron(text)).toThrow(message));
});
