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
import type { Answer } from '../../src/answer.ts';
import { ask } from '../../src/answering/index.ts';
import type { Session } from '../../src/session/project/session.ts';
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
        for (const word of claimedIn(answer)) {
          const place = await findPlainly(word, session);
          if (place !== undefined) untrue.push(`${question}: “${word}” is in ${place}`);
        }
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

/** The fresh ones, those whose every word must reach the query, and the sixty over the messy company. */
function questionsOf(database: string): readonly string[] {
  const fresh = z
    .record(z.string(), z.array(z.string()))
    .parse(parse(readFileSync(join(FIXTURES, 'absence', 'fresh.yml'), 'utf8')));
  const words = readdirSync(join(FIXTURES, 'words'))
    .filter((file) => file.endsWith('.yml'))
    .flatMap((file) =>
      z
        .array(z.object({ db: z.string(), ask: z.string() }))
        .parse(parse(readFileSync(join(FIXTURES, 'words', file), 'utf8'))),
    );
  const ferrum =
    database.startsWith('ferrum') && existsSync(FERRUM)
      ? readFileSync(FERRUM, 'utf8')
          .trim()
          .split('\n')
          .map((line) => z.object({ question: z.string() }).parse(JSON.parse(line)).question)
      : [];
  const asked = words.filter(({ db }) => db === database).map((row) => row.ask);
  return [...(fresh[database] ?? []), ...asked, ...ferrum];
}

/** The words that an answer says are not here; a project's own list of what is out of scope is its author's word. */
function claimedIn(answer: Answer): readonly string[] {
  const said = answer.kind === 'reject' ? answer.message : answer.kind === 'abstain' ? answer.reason : '';
  const [claim] =
    /(?:[Nn]othing|There is no|no metric|no dimension) [^“]*(?:“[^”]*”(?: or )?)+/.exec(said) ?? [];
  return [...(claim ?? '').matchAll(/“([^”]+)”/g)].flatMap(([, word]) => word ?? []);
}

/** Where a word stands, or its singular: in a name, in what is written of something, or in an indexed column of texts. */
async function findPlainly(
  word: string,
  { catalog, semantics, database, config, values }: Session,
): Promise<string | undefined> {
  const lower = word.toLowerCase();
  const forms = [...new Set([lower, lower.replace(/ies$/, 'y'), lower.replace(/s$/, '')])];
  const isIn = (text: string): boolean =>
    forms.some((form) =>
      new RegExp(`(?<![\\p{L}\\p{N}])${form.replace(/\W/g, '.')}s?(?![\\p{L}\\p{N}])`, 'iu').test(
        text.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '),
      ),
    );
  for (const one of [...semantics.metrics, ...semantics.dimensions, ...semantics.datasets])
    if (isIn([one.name, ...one.synonyms, one.description ?? ''].join('\n'))) return one.name;
  for (const table of catalog.tables) {
    if (isIn(`${table.name}\n${table.comment ?? ''}`)) return table.id;
    for (const column of table.columns) if (isIn(`${column.name}\n${column.comment ?? ''}`)) return column.id;
  }
  const indexed = values.columns();
  for (const table of catalog.tables)
    for (const column of table.columns.filter(({ id }) => indexed.get(id)?.use === 'similar')) {
      const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
      const where = forms.map((form) => `${quote(column.name)} LIKE '%${form.replaceAll("'", "''")}%'`);
      // A value that is too long for the index is among those of which the answer says that they were not looked through.
      const sql = `SELECT DISTINCT ${quote(column.name)} FROM ${quote(table.name)} WHERE LENGTH(${quote(column.name)}) <= 80 AND (${where.join(' OR ')})`;
      const { rows } = await database.query(sql, config.limits);
      if (rows.some(([value]) => typeof value === 'string' && isIn(value))) return column.id;
    }
  return undefined;
}
