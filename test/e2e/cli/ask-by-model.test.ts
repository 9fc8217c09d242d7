/** Questions that a language model of a service answers, as a person asks them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer, type Turn } from '../../models/model-server.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

const KEY = 'sk-very-secret-0123456789';
const QUESTION = 'how many customers are there?';

let folder: string;
let server: ModelServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-ask-by-model-'));
  makeShop(join(folder, 'shop.db'));
  server = await startModelServer(({ body }) => replyTo(JSON.stringify(body)));
  expect((await run(['onboard', 'sqlite:shop.db', '--quiet'])).code).toBe(0);
  const path = join(folder, 'candor.yml');
  const model = `model:\n  name: openai:scripted\n  url: ${server.url}\n  key: ${KEY}\n`;
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${model}`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** By what the system message of a role says. */
function replyTo(asked: string): Turn {
  if (asked.includes('validity')) return '{"validity": "ok", "language": "en"}';
  if (asked.includes('\\"keywords\\"')) return '{"keywords": ["customers"]}';
  if (asked.includes('birthstone')) return asked.includes('"tools"') ? LOOK_AGAIN : MENDED;
  // Has to be mended, which takes a second call.
  if (asked.includes('lucky')) return query('SELECT birthstone FROM customers');
  return COUNTED;
}

const query = (sql: string) => JSON.stringify({ query: sql });
const COUNTED = query('SELECT count(*) AS n FROM customers');
const MENDED = `{"isEnough": true, "advice": "", "query": "SELECT count(*) AS n FROM customers"}`;
const LOOK_AGAIN: Turn = { toolCalls: [{ name: 'search_tables', arguments: '{"text": "customers"}' }] };

const run = (argv: readonly string[]) => runCandor(argv, folder);

it('says which model answered, and where the question went', async () => {
  const { code, stdout } = await run(['ask', QUESTION]);
  expect(code).toBe(0);
  expect(stdout).toContain('openai/scripted@127.0.0.1');
  expect(stdout).toContain('sent to 127.0.0.1');
  expect(stdout).not.toContain('$');
});

it('says so in JSON, without a cost that nobody knows', async () => {
  const { code, stdout } = await run(['ask', QUESTION, '--output', 'json']);
  expect(code).toBe(0);
  const { rows, model } = JSON.parse(stdout);
  expect(rows).toEqual([[6]]);
  expect(model).toMatchObject({ mode: 'fast', calls: 1, host: new URL(server.url).host });
  expect(model).not.toHaveProperty('cost');
});

it('asks no model where none is wanted', async () => {
  const before = server.asked.length;
  const { stdout } = await run(['ask', QUESTION, '--model', 'none', '--output', 'json']);
  expect(JSON.parse(stdout)).not.toHaveProperty('model');
  expect(server.asked.length).toBe(before);
});

it('has no mode without a model', async () => {
  const { code, stderr } = await run(['ask', QUESTION, '--model', 'none', '--mode', 'careful']);
  expect(code).toBe(2);
  expect(stderr).toContain('model.none');
});

it.each([
  // The built-in engine gives the same rows as the first query.
  ['one query, where two agree, in', 'careful', [[6]], 1],
  ['three in', 'no-execution', [], 3],
] as const)('draws %s %s mode', async (_, mode, rows, draws) => {
  const { code, stdout } = await run(['ask', QUESTION, '--mode', mode, '--output', 'json']);
  const answer = JSON.parse(stdout);
  expect([code, answer.kind, answer.rows]).toEqual([0, 'answered', rows]);
  expect(answer.model.calls).toBe(draws);
});

it('tells the model nothing of the rows in private mode', async () => {
  const before = server.asked.length;
  const { code } = await run(['ask', 'how many customers are from Lyon?', '--private', '--output', 'json']);
  expect(code).toBe(0);
  expect(server.asked.length).toBeGreaterThan(before);
  const told = JSON.stringify(server.asked.slice(before).map(({ body }) => body.messages));
  expect(told).toContain('customers');
  // The person said Lyon; the other cities are the database's.
  expect(told).not.toMatch(/Paris|Marseille/);
});

it('mends by the model what rules cannot, and a researcher that never ends is ended', async () => {
  const { code, stdout } = await run([
    ...['fix', 'SELECT birthstone, shoesize FROM persons', '--question', QUESTION, '--output', 'json'],
  ]);
  expect([code, JSON.parse(stdout).repaired]).toEqual([0, 'SELECT count(*) AS n FROM customers']);
});

it('ends with the budget of the question', async () => {
  const path = join(folder, 'candor.yml');
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, `${whole.trimEnd()}\n  calls: 1\n`);
  const { code, stderr } = await run(['ask', 'which customers are lucky?']);
  writeFileSync(path, whole);
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('model.budget-spent')]);
  expect(code).not.toBe(0);
});

it('fails where nobody answers, without the key and without an answer of the engine', async () => {
  const path = join(folder, 'candor.yml');
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.replace(server.url, 'http://127.0.0.1:9/v1'));
  const { code, stdout, stderr } = await run(['ask', QUESTION]);
  writeFileSync(path, whole);
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('model.unreachable');
  expect(stderr).not.toContain(KEY);
});
