import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../repo/read-imports.ts';

const REPORT = z.strictObject({
  bench: z.string(),
  isSmoke: z.literal(true),
  machine: z.strictObject({ cores: z.number().int().positive(), node: z.string() }),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
  figures: z.record(z.string(), z.number()),
});

/** Runs a bench at its smallest size; what it measures is looked at for its shape only. */
export function runBench(name: string, env: Readonly<Record<string, string>> = {}) {
  const script = join(ROOT, 'bench', `${name}.ts`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', script, '--smoke', '--output', 'json'],
    { cwd: ROOT, env: { ...process.env, ...env }, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

export function readReport({ status, stdout, stderr }: ReturnType<typeof runBench>): z.infer<typeof REPORT> {
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('smoke run: the figures mean nothing');
  return REPORT.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}

/** Every figure of a key, all of them true measurements: finite and above zero. */
export function positive(rows: z.infer<typeof REPORT>['rows'], key: string): void {
  for (const row of rows) expect(row[key], `${key} of ${JSON.stringify(row)}`).toBeGreaterThan(0);
}
