/** What is made of answers to altered questions, and a whole run, over a small database. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../answer.ts';
import { connect } from '../../../database/index.ts';
import type { EvaluationCase, Suite } from '../../corpus/index.ts';
import { runGold } from '../../evaluation/comparators/gold.ts';
import type { Alteration, AlterationKind } from './edits/alteration.ts';
import { DEFAULT_WORDS } from './edits/word-list.ts';
import { judgeAltered } from './judge-altered.ts';
import { runAltered } from './run-altered.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-altered-'));
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec('CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER)');
  for (const [name, country, age] of PEOPLE)
    database.exec(`INSERT INTO customer (name, country, age) VALUES ('${name}', '${country}', ${age})`);
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const PEOPLE = [
  ['Anna', 'Germany', 31],
  ['Bela', 'Germany', 45],
  ['Cara', 'Brazil', 52],
  ['Dino', 'Italy', 28],
  ['Emil', 'Italy', 64],
  ['Fred', 'Italy', 19],
] as const;

describe('the verdict', () => {
  const inGermany = "SELECT count(*) FROM customer WHERE country = 'Germany'";
  const inBrazil = "SELECT count(*) FROM customer WHERE country = 'Brazil'";
  const word = 'Zorg';
  const asked = { kind: 'asked', word } as const;
  const written = { kind: 'asked-or-written', word } as const;
  const changed = { kind: 'changed', gold: inBrazil, sql: inBrazil, literal: 'Brazil' } as const;
  const same = { kind: 'same' } as const;
  it.each<
    [what: string, kind: AlterationKind, due: Alteration['due'], sql: string | undefined, verdict: string]
  >([
    ['a refusal of an unknown word', 'insert', asked, undefined, 'right'],
    ['an answer over it', 'insert', asked, inGermany, 'answered-over'],
    ['a comparison with it', 'insert', asked, "SELECT 1 FROM customer WHERE name = 'zorg'", 'right'],
    ['a value that had no effect', 'unstored-value', written, inGermany, 'no-effect'],
    ['a value that was dropped', 'unstored-value', written, 'SELECT count(*) FROM customer', 'answered-over'],
    ['the altered query', 'value', changed, inBrazil.toLowerCase().replace('brazil', 'Brazil'), 'right'],
    [
      'the due rows by another query',
      'value',
      changed,
      `SELECT count(id) FROM customer WHERE country IN ('Brazil')`,
      'right',
    ],
    ['the query of before', 'value', changed, inGermany, 'no-effect'],
    [
      'the query of before in other words',
      'value',
      changed,
      inGermany.replace('country', 'customer.country'),
      'no-effect',
    ],
    ['other rows', 'value', changed, "SELECT count(*) FROM customer WHERE country = 'Italy'", 'wrong'],
    ['a query that fails', 'value', changed, 'SELECT gone FROM customer', 'error'],
    ['a refusal of what had to change', 'value', changed, undefined, 'declined'],
    [
      'the same rows',
      'synonym',
      same,
      "SELECT count(id) FROM customer WHERE country IN ('Germany')",
      'right',
    ],
    ['other rows than before', 'noise', same, inBrazil, 'wrong'],
    ['a refusal for a synonym', 'synonym', same, undefined, 'declined'],
    ['a refusal for noise', 'noise', same, undefined, 'false-alarm'],
  ])('of %s', async (_, kind, due, sql, verdict) => {
    const database = await connect(`sqlite:${join(folder, 'shop.db')}`);
    try {
      const limits = { rows: 100, bytes: 1e6, timeoutMs: 10_000 };
      const setting = { database, limits, signal: new AbortController().signal, policy: 'answer' } as const;
      const gold = await runGold({ kind: 'answered', sql: inGermany, orderMatters: false }, setting);
      if (!gold.ok) throw new Error(gold.error.message);
      const alteration = { kind, how: '', question: 'How many customers in Zorg?', due };
      const judged = await judgeAltered(alteration, answerOf(sql), {
        ...{ ...setting, gold, dialect: 'sqlite', asked: 'How many customers?', before: inGermany },
      });
      expect(judged.verdict).toBe(verdict);
      if (judged.namesWord !== undefined) expect(judged.namesWord).toBe(true);
    } finally {
      await database.close();
    }
  });
});

function answerOf(sql: string | undefined): Answer {
  const base = { question: '', related: [], recordId: '', thinkMs: 1 };
  if (sql === undefined)
    return {
      ...{ ...base, kind: 'reject', reason: 'scope', cause: 'not-understood' },
      ...{ missing: '', message: 'What is “Zorg”?', nearest: [] },
    };
  return {
    ...{ ...base, kind: 'answered', sql, columns: [], rows: [], truncatedBy: null, explanation: '' },
    ...{ evidence: [], assumptions: [], checks: [], alternatives: [] },
  };
}

describe('a run', () => {
  const questions = [
    ['How many customers are in Germany?', "SELECT count(*) FROM customer WHERE country = 'Germany'"],
    ['Names of customers older than 40', 'SELECT name FROM customer WHERE age > 40'],
    ['What is the weather?', 'SELECT 1'],
  ];
  const suite = (): Suite => ({
    ...{ name: 'chinook', policy: 'answer', excluded: { cases: 0, why: '' } },
    cases: questions.map(
      ([question = '', sql = ''], index): EvaluationCase => ({
        ...{ id: `q${index}`, index, question, database: 'shop', tags: [], now: '2024-12-31' },
        databaseUrl: `sqlite:${join(folder, 'shop.db')}`,
        expect: { kind: 'answered', sql, orderMatters: false },
      }),
    ),
  });
  const options = { seed: 3, words: DEFAULT_WORDS, half: 'all' as const };

  it('alters what is answered right, repeats itself, and goes on where it stopped', async () => {
    const places = { out: join(folder, 'out'), cacheDirectory: join(folder, 'cache') };
    const whole = await runAltered([suite()], { ...options, ...places });
    expect(whole).toMatchObject({ isComplete: true, records: { length: 3 } });
    expect(whole.records.map(({ isRight }) => isRight)).toEqual([true, true, false]);
    const verdicts = whole.records
      .flatMap(({ altered }) => altered)
      .filter(({ kind }) => kind === 'number' || kind === 'value');
    expect(verdicts.map(({ kind, verdict }) => `${kind} ${verdict}`)).toEqual([
      'value right',
      'number right',
    ]);
    expect(whole.records[2]?.altered).toEqual([]);

    const lines = readFileSync(whole.file, 'utf8').trim().split('\n');
    const torn = join(folder, 'torn.jsonl');
    writeFileSync(torn, `${lines[0]}\n${lines[1]?.slice(0, 50)}`);
    const resumed = await runAltered([suite()], { ...options, ...places, resume: torn });
    expect(resumed.records).toEqual(whole.records);
    const other = runAltered([suite()], { ...options, ...places, resume: torn, seed: 4 });
    await expect(other).rejects.toMatchObject({ code: 'eval.run-invalid' });
  });

  it('says that it was cancelled', async () => {
    const controller = new AbortController();
    const report = await runAltered([suite()], {
      ...{ ...options, out: join(folder, 'out'), cacheDirectory: join(folder, 'cache') },
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(report).toMatchObject({ isComplete: false, records: { length: 1 } });
  });
});
