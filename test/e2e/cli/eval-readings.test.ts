/** `candor eval readings`: questions with several readings, asked of a real service over HTTP that says what the test tells it to. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/answer.ts';
import { connect } from '../../../src/database/index.ts';
import { questionFile } from '../../../src/lab/corpus/index.ts';
import { GOLD_LIMITS } from '../../../src/lab/evaluation/comparators/run-query.ts';
import {
  judgeReadings,
  readReadingsCases,
  runReadings,
} from '../../../src/lab/suites/readings/run-readings.ts';
import { type ModelServer, startModelServer } from '../../models/model-server.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

const ABOVE_50 = 'SELECT COUNT(*) FROM orders WHERE amount > 50';
const ABOVE_90 = 'SELECT COUNT(*) FROM orders WHERE amount > 90';
const READINGS = [
  { meaning: 'above 50', sql: ABOVE_50, likely: 0.6 },
  { meaning: 'above 90', sql: ABOVE_90, likely: 0.4 },
];

const folder = mkdtempSync(join(tmpdir(), 'candor-eval-readings-'));
let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer(() => {
    const reply = { thinking: 'count', outcome: 'answered', title: 'orders', sql: ABOVE_50 };
    return { text: JSON.stringify(reply), usage: { prompt: 1_000, completion: 50 } };
  });
  writeFileSync(
    join(folder, 'candor.yml'),
    `database: sqlite:none.db\nmodel:\n  name: openai:scripted\n  url: ${server.url}\n`,
  );
  makeShop(join(folder, 'shop.sqlite'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const base = { question: 'how many', related: [], recordId: 'r', thinkMs: 1 } as const;
const answered: Answer = {
  ...{ ...base, kind: 'answered', sql: ABOVE_50, columns: [], rows: [], truncatedBy: null, explanation: '' },
  ...{ evidence: [], assumptions: [], checks: [], alternatives: [] },
};
const choice = { choice: 'b', label: 'above 90', sql: `${ABOVE_90} AND 1 = 1` };
const assumed: Answer = { ...answered, assumptions: [{ kind: 'model', text: 'a', alternatives: [choice] }] };
const asks = (...options: readonly { label: string; question: string; sql?: string }[]): Answer => ({
  ...{ ...base, kind: 'clarify', gap: 'intent', phrase: '', ask: 'which?', options },
});

describe('the verdict of a question with two readings', () => {
  it.each<readonly [string, Answer, number, string]>([
    ['the reading that was meant', answered, 0, 'right'],
    ['another reading', answered, 1, 'wrong'],
    ['another one, with the one meant as a choice', assumed, 1, 'choice'],
    [
      'another one, with the one meant as an alternative',
      { ...answered, alternatives: [{ label: 'x', question: 'x', sql: ABOVE_90 }] },
      1,
      'choice',
    ],
    ['a query that fails', { ...answered, sql: 'SELECT paw FROM orders' }, 0, 'wrong'],
    ['a question back with the one meant', asks({ label: 'x', question: 'x', sql: ABOVE_90 }), 1, 'settles'],
    ['a question back without it', asks({ label: 'x', question: 'x', sql: ABOVE_90 }), 0, 'unsettled'],
    ['a question back without queries', asks({ label: 'x', question: 'x' }), 0, 'unsettled'],
    ['an abstention', { ...base, kind: 'abstain', reason: 'unsure', candidates: [] }, 0, 'declined'],
  ])('%s', async (_, answer, meant, verdict) => {
    const database = await connect(`sqlite:${join(folder, 'shop.sqlite')}`);
    const setting = { database, limits: GOLD_LIMITS, signal: new AbortController().signal };
    try {
      const golds = await runReadings({ readings: READINGS }, setting);
      if ('ok' in golds) throw new Error(golds.error.message);
      expect((await judgeReadings(answer, { golds, meant }, setting)).verdict).toBe(verdict);
    } finally {
      await database.close();
    }
  });
});

const CASES = [
  { id: 'right', kind: 'ambiguous', meant: 0, readings: READINGS },
  { id: 'wrong', kind: 'ambiguous', meant: 1, readings: READINGS },
  { id: 'clear', kind: 'clear', meant: 0, readings: READINGS.slice(0, 1) },
  {
    id: 'broken',
    kind: 'clear',
    meant: 0,
    readings: [{ meaning: 'none', sql: 'SELECT 1 FROM gone', likely: 1 }],
  },
].map((row) => ({
  ...row,
  database: 'shop.sqlite',
  question: `how many large orders are there? (${row.id})`,
}));

function write(cases: readonly unknown[]): void {
  writeFileSync(join(folder, 'cases.jsonl'), cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

function evaluate(...argv: readonly string[]) {
  return runCandor(['eval', 'readings', 'cases.jsonl', ...argv], folder);
}

describe('a run with a model', () => {
  it('counts what came, holds it against the bars, and goes on where it stopped', async () => {
    write(CASES);
    const asked = ['--model', 'openai:scripted', '--output', 'json', '--concurrency', '4'];
    const { code, stdout, stderr } = await evaluate(...asked, '--record', 'kept', '--limit', '2');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(stdout)).toMatchObject({ suite: 'readings', cases: 2 });
    const [, file = ''] = /^every question: (.+)$/m.exec((await evaluate('--limit', '2')).stdout) ?? [];
    const foreign = await evaluate(...asked, '--resume', file);
    expect(foreign.stderr).toContain('eval.run-invalid');
    const whole = await evaluate(...asked, '--record', 'kept');
    expect(JSON.parse(whole.stdout)).toMatchObject({
      cases: 4,
      metrics: { right: 50, wrongWithoutChoice: 50, choiceAmongWrong: 0, clearRight: 100, clearAskedBack: 0 },
      bars: [
        { name: 'choiceAmongWrong', least: 80, isMet: false },
        { name: 'askedUnsettled', most: 5, isMet: true },
      ],
    });
    const before = server.asked.length;
    const replayed = await evaluate('--model', 'openai:scripted', '--replay', 'kept');
    expect(server.asked).toHaveLength(before);
    expect(replayed.stdout).toContain('2 right, 1 wrong, 1 gold-failed');
    expect(replayed.stdout).toMatch(
      /of wrong answers: at least 80 %, missed\n.*settles nothing: at most 5 %, met\n/,
    );
    const [, kept = ''] = /^every question: (.+)$/m.exec(replayed.stdout) ?? [];
    expect(readFileSync(kept, 'utf8')).toContain('"meant":"above 90","verdict":"wrong"');
  }, 120_000);
});

describe('a file of questions with readings', () => {
  const [right] = CASES;
  it.each([
    ['one reading that is called ambiguous', { ...right, readings: READINGS.slice(0, 1) }],
    ['a reading that is meant and not there', { ...right, meant: 2 }],
    ['a key that there is not', { ...right, gold: 'SELECT 1' }],
  ])('with %s is refused', async (_, row) => {
    write([row]);
    expect((await evaluate()).stderr).toContain('eval.case-invalid');
  });

  it('of our own is read', async () => {
    const cases = await readReadingsCases(questionFile('readings.jsonl'));
    expect(cases.filter(({ kind }) => kind === 'ambiguous')).toHaveLength(40);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(60);
    const hard = await readReadingsCases(questionFile('hard.jsonl'));
    expect(hard.map(({ kind }) => kind)).toEqual(Array.from({ length: 40 }, () => 'clear'));
  });
});
