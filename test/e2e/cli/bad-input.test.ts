import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorCode } from '../../../src/errors.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
let locker: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-bad-'));
  const at = (name: string) => join(folder, name);
  makeShop(at('shop.db'));
  writeFileSync(at('notes.txt'), 'just text, and a good deal more of it than any header of a file needs');
  writeFileSync(at('zero.db'), '');
  const whole = readFileSync(at('shop.db'));
  writeFileSync(
    at('corrupt.db'),
    Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 0xa5)]),
  );
  new DatabaseSync(at('no-tables.db')).exec('PRAGMA user_version = 1');
  mkdirSync(at('a-folder'));
  makeShop(at('locked.db'));
  locker = await holdLock(at('locked.db'));
});
afterAll(() => {
  locker.kill();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (...words: string[]) => ['ask', '--database', 'sqlite:shop.db', ...words];

const CASES: readonly {
  what: string;
  argv: readonly string[];
  exit: number;
  code?: ErrorCode;
  says: string;
}[] = [
  {
    what: 'a file that is no database',
    argv: ['onboard', 'sqlite:notes.txt'],
    exit: 2,
    code: 'database.not-a-database',
    says: 'notes.txt',
  },
  {
    what: 'a file of 0 bytes',
    argv: ['onboard', 'zero.db'],
    exit: 2,
    code: 'database.not-a-database',
    says: 'zero.db',
  },
  {
    what: 'a folder',
    argv: ['onboard', 'a-folder'],
    exit: 2,
    code: 'database.not-a-database',
    says: 'a-folder',
  },
  {
    what: 'a missing file',
    argv: ['onboard', 'sqlite:missing.db'],
    exit: 2,
    code: 'database.not-found',
    says: 'missing.db',
  },
  {
    what: 'a missing folder',
    argv: ['onboard', 'no/such/shop.db'],
    exit: 2,
    code: 'database.not-found',
    says: 'shop.db',
  },
  {
    what: 'a corrupt file',
    argv: ['onboard', 'corrupt.db'],
    exit: 3,
    code: 'database.corrupt',
    says: 'corrupt.db',
  },
  {
    what: 'a locked file',
    argv: ['onboard', 'locked.db'],
    exit: 3,
    code: 'database.locked',
    says: 'locked.db',
  },
  {
    what: 'a database without tables',
    argv: ['onboard', 'no-tables.db'],
    exit: 2,
    code: 'database.empty-schema',
    says: 'table',
  },
  {
    what: 'an engine we do not know',
    argv: ['onboard', 'oracle:shop'],
    exit: 2,
    code: 'database.unknown-engine',
    says: 'oracle',
  },
  {
    what: 'the wrong engine',
    argv: ['onboard', 'duckdb:shop.db'],
    exit: 2,
    code: 'database.not-a-database',
    says: 'SQLite',
  },
  {
    what: 'no project and no database',
    argv: ['ask', 'how many customers?'],
    exit: 2,
    code: 'config.not-found',
    says: 'candor.yml',
  },
  { what: 'a question of 0 bytes', argv: ask(''), exit: 2, code: 'question.empty', says: '' },
  { what: 'a question of blanks', argv: ask(' \t '), exit: 2, code: 'question.empty', says: '' },
  {
    what: 'a question of 100 kB',
    argv: ask('customers '.repeat(10_240)),
    exit: 2,
    code: 'question.too-long',
    says: '2,000',
  },
  {
    what: 'SQL instead of a question',
    argv: ask('SELECT COUNT(*) FROM customers'),
    exit: 2,
    code: 'question.is-sql',
    says: '',
  },
  {
    what: 'a request to delete',
    argv: ask('delete all customers from Lyon'),
    exit: 12,
    says: 'Candor only reads',
  },
  { what: 'a request to drop', argv: ask('drop the orders table'), exit: 12, says: 'Candor only reads' },
  { what: 'an unknown flag', argv: ['ask', '--outptu', 'csv', 'x'], exit: 2, says: '--output' },
  { what: 'an unknown command', argv: ['aks', 'x'], exit: 2, says: 'ask' },
  { what: 'no question', argv: ['ask'], exit: 2, says: 'question' },
  { what: 'a limit of zero', argv: ask('--limit', '0', 'x'), exit: 2, says: 'whole number' },
  { what: 'a day that does not exist', argv: ask('--today', '2024-02-30', 'x'), exit: 2, says: 'YYYY-MM-DD' },
  {
    what: 'a record that does not exist',
    argv: ['replay', '--database', 'shop.db', 'nope'],
    exit: 2,
    code: 'record.not-found',
    says: 'nope',
  },
  { what: 'a suite that does not exist', argv: ['eval', 'spidr'], exit: 2, says: 'spider' },
];

describe('bad input', () => {
  it.each(CASES)('$what: a clear message, exit code $exit', async ({ argv, exit, code, says }) => {
    const before = fingerprint();
    const { code: exitCode, stdout, stderr } = await runCandor(argv, folder);
    const said = stdout + stderr;
    expect({ exitCode, said: exitCode === exit ? '' : said }).toEqual({ exitCode: exit, said: '' });
    expect(said).toContain(says);
    if (code !== undefined) {
      expect(stderr).toContain(`error ${code}: `);
      expect(stderr).toContain(`→ ${ERROR_TABLE[code].next}`);
      expect(stdout).toBe('');
    }
    expect(said).not.toMatch(/^\s+at /m);
    expect(fingerprint()).toBe(before);
  });

  it('with --output json is an object on stdout', async () => {
    const { code, stdout } = await runCandor(['ask', '--output', 'json', 'how many?'], folder);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'config.not-found',
        message: expect.stringContaining('candor.yml'),
        next: ERROR_TABLE['config.not-found'].next,
        data: {},
      },
    });
  });
});

/** Everything in the folder but the derived files of the good database: nothing may be written by a failure. */
function fingerprint(): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^\.candor(\/shop-\w+.*)?$/.test(name))
    .sort();
  const hash = createHash('sha256');
  for (const name of names) {
    hash.update(name);
    if (/\.\w+$/.test(name)) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

/** Another process that is in the middle of writing to the file. */
function holdLock(path: string): Promise<ChildProcess> {
  const script = `
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec('BEGIN EXCLUSIVE');
    console.log('locked');
    // Named here so that it is not collected, which would give the lock back.
    setInterval(() => database.exec('SELECT 1'), 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`the locking process ended with ${code}`)));
  });
}
