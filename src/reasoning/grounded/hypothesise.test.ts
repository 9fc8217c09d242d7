import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCases, testCases } from '../../../test/fixtures/grounded/read-cases.ts';
import { smallKnowledge } from '../../../test/fixtures/grounded/small-catalog.ts';
import { smallStatements } from '../../../test/fixtures/grounded/small-tables.ts';
import { connect, type Database } from '../../database/index.ts';
import { emptySemanticModel } from '../../knowledge/semantic/index.ts';
import { onboard } from '../../onboarding/onboard.ts';
import { buildKnowledge, type GroundedKnowledge, hypothesise } from './index.ts';

const PAIR = z.strictObject({
  /** What the pair watches over. */
  trap: z.string(),
  question: z.string(),
  hint: z.string().optional(),
  gold: z.string(),
  /** The rows must come in the order of the gold rows. */
  ordered: z.boolean().optional(),
  mustFail: z.string().optional(),
});
const PAIRS = readCases('pairs.jsonl', PAIR);
const HINTED = readCases('hinted-pairs.jsonl', PAIR);
const NOW = new Date('2024-10-01T12:00:00Z');
const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 10_000 };

let folder: string;
let database: Database;
let knowledge: GroundedKnowledge;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-pairs-'));
  const writer = new DatabaseSync(join(folder, 'music.db'));
  for (const statement of smallStatements()) writer.exec(statement);
  writer.close();
  database = await connect(`sqlite:${join(folder, 'music.db')}`);
  const onboarded = await onboard(database, {
    directory: join(folder, 'derived'),
    semantics: emptySemanticModel,
  });
  knowledge = buildKnowledge(onboarded.catalog, emptySemanticModel, onboarded.values);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function rowsOf(sql: string, isOrdered: boolean): Promise<string[]> {
  const { rows } = await database.query(sql, LIMITS);
  const lines = rows.map((row) => row.map((cell) => JSON.stringify(cell)).join('|'));
  return isOrdered ? lines : lines.sort();
}

describe('questions and gold rows', () => {
  testCases(
    [...PAIRS, ...HINTED],
    ({ trap, question }) => `${trap}: ${question}`,
    async ({ question, hint, gold, ordered = false }) => {
      const [best] = hypothesise(question, knowledge, NOW, hint).readings;
      expect(best, 'a reading').toBeDefined();
      const sql = best?.sql ?? '';
      expect(await rowsOf(sql, ordered), sql).toEqual(await rowsOf(gold, ordered));
    },
  );

  it('has pairs enough, none twice', () => {
    expect(PAIRS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(PAIRS.map((pair) => pair.question)).size).toBe(PAIRS.length);
  });

  it('has gold that tells answers apart: no gold is empty but where the trap says so', async () => {
    for (const { trap, gold, ordered = false } of PAIRS)
      expect((await rowsOf(gold, ordered)).length > 0, gold).toBe(trap !== 'unknown-value');
  });
});

describe('hypothesise', () => {
  it('knows the same of a database in memory and of one that was read', () => {
    const inMemory = smallKnowledge();
    for (const { question } of PAIRS)
      expect(hypothesise(question, inMemory, NOW).readings[0]?.sql, question).toBe(
        hypothesise(question, knowledge, NOW).readings[0]?.sql,
      );
  });

  it('gives up to eight readings, different ones, the likeliest first, each with its causes in place', () => {
    for (const { question } of PAIRS) {
      const { readings } = hypothesise(question, knowledge, NOW);
      expect(readings.length).toBeLessThanOrEqual(8);
      expect(new Set(readings.map((reading) => reading.sql)).size).toBe(readings.length);
      const probabilities = readings.map((reading) => reading.probability);
      expect(probabilities).toEqual([...probabilities].sort((a, b) => b - a));
      for (const { sql, parts, probability, explanation, mentions } of readings) {
        expect(probability >= 0 && probability <= 1).toBe(true);
        expect(explanation).not.toBe('');
        expect(parts.length).toBeGreaterThan(0);
        for (const part of parts) {
          expect(sql.slice(part.span.start, part.span.end)).toBe(part.text);
          if (part.cause.mention !== undefined) expect(mentions[part.cause.mention]).toBeDefined();
        }
      }
    }
  });

  it('is the same every time', () => {
    for (const { question } of PAIRS.slice(0, 20))
      expect(JSON.stringify(hypothesise(question, knowledge, NOW))).toBe(
        JSON.stringify(hypothesise(question, knowledge, NOW)),
      );
  });

  it('names the words it does not understand, with their places', () => {
    const question = 'How many zebras are in the aquarium?';
    const { unexplained } = hypothesise(question, knowledge, NOW);
    expect(unexplained.map(({ text }) => text)).toEqual(['zebras', 'aquarium']);
    for (const { span, text } of unexplained) expect(question.slice(span.start, span.end)).toBe(text);
  });

  it('says how a misspelt word was read', () => {
    const [best] = hypothesise('What is the capacty of Ocean Park?', knowledge, NOW).readings;
    expect(best?.assumptions).toContainEqual({ kind: 'value', text: '“capacty” was read as “capacity”.' });
  });

  it('never throws and never writes SQL that the engine cannot plan, whatever is asked', async () => {
    const word = fc.constantFrom(
      ..."how many the each name singers songs stadium concerts age highest not or and both without more than 3 in 2023 France 'Open Air' average number of order by most common between 1 last year , . ? zebra pets per top distinct whose is (".split(
        ' ',
      ),
    );
    const sqls = new Set<string>();
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        for (const reading of hypothesise(words.join(' '), knowledge, NOW).readings) sqls.add(reading.sql);
      }),
      { seed: 5, numRuns: 400 },
    );
    expect(sqls.size).toBeGreaterThan(50);
    for (const sql of sqls) await database.explain(sql);
  });
});
