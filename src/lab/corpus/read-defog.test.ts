import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithServer, postgresServer } from '../../../test/servers/server-of-run.ts';
import { connect } from '../../database/index.ts';
import { readSuite } from './read-suite.ts';

let folder = '';

const QUESTIONS = `question,query,db_name,query_category,instructions
"Which pet is "the oldest" here?","SELECT {name,id} FROM pet ORDER BY age DESC LIMIT 1;",pets_test,order_by,Match names exactly.
How many pets?,SELECT COUNT(*) FROM pet;SELECT 2;,pets_test,group_by,
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-defog-'));
  await mkdir(join(folder, 'defog', 'questions'), { recursive: true });
  await mkdir(join(folder, 'defog', 'databases', 'pets_test'), { recursive: true });
  await writeFile(join(folder, 'defog', 'questions', 'questions_gen_postgres.csv'), QUESTIONS);
  await writeFile(
    join(folder, 'defog', 'databases', 'pets_test', 'pets_test.sql'),
    "CREATE TABLE pet (id int, name text, age int); INSERT INTO pet VALUES (1, 'Rex', 3), (2, 'Tom', 9);",
  );
});

afterAll(() => rm(folder, { recursive: true }));

it('says that defog needs a server', () =>
  expect(readSuite('defog', { dataDirectory: folder })).rejects.toMatchObject({
    code: 'eval.server-missing',
  }));

describeWithServer('postgres', 'the suite defog', () => {
  it('loads its databases anew and reads every gold query that is right', async () => {
    const server = await postgresServer();
    const read = () => readSuite('defog', { dataDirectory: folder, serverUrl: server.adminUrl });
    await read();
    const { cases } = await read();
    expect(cases).toEqual([
      expect.objectContaining({
        question: 'Which pet is "the oldest" here?',
        hint: 'Match names exactly.',
        category: 'order_by',
        expect: {
          kind: 'answered',
          sql: 'SELECT name, id FROM pet ORDER BY age DESC LIMIT 1',
          alternatives: [
            'SELECT name FROM pet ORDER BY age DESC LIMIT 1',
            'SELECT id FROM pet ORDER BY age DESC LIMIT 1',
          ],
          orderMatters: true,
        },
      }),
      expect.objectContaining({
        expect: {
          kind: 'answered',
          sql: 'SELECT COUNT(*) FROM pet',
          alternatives: ['SELECT 2'],
          orderMatters: false,
        },
      }),
    ]);
    const database = await connect(cases[0]!.databaseUrl);
    const limits = { rows: 10, bytes: 1e6, timeoutMs: 10_000 };
    try {
      expect((await database.query('SELECT COUNT(*)::int FROM pet', limits)).rows).toEqual([[2]]);
    } finally {
      await database.close();
      await server.run('DROP DATABASE candor_defog_pets_test WITH (FORCE)');
    }
  });
});
