import { describe, expect, it } from 'vitest';
import { secondsToNanos, toDateText, toTimestampText, toTimeText, trimFraction } from './time-text.ts';

describe('dates and times as text', () => {
  it.each([
    [0, '1970-01-01'],
    [-1, '1969-12-31'],
    [19782, '2024-02-29'],
    [2932897, '10000-01-01'],
    [-719529, '-000001-12-31'],
  ])('day %s is %s', (days, text) => expect(toDateText(days)).toBe(text));

  it.each([
    ['0', '1970-01-01 00:00:00'],
    ['1709168523.500000000', '2024-02-29 01:02:03.5'],
    ['1709168523.000000001', '2024-02-29 01:02:03.000000001'],
    ['-0.500000000', '1969-12-31 23:59:59.5'],
    ['-1.000000000', '1969-12-31 23:59:59'],
    ['253402300800.000000000', '10000-01-01 00:00:00'],
  ])('%s seconds are %s', (seconds, text) => expect(toTimestampText(secondsToNanos(seconds))).toBe(text));

  it('reads the time of day', () => expect(toTimeText(secondsToNanos('3723.25'))).toBe('01:02:03.25'));

  it.each([
    ['01:02:03.500', '01:02:03.5'],
    ['01:02:03.000', '01:02:03'],
    ['01:02:03', '01:02:03'],
    ['01:02:03.000+02:00', '01:02:03+02:00'],
    ['01:02:03.120+02:00', '01:02:03.12+02:00'],
    ['2024-01-01 10:20:30', '2024-01-01 10:20:30'],
  ])('trims %s to %s', (text, trimmed) => expect(trimFraction(text)).toBe(trimmed));
});
