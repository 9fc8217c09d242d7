/** Conversations on the command line: turns as arguments, lines of a pipe, a talk that is kept in a file. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/index.ts';
import { candorProgram } from '../../fixtures/candor-program.ts';
import { makeShop } from './make-shop.ts';
import { type Run, runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-chat-'));
  makeShop(join(folder, 'shop.db'));
  expect((await run(['onboard', 'sqlite:shop.db', '--quiet'])).code).toBe(0);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], given: Partial<Io> = {}): Promise<Run> =>
  runCandor(argv, folder, given);

async function* linesOf(...lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
const saying = (lines: readonly string[], ...flags: readonly string[]): Promise<Run> =>
  run(['chat', ...flags], { readLines: () => linesOf(...lines) });
const repliesOf = ({ stdout }: Run) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('candor chat', () => {
  it('goes on from turn to turn', async () => {
    const { code, stdout } = await run([
      'chat',
      'how many customers are there?',
      'only in Lyon',
      'explain this query',
    ]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/\n +6\n[\s\S]*\n +3\n[\s\S]*Only where: [^\n]*Lyon/);
    expect(stdout).toContain('you may say: “Explain this query”');
  });

  it('remembers what it is told, in this talk and later ones, until it is withdrawn', async () => {
    const { stdout } = await run([
      'chat',
      'remember that shoppers means customers',
      'how many shoppers are there?',
    ]);
    expect(stdout).toContain('“shoppers” stands for “customers”');
    expect(stdout).toMatch(/^read as +“how many customers are there\?”/m);
    const later = await run(['chat', 'how many shoppers are there?']);
    expect(later.stdout).toMatch(/^read as +“how many customers are there\?”/m);
    const listed = await run(['knowledge', 'proposals', '--output', 'json']);
    const [{ key }] = JSON.parse(listed.stdout).proposals;
    expect((await run(['knowledge', 'proposals'])).stdout).toContain(
      `${key}  synonym  Shoppers means customers.`,
    );
    const withdrawn = await run(['knowledge', 'proposals', '--withdraw', key]);
    expect(withdrawn.stdout).toBe('withdrawn: Shoppers means customers.\n');
    expect((await run(['knowledge', 'proposals'])).stdout).toBe('Nothing waits for a review.\n');
    expect((await run(['chat', 'how many shoppers are there?'])).stdout).not.toMatch(/^read as/m);
  });

  it('makes everybody’s what a review accepts', async () => {
    await run(['chat', 'remember that an order counts only when it is paid']);
    const [{ key }] = JSON.parse(
      (await run(['knowledge', 'proposals', '--output', 'json'])).stdout,
    ).proposals;
    const { code, stdout } = await run(['knowledge', 'proposals', '--accept', key]);
    expect([code, stdout]).toEqual([
      0,
      'everybody’s now, in knowledge/notes.md: An order counts only when it is paid.\n',
    ]);
    expect((await run(['knowledge', 'proposals', '--accept', key])).code).not.toBe(0);
  });

  it('prints one reply a line for scripts', async () => {
    const replies = repliesOf(
      await run(['chat', '--output', 'json', 'customers in Lyon', 'which tables hold amounts?']),
    );
    expect(replies).toMatchObject([
      { route: { intent: 'write_query' }, cards: [{ kind: 'answer', answer: { kind: 'answered' } }] },
      { route: { intent: 'find_data' }, cards: [{ kind: 'tables', tables: [{ id: 'orders' }] }] },
    ]);
    expect(replies[1].talk.turns).toHaveLength(2);
  });

  it('shows tables to choose from, and writes over those that are chosen', async () => {
    const { stdout } = await run(['chat', '--guided', 'orders per city', 'ok']);
    expect(stdout).toMatch(/\[x\] 1 (?:orders|customers)/);
    expect(stdout).toContain('goes with: ');
    expect(stdout).toMatch(/JOIN customers/i);
  });

  it('mends a query', async () => {
    const { stdout } = await run(['chat', 'fix: SELECT nmae FROM customers']);
    expect(stdout).toContain('+ SELECT name FROM customers');
  });

  it('takes commands and lines that go on', async () => {
    const lines = [
      'how many \\',
      'customers are there?',
      ':guided on',
      ':what',
      ':new',
      'only in Lyon',
      ':quit',
      'never',
    ];
    const { stdout, stderr } = await saying(lines);
    expect(stdout).toMatch(/\n +6\n/);
    for (const text of ['guided on', 'There is no :what', ':quit', 'a new talk'])
      expect(stderr).toContain(text);
    expect(stdout).not.toContain('never');
  });

  it('says what a last line has begun', async () => {
    expect((await saying(['how many \\', 'orders\\'])).stdout).toMatch(/\n +12\n/);
  });

  it('tells what fails and goes on; the exit code is of the first failure', async () => {
    const { code, stdout, stderr } = await saying([
      `customers ${'and orders '.repeat(300)}`,
      'how many orders?',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('question.too-long');
    expect(stdout).toMatch(/\n +12\n/);
    const json = await saying([`customers ${'and orders '.repeat(300)}`, 'thanks'], '--output', 'json');
    expect(repliesOf(json)).toMatchObject([
      { error: { code: 'question.too-long' } },
      { cards: [{ kind: 'text' }] },
    ]);
  });

  it('keeps a talk in a file and goes on with it', async () => {
    await run(['chat', '--talk', 'monday.json', 'how many customers are there?']);
    const { stdout } = await run(['chat', '--talk', 'monday.json', 'only in Lyon']);
    expect(stdout).toMatch(/\n +3\n/);
    expect(JSON.parse(readFileSync(join(folder, 'monday.json'), 'utf8')).turns).toHaveLength(2);
    expect(existsSync(join(folder, 'monday.json.tmp'))).toBe(false);
  });

  it.each([
    ['{"turns": 1}', 'turns'],
    ['not json', 'JSON'],
  ])('does not go on with a file that holds %s', async (text, says) => {
    writeFileSync(join(folder, 'other.json'), text);
    const { code, stderr } = await run(['chat', '--talk', 'other.json', 'hello']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`talk.invalid[\\s\\S]*${says}`))]);
  });

  it('says what is missing', async () => {
    expect((await run(['chat'])).stderr).toContain('There is nothing to say');
    expect((await run(['chat', '--mode', 'careful', 'hello'])).stderr).toContain('model.none');
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    async function* cancelled(): AsyncGenerator<string> {
      yield 'how many customers are there?';
      controller.abort();
    }
    const { code } = await run(['chat'], { readLines: cancelled, signal: controller.signal });
    expect(code).toBe(130);
  });

  it('reads a real pipe', async () => {
    const argv = [...candorProgram(), 'chat', '--output', 'json', '--project', folder];
    const child = spawn(process.execPath, argv);
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.stdin.end('how many customers are there?\nonly in Lyon\nhow many orders?');
    const code = await new Promise((done) => child.on('close', done));
    const replies = repliesOf({ stdout: Buffer.concat(parts).toString(), stderr: '', code: 0 });
    expect(code).toBe(0);
    expect(replies.map(({ cards }) => cards[0].answer.rows)).toEqual([[[6]], [[3]], [[12]]]);
  }, 60_000);
});
