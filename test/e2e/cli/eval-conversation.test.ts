/** `candor eval conversation`: talks with a real service over HTTP that says what the test tells it to. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questionFile } from '../../../src/lab/corpus/index.ts';
import { readConversations } from '../../../src/lab/suites/conversation/conversation-case.ts';
import { type AskedOfModel, type ModelServer, startModelServer } from '../../models/model-server.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

const BIG = 'SELECT COUNT(*) FROM orders WHERE amount > 80';

const TALKS = [
  {
    id: 'taught',
    database: 'shop.sqlite',
    turns: [
      {
        text: 'remember that a big order is one above 80',
        agent: 'remember',
        outcome: 'reply',
        must: ['big order'],
      },
      {
        text: 'how many big orders are there?',
        agent: 'query',
        outcome: 'answered',
        gold: [BIG],
        usesTaught: true,
      },
    ],
  },
  {
    id: 'untaught',
    database: 'shop.sqlite',
    turns: [{ text: 'how many big orders are there?', agent: 'query', outcome: 'answered', gold: [BIG] }],
  },
  {
    id: 'other-ways',
    database: 'shop.sqlite',
    turns: [
      {
        text: 'which tables are there?',
        agent: 'find',
        outcome: 'reply',
        must: [['clients', 'customers'], 'payroll'],
      },
      { text: 'hello', agent: 'query', outcome: 'reply', note: 'a greeting back' },
      {
        text: 'how many orders are there?',
        agent: 'query',
        outcome: 'answered',
        gold: ['SELECT 1 FROM gone'],
      },
    ],
  },
] as const;

const ROUTES: Readonly<Record<string, string>> = { 'which tables': 'find_data', hello: 'other' };

/** Tells what is wanted by the words, and writes by the rule where it was told of it, else by one of its own. */
function reply({ body }: AskedOfModel): string {
  const prompt = JSON.stringify(body);
  if (prompt.includes('say what a person wants')) {
    const [, intent = 'write_query'] = Object.entries(ROUTES).find(([words]) => prompt.includes(words)) ?? [];
    return JSON.stringify({ intent, followUp: null, remember: null, because: 'the words' });
  }
  if (prompt.includes('which tables'))
    return JSON.stringify({ isKnown: true, answer: 'See below.', tables: ['customers'] });
  if (prompt.includes('hello')) return 'Good morning.';
  const least = prompt.includes('above 80') ? 80 : 100;
  const sql = `SELECT COUNT(*) FROM orders WHERE amount > ${least}`;
  return JSON.stringify({ thinking: 'count', outcome: 'answered', title: 'orders', sql });
}

const folder = mkdtempSync(join(tmpdir(), 'candor-eval-conversation-'));
let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer((asked) => ({
    text: reply(asked),
    usage: { prompt: 1_000, completion: 50 },
  }));
  const model = `model:\n  name: openai:scripted\n  url: ${server.url}\n  price: { prompt: 1, completion: 2 }\n  requestsAtOnce: 8\n`;
  writeFileSync(join(folder, 'candor.yml'), `database: sqlite:none.db\n${model}`);
  makeShop(join(folder, 'shop.sqlite'));
  write('talks.jsonl', TALKS);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, talks: readonly unknown[]): void {
  writeFileSync(join(folder, name), talks.map((talk) => `${JSON.stringify(talk)}\n`).join(''));
}

function evaluate(...argv: readonly string[]) {
  return runCandor(['eval', 'conversation', ...argv], folder);
}

/** The records of a run, by the id of the conversation. */
function recordsIn(stdout: string) {
  const file = /^every conversation: (.+)$/m.exec(stdout)?.[1] ?? '';
  const records = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { file, of: new Map(records.map((record) => [record.id, record])) };
}

const ASKED = ['talks.jsonl', '--model', 'openai:scripted'];

describe('conversations with a model', () => {
  let printed = '';
  beforeAll(async () => {
    const { code, stdout, stderr } = await evaluate(...ASKED, '--record', 'kept');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    printed = stdout;
  }, 120_000);

  it.each([
    ['taught', 0, { verdict: 'right', isRightAgent: true, came: 'reply' }],
    // Nobody else may know the rule: the same question is answered by another one in the next talk.
    ['taught', 1, { verdict: 'right', came: 'answered', sql: BIG, use: { calls: 2, promptTokens: 2_000 } }],
    ['untaught', 0, { verdict: 'wrong', came: 'answered', sql: BIG.replace('80', '100') }],
    ['other-ways', 0, { verdict: 'wrong', isRightAgent: true, missing: ['payroll'] }],
    ['other-ways', 1, { verdict: 'to-read', isRightAgent: false, note: 'a greeting back' }],
    ['other-ways', 2, { verdict: 'gold-failed' }],
  ])('%s, turn %i', (id, turn, record) => {
    expect(recordsIn(printed).of.get(id).turns[turn]).toMatchObject(record);
  });

  it('are counted by kind, taught notes apart', () => {
    expect(printed).toMatch(/right agent +80\.0 % +\S+ +4 of 5\n/);
    expect(printed).toMatch(/right reply +50\.0 % +\S+ +2 of 4\n/);
    expect(printed).toMatch(/where a taught note is needed +100\.0 % +\S+ +1 of 1\n/);
    expect(printed).toMatch(/calls of the model a turn +1\.\d\d +p95 \d/);
    expect(printed).toMatch(/\nremember +1 +1 of 1 +1 of 1 +0\n/);
    expect(printed).toContain('2 right, 2 wrong, 1 to-read, 1 gold-failed');
  });

  it('come out the same from the recording, and nobody is asked', async () => {
    const before = server.asked.length;
    const { code, stdout } = await evaluate(...ASKED, '--replay', 'kept', '--output', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ suite: 'conversation', cases: 3, turns: 6, toRead: 1 },
      metrics: { rightAgent: 80, rightReply: 50, taughtNotesUsed: 100 },
    });
    expect(server.asked).toHaveLength(before);
  });

  it('end where a prompt was not recorded, and a resumed run asks those again', async () => {
    const [taught] = TALKS;
    const other = {
      ...taught,
      id: 'changed',
      turns: [{ ...taught.turns[1], text: 'how many small orders are there?' }, taught.turns[1]],
    };
    write('more.jsonl', [taught, other]);
    const asked = ['more.jsonl', '--model', 'openai:scripted'];
    const replayed = await evaluate(...asked, '--replay', 'kept');
    expect(replayed.stdout).toContain('1 have a prompt that was not recorded: changed');
    const { file, of } = recordsIn(replayed.stdout);
    expect(of.get('changed').turns.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'not-asked',
      'not-asked',
    ]);
    const resumed = await evaluate(...asked, '--resume', file);
    expect(resumed.stdout).toContain('2 right, 2 wrong');
    const foreign = await evaluate(...asked.slice(0, 1), '--resume', file);
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining('eval.run-invalid')]);
  });
});

describe('a file of conversations', () => {
  const [, untaught] = TALKS;
  it.each([
    [
      'an agent that there is not',
      { ...untaught, turns: [{ ...untaught.turns[0], agent: 'sell' }] },
      'eval.case-invalid',
    ],
    ['a key that there is not', { ...untaught, answer: 1 }, 'eval.case-invalid'],
    [
      'an answer due without gold',
      { ...untaught, turns: [{ text: 'x', agent: 'query', outcome: 'answered' }] },
      'eval.case-invalid',
    ],
    ['a database by a path', { ...untaught, database: '../shop.sqlite' }, 'eval.case-invalid'],
    ['a database that is not beside it', { ...untaught, database: 'gone.sqlite' }, 'eval.data-missing'],
    ['a database of data that is not here', { ...untaught, database: 'northwind' }, 'eval.data-missing'],
  ])('with %s is refused', async (_, talk, code) => {
    write('bad.jsonl', [talk]);
    const { stderr } = await runCandor(['eval', 'conversation', 'bad.jsonl'], folder, {
      env: { CANDOR_DATA: join(folder, 'nowhere') },
    });
    expect(stderr).toContain(code);
  });

  it('of our own is read', async () => {
    const talks = await readConversations(questionFile('conversation.jsonl'));
    expect(talks.flatMap(({ turns }) => turns)).toHaveLength(234);
    expect(new Set(talks.map(({ id }) => id)).size).toBe(64);
  });
});
