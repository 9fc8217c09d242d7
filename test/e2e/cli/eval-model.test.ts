/** `candor eval --model`: a suite is asked through a real service, its replies are kept, and given back without it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../models/model-server.ts';
import { runCandor } from './run-candor.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-eval-model-'));
let server: ModelServer;

beforeAll(async () => {
  const sql = 'SELECT COUNT(*) FROM orders WHERE is_deleted = 0';
  const reply = JSON.stringify({ thinking: 'count', outcome: 'answered', title: 'orders', sql });
  // The first request waits for the second: asked one after the other, the run would not end.
  let letGo = (): void => undefined;
  const second = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server = await startModelServer(async (_, index) => {
    if (index === 1) letGo();
    await second;
    return { text: reply, usage: { prompt: 1_000, completion: 50, cached: 400 } };
  });
  const model = `model:\n  name: openai:scripted\n  url: ${server.url}\n  price: { prompt: 1, completion: 2 }\n`;
  writeFileSync(join(folder, 'candor.yml'), `database: sqlite:none.db\n${model}`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function evaluate(...argv: readonly string[]) {
  return runCandor(['eval', 'motors', '--limit', '6', '--output', 'json', ...argv], folder);
}

const ASKED = ['--model', 'openai:scripted'];

it('asks with the model of candor.yml, many at once, and tells what it took', async () => {
  const { code, stdout } = await evaluate(...ASKED, '--record', 'kept');
  expect(code).toBe(0);
  const { cases, metrics } = JSON.parse(stdout);
  expect(cases).toBe(6);
  expect(metrics.promptTokens).toBeGreaterThanOrEqual(1_000 * metrics.calls - 1);
  expect(metrics.cost).toBeGreaterThan(0);
  expect(metrics.promptTokensP95).toBeGreaterThanOrEqual(metrics.promptTokens);
  expect(metrics.lookUps).toBeCloseTo(
    metrics.databaseQueries + metrics.plans + metrics.valueSearches + metrics.vectorSearches,
    1,
  );
  expect(server.mostAtOnce()).toBeGreaterThan(1);
});

it('keeps with each case what was looked up for it, and nothing of the opening of the database', async () => {
  const [file = ''] = readdirSync(join(folder, 'out/eval'));
  const cases = readFileSync(join(folder, 'out/eval', file), 'utf8')
    .trim()
    .split('\n');
  const lookUps = cases.map((line) => JSON.parse(line).lookUps as Record<string, number>);
  expect(lookUps.some(({ queries = 0 }) => queries > 0)).toBe(true);
  // To onboard Motors takes hundreds.
  expect(Math.max(...lookUps.map(({ queries = 0 }) => queries))).toBeLessThan(40);
});

it('gives the same outcomes from the recording, and asks nobody', async () => {
  const before = server.asked.length;
  const { code, stdout, stderr } = await evaluate(...ASKED, '--replay', 'kept');
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(stdout).cases).toBe(6);
  expect(server.asked).toHaveLength(before);
  expect(readdirSync(join(folder, 'kept')).length).toBeGreaterThan(0);
});

it('names the cases whose prompts are new', async () => {
  const { code, stdout } = await runCandor(
    ['eval', 'motors', '--limit', '7', ...ASKED, '--replay', 'kept', '--arm', 'plain'],
    folder,
  );
  expect(code).toBe(0);
  expect(stdout).toContain('7 have a prompt that was not recorded: ');
  expect(stdout).toContain('openai:scripted alone: 7 cases');
});

it('asks the model alone', async () => {
  const before = server.asked.length;
  const { code, stdout } = await evaluate(...ASKED, '--arm', 'plain');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).metrics.calls).toBe(1);
  expect(server.asked.length - before).toBe(6);
  expect(JSON.stringify(server.asked.at(-1)?.body)).toContain('# Semantic model');
});

it.each([
  [['--arm', 'plain'], 'model.none'],
  [['--mode', 'fast'], 'model.none'],
  [['--record', 'x'], 'model.none'],
  [['--max-cost', '1'], 'model.none'],
  [[...ASKED, '--record', 'x', '--replay', 'y'], 'test.invalid-options'],
  [[...ASKED, '--replay', 'nowhere'], 'test.invalid-options'],
  [[...ASKED, '--arm', 'plain', '--mode', 'fast'], 'test.invalid-options'],
  [[...ASKED, '--arm', 'plain', '--private', '--limit', '1'], null],
])('%j', async (argv, code) => {
  const run = await evaluate(...argv);
  if (code === null) expect(JSON.parse(run.stdout).metrics.outcomeAccuracy).toBe(0);
  else expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(code)]);
});
