import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTerminalEnvironment } from '../../../src/config/index.ts';
import { runCandor } from './run-candor.ts';

const data = readTerminalEnvironment().dataDirectory ?? join('..', 'shared', 'data');
const hasBird = existsSync(join(data, 'bird', 'dev', 'dev.json'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-eval-link-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const link = (...argv: readonly string[]) =>
  runCandor(['eval', 'link', ...argv, '--out', folder], '.', { env: process.env });

describe('candor eval link', () => {
  it.skipIf(!hasBird)('prints one line of figures, for the cases and databases asked for', async () => {
    const flags = ['--databases', 'superhero,toxicology', '--limit', '8', '--output', 'json', '--quiet'];
    const { code, stdout, stderr } = await link('bird', '--mode', 'full', ...flags);
    expect(code, stderr).toBe(0);
    expect(stderr).toBe('');
    const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(summary).toMatchObject({ suite: 'link-bird', mode: 'full', cases: 8, leftOut: 0 });
    expect(summary.metrics).toMatchObject({ fieldSrr: 100, tableNsr: 100, keptShare: 100, tokens: 0 });
    expect(Object.keys(summary.groups)).toEqual([
      'test-only databases',
      'other databases',
      'toxicology',
      'superhero',
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith('link-bird-full-'))).toHaveLength(1);
  });

  it('names what can be left out, and what is near a name that is not known', async () => {
    expect((await link('--help')).stdout).toMatch(/multi +more than one hypothesis .*: votes/);
    const { code, stderr } = await link('bird', '--mode', 'votes', '--ablate', 'refinement');
    expect(code).toBe(2);
    expect(stderr).toContain('near it: refine');
  });

  it.skipIf(!hasBird)('retrieval finds what the questions of a small database need', async () => {
    const { code, stdout, stderr } = await link(
      'bird',
      '--mode',
      'retrieval',
      '--databases',
      'superhero',
      '--limit',
      '10',
      '--quiet',
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('bird by retrieval: 10 questions');
    expect(stdout).toMatch(/^table +10 +100\.00/m);
  });

  it.skipIf(!existsSync(join(data, 'preds', 'bird_dev.jsonl.gz')))(
    'replay takes its own options',
    async () => {
      const flags = ['--databases', 'superhero', '--output', 'json', '--quiet', '--hypotheses', '2'];
      const bare = await link('bird', '--mode', 'replay', ...flags, '--expansions', 'none');
      const wide = await link('bird', '--mode', 'replay', ...flags, '--expansions', 'own-keys,parents');
      const recall = ({ stdout }: typeof bare): number =>
        JSON.parse(stdout.trim().split('\n').at(-1) ?? '').metrics.fieldSrr;
      expect(recall(bare)).toBeGreaterThan(50);
      expect(recall(wide)).toBeGreaterThan(recall(bare));
    },
  );

  it.skipIf(!hasBird)('the grounded ways keep what is needed with few other columns', async () => {
    const flags = ['--databases', 'superhero', '--limit', '40', '--output', 'json', '--quiet'];
    for (const mode of ['grounded', 'votes']) {
      const { code, stdout, stderr } = await link('bird', '--mode', mode, ...flags);
      expect(code, stderr).toBe(0);
      const { metrics } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      expect(metrics.fieldSrr, mode).toBeGreaterThan(60);
      expect(metrics.fieldNsf, mode).toBeGreaterThan(45);
      expect(metrics.tokens).toBe(0);
    }
  });

  it.skipIf(!hasBird)('what may be lost moves recall against precision', async () => {
    const flags = ['--databases', 'superhero', '--limit', '40', '--output', 'json', '--quiet'];
    const figuresAt = async (risk: string) => {
      const { stdout } = await link('bird', ...flags, '--table-risk', risk, '--column-risk', risk);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').metrics;
    };
    const [careful, bold] = [await figuresAt('0.02'), await figuresAt('1')];
    expect(careful.fieldNsr).toBeGreaterThan(bold.fieldNsr);
    expect(careful.fieldNsp).toBeLessThan(bold.fieldNsp);
  });

  it.each([
    [['birds'], 'there is no set birds; known are bird, spider, snow, ambidb'],
    [['snow', '--mode', 'replay'], 'there are no predictions to replay for snow'],
    [['bird', '--mode', 'evilink'], 'name it with --model'],
    [['bird', '--model', 'openai:x'], 'the way grounded asks no model; --mode evilink does'],
    [['bird', '--mode', 'evilink', '--model', 'openai:x', '--max-cost', '1'], '--limit bounds a run'],
    [['bird', '--mode', 'best'], "'best' is invalid. Allowed choices are grounded, votes,"],
    [['bird', '--expansions', 'wings'], 'Give some of own-keys, parents'],
    [['bird', '--table-risk', 'low'], 'Give a number from 0 to 100'],
    [['bird', '--databases', 'superhero,,'], 'Give names with commas between'],
  ])('refuses %o', async (argv, message) => {
    const { code, stdout, stderr } = await link(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
  });

  it.skipIf(!hasBird)('refuses a database the set does not have', async () => {
    const { code, stderr } = await link('bird', '--databases', 'motors', '--quiet');
    expect(code).toBe(2);
    expect(stderr).toContain('the set bird has no database motors');
  });
});
