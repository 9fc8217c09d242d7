/** No word without effect: every part of a question reaches the SQL, or stops the answer. The rows are in `test/fixtures/words`. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ask } from '../../src/answering/index.ts';
import { findUntrueAbsences } from './find-absences.ts';
import { compareWithGold, type OpenSuite } from './open-suite.ts';
import { openWords } from './open-words.ts';

const KIND = z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']);
const ROW = z
  .strictObject({
    /** chinook, sakila, motors, ferrum, ferrum-bare, or the statements that make a small database. */
    db: z.string(),
    ask: z.string(),
    /** The query whose rows are right. */
    sql: z.string().optional(),
    ordered: z.boolean().optional(),
    /** The outcomes that are right, where no query is; with `sql` they are right beside it. */
    kinds: z.array(KIND).min(1).optional(),
    /** What the printed answer says, and what it must not say: regular expressions. */
    said: z.string().optional(),
    not_said: z.string().optional(),
    /** Why the row is not right yet. */
    known: z.string().optional(),
  })
  .refine((row) => row.sql !== undefined || row.kinds !== undefined, 'neither sql nor kinds');
/** Databases in which a word that an answer says is nothing here is looked for plainly. */
const SEARCHED: ReadonlySet<string> = new Set(['chinook', 'sakila', 'ferrum', 'ferrum-bare']);
type Row = z.infer<typeof ROW>;

const FIXTURES = new URL('../fixtures/words/', import.meta.url);
const rows = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.yml'))
  .sort()
  .flatMap((file) =>
    z
      .array(ROW)
      .parse(parse(readFileSync(new URL(file, FIXTURES), 'utf8')))
      .map((row) => ({ file, ...row })),
  );

// A database is opened once for the rows of all files.
for (const database of new Set(rows.map(({ db }) => db)))
  askOf(
    database,
    rows.filter(({ db }) => db === database),
  );

function askOf(database: string, rows: readonly (Row & { readonly file: string })[]): void {
  describe(`words over ${database.split('\n')[0]?.slice(0, 60)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-words-'));
    let opened: OpenSuite | null = null;
    beforeAll(async () => {
      opened = await openWords(database, folder);
    }, 120_000);
    afterAll(async () => {
      if (opened !== null) await opened.session.close();
      rmSync(folder, { recursive: true, force: true });
    });
    for (const row of rows) {
      const test = row.known === undefined ? it : it.fails;
      test(`${row.file}: ${row.ask}${row.known === undefined ? '' : ` [known: ${row.known}]`}`, async (context) => {
        if (opened === null) context.skip('its data is not here');
        else await check(row, opened);
      });
    }
  });
}

async function check({ db, ask: question, sql, ordered = false, ...row }: Row, { session, now }: OpenSuite) {
  const answer = await ask(question, session, { now, record: false, related: false });
  const printed = JSON.stringify(answer);
  const short = printed.slice(0, 800);
  if (SEARCHED.has(db)) expect(await findUntrueAbsences(answer, session), short).toEqual([]);
  expect(row.kinds ?? ['answered'], short).toContain(answer.kind);
  if (answer.kind === 'answered' && sql !== undefined)
    expect(await compareWithGold(sql, answer, ordered, session), short).toBe('equal');
  if (row.said !== undefined) expect(printed, short).toMatch(new RegExp(row.said, 'i'));
  if (row.not_said !== undefined) expect(printed, short).not.toMatch(new RegExp(row.not_said, 'i'));
}
