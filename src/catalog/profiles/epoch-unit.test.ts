import { expect, it } from 'vitest';
import { epochUnit } from './epoch-unit.ts';

const profileOf = (min: string, max: string) => ({
  min,
  max,
  nullCount: 0,
  distinctCount: 9,
  scannedRows: 9,
  examples: [],
});

it.each<[name: string, family: 'number' | 'text', min: string, max: string, unit: string | undefined]>([
  ['created', 'number', '1672531200', '1759190400', 'seconds'],
  ['EventTs', 'number', '1672531200', '1759190400', 'seconds'],
  ['booked_at', 'number', '1672531200000', '1759190400000', 'milliseconds'],
  ['booked_at', 'number', '1672531200000000', '1759190400000000', 'microseconds'],
  ['booked_at', 'number', '5', '1759190400000', undefined],
  ['booked_at', 'text', '1672531200', '1759190400', undefined],
  ['population', 'number', '1672531200', '1759190400', undefined],
])('%s as %s from %s to %s counts %s', (name, family, min, max, unit) => {
  expect(epochUnit({ name, family, profile: profileOf(min, max) })?.name).toBe(unit);
});
