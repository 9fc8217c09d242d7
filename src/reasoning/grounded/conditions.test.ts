/** The grammar of conditions as one table: what each form of words becomes in the SQL. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { smallKnowledge } from '../../../test/fixtures/grounded/small-catalog.ts';
import { readByRules } from './read-by-rules.ts';

const file = new URL('../../../test/fixtures/grounded/conditions.yml', import.meta.url);
const ROWS = z
  .array(z.strictObject({ phrase: z.string(), sql: z.string() }))
  .parse(parse(readFileSync(file, 'utf8')));
const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-05-15T12:00:00Z');

describe('a phrase and its condition', () => {
  it.each(ROWS)('$phrase', ({ phrase, sql }) => {
    expect(readByRules(phrase, KNOWLEDGE, NOW).readings[0]?.sql).toBe(sql);
  });
});
