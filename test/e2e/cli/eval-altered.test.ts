/** `candor eval altered` over a small data set in Spider's form, without the benchmark data. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCandor } from './run-candor.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-eval-altered-'));
  const home = join(folder, 'spider', 'database', 'clinic');
  mkdirSync(home, { recursive: true });
  const database = new DatabaseSync(join(home, 'clinic.sqlite'));
  database.exec('CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT, ward TEXT, weight INTEGER)');
  database.exec(
    "INSERT INTO patient (name, ward, weight) VALUES ('Ada', 'North', 61), ('Bo', 'South', 72), ('Cy', 'South', 85)",
  );
  database.close();
  const rows = [
    ['How many patients are there?', 'SELECT count(*) FROM patient'],
    ['Which patients are heavier than 70?', 'SELECT name FROM patient WHERE weight > 70'],
  ].map(([question, query]) => ({ db_id: 'clinic', question, query }));
  writeFileSync(join(folder, 'spider', 'dev.json'), JSON.stringify(rows));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const altered = (...argv: readonly string[]) =>
  runCandor(['eval', 'altered', '--quiet', ...argv], folder, { env: { CANDOR_DATA: folder } });

describe('candor eval altered', () => {
  it('prints one line of figures, and a table with what was made', async () => {
    const { code, stdout, stderr } = await altered('--suite', 'spider', '--limit', '1', '--output', 'json');
    expect(code, stderr).toBe(0);
    const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(summary).toMatchObject({ suite: 'altered', seed: 1, questions: 1, right: 1 });
    expect(summary.kinds.insert).toMatchObject({ made: 4, notMade: 0 });
    expect(summary.metrics.insertedAnsweredOver).toBeGreaterThanOrEqual(0);
    const [file = ''] = readdirSync(join(folder, 'out', 'eval'));
    const table = await altered('--suite', 'spider', '--resume', join('out', 'eval', file));
    expect(table.stdout).toMatch(/2 questions[\s\S]+inserted restrictions answered over[\s\S]+not made/);
  });

  it.each([
    ['a suite that is not there', ['--suite', 'nothing'], 'There is no suite nothing'],
    ['data that is not there', ['--suite', 'sakila'], 'sakila'],
    ['words that are not there', ['--suite', 'spider', '--words', 'no.yml'], 'no.yml'],
    ['a seed that is no number', ['--seed', 'x'], 'whole number'],
  ])('%s is an error', async (_, argv, message) => {
    const { code, stderr } = await altered(...argv);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
