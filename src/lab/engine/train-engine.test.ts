import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { makeTinySuite } from '../../../test/fixtures/engine/tiny-suite.ts';
import { makeScorer } from '../../boosting/index.ts';
import { RATING_FILES, type RatingModels, rateRow } from '../../reasoning/grounded/rate/index.ts';
import { readRatingModels } from '../../reasoning/grounded/rate/open-rating-models.ts';
import type { Suite } from '../corpus/index.ts';
import { type TrainEngineOptions, type TrainedEngine, trainEngine, writeEngine } from './train-engine.ts';
import { type EngineTrainingSet, judgeQuestion, openTrainingSet, type TrainingItem } from './training-set.ts';

const SETTINGS = { folds: 3, softmax: { epochs: 3 }, trees: { trees: 8 } } as const;
const PROVENANCE = { data: 'three small databases', licence: 'Apache-2.0', seed: 1 };

let folder: string;
let suite: Suite;
let set: EngineTrainingSet;
let trained: TrainedEngine;
const stages: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-engine-'));
  suite = makeTinySuite(folder);
  set = openTiny();
  trained = await train({ onProgress: (stage) => stages.push(stage) });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const train = (options: Partial<TrainEngineOptions> = {}) => trainEngine(set, { ...SETTINGS, ...options });

function openTiny({ cases = suite.cases, signal }: Partial<Given> = {}): EngineTrainingSet {
  const cancel = signal === undefined ? {} : { signal };
  return openTrainingSet({ ...suite, cases }, { cacheDirectory: join(folder, 'cache'), ...cancel });
}

interface Given {
  readonly cases: Suite['cases'];
  readonly signal: AbortSignal;
}

async function write(
  engine: TrainedEngine,
  name: string,
): Promise<{ files: Map<string, Buffer>; bytes: number }> {
  const place = join(folder, name);
  const bytes = await writeEngine(engine, place, PROVENANCE);
  const names = (await readdir(place)).sort();
  const contents = await Promise.all(names.map((file) => readFile(join(place, file))));
  return { bytes, files: new Map(names.map((file, at) => [file, contents[at]!])) };
}

describe('trainEngine', () => {
  it('learns from every question that can be read, and measures on databases it has not seen', () => {
    expect(trained.questions).toBe(set.size);
    expect(trained.rows).toBeGreaterThan(trained.questions);
    const { first, rules, any } = trained.heldOut;
    for (const share of [first, rules]) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(any);
    }
    expect(any).toBeLessThanOrEqual(100);
  });

  it('says what it does', () =>
    expect([...new Set(stages)]).toEqual(['read', 'asked', 'candidates', 'forest']));

  it('gives the same bytes for the same seed', async () => {
    const [one, two] = [await write(trained, 'one'), await write(await train(), 'two')];
    expect([...one.files.keys()]).toEqual([RATING_FILES.asked, RATING_FILES.readings].sort());
    expect(two.files).toEqual(one.files);
    expect(one.bytes).toBe([...one.files.values()].reduce((sum, { length }) => sum + length, 0));
  });

  it('is written, read back and rates as it did', async () => {
    await write(trained, 'back');
    const back = await readRatingModels(pathToFileURL(`${join(folder, 'back')}/`));
    const own: RatingModels = { asked: trained.asked, readings: makeScorer(trained.readings) };
    let right = 0;
    await set.visit('farm', async (item) => {
      const rate = async (models: RatingModels): Promise<readonly number[]> =>
        (await judgeQuestion(item, models.asked, 0))?.rows.map((row) => rateRow(row, models)) ?? [];
      const odds = await rate(back);
      expect(odds).toEqual(await rate(own));
      const judged = await judgeQuestion(item, back.asked, 0);
      if (judged?.right[odds.indexOf(Math.max(...odds))] === true) right += 1;
    });
    expect(right).toBeGreaterThan(set.size / 6);
  });

  it('refuses what is too little to tell labels apart', async () =>
    expect(
      await codeOf(trainEngine(openTiny({ cases: suite.cases.filter(({ index }) => index < 6) }), SETTINGS)),
    ).toBe('engine.too-few-questions'));

  it.each(['read', 'asked', 'candidates', 'forest'])('stops when it is told to, at “%s”', async (when) => {
    const controller = new AbortController();
    const seen = new Set<string>();
    const run = trainEngine(openTiny({ signal: controller.signal }), {
      ...SETTINGS,
      signal: controller.signal,
      onProgress: (stage) => {
        seen.add(stage);
        if (stage === when) controller.abort(new Error('enough'));
      },
    });
    await expect(run).rejects.toThrow(/enough|cancelled/);
    expect([...seen].at(-1)).toBe(when);
  });
});

describe('openTrainingSet', () => {
  async function itemsOf(...cases: Suite['cases']): Promise<TrainingItem[]> {
    const items: TrainingItem[] = [];
    const own = openTiny({ cases });
    for (const database of own.databases) await own.visit(database, (item) => void items.push(item));
    return items;
  }
  const firstCase = (): Suite['cases'][number] => {
    const [first] = suite.cases;
    if (first === undefined) throw new Error('the suite is empty');
    return first;
  };

  it('has the databases in the order of their names, with the questions that have gold', () => {
    expect(set.databases).toEqual(['farm', 'gallery', 'harbour']);
    expect(set.size).toBe(72);
  });

  it('passes over outcomes without SQL, questions without a reading and gold that is no SQL', async () => {
    const first = firstCase();
    const broken = { kind: 'answered', sql: 'SELECT FROM', orderMatters: false } as const;
    const items = await itemsOf(
      { ...first, id: 'rejected', expect: { kind: 'reject' } },
      { ...first, id: 'nothing', question: '?' },
      { ...first, id: 'broken', expect: broken },
      first,
    );
    expect(items.map(({ id }) => id)).toEqual([first.id]);
  });

  it('tells gold that gives no result', async () => {
    const due = (sql: string) => ({ kind: 'answered', sql, orderMatters: false }) as const;
    const has: boolean[] = [];
    const cases = ['SELECT city FROM nowhere', 'SELECT city FROM farmers'].map((sql) => ({
      ...firstCase(),
      expect: due(sql),
    }));
    await openTiny({ cases }).visit('farm', async ({ hasGold }) => void has.push(await hasGold()));
    expect(has).toEqual([false, true]);
  });

  it('tells right queries by what they give', async () => {
    const right: boolean[] = [];
    await openTiny({ cases: [firstCase()] }).visit('farm', async ({ isRight }) => {
      for (const sql of [
        'SELECT city FROM farmers GROUP BY city',
        'SELECT DISTINCT city FROM farmers',
        'SELECT city FROM farmers',
        'SELECT DISTINCT age FROM farmers',
        'SELECT nothing FROM farmers',
        'DELETE FROM farmers',
        'not sql',
      ])
        right.push(await isRight(sql));
    });
    expect(right).toEqual([true, true, false, false, false, false, false]);
  });
});
