import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/index.ts';
import { candorProgram } from '../../fixtures/candor-program.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-reward-cli-'));
  makeShop(join(folder, 'shop.db'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], given: Partial<Io> = {}) =>
  runCandor([...argv, '--database', 'sqlite:shop.db', '--embedding', 'hashed'], folder, given);
const say = (answer: string) => `<think>because</think><answer>${answer}</answer>`;
const GOLD = 'SELECT city, COUNT(*) AS n FROM customers GROUP BY city';
const ITEMS = [
  { id: 1, category: 'standard', goldKind: 'sql', gold: GOLD, output: say(GOLD), lengthTokens: 30 },
  { id: 2, category: 'standard', goldKind: 'sql', gold: GOLD, output: say('SELECT town FROM customers') },
  { id: 3, category: 'follow_up', goldKind: 'nl', gold: 'Which city?', output: say('Which city?') },
];

function writeItems(name: string, rows: readonly unknown[]): string {
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return name;
}

describe('candor reward score', () => {
  it('prints means by category', async () => {
    const { code, stdout, stderr } = await run(['reward', 'score', writeItems('items.jsonl', ITEMS)]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/standard +│? *2\b/);
    expect(stdout).toMatch(/follow_up.*3\.400/);
    expect(stdout).toContain('2 items with an estimated length');
  });

  it('prints JSON and writes every score', async () => {
    const file = writeItems('items.jsonl', [ITEMS[0], '', ITEMS[1], ITEMS[2]]);
    const { stdout } = await run(['reward', 'score', file, '--out', 'scores.jsonl', '--output', 'json']);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      all: { items: 3, format: 1 },
      categories: [
        { category: 'standard', items: 2, grammar: 0.5 },
        { category: 'follow_up', items: 1, total: 3.4, accuracy: 1 },
      ],
      goldFailed: 0,
      lengthEstimated: 2,
    });
    const rows = readFileSync(join(folder, 'scores.jsonl'), 'utf8').trim().split('\n');
    const scores = rows.map((row) => JSON.parse(row));
    expect(scores.map(({ id, grammar }) => [id, grammar])).toEqual([
      [1, 1],
      [2, 0],
      [3, 1],
    ]);
    const mean = scores.reduce((sum, { total }) => sum + total, 0) / 3;
    expect(report.all.total).toBeCloseTo(mean, 9);
  });

  it('tells of golds that give no result', async () => {
    const file = writeItems('broken.jsonl', [{ ...ITEMS[0], gold: 'SELECT town FROM customers' }]);
    const { stdout } = await run(['reward', 'score', file]);
    expect(stdout).toContain('1 item with a gold that gave no result');
  });

  it('--code-compat and --rules change what is earned', async () => {
    const forced = { category: 'ambiguity', goldKind: 'nl', gold: 'Which city?', output: say(GOLD) };
    const file = writeItems('forced.jsonl', [forced]);
    const grammar = async (flags: string[]) =>
      JSON.parse((await run(['reward', 'score', file, '--output', 'json', ...flags])).stdout).all.grammar;
    expect(await grammar([])).toBe(0);
    expect(await grammar(['--code-compat'])).toBe(1);
    const steps = { ...ITEMS[0], category: 'multi_step', output: say('SELECT city FROM customers') };
    writeItems('steps.jsonl', [steps]);
    const accuracy = async (flags: string[]) =>
      JSON.parse((await run(['reward', 'score', 'steps.jsonl', '--output', 'json', ...flags])).stdout).all
        .accuracy;
    expect(await accuracy(['--rules'])).not.toBe(await accuracy([]));
  });

  it.each<readonly [string, readonly unknown[], number, RegExp]>([
    ['a row that is no JSON', [ITEMS[0], '{'], 2, /rows\.jsonl, line 2 is no JSON/],
    [
      'a wrong category',
      [{ ...ITEMS[0], category: 'easy' }],
      2,
      /rows\.jsonl, line 1 cannot be scored: category/,
    ],
  ])('refuses %s', async (_, rows, expected, message) => {
    const { code, stderr } = await run(['reward', 'score', writeItems('rows.jsonl', rows)]);
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
  });

  it('says that the file is not there, and stops on request', async () => {
    const gone = await run(['reward', 'score', 'gone.jsonl']);
    expect(gone.code).toBe(3);
    expect(gone.stderr).toContain('gone.jsonl');
    const cancelled = await run(['reward', 'score', writeItems('items.jsonl', ITEMS)], {
      signal: AbortSignal.abort(),
    });
    expect(cancelled.code).toBe(130);
  });

  it('leaves no half file behind', async () => {
    const file = writeItems('half.jsonl', [...Array(300).fill(ITEMS[2]), '{']);
    const { code } = await run(['reward', 'score', file, '--out', 'half-scores.jsonl']);
    expect(code).toBe(2);
    expect(readdirSync(folder).filter((name) => name.startsWith('half-scores'))).toEqual([]);
  });

  it('needs an embedding', async () => {
    writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shop.db\nsearch: { embedding: none }\n');
    const { code, stderr } = await runCandor(['reward', 'score', 'items.jsonl'], folder);
    rmSync(join(folder, 'candor.yml'));
    expect(code).toBe(2);
    expect(stderr).toContain('--embedding');
  });
});

describe('candor reward serve', () => {
  it('answers on the address it prints until it is stopped', async () => {
    const stop = new AbortController();
    let tell: (text: string) => void = () => undefined;
    const said = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const ended = run(['reward', 'serve', '--port', '0', '--output', 'json', '--quiet'], {
      signal: stop.signal,
      stdout: { write: (text) => tell(text), isTerminal: false },
    });
    const { url } = JSON.parse(await said);
    const response = await fetch(`${url}/v1/score`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ items: ITEMS }),
    });
    const { scores } = (await response.json()) as { scores: { id: number; total: number }[] };
    expect(scores.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(scores[0]?.total).toBe(3.4);
    stop.abort();
    expect((await ended).code).toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends well on %s', async (signal) => {
    const options = '--port 0 --database sqlite:shop.db --embedding hashed'.split(' ');
    const child = spawn(process.execPath, [...candorProgram(), 'reward', 'serve', ...options], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim())),
    );
    const health = await fetch(`${url}/healthz`);
    expect(await health.json()).toEqual({ status: 'ok', itemsInWork: 0 });
    child.kill(signal);
    expect(await exit).toBe(0);
  });

  it.each([
    [['--host', '0.0.0.0'], /this machine alone/],
    [['--port', '70000'], /port from 0 to 65535/],
    [['--concurrency', '1000'], /from 1 to 64/],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await run(['reward', 'serve', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
