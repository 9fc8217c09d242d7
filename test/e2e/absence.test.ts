/**
 * What is said to be absent is absent: the words of every “nothing here is called …” are looked for in names, descriptions and stored
 * values by plain SQL and plain text, by nothing that the engine itself looks with.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ask } from '../../src/answering/index.ts';
import { claimedIn, findPlainly, findUntrueAbsences } from './find-absences.ts';
import type { OpenSuite } from './open-suite.ts';
import { openWords } from './open-words.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const FERRUM = join(process.env.CANDOR_DATA ?? join('..', 'shared', 'data'), 'ferrum', 'questions.jsonl');
const DATABASES = ['chinook', 'sakila', 'ferrum', 'ferrum-bare'] as const;

for (const database of DATABASES)
  describe(`absence over ${database}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-absence-'));
    let opened: OpenSuite | null = null;
    beforeAll(async () => {
      opened = await openWords(database, folder);
    }, 120_000);
    afterAll(async () => {
      if (opened !== null) await opened.session.close();
      rmSync(folder, { recursive: true, force: true });
    });
    it('nothing is said to be absent that a plain search finds', async ({ skip }) => {
      if (opened === null) return skip('its data is not here');
      const { session, now } = opened;
      const untrue: string[] = [];
      for (const question of questionsOf(database)) {
        const answer = await ask(question, session, { now, record: false, related: false });
        for (const found of await findUntrueAbsences(answer, session)) untrue.push(`${question}: ${found}`);
      }
      expect(untrue).toEqual([]);
    }, 240_000);
  });

const SMALL = `
  CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT, Start_year INTEGER, Gold INTEGER, Silver INTEGER, Bronze INTEGER);
  INSERT INTO club VALUES (1, 'Oslo Rowers', 1904, 3, 1, 0), (2, 'Bergen United', 1921, 0, 2, 5);
  CREATE TABLE participants (id INTEGER PRIMARY KEY, name TEXT, email TEXT, club_id INTEGER REFERENCES club (id));
  INSERT INTO participants VALUES (1, 'Ana Silva', 'ana@example.net', 1), (2, 'Catherine Moe', 'cat@example.org', 2);
  CREATE TABLE exam (id INTEGER PRIMARY KEY, participant_id INTEGER REFERENCES participants (id), result TEXT);
  INSERT INTO exam VALUES (1, 1, 'Pass'), (2, 2, 'Fail');
  CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT, country TEXT, population INTEGER);
  INSERT INTO town VALUES (1, 'Oslo', 'Norway', 700000), (2, 'Lisbon', 'Portugal', 500000), (3, 'Bremen', 'Germany', 560000);
  CREATE TABLE governor (id INTEGER PRIMARY KEY, name TEXT, born_state TEXT, town_id INTEGER REFERENCES town (id));
  INSERT INTO governor VALUES (1, 'Per Dahl', 'Viken', 1);
  CREATE TABLE permit (id INTEGER PRIMARY KEY, valid_from TEXT, valid_to TEXT);
  INSERT INTO permit VALUES (1, '2020-01-01', '2024-01-01');
  CREATE TABLE wine (id INTEGER PRIMARY KEY, name TEXT, color TEXT);
  INSERT INTO wine VALUES (1, 'Vinho', 'Red');
  CREATE TABLE addresses (id INTEGER PRIMARY KEY, street TEXT, town_id INTEGER REFERENCES town (id));
  INSERT INTO addresses VALUES (1, 'Karl Johan', 1);
  CREATE TABLE document (id INTEGER PRIMARY KEY, kind TEXT, printed INTEGER);
  INSERT INTO document VALUES (1, 'CV', 3), (2, 'Letter', 4);`;

const CLAIM = z.strictObject({
  db: z.string(),
  ask: z.string(),
  never: z.array(z.string()).default([]),
  claims: z.array(z.string()).default([]),
  near: z.string().optional(),
});

const claims = z.array(CLAIM).parse(parse(readFileSync(join(FIXTURES, 'absence', 'claims.yml'), 'utf8')));
for (const db of new Set(claims.map((row) => row.db)))
  describe(`what may be said to be absent of ${db === 'small' ? 'a few tables' : db}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-absence-'));
    let opened: OpenSuite | null = null;
    beforeAll(async () => {
      opened = await openWords(db === 'small' ? SMALL : db, folder);
    }, 120_000);
    afterAll(async () => {
      if (opened !== null) await opened.session.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const rows = claims.filter((row) => row.db === db);
    it.each(rows)('$ask', async ({ ask: question, never, claims: due, near }) => {
      if (opened === null) return;
      const { session, now } = opened;
      const answer = await ask(question, session, { now, record: false, related: false });
      const claimed = claimedIn(answer);
      const said = JSON.stringify(answer.kind === 'answered' ? answer.sql : answer);
      for (const word of never) expect(claimed, said).not.toContain(word);
      expect(claimed, said).toEqual(due);
      if (near !== undefined) expect(said).toContain(`“${near}”`);
    });
  });

it('the plain search finds what is there', async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-absence-'));
  const opened = await openWords('chinook', folder);
  if (opened === null) return skip('its data is not here');
  const found = await Promise.all(
    ['invoices', 'Jackson', 'germany', 'gwxyz'].map((word) => findPlainly(word, opened.session)),
  );
  await opened.session.close();
  rmSync(folder, { recursive: true, force: true });
  expect(found).toEqual(['invoice', 'artist.name', 'customer.country', undefined]);
});

/**
 * The fresh ones, the sixty over the messy company, and those of `words` that are known to fail; the others of `words` are checked where
 * they are asked, in `words.test.ts`.
 */
function questionsOf(database: string): readonly string[] {
  const fresh = z
    .record(z.string(), z.array(z.string()))
    .parse(parse(readFileSync(join(FIXTURES, 'absence', 'fresh.yml'), 'utf8')));
  const words = readdirSync(join(FIXTURES, 'words'))
    .filter((file) => file.endsWith('.yml'))
    .flatMap((file) =>
      z
        .array(z.object({ db: z.string(), ask: z.string(), known: z.string().optional() }))
        .parse(parse(readFileSync(join(FIXTURES, 'words', file), 'utf8'))),
    );
  const ferrum =
    database.startsWith('ferrum') && existsSync(FERRUM)
      ? readFileSync(FERRUM, 'utf8')
          .trim()
          .split('\n')
          .map((line) => z.object({ question: z.string() }).parse(JSON.parse(line)).question)
      : [];
  const asked = words.filter(({ db, known }) => db === database && known !== undefined).map((row) => row.ask);
  return [...(fresh[database] ?? []), ...asked, ...ferrum];
}
