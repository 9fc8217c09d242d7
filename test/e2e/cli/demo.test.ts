import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_QUESTIONS } from '../../../src/cli/commands/project/demo.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-demo-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('makes the demo, asks, and is quick the second time', async () => {
  const first = await runCandor(['demo'], folder);
  expect(first.code, first.stderr).toBe(0);
  const records = () => readdirSync(join(folder, 'candor-demo', '.candor', 'records'));
  const kinds = records().map(
    (name) => JSON.parse(readFileSync(join(folder, 'candor-demo', '.candor', 'records', name), 'utf8')).kind,
  );
  expect(kinds.sort()).toEqual(['answered', 'clarify', 'reject']);
  expect(first.stderr).toContain('making motors.db');
  expect(first.stdout).toContain('Your own database');
  expect(first.stdout).toContain('candor ask --project candor-demo');

  const database = join(folder, 'candor-demo', 'motors.db');
  const made = statSync(database).mtimeMs;
  const second = await runCandor(['demo'], folder);
  expect(second.code).toBe(0);
  expect(second.stderr).not.toContain('making motors.db');
  expect(statSync(database).mtimeMs).toBe(made);
  const withoutTimes = (text: string) =>
    text.replace(/\d+ ms/g, 'ms').replace(/\d{8}-\d+-[0-9a-f]{8}/g, 'record');
  expect(withoutTimes(second.stdout)).toBe(withoutTimes(first.stdout));
});

it('asks back in the demo, and asks again with the option a person picks', async () => {
  const asked: { question: string; options: readonly string[] }[] = [];
  const argv = ['ask', '--project', 'candor-demo', DEMO_QUESTIONS[1]!.question];
  const picked = await runCandor(argv, folder, {
    choose: async (question, options) => {
      asked.push({ question, options });
      return 0;
    },
  });
  expect(picked.code, picked.stdout).toBe(0);
  expect(asked).toHaveLength(1);
  expect(asked[0]!.options.length).toBeGreaterThan(1);
  const left = await runCandor(argv, folder, { choose: async () => undefined });
  expect(left.code).toBe(10);
  const alone = await runCandor([...argv, '--output', 'json'], folder, {
    choose: () => Promise.reject(new Error('nobody')),
  });
  expect(JSON.parse(alone.stdout).kind).toBe('clarify');
});

it('does not mix with a folder of other files', async () => {
  mkdirSync(join(folder, 'mine'));
  writeFileSync(join(folder, 'mine', 'thesis.txt'), 'keep');
  const { code, stderr } = await runCandor(['demo', '--dir', 'mine'], folder);
  expect(code).toBe(2);
  expect(stderr).toContain('demo.folder-in-use');
  expect(readdirSync(join(folder, 'mine'))).toEqual(['thesis.txt']);
});
