/** A database of some thousand tables as a lake: each question brings up the tables it needs. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AREAS, ENTITIES } from '../../bench/business-words.ts';
import type { Answer } from '../../src/answer.ts';
import { ask, replay } from '../../src/answering/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { openProject } from '../../src/session/open-project.ts';
import type { Session } from '../../src/session/project/session.ts';

const TABLES = 2_000;
/** Told by every table that is not one of these: none of its words is asked about. */
const OWN = [
  `CREATE TABLE zebra_owners (owner_id INTEGER PRIMARY KEY, owner_name TEXT, city TEXT);
   INSERT INTO zebra_owners VALUES (1, 'Ada', 'Oslo'), (2, 'Grace', 'Bergen'), (3, 'Linus', 'Oslo')`,
  `CREATE TABLE zebras (zebra_id INTEGER PRIMARY KEY, nickname TEXT, stripes INTEGER,
     owner_id INTEGER REFERENCES zebra_owners (owner_id));
   INSERT INTO zebras VALUES (1, 'Dash', 40, 1), (2, 'Dot', 26, 1), (3, 'Comma', 33, 2)`,
  `CREATE TABLE yak_shavings (shaving_id INTEGER PRIMARY KEY, grams INTEGER, shaved_on TEXT);
   INSERT INTO yak_shavings VALUES (1, 700, '2024-05-01'), (2, 300, '2024-06-01')`,
];

let folder: string;
let session: Session;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-lake-'));
  const writer = new DatabaseSync(join(folder, 'lake.db'));
  writer.exec('BEGIN');
  for (let at = 0; at < TABLES; at += 1) {
    const name = `${AREAS[at % AREAS.length]}_${ENTITIES[(at * 7) % ENTITIES.length]}_${at}`;
    writer.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, label TEXT, worth REAL, noted_on TEXT);
      INSERT INTO ${name} VALUES (1, 'a', 1.5, '2024-01-01')`);
  }
  for (const statement of OWN) writer.exec(statement);
  writer.exec('COMMIT');
  writer.close();
  await mkdir(join(folder, 'knowledge'));
  const areas = ['areas:', '  zoo: { members: [ann], include_tables: [zebras, zebra_owners] }'];
  await writeFile(join(folder, 'knowledge', 'areas.yml'), `${areas.join('\n')}\n`);
  const settings = [
    'database: sqlite:lake.db',
    'catalog: lake',
    'today: 2024-10-01',
    'search: { embedding: none }',
  ];
  await writeFile(join(folder, 'candor.yml'), `${settings.join('\n')}\n`);
  session = await openProject(await readConfig({ cwd: folder }));
}, 120_000);
afterAll(async () => {
  await session.close();
  await rm(folder, { recursive: true, force: true });
});

const rowsOf = (answer: Answer) => (answer.kind === 'answered' ? answer.rows : answer);

describe('a question over a lake', () => {
  it('is answered from the tables it needs', async () => {
    expect(session.catalog.tables.length).toBeLessThan(50);
    expect(rowsOf(await ask('how many zebras are there?', session))).toEqual([[3]]);
    expect(rowsOf(await ask('what is the average number of stripes of zebras?', session))).toEqual([[33]]);
  });

  it('joins tables that only a key brings in', async () => {
    const answer = await ask('how many zebras does each zebra owner have, by city?', session);
    expect(answer).toMatchObject({ kind: 'answered' });
    expect(answer.kind === 'answered' ? answer.sql : '').toMatch(/zebra_owners/);
  });

  it('finds stored values of the tables it has brought in', async () => {
    const answer = await ask('zebra owners from Bergen', session);
    expect(JSON.stringify(rowsOf(answer))).toContain('Grace');
  });

  it('finds a table outside the scope by its name', async () => {
    const config = { ...session.config, user: 'ann' };
    const anns = await openProject(config);
    try {
      const question = 'zebra owners and shavings';
      expect(await session.lake?.tablesFor(question)).toContain('yak_shavings');
      expect([...((await anns.lake?.tablesFor(question)) ?? [])].sort()).toEqual(['zebra_owners', 'zebras']);
      expect(rowsOf(await ask('total grams in the table yak_shavings', anns))).toEqual([[1000]]);
    } finally {
      await anns.close();
    }
  });

  it('says that it is not there where no table of the lake has it', async () => {
    expect((await ask('how many unicorns are there?', session)).kind).not.toBe('answered');
  });

  it('is recorded with its tables, and replayed over them', async () => {
    const { recordId } = await ask('how many yak shavings are there?', session);
    expect(await replay(recordId, session)).toMatchObject({ same: true });
  });

  it('may be asked of chosen tables', async () => {
    const answer = await ask('how many grams in total?', session, { tables: ['yak_shavings'] });
    expect(answer.kind === 'answered' ? answer.sql : answer.kind).toContain('yak_shavings');
    await expect(ask('how many rows?', session, { tables: ['nowhere'] })).rejects.toMatchObject({
      code: 'catalog.unknown-name',
    });
  });
});

describe('the door of a lake', () => {
  const LIMITS = { rows: 10, bytes: 10_000, timeoutMs: 10_000 };

  it('knows every table that a query may name', async () => {
    const { rows } = await session.database.query('SELECT count(*) FROM yak_shavings', LIMITS);
    expect(rows).toEqual([[2]]);
    const other = `${AREAS[5]}_${ENTITIES[35]}_5`;
    expect((await session.database.query(`SELECT label FROM ${other}`, LIMITS)).rows).toEqual([['a']]);
  });

  it.each([
    ['a table that is not there', 'SELECT * FROM nowhere', 'database.not-visible'],
    ['the engine’s own', 'SELECT * FROM sqlite_master', 'database.not-read-only'],
    ['a column that is not there', 'SELECT horns FROM zebras', 'database.not-visible'],
    ['a write', 'DELETE FROM zebras', 'database.not-read-only'],
    ['no SQL', 'SELECT FROM WHERE', 'sql.parse-failed'],
  ])('refuses %s', async (_, sql, code) => {
    await expect(session.database.query(sql, LIMITS)).rejects.toMatchObject({ code });
  });

  it('runs nothing for who waits for an approval', async () => {
    const waiting = session.withoutExecution();
    const answer = await ask('how many zebras are there?', waiting);
    expect(answer.kind).toBe('answered');
    expect(rowsOf(answer)).toEqual([]);
    const part = await waiting.lake?.within(['zebras']);
    await expect(part?.database.query('SELECT 1', LIMITS)).rejects.toMatchObject({
      code: 'query.not-approved',
    });
  });

  it('shows a person only what they may see', async () => {
    const ann = await session.forUser('ann', { tables: ['zebras'], properties: {} });
    expect((await ann.database.query('SELECT count(*) FROM zebras', LIMITS)).rows).toEqual([[3]]);
    await expect(ann.database.query('SELECT * FROM zebra_owners', LIMITS)).rejects.toMatchObject({
      code: 'database.not-visible',
    });
    expect(await ann.lake?.tablesFor('zebra owners and zebras')).toEqual(['zebras']);
    await expect(ask('how many?', ann, { tables: ['zebra_owners'] })).rejects.toMatchObject({
      code: 'catalog.unknown-name',
    });
    expect(rowsOf(await ask('how many zebras are there?', ann))).toEqual([[3]]);
  });
});
