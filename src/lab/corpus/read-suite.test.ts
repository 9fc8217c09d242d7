import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGoldFindsRows } from '../../../test/fixtures/gold-finds-rows.ts';
import { readTerminalEnvironment } from '../../config/index.ts';
import { readSuite } from './read-suite.ts';
import { resolvePlaces } from './suite-places.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-suite-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('readSuite', () => {
  it('names the suites there are', async () => {
    await expect(readSuite('beaver')).rejects.toMatchObject({
      code: 'eval.unknown-suite',
      message: expect.stringContaining('spider, spider-train, bird, bird-proxy, defog, chinook'),
    });
  });

  it.each([
    'spider',
    'spider-train',
    'bird',
    'bird-proxy',
    'defog',
    'chinook',
    'sakila',
    'chinook-held-out',
    'sakila-held-out',
    'chinook-held-out-2',
    'sakila-held-out-2',
    'chinook-held-out-3',
    'sakila-held-out-3',
    'everyday',
    'everyday-held-out',
    'everyday-2',
  ])('says where the data of %s is expected', async (name) => {
    const dataDirectory = join(folder, 'nowhere');
    await expect(readSuite(name, { dataDirectory })).rejects.toMatchObject({
      code: 'eval.data-missing',
      message: expect.stringContaining(dataDirectory),
    });
  });

  it('reads Spider, leaving out questions whose database has no file', async () => {
    const dataDirectory = join(folder, 'data');
    await mkdir(join(dataDirectory, 'spider', 'database', 'pets'), { recursive: true });
    await writeFile(join(dataDirectory, 'spider', 'database', 'pets', 'pets.sqlite'), 'x');
    await writeFile(
      join(dataDirectory, 'spider', 'dev.json'),
      JSON.stringify([
        { db_id: 'gone', question: 'How many?', query: 'SELECT count(*) FROM t' },
        { db_id: 'pets', question: 'Old pets?', query: 'SELECT name FROM pets WHERE age > = 9 ORDER BY age' },
      ]),
    );
    const suite = await readSuite('spider', { dataDirectory });
    expect(suite.excluded.cases).toBe(1);
    expect(suite.cases).toEqual([
      expect.objectContaining({
        id: 'dev-1',
        index: 1,
        database: 'pets',
        expect: {
          kind: 'answered',
          sql: 'SELECT name FROM pets WHERE age >= 9 ORDER BY age',
          orderMatters: true,
        },
      }),
    ]);
  });

  it.each([
    { what: 'a missing outcome', text: '- id: a\n  question: How many?\n', line: 1 },
    {
      what: 'a misspelt key',
      text: '- {id: a, question: q, sql: s}\n- {id: b, question: q, sqll: s}\n',
      line: 2,
    },
    {
      what: 'an unknown reason',
      text: '- {id: a, question: q, expect: {kind: reject, reason: bad}}\n',
      line: 1,
    },
    { what: 'broken YAML', text: '- id: a\n  question: [\n', line: 3 },
  ])('names file and line of $what in a question file', async ({ text, line }) => {
    await expect(readChinook(text)).rejects.toMatchObject({
      code: 'eval.case-invalid',
      message: expect.stringMatching(new RegExp(`chinook\\.yml:${line}:`)),
    });
  });

  it.each([
    ['`turns`', '- {id: a, turns: [{question: q, sql: s}]}\n'],
    ['`skip`', '- {id: a, question: q, sql: s, skip: later}\n'],
    ['an answer without `sql`', '- {id: a, question: q, expect: {kind: answered, result: [[1]]}}\n'],
    ['more than `sql`', '- {id: a, question: q, expect: {kind: answered, sql: s, mustContain: [t]}}\n'],
  ])('leaves %s to candor test', async (what, text) => {
    await expect(readChinook(text)).rejects.toMatchObject({
      code: 'eval.case-invalid',
      message: expect.stringMatching(/chinook\.yml:1: .* is for `candor test`/),
    });
    await expect(readChinook(text)).rejects.toMatchObject({ message: expect.stringContaining(what) });
  });

  it('refuses an id that stands twice', async () => {
    const text = '- {id: a, question: q, sql: s}\n- {id: a, question: r, sql: s}\n';
    await expect(readChinook(text)).rejects.toMatchObject({ code: 'eval.case-invalid' });
  });

  it('reads the Motors cases beside a database that it makes once', async (context) => {
    const cacheDirectory = join(folder, 'cache');
    const file = join(resolvePlaces({}).checkoutDirectory, 'examples', 'motors', 'tests', 'motors.yml');
    if ((await readFile(file).catch(() => null)) === null) return context.skip('no Motors cases');
    const suite = await readSuite('motors', { cacheDirectory });
    expect(suite.cases).toHaveLength(60);
    expect(suite.cases.filter(({ expect: due }) => due.kind === 'reject')).toHaveLength(15);
    let isMadeAgain = false;
    const onProgress = (): void => {
      isMadeAgain = true;
    };
    await readSuite('motors', { cacheDirectory, onProgress });
    const asked = new Set(suite.cases.map(({ question }) => question));
    for (const set of ['held-out', 'held-out-2', 'held-out-3', 'held-out-4']) {
      const name = `motors-${set}`;
      const held = await readSuite(name, { cacheDirectory, onProgress });
      expect(isMadeAgain).toBe(false);
      expect(held).toMatchObject({ name, policy: suite.policy, project: suite.project });
      expect(held.cases.filter(({ question }) => asked.has(question))).toEqual([]);
      for (const { question } of held.cases) asked.add(question);
      expect(countBy(held.cases.map(({ category }) => category ?? ''))).toEqual({
        standard: 5,
        multi_step: 5,
        reflection: 5,
        degenerate: 5,
        dim_reject: 5,
        metric_reject: 5,
        ambiguity: 5,
        follow_up: 5,
        ...(set === 'held-out-4' && { knowledge: 5 }),
      });
      await expectGoldFindsRows(held);
    }
  });
});

describe.each(['everyday', 'everyday-held-out', 'everyday-2'])('the questions of %s', (name) => {
  it('are read line by line, and a line that is none is named', async () => {
    const checkoutDirectory = await mkdtemp(join(folder, 'checkout-'));
    const questions = join(checkoutDirectory, 'test', 'fixtures', 'questions');
    const dataDirectory = join(checkoutDirectory, 'data');
    await mkdir(questions, { recursive: true });
    await mkdir(join(dataDirectory, 'spider'), { recursive: true });
    const row = { id: 'a', database: 'gone', question: 'How many?', category: 'figures', sql: ['SELECT 1'] };
    const file = join(questions, `${name}.jsonl`);
    await writeFile(file, JSON.stringify(row));
    const suite = await readSuite(name, { checkoutDirectory, dataDirectory });
    expect(suite).toMatchObject({ cases: [], excluded: { cases: 1 } });
    await writeFile(file, `${JSON.stringify(row)}\n{"id":`);
    await expect(readSuite(name, { checkoutDirectory, dataDirectory })).rejects.toMatchObject({
      code: 'eval.case-invalid',
      message: expect.stringContaining(`${name}.jsonl:2`),
    });
  });
});

describe.each([
  { name: 'chinook', kinds: { answered: 40, reject: 6, clarify: 2 } },
  { name: 'sakila', kinds: { answered: 40, reject: 6, clarify: 2 } },
  { name: 'chinook-held-out', kinds: { answered: 20, reject: 5 } },
  { name: 'sakila-held-out', kinds: { answered: 20, reject: 5 } },
  { name: 'chinook-held-out-2', kinds: { answered: 20, reject: 5 } },
  { name: 'sakila-held-out-2', kinds: { answered: 20, reject: 5 } },
  { name: 'chinook-held-out-3', kinds: { answered: 20, reject: 5 } },
  { name: 'sakila-held-out-3', kinds: { answered: 20, reject: 5 } },
])('the questions of $name', ({ name, kinds }) => {
  const dataDirectory = readTerminalEnvironment().dataDirectory;
  const options = dataDirectory === undefined ? {} : { dataDirectory };

  it('are of the due kinds, and every gold query finds something', async (context) => {
    const suite = await readSuite(name, options).catch((error: { code?: string }) => {
      if (error.code === 'eval.data-missing') return null;
      throw error;
    });
    if (suite === null) return context.skip('no demo databases here');
    expect(suite.name).toBe(name);
    expect(countBy(suite.cases.map(({ expect: due }) => due.kind))).toEqual(kinds);
    await expectGoldFindsRows(suite);
  });
});

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Reads a checkout with this question file. */
async function readChinook(questions: string): ReturnType<typeof readSuite> {
  const checkoutDirectory = await mkdtemp(join(folder, 'checkout-'));
  const dataDirectory = join(checkoutDirectory, 'data');
  await mkdir(join(checkoutDirectory, 'test', 'fixtures', 'questions'), { recursive: true });
  await mkdir(join(dataDirectory, 'demo'), { recursive: true });
  await writeFile(join(dataDirectory, 'demo', 'chinook.sqlite'), 'only looked for, not opened');
  await writeFile(join(checkoutDirectory, 'test', 'fixtures', 'questions', 'chinook.yml'), questions);
  return readSuite('chinook', { checkoutDirectory, dataDirectory });
}
