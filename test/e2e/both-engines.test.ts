/** The same question on the same data is the same answer, whichever engine holds the data. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../src/answering/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { makeMotors } from '../../src/demo/index.ts';
import { readSuite } from '../../src/lab/corpus/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { SUITE_CACHE } from './open-suite.ts';
import { outcomeOf } from './outcome-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-engines-'));
const NOW = new Date('2024-12-31T12:00:00Z');
const sessions: Session[] = [];

beforeAll(async () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  cpSync(join(root, 'examples/motors'), folder, { recursive: true });
  for (const engine of ['sqlite', 'duckdb'] as const) {
    const file = join(folder, `motors.${engine}`);
    await makeMotors(file, { engine, scale: 0.1 });
    const config = await readConfig({ cwd: folder, project: folder, database: `${engine}:${file}` });
    sessions.push(await openSession(config));
  }
});

afterAll(async () => {
  for (const session of sessions) await session.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('SQLite and DuckDB', () => {
  it('give the same outcome and the same rows for every Motors question', async () => {
    const { cases } = await readSuite('motors', { cacheDirectory: SUITE_CACHE });
    expect(cases.length).toBe(60);
    for (const { question } of cases) {
      const [sqlite, duckdb] = await Promise.all(
        sessions.map((session) => ask(question, session, { now: NOW, record: false })),
      );
      expect(outcomeOf(duckdb), question).toEqual(outcomeOf(sqlite));
    }
  });
});
