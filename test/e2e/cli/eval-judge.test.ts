/** `candor eval --judge`: a real service rates the answers of the built-in engine, well and badly. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CaseRecord } from '../../../src/lab/evaluation/index.ts';
import { type ModelServer, startModelServer, type Turn } from '../../models/model-server.ts';
import { runCandor } from './run-candor.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-eval-judge-'));
let server: ModelServer;
let reply: (asked: string) => Turn;

beforeAll(async () => {
  server = await startModelServer(({ body }) => reply(JSON.stringify(body)));
  const model = `model:\n  name: openai:judge\n  url: ${server.url}\n`;
  writeFileSync(join(folder, 'candor.yml'), `database: sqlite:none.db\n${model}`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => rmSync(join(folder, 'out'), { recursive: true, force: true }));

const evaluate = (...argv: readonly string[]) =>
  runCandor(['eval', 'motors', '--limit', '8', '--judge', 'openai:judge', ...argv], folder);

function readCases(): readonly CaseRecord[] {
  const [file = ''] = readdirSync(join(folder, 'out/eval'));
  const lines = readFileSync(join(folder, 'out/eval', file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as CaseRecord);
}

const rate = (score: unknown, flags: readonly string[] = []) =>
  JSON.stringify({ because: 'as the right query', flags, score });

it('rates what was answered, and says how often it agrees with running the queries', async () => {
  reply = () => rate(5, ['efficiency', 'beauty']);
  const { code, stdout, stderr } = await evaluate('--output', 'json');
  expect(code, stderr).toBe(0);
  const cases = readCases();
  const due = cases.filter(({ expected }) => expected === 'answered');
  const answered = due.filter(({ outcome }) => outcome === 'answered');
  expect(answered.length).toBeGreaterThan(2);
  for (const { rubric } of answered)
    expect(rubric).toEqual({
      ...{ by: 'openai:judge', score: 5, because: 'as the right query' },
      // What the rubric has no name for is something else.
      flags: ['efficiency', 'other'],
    });
  for (const { rubric } of cases.filter(({ expected }) => expected !== 'answered'))
    expect(rubric).toBeUndefined();
  expect(server.asked).toHaveLength(answered.length);
  const { metrics } = JSON.parse(stdout);
  const agreed = due.filter(({ outcome, correct }) => (outcome === 'answered') === correct).length;
  expect(metrics.rubricAgreement).toBeCloseTo((100 * agreed) / due.length, 1);
  expect(metrics.rubricGood).toBeCloseTo((100 * answered.length) / due.length, 1);
});

it('sees the question, the answer and every right query', async () => {
  const before = server.asked.length;
  reply = () => rate(3);
  await evaluate();
  const [first] = server.asked.slice(before);
  const answered = readCases().find(({ rubric, sql }) => rubric !== undefined && sql !== undefined);
  const asked = JSON.stringify(first?.body);
  expect(asked).toContain(answered?.question);
  expect(asked).toContain('right query 1 of ');
});

it.each([
  ['a score that the rubric does not have', () => rate(9), 'model.invalid-reply'],
  ['words', () => 'Give me five: 5!', 'model.invalid-reply'],
  ['a service that refuses', (): Turn => ({ fault: 'status', status: 401 }), 'model.refused'],
])('%s costs a case its rating alone', async (_, said, code) => {
  reply = said;
  const { code: exit, stdout } = await evaluate();
  expect(exit).toBe(0);
  expect(stdout).toContain(`were not rated by the judge: ${code}`);
  expect(stdout).toMatch(/execution accuracy +[1-9]/);
});

it.each([
  [['--private'], 'test.invalid-options'],
  [['--judge', 'none'], 'model.none'],
])('does not begin with %j', async (argv, code) => {
  const before = server.asked.length;
  const { code: exit, stderr } = await evaluate(...argv);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(code)]);
  expect(server.asked).toHaveLength(before);
});
