/** Questions that a language model of a service answers, as a person asks them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../models/model-server.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

const KEY = 'sk-very-secret-0123456789';
const QUESTION = 'how many customers are there?';

let folder: string;
let server: ModelServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-ask-by-model-'));
  makeShop(join(folder, 'shop.db'));
  server = await startModelServer([JSON.stringify({ query: 'SELECT count(*) AS n FROM customers' })]);
  expect((await run(['onboard', 'sqlite:shop.db', '--quiet'])).code).toBe(0);
  const path = join(folder, 'candor.yml');
  const model = `model:\n  name: openai:scripted\n  url: ${server.url}\n  key: ${KEY}\n`;
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${model}`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

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
