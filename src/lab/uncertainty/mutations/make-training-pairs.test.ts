import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHOP } from '../../../../test/fixtures/uncertainty/shop.ts';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { readQuery } from '../../../faults/reading/index.ts';
import { resolvePlaces } from '../../corpus/index.ts';
import { makeEnginePairs } from './engine-pairs.ts';
import { keyOf, makeTrainingPairs, pairsOf, type TrainingPair } from './make-training-pairs.ts';
import { ERROR_NAMES, TOLERATED } from './site/mutation.ts';

const named = readTerminalEnvironment().dataDirectory;
const { dataDirectory } = resolvePlaces(named === undefined ? {} : { dataDirectory: named });
const hasSpider = existsSync(join(dataDirectory, 'spider', 'train_spider.json'));

const GOLD =
  "SELECT T1.name FROM customer AS T1 JOIN country AS T2 ON T1.country_id = T2.id WHERE T2.name = 'France'";
const gold = readQuery(GOLD, 'sqlite', SHOP);
const questions = Array.from({ length: 60 }, (_, at) => {
  if (!gold.ok) throw new Error(gold.because);
  const asked = { id: String(at), database: 'shop', question: 'Who lives in France?', hint: '' };
  return pairsOf({ set: 'shop', asked, catalog: SHOP, gold: gold.query }, 6, 7);
});
const isError = (name: string): boolean => ERROR_NAMES.some((error) => error === name);

describe('pairsOf', () => {
  it('gives as many candidates as are asked for, whose weights are 1 in sum', () => {
    for (const pairs of questions) {
      expect(pairs).toHaveLength(6);
      expect(pairs.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
    }
  });

  it('calls wrong what an error was made in, and right what right queries of models have too', () => {
    const all = questions.flat();
    for (const { right, edits, generated, gold: due } of all) {
      const errors = edits.filter(({ kind }) => isError(kind));
      if (!right) expect(errors.length).toBeGreaterThan(0);
      const isTolerated =
        errors.length <= 1 && errors.every(({ kind }) => TOLERATED.some((name) => name === kind));
      if (right) expect(isTolerated || keyOf(generated) === keyOf(due)).toBe(true);
      expect(generated.tree.nodes.length).toBeGreaterThan(0);
    }
    const share = all.filter(({ right }) => right).length / all.length;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.8);
  });

  it('makes questions of which all, some and no candidates are right', () => {
    const counts = new Set(questions.map((pairs) => pairs.filter(({ right }) => right).length));
    expect(counts.size).toBeGreaterThanOrEqual(5);
  });

  it('lets several candidates of a question make one error', () => {
    const sameError = questions.filter((pairs) => {
      const wrong = pairs.filter(({ right }) => !right).map(({ generated }) => keyOf(generated));
      return new Set(wrong).size < wrong.length;
    });
    expect(sameError.length).toBeGreaterThan(10);
  });
});

describe.skipIf(!hasSpider)('pairs of Spider train', () => {
  const options = { dataDirectory, only: new Set(['perpetrator']) };
  const textOf = ({ questionId, generated, right }: TrainingPair): string =>
    `${questionId} ${right} ${generated.tree.text}`;
  const take = async (seed: number, limit: number): Promise<string[]> => {
    const texts: string[] = [];
    const sets = ['spider-train'] as const;
    for await (const pair of makeTrainingPairs({ ...options, sets, perQuestion: 4, seed, limit }))
      texts.push(textOf(pair));
    return texts;
  };

  it('are the same for the same seed, question after question', async () => {
    const [one, same, other] = [await take(1, 5), await take(1, 5), await take(2, 5)];
    expect(one).toHaveLength(20);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    const ids = one.map((text) => text.split(' ').slice(0, 2).join(' '));
    expect(new Set(ids).size).toBe(5);
    expect(ids).toEqual([...new Set(ids)].flatMap((id) => Array<string>(4).fill(id)));
  });

  it('stop when they are told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const pairs = makeTrainingPairs({ ...options, sets: ['spider-train'], perQuestion: 1, seed: 1, signal });
    await expect(pairs.next()).rejects.toThrow('enough');
  });

  it('that the engine writes are judged by their rows, until the time is over', async () => {
    const cacheDirectory = await mkdtemp(join(tmpdir(), 'candor-pairs-'));
    let asked = 0;
    const pairs: TrainingPair[] = [];
    const engine = { ...options, cacheDirectory, limit: 6, now: () => asked, stopAfterMs: 3 };
    for await (const pair of makeEnginePairs({
      ...engine,
      onProgress: (progress) => (asked = progress.asked),
    }))
      pairs.push(pair);
    await rm(cacheDirectory, { recursive: true });
    expect(asked).toBe(4);
    expect(pairs.length).toBeGreaterThan(0);
    for (const { edits, right } of pairs) {
      expect(edits).toEqual([]);
      expect(typeof right).toBe('boolean');
    }
  });
});
