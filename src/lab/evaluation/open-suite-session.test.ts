import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvaluationCase, Suite } from '../corpus/index.ts';
import { openSuiteSession } from './open-suite-session.ts';
import { runSuite } from './run-suite.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-suite-session-'));
  for (const [name, rows] of Object.entries({ garage: 2, harbour: 3 })) {
    const database = new DatabaseSync(join(folder, `${name}.db`));
    database.exec('CREATE TABLE vehicle (id INTEGER PRIMARY KEY, colour TEXT)');
    for (let i = 0; i < rows; i += 1) database.exec("INSERT INTO vehicle (colour) VALUES ('red')");
    database.close();
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

it('asks the product itself, opening each database once and keeping its derived files', async () => {
  const cases = ['garage', 'garage', 'harbour'].map(
    (database, index): EvaluationCase => ({
      id: `q${index}`,
      index,
      database,
      databaseUrl: `sqlite:${join(folder, `${database}.db`)}`,
      question: 'How many vehicles are there?',
      tags: [],
      now: '2024-12-31',
      expect: { kind: 'answered', sql: 'SELECT count(*) FROM vehicle', orderMatters: false },
    }),
  );
  const suite: Suite = { name: 'chinook', cases, policy: 'answer', excluded: { cases: 0, why: '' } };
  const opened: string[] = [];
  const cacheDirectory = join(folder, 'cache');
  const session = openSuiteSession(suite, { cacheDirectory, onOpen: (name) => opened.push(name) });
  try {
    const report = await runSuite(suite, { ask: session.ask, out: join(folder, 'out') });
    expect(report.records.map(({ verdict, outcome }) => [verdict, outcome])).toEqual(
      cases.map(() => ['right', 'answered']),
    );
  } finally {
    await session.close();
  }
  expect(opened).toEqual(['garage', 'harbour']);
  expect(existsSync(join(cacheDirectory, 'derived', 'garage'))).toBe(true);
  // Asking for evaluation leaves no record behind.
  expect(existsSync(join(cacheDirectory, 'derived', 'garage', 'records'))).toBe(false);
});

it('abstains below the probability that is asked for', async () => {
  const question = {
    id: 'q0',
    database: 'garage',
    databaseUrl: `sqlite:${join(folder, 'garage.db')}`,
    question: 'How many vehicles are there?',
    now: '2024-12-31',
  };
  const suite: Suite = { name: 'chinook', cases: [], policy: 'answer', excluded: { cases: 0, why: '' } };
  const options = { cacheDirectory: join(folder, 'cache'), minProbability: 1 };
  const session = openSuiteSession(suite, options);
  try {
    const answer = await session.ask(question, new AbortController().signal);
    expect(answer.kind).toBe('abstain');
  } finally {
    await session.close();
  }
});
