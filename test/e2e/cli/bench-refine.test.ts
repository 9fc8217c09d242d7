/** A benchmark that a language model of a service betters, as a person has it done. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCarShop } from '../../fixtures/synthesis/make-car-shop.ts';
import { type ModelServer, startModelServer } from '../../models/model-server.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
let server: ModelServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-refine-cli-'));
  makeCarShop(folder);
  server = await startModelServer(({ body }) =>
    JSON.stringify(body).includes('in other words')
      ? '{"question": "How are things?"}'
      : '{"query": null, "missing": "it"}',
  );
  const built = await run(['bench', 'build', '--items', '8', '--split', 'train', '--out', 'bench.jsonl']);
  expect(built.code, built.stderr).toBe(0);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (argv: readonly string[]) => runCandor(argv, folder);
const REFINE = ['bench', 'refine', 'bench.jsonl', '--out', 'refined.jsonl'];

it('needs a model, and says so', async () => {
  const { code, stderr } = await run(REFINE);
  expect(code).toBe(2);
  expect(stderr).toContain('no model to refine the benchmark with');
});

it('keeps the words of items that the model would change, and says what it cost', async () => {
  const path = join(folder, 'candor.yml');
  const model = `model:\n  name: openai:scripted\n  url: ${server.url}\n  key: sk-secret\n`;
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${model}`);
  const { code, stdout, stderr } = await run(REFINE);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^0 items in new words$/m);
  expect(stdout).toMatch(/^8 keep their own: the model gave no words/m);
  expect(stdout).toMatch(/^\d+ calls, \d+ tokens read, \d+ written, price not known$/m);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split('\n');
  const items = (file: string): unknown[] => read(file).map((line) => JSON.parse(line));
  expect(items('refined.jsonl')).toEqual(items('bench.jsonl'));
  const again = await run(REFINE);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('--resume');
});

it.each([
  ['--samples', '11'],
  ['--concurrency', '0'],
])('refuses %s %s', async (flag, value) => {
  const { code, stderr } = await run([...REFINE, flag, value]);
  expect(code).toBe(2);
  expect(stderr).toContain('Give a whole number from');
});
