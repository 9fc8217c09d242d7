/** What is larger than a statement may be is a value that names the limit. */
import { expect, it } from 'vitest';
import { parse } from '../parser/parse.ts';
import { STATEMENT_LIMITS, type StatementLimits } from './statement-limits.ts';

const many = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(', ');

const CASES: readonly (readonly [keyof StatementLimits, (count: number) => string])[] = [
  ['characters', (count) => `SELECT '${'x'.repeat(count - 9)}'`],
  ['tokens', (count) => `SELECT 1 IN (${many((count - 4) / 2, () => '1')})`],
  ['tables', (count) => `SELECT 1 FROM ${many(count, () => 't')}`],
  ['ctes', (count) => `WITH ${many(count, (index) => `c${index} AS (SELECT 1)`)} SELECT 1`],
  ['columns', (count) => `SELECT ${many(count, () => 'a')} FROM t`],
  ['columns', (count) => `SELECT 1 FROM t JOIN u USING (${many(count, () => 'a')})`],
];

it.each(CASES)('%s: as many as are allowed, and no more', (limit, write) => {
  const allowed = STATEMENT_LIMITS[limit];
  expect(parse(write(allowed), 'sqlite').ok).toBe(true);
  const larger = parse(write(allowed + 2), 'sqlite');
  expect(larger.ok ? undefined : larger.error.passed).toMatchObject({ limit, allowed });
});
