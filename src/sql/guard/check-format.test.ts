import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { parse } from '../parser/parse.ts';
import { checkReadOnly } from './check-read-only.ts';

function refusalOf(expression: string): string | undefined {
  const parsed = parse(`SELECT ${expression}`, 'sqlite');
  if (!parsed.ok) throw new Error(parsed.error.message);
  const verdict = checkReadOnly(parsed.tree);
  return verdict.readOnly ? undefined : verdict.reason;
}

/** What SQLite makes of it: `null` for NULL. */
function lengthOf(expression: string): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    return Object.values({ ...database.prepare(`SELECT LENGTH(${expression})`).get() })[0];
  } finally {
    database.close();
  }
}

it.each([
  ["printf('%1000000000d', 1)", null],
  ["format('%99999999999d', 1)", null],
  ["printf('%*d', 1000000000, 1)", null],
  ["printf('%s%-*d', 'x', -1000000000, 1)", null],
  ["printf('%%%.1000000000c', 'x')", null],
  ["printf('%500000000d%500000000d', 1, 2)", null],
  ["format('%2147483648d', 1)", 1],
  ["printf('%.*c', 4294967297, 'x')", 1],
  ["printf('%.400000000f', 1)", 100_000_002],
])('%s is refused: SQLite would make %s characters of it', (expression, made) => {
  expect(refusalOf(expression)).toMatch(/may make at most 100,000,000 characters/);
  expect(lengthOf(expression)).toBe(made);
});

it.each([
  ["printf('%.2f', 1.5)", 4],
  ["printf('%*d', 200, 1000000000)", 200],
  ["printf('%d%%', 1000000000)", 11],
  ["printf('%,d: %-20s|', 1000000000, 'x')", 36],
  ["format('%.*c', 50000, 'x')", 50_000],
  ['printf(1000000000)', 10],
  ["printf('%!.20e', 1.5)", 7],
])('%s passes', (expression, made) => {
  expect(refusalOf(expression)).toBeUndefined();
  expect(lengthOf(expression)).toBe(made);
});
