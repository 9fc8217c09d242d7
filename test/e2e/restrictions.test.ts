/**
 * Questions with one restriction that the database knows nothing of, by people who had seen the databases alone: none is answered as if
 * the words were not there. The rows of `restrictions.jsonl` that still are say which kind of hole they went through.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask } from '../../src/answering/index.ts';
import type { OpenSuite } from './open-suite.ts';
import { openWords } from './open-words.ts';

const ROW = z.strictObject({
  database: z.string(),
  question: z.string(),
  /** The words that nothing here can mean. */
  phrase: z.string(),
  /** Why it is answered all the same. */
  known: z.string().optional(),
});
const rows = readFileSync(new URL('../fixtures/questions/restrictions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => ROW.parse(JSON.parse(line)));

for (const database of new Set(rows.map((row) => row.database)))
  describe(`restrictions unknown to ${database}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-restrictions-'));
    let opened: OpenSuite | null = null;
    beforeAll(async () => {
      opened = await openWords(database, folder);
    }, 120_000);
    afterAll(async () => {
      if (opened !== null) await opened.session.close();
      rmSync(folder, { recursive: true, force: true });
    });
    it('are not answered over', async ({ skip }) => {
      if (opened === null) return skip('its data is not here');
      const { session, now } = opened;
      const own = rows.filter((row) => row.database === database);
      const answered: string[] = [];
      for (const { question } of own) {
        const answer = await ask(question, session, { now, record: false, related: false });
        if (answer.kind === 'answered') answered.push(question);
      }
      const known = own.flatMap((row) => (row.known === undefined ? [] : [row.question]));
      expect(answered).toEqual(known);
    }, 240_000);
  });
