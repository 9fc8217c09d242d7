import { expect, it } from 'vitest';
import { ZonedTimes } from './trino-cell.ts';

it.each([
  ['2024-02-29 01:02:03.500 Europe/Berlin', '2024-02-29 00:02:03.5+00'],
  ['2024-07-01 01:02:03 Europe/Berlin', '2024-06-30 23:02:03+00'],
  ['2024-02-29 01:02:03.123456789012 UTC', '2024-02-29 01:02:03.123456789012+00'],
  ['2024-02-29 01:02:03 +05:30', '2024-02-28 19:32:03+00'],
  ['2024-02-29 01:02:03 -00:30', '2024-02-29 01:32:03+00'],
  ['2024-02-29 23:30:00 America/New_York', '2024-03-01 04:30:00+00'],
  // The minutes after and before the clocks change, and the repeated hour: the first one is meant.
  ['2024-03-31 03:00:00 Europe/Berlin', '2024-03-31 01:00:00+00'],
  ['2024-03-31 01:59:59 Europe/Berlin', '2024-03-31 00:59:59+00'],
  ['2024-10-27 01:59:59 Europe/Berlin', '2024-10-26 23:59:59+00'],
  ['2024-10-27 02:30:00 Europe/Berlin', '2024-10-27 00:30:00+00'],
  ['2024-10-27 03:00:00 Europe/Berlin', '2024-10-27 02:00:00+00'],
  ['2024-11-03 01:30:00 America/New_York', '2024-11-03 05:30:00+00'],
  ['+12024-01-01 00:00:00 UTC', '12024-01-01 00:00:00+00'],
  ['2024-02-29 01:02:03 Mars/Olympus', '2024-02-29 01:02:03 Mars/Olympus'],
  ['no time', 'no time'],
])('%s → %s', (text, utc) => expect(new ZonedTimes().toUtcText(text)).toBe(utc));
