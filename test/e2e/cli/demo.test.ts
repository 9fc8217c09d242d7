import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  const started = performance.now();
  const second = await runCandor(['demo'], folder);
  expect(second.code).toBe(0);
  expect(performance.now() - started).toBeLessThan(3000);
  expect(statSync(database).mtimeMs).toBe(made);
  const withoutTimes = (text: string) => text.replace(/\d+ ms/g, 'ms');
  expect(withoutTimes(second.stdout)).toBe(withoutTimes(first.stdout));
});

it('does not mix with a folder of other files', async () => {
  mkdirSync(join(folder, 'mine'));
  writeFileSync(join(folder, 'mine', 'thesis.txt'), 'keep');
  const { code, stderr } = await runCandor(['demo', '--dir', 'mine'], folder);
  expect(code).toBe(2);
  expect(stderr).toContain('demo.folder-in-use');
  expect(readdirSync(join(folder, 'mine'))).toEqual(['thesis.txt']);
});
