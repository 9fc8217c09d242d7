import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ModelServer, startModelServer, type Turn } from '../../models/model-server.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

const KEY = 'sk-very-secret-0123456789';
const FINDINGS = z.object({
  findings: z.array(
    z.object({ name: z.string(), status: z.string(), detail: z.string(), next: z.string().optional() }),
  ),
});

let folder: string;
let server: ModelServer;
let turn: Turn;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-doctor-'));
  makeShop(join(folder, 'shop.db'));
  server = await startModelServer(() => turn);
});
beforeEach(() => {
  turn = '{"ok": true}';
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Given {
  /** Lines under `model:`; absent: none is named. */
  readonly model?: readonly string[];
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The model's line, which never shows the key. */
async function lineOf({ model = [], flags = [], env = {} }: Given) {
  const section = model.length === 0 ? '' : `model:\n${model.map((line) => `  ${line}\n`).join('')}`;
  writeFileSync(join(folder, 'candor.yml'), `database: sqlite:shop.db\n${section}`);
  const { stdout } = await runCandor(['doctor', '--output', 'json', ...flags], folder, { env });
  expect(stdout).not.toContain(KEY);
  return FINDINGS.parse(JSON.parse(stdout)).findings.find(({ name }) => name === 'model');
}

const served = () => ['name: openai:some-model', `url: ${server.url}`, `key: ${KEY}`];

describe('the model in candor doctor', () => {
  it('is none where none is named', async () => {
    expect(await lineOf({})).toMatchObject({
      status: 'ok',
      detail: 'none named: the built-in engine answers',
    });
    expect(await lineOf({ model: served(), flags: ['--model', 'none'] })).toMatchObject({
      detail: 'none named: the built-in engine answers',
    });
  });

  it('is named with its host and whether a key is there, and asked nothing', async () => {
    const before = server.asked.length;
    expect(await lineOf({ model: ['name: openai:gpt-4.1'], env: { OPENAI_API_KEY: KEY } })).toMatchObject({
      status: 'ok',
      detail: 'openai:gpt-4.1 at api.openai.com; a key is there',
    });
    expect(await lineOf({ model: ['name: openai:gpt-4.1'] })).toMatchObject({
      status: 'warning',
      detail: 'openai:gpt-4.1 at api.openai.com; no key',
    });
    expect(
      await lineOf({ model: ['name: openai:llama', `url: ${server.url}`, 'private: true'] }),
    ).toMatchObject({ status: 'ok', detail: expect.stringMatching(/; no key; private mode$/) });
    expect(await lineOf({ model: ['name: anthropic:claude-sonnet-4-5'] })).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('there is no key for api.anthropic.com'),
    });
    expect(server.asked.length).toBe(before);
  });

  it('is asked once with --ask-model', async () => {
    const before = server.asked.length;
    expect(await lineOf({ model: served(), flags: ['--ask-model'] })).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/; a key is there; reachable, replied in \d+\.\d s, with JSON$/),
    });
    expect(server.asked.length).toBe(before + 1);
    expect(JSON.stringify(server.asked.at(-1)?.body)).not.toContain('customers');
  });

  it.each<[string, Turn, string, RegExp]>([
    ['words', 'Sure! Here you go.', 'warning', /but not with the JSON that was asked for/],
    ['JSON in a fence', '```json\n{"ok": true}\n```', 'ok', /with JSON$/],
    ['other JSON', '{"fine": 1}', 'warning', /but not with the JSON that was asked for/],
    ['a wrong key', { fault: 'status', status: 401 }, 'problem', /^model\.refused: .* answered 401/],
    ['overload', { fault: 'status', status: 429 }, 'problem', /^model\.overloaded: .* answered 429/],
    ['a login page', { fault: 'login-page' }, 'problem', /^model\.bad-reply: /],
    ['silence', { fault: 'slow', ms: 60_000 }, 'problem', /^model\.unreachable: .* no answer in 0\.2 s/],
  ])('says what came of it: %s', async (_, given, status, detail) => {
    turn = given;
    const before = server.asked.length;
    const found = await lineOf({ model: [...served(), 'timeoutMs: 200'], flags: ['--ask-model'] });
    expect(found).toMatchObject({ status, detail: expect.stringMatching(detail) });
    expect(server.asked.length).toBe(before + 1);
  });
});
