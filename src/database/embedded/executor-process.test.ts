import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../index.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-executor-'));
  const database = new DatabaseSync(join(folder, 'a.db'));
  database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that connects, runs `body` and does not close the database. */
function startProgram(body: string): ReturnType<typeof spawn> {
  const source = `
    import { connect } from './src/database/index.ts';
    const limits = { rows: 10, bytes: 1000, timeoutMs: 60000 };
    const database = await connect(${JSON.stringify(`sqlite:${join(folder, 'a.db')}`)});
    ${body}`;
  return spawn(process.execPath, ['--expose-gc', '--import', 'tsx', '--input-type=module', '-e', source], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

it.each([
  ['after a query', `console.log((await database.query('SELECT a FROM t', limits)).rows[0][0]);`, '1\n'],
  ['without any query', `console.log('connected');`, 'connected\n'],
])(
  'does not keep a program alive %s',
  async (_when, body, printed) => {
    const program = startProgram(body);
    let output = '';
    program.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(program, 'exit');
    expect({ code, output }).toEqual({ code: 0, output: printed });
  },
  15_000,
);

it('keeps no answer that nobody else keeps', async () => {
  const program = startProgram(`
    const answers = [];
    for (let at = 0; at < 5; at += 1) answers.push(new WeakRef(await database.query('SELECT a FROM t', limits)));
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      gc();
    }
    console.log(answers.filter((answer) => answer.deref() !== undefined).length);`);
  const [kept] = await once(program.stdout ?? program, 'data');
  expect(Number(String(kept))).toBeLessThanOrEqual(1);
  await once(program, 'exit');
}, 15_000);

it('ends with its parent, even in the middle of a query', async () => {
  const program = startProgram(`
    await database.query('SELECT 1', limits);
    const running = database.query('WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n', limits);
    const { execSync } = await import('node:child_process');
    setTimeout(() => console.log(execSync('ps -o pid=,args= --ppid ' + process.pid).toString()), 300);
    await running;`);
  const [listing] = await once(program.stdout ?? program, 'data');
  const line = String(listing)
    .split('\n')
    .find((row) => row.includes('executor.ts'));
  const executor = Number(line?.trim().split(' ')[0]);
  expect(executor).toBeGreaterThan(0);
  program.kill('SIGKILL');
  await expect.poll(() => isRunning(executor), { timeout: 5000 }).toBe(false);
}, 20_000);

it('starts anew after a cancel that comes together with the last rows', async () => {
  const limits = { rows: 10, bytes: 1000, timeoutMs: 60_000 };
  const database = await connect(`sqlite:${join(folder, 'a.db')}`);
  try {
    await database.query('SELECT a FROM t', limits);
    for (let round = 0; round < 5; round += 1) {
      const stop = new AbortController();
      const running = database.query('SELECT a FROM t', limits, stop.signal).catch(() => null);
      await setImmediate();
      // While this process sleeps, the reply comes to lie in the channel; the cancel is sooner than its reading.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      stop.abort();
      await running;
      expect((await database.query('SELECT a FROM t', limits)).rows).toEqual([[1]]);
    }
  } finally {
    await database.close();
  }
}, 60_000);

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
