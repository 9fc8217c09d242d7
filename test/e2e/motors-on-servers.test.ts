/** The demo's questions on database servers: the same outcomes and the same rows as on the file. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeMotors } from '../../src/demo/index.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';
import { answerMotors } from './answer-motors.ts';
import { loadMotors, MYSQL_TYPES, POSTGRES_TYPES } from './motors-on-server.ts';
import { outcomeOf } from './outcome-of.ts';

const SIZE = { seed: 20_240_331, scale: 0.1 };
const folder = mkdtempSync(join(tmpdir(), 'candor-servers-'));
const expected = new Map<string, unknown>();

beforeAll(async () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  cpSync(join(root, 'examples/motors'), folder, { recursive: true });
  const file = join(folder, 'motors.db');
  await makeMotors(file, { engine: 'sqlite', ...SIZE });
  const answers = await answerMotors(folder, `sqlite:${file}`);
  for (const [question, answer] of answers) expected.set(question, outcomeOf(answer));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SERVERS = [
  { name: 'postgres', server: postgresServer, types: POSTGRES_TYPES },
  { name: 'mariadb', server: mariadbServer, types: MYSQL_TYPES },
] as const;

for (const { name, server, types } of SERVERS) {
  describeWithServer(name, `Motors on ${name}`, () => {
    it('answers every question as on the file', async () => {
      const database = await (await server()).createDatabase('motors');
      await loadMotors((sql) => database.run(sql), types, SIZE);
      const answers = await answerMotors(folder, database.url);
      expect(answers.size).toBe(60);
      const different = [...answers].filter(
        ([question, answer]) => JSON.stringify(outcomeOf(answer)) !== JSON.stringify(expected.get(question)),
      );
      expect(
        different.map(([question, answer]) => ({
          question,
          got: outcomeOf(answer),
          want: expected.get(question),
        })),
      ).toEqual([]);
      await database.drop();
    });
  });
}
