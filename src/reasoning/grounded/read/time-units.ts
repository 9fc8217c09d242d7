import { splitName } from './split-name.ts';

const SECONDS: Readonly<Record<string, number>> = {
  millisecond: 0.001,
  ms: 0.001,
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  minimum: 60,
  hour: 3600,
  day: 86_400,
};

/** Whether a word is a unit of time ("minutes"). */
export function isTimeUnit(word: string): boolean {
  const [unit, second] = splitName(word);
  return unit !== undefined && second === undefined && secondsOf(unit) !== undefined && word.length > 2;
}

/** A number in the unit a person used, in the unit that a column's name tells (`Milliseconds`); unchanged when it tells none. */
export function inColumnUnit(number: number, unit: string, columnName: string): number {
  const from = secondsOf(splitName(unit)[0] ?? '');
  const to = splitName(columnName)
    .map(secondsOf)
    .find((factor) => factor !== undefined);
  return from === undefined || to === undefined ? number : (number * from) / to;
}

function secondsOf(word: string): number | undefined {
  return Object.hasOwn(SECONDS, word) ? SECONDS[word] : undefined;
}
