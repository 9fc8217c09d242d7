import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { readCases } from '../../../test/fixtures/grounded/read-cases.ts';
import { scorerOf } from '../../../test/fixtures/grounded/scorer-of.ts';
import { smallKnowledge } from '../../../test/fixtures/grounded/small-catalog.ts';
import { encodeModelFile } from '../../boosting/index.ts';
import { readQuestion } from '../../reasoning/grounded/index.ts';
import {
  makeCandidates,
  openRatingModels,
  queryTraits,
  type RatingModels,
  READING_FEATURES,
} from '../../reasoning/grounded/rate/index.ts';
import { adaptEngine, LEAST_PAIRS } from './adapt-engine.ts';
import type { TrainingItem } from './training-set.ts';

const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-10-01T12:00:00Z');
const { asked } = await openRatingModels();
const options = { seed: 1, signal: new AbortController().signal };

const READ = readCases('pairs.jsonl', z.looseObject({ question: z.string() })).flatMap(
  ({ question: text }) => {
    const question = readQuestion(text, KNOWLEDGE, NOW);
    const first = question === null ? undefined : makeCandidates(question)[0]?.sql;
    const gold = first === undefined ? null : queryTraits(first, KNOWLEDGE.catalog);
    return question === null || first === undefined || gold === null ? [] : [{ question, first, gold, text }];
  },
);

/** Questions whose right candidates are told by their place and SQL, not by a database. */
function itemsOf(most: number, isRight: (sql: string, first: string, at: number) => boolean): TrainingItem[] {
  return READ.slice(0, most).map(({ question, first, gold, text }, at) => ({
    id: text,
    question,
    gold,
    hasGold: async () => true,
    isRight: async (sql) => isRight(sql, first, at),
  }));
}

const featureOf = (name: string) => {
  const place = READING_FEATURES.indexOf(name);
  return (row: ArrayLike<number>): number => row[place] ?? 0;
};
const isFirst = (sql: string, first: string): boolean => sql === first;

/** No opinion: the first candidate is the best. */
const EVEN: RatingModels = { asked, readings: scorerOf(() => 0) };
/** Sure of what the rules wrote first, and right. */
const SURE: RatingModels = {
  asked,
  readings: scorerOf((row) =>
    featureOf('rank')(row) === 0 && featureOf('revisions')(row) === 0 && featureOf('variant 0')(row) === 1
      ? 40
      : -40,
  ),
};

describe('adaptEngine', () => {
  it('keeps a forest of its own where questions held out come out right by it', async () => {
    const counts = (sql: string): boolean => sql.startsWith('SELECT COUNT(*)');
    const items = itemsOf(60, counts);
    const { own, questions, right, loss } = await adaptEngine(items, EVEN, options);
    expect(questions).toBe(60);
    expect(right.own).toBeGreaterThan(right.known);
    expect(right.any).toBeGreaterThanOrEqual(right.own);
    expect(loss.own).toBeLessThan(loss.known);
    expect(own?.features).toEqual(READING_FEATURES);
  });

  it('keeps none where the known models are as good', async () => {
    const { own, right, loss } = await adaptEngine(itemsOf(30, isFirst), SURE, options);
    expect(right.known).toBe(100);
    expect(loss.known).toBeLessThan(loss.own);
    expect(own).toBeUndefined();
  });

  it('gives the same forest for the same seed, and says what it does', async () => {
    const stages = new Set<string>();
    const run = async (): Promise<Uint8Array> => {
      const { own: model } = await adaptEngine(
        itemsOf(30, (sql) => sql.includes('COUNT')),
        EVEN,
        { ...options, onProgress: (stage) => stages.add(stage) },
      );
      if (model === undefined) throw new Error('nothing was better');
      return encodeModelFile({ model, about: 'a test', data: {}, scores: {} });
    };
    expect(await run()).toEqual(await run());
    expect([...stages]).toEqual(['reading pairs', 'held out']);
  });

  it('passes over pairs whose own query gives no result', async () => {
    const items = itemsOf(26, isFirst).map((item, at) => ({ ...item, hasGold: async () => at >= 5 }));
    expect((await adaptEngine(items, SURE, options)).questions).toBe(21);
    const fewer = items.slice(0, LEAST_PAIRS);
    expect(await codeOf(adaptEngine(fewer, SURE, options))).toBe('engine.too-few-pairs');
  });

  it.each<[string, TrainingItem[]]>([
    ['nothing', []],
    ['a pair too few', itemsOf(LEAST_PAIRS - 1, isFirst)],
    ['no right reading', itemsOf(LEAST_PAIRS, () => false)],
    ['no wrong reading', itemsOf(LEAST_PAIRS, () => true)],
    // with its fold held out there is nothing to learn from
    ['one right reading', itemsOf(LEAST_PAIRS, (sql, first, at) => at === 3 && sql === first)],
  ])('refuses %s', async (_, items) =>
    expect(await codeOf(adaptEngine(items, EVEN, options))).toBe('engine.too-few-pairs'),
  );

  it('stops when it is told to', async () => {
    const run = (signal: AbortSignal, onProgress = () => {}) =>
      adaptEngine(itemsOf(25, isFirst), EVEN, { seed: 1, signal, onProgress });
    await expect(run(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    const controller = new AbortController();
    const stop = (): void => controller.abort(new Error('enough'));
    await expect(run(controller.signal, stop)).rejects.toThrow('enough');
  });
});
