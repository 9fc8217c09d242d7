/** Reviews, corrections and training as a person gives them, with the model that comes with Candor. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/index.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-review-'));
  makeShop(join(folder, 'shop.db'));
  expect((await run(['onboard', 'sqlite:shop.db', '--quiet'])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], given: Partial<Io> = {}) => runCandor(argv, folder, given);
const SQL = "SELECT name FROM customers WHERE city = 'Lyon'";
const QUESTION = 'Which customers are in Lyon?';

describe('candor review', () => {
  it('prints the query, what stands out, the risk and what to do', async () => {
    const { stdout, stderr } = await run(['review', SQL, '--question', QUESTION]);
    expect(stderr).toBe('');
    expect(stdout).toContain('FROM customers');
    expect(stdout).toMatch(/risk of the query {2}[<>]?\d+ %/);
    expect(stdout).toMatch(/^(?:Answer|Warn|Abstain): /m);
  });

  it('repairs a misspelled name, and says what it did', async () => {
    const { stdout } = await run(['review', '--repair', "SELECT nmae FROM customers WHERE city = 'Lyon'"]);
    expect(stdout).toContain('nmae → name');
    expect(stdout).toContain('certain  no table here has a column nmae (there is name)');
    expect(stdout).not.toContain('no table or column has this name');
    expect(stdout).not.toContain('No rule knows');
  });

  const STORE = ', and store what it should have been with --question and --corrected';
  it.each([
    ['is like no name', 'SELECT zzz FROM customers', `No rule knows a repair: correct it by hand${STORE}.`],
    ['is no SQL', 'SELECT name FROM WHERE', 'No rule knows a repair: correct it by hand.'],
  ])('says in one line that it cannot repair what %s', async (_, sql, line) => {
    expect((await run(['review', sql, '--repair'])).stdout.trimEnd().split('\n').at(-1)).toBe(line);
    expect((await run(['review', sql])).stdout).not.toContain('No rule knows');
  });

  it('has nothing to repair where it would answer', async () => {
    const { stdout } = await run(['review', SQL, '--question', QUESTION, '--target-risk', '0.9', '--repair']);
    expect(stdout).toMatch(/^Answer: .*\n\nNothing to repair\.$/m);
  });

  it('prints JSON for scripts, with exit code 13 for what would not run', async () => {
    const { code, stdout } = await run(['review', 'SELECT nmae FROM customers', '--output', 'json']);
    expect(code).toBe(13);
    expect(JSON.parse(stdout)).toMatchObject({
      sql: 'SELECT nmae FROM customers',
      assessment: { queryRisk: 1, units: [{ text: 'nmae', probability: 1, span: { start: 7, end: 11 } }] },
      faults: [{ kind: 'unknown-column', instead: ['name'] }],
      decision: { action: 'abstain' },
    });
  });

  it('fails for its risk only where a target was named', async () => {
    expect((await run(['review', SQL, '--question', QUESTION])).code).toBe(0);
    expect((await run(['review', SQL, '--question', QUESTION, '--target-risk', '0.001'])).code).toBe(13);
  });

  it('reads standard input, and has a result for what is no SQL', async () => {
    const readInput = async () => 'SELECT name\nFROM WHERE\n';
    const { code, stdout } = await run(['review', '-'], { readInput });
    expect(code).toBe(13);
    expect(stdout).toContain('The query could not be looked at: does not parse.');
    expect(stdout).toContain('line 2, column 6');
  });

  it('refuses what does more than read', async () => {
    const { code, stdout } = await run(['review', 'DELETE FROM customers']);
    expect(code).toBe(12);
    expect(stdout).toContain('Reject: it is no query that only reads');
    expect(stdout).not.toContain('risk of the query');
    expect((await run(['review', 'DELETE FROM customers', '--repair'])).stdout).toBe(stdout);
  });

  it('shows no control characters of the query', async () => {
    const { stdout } = await run(['review', "SELECT '\u001b[31m' FROM customers", '--repair']);
    expect(stdout).not.toContain('\u001b');
  });

  it.each([
    ['nothing to review', ['review']],
    ['standard input that is not there', ['review', '-']],
    ['a target that is no share', ['review', SQL, '--target-risk', '10']],
    ['a correction without a question', ['review', SQL, '--corrected', 'SELECT id FROM customers']],
    [
      'a correction that would not run',
      ['review', SQL, '--question', QUESTION, '--corrected', 'SELECT x FROM y'],
    ],
  ])('refuses %s', async (_, argv) => {
    const { code, stdout, stderr } = await run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('stores a correction once and lists it', async () => {
    const argv = ['review', SQL, '--question', QUESTION, '--corrected', 'SELECT COUNT(*) FROM customers'];
    expect((await run(argv)).stdout).toBe('added to knowledge/edits.jsonl\n');
    expect((await run(argv)).stdout).toBe('it is in knowledge/edits.jsonl already\n');
    expect(readFileSync(join(folder, 'knowledge', 'edits.jsonl'), 'utf8').split('\n')).toHaveLength(2);
    expect((await run(['review', '--edits'])).stdout).toContain('is now  SELECT COUNT(*) FROM customers');
  });
});

describe('candor ask --target-risk', () => {
  it('abstains with the weakest part named, and the project may set the target', async () => {
    const asked = await run(['ask', 'how many customers are in Lyon?', '--target-risk', '0.001']);
    expect(asked.code, asked.stdout).toBe(13);
    expect(asked.stdout).toContain('Too likely wrong');
  });

  it('says the risk in one line', async () => {
    const { stdout } = await run(['ask', 'how many customers are in Lyon?']);
    expect(stdout).toMatch(/^risk +[<>]?\d+ %.*; (?:weakest: |no part stands out)/m);
  });
});

describe('candor train uncertainty', () => {
  beforeAll(async () => {
    const corrected = ['--question', QUESTION, '--corrected', 'SELECT COUNT(*) FROM customers'];
    expect((await run(['review', SQL, ...corrected])).code).toBe(0);
  });

  it('says how many questions are missing', async () => {
    const { code, stderr } = await run(['train', 'uncertainty', '--quiet']);
    expect(code).toBe(2);
    expect(stderr).toContain('39 more');
  });

  it('measures on questions held out, and writes only what is better', async () => {
    const examples = join(folder, 'examples');
    mkdirSync(examples, { recursive: true });
    for (let day = 1; day <= 44; day += 1)
      writeFileSync(
        join(examples, `pair-${day}.sql`),
        `-- question: How many orders have an amount above ${day} and a customer in ${day % 2 ? 'Lyon' : 'Nice'}?\nSELECT COUNT(*) FROM orders JOIN customers ON orders.customer_id = customers.id WHERE orders.amount > ${day} AND customers.city = '${day % 2 ? 'Lyon' : 'Nice'}'\n`,
      );
    const model = join(folder, '.candor', 'uncertainty.model');
    const { code, stdout, stderr } = await run(['train', 'uncertainty', '--quiet', '--output', 'json']);
    expect(code, stderr).toBe(0);
    const said = JSON.parse(stdout);
    expect(said).toMatchObject({ questions: 45, heldOutQuestions: 11, isWritten: said.choice !== 'known' });
    expect(existsSync(model)).toBe(said.isWritten);
    expect((await run(['review', SQL, '--question', QUESTION])).stdout).toContain('risk of the query');
  }, 240_000);
});
