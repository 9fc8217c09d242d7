import { cp, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../../test/fixtures/code-of.ts';
import { smallKnowledge } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { encodeModelFile, trainTrees } from '../../../boosting/index.ts';
import { readQuestion } from '../hypothesise.ts';
import { openRatingModels, RATING_FILES, readRatingModels } from './open-rating-models.ts';
import { SHAPE_PARTS } from './query-traits.ts';
import { rateCandidates } from './rate-candidates.ts';
import { READING_FEATURES } from './reading-features.ts';

const SHIPPED = new URL('./models/', import.meta.url);
const MOST_BYTES = 1_500_000;
const FILES = [RATING_FILES.asked, RATING_FILES.readings];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-rating-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A forest of one tree that likes what the rules like. */
async function forestOf(names: readonly string[]): Promise<Uint8Array> {
  const rows = 40;
  const { model } = await trainTrees(
    {
      names,
      rows,
      features: names.map(() => Float32Array.from({ length: rows }, (_, row) => row % 2)),
      labels: Uint8Array.from({ length: rows }, (_, row) => row % 2),
    },
    { settings: { trees: 1, minLeafRows: 1 } },
  );
  return encodeModelFile({ model, about: 'a test', data: {}, scores: {} });
}

async function copied(name: string): Promise<{ readonly path: string; readonly url: URL }> {
  const path = join(folder, name);
  await cp(SHIPPED, path, { recursive: true });
  return { path, url: pathToFileURL(`${path}/`) };
}

describe('the models that come with Candor', () => {
  it('are those that are named, and small', async () => {
    expect((await readdir(SHIPPED)).sort()).toEqual([...FILES].sort());
    const sizes = await Promise.all(FILES.map(async (file) => (await stat(new URL(file, SHIPPED))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('open, once for all', async () => {
    const models = await openRatingModels();
    expect(Object.keys(models.asked.shapes).sort()).toEqual([...SHAPE_PARTS].sort());
    expect(models.own).toBeUndefined();
    expect((await openRatingModels()).readings).toBe(models.readings);
    expect((await openRatingModels(join(folder, 'none.trees'))).own).toBeUndefined();
  });
});

describe('a folder of models', () => {
  it.each(FILES)('without %s is refused', async (file) => {
    const { path, url } = await copied(`missing-${file}`);
    await unlink(join(path, file));
    expect(await codeOf(readRatingModels(url))).toBe('engine.model-missing');
  });

  it.each(FILES)('with %s cut off or edited is refused', async (file) => {
    const { path, url } = await copied(`damaged-${file}`);
    const bytes = await readFile(join(path, file));
    const code = file.endsWith('.trees') ? 'boosting.model-invalid' : 'softmax.model-invalid';
    await writeFile(join(path, file), bytes.subarray(0, bytes.length / 2));
    expect(await codeOf(readRatingModels(url))).toBe(code);
    bytes[bytes.length - 200]! ^= 1;
    await writeFile(join(path, file), bytes);
    expect(await codeOf(readRatingModels(url))).toBe(code);
  });

  it('with a forest of other features is refused', async () => {
    const { path, url } = await copied('features');
    await writeFile(join(path, RATING_FILES.readings), await forestOf(['rules', 'something else']));
    expect(await codeOf(readRatingModels(url))).toBe('boosting.model-invalid');
  });
});

describe("a project's own forest", () => {
  it('is asked beside the known one', async () => {
    const file = join(folder, 'own.trees');
    await writeFile(file, await forestOf(READING_FEATURES));
    const [known, both] = [await openRatingModels(), await openRatingModels(file)];
    expect(both.own).toBeDefined();
    expect(both.readings).toBe(known.readings);
    const question = readQuestion('Which singers are from France?', smallKnowledge(), new Date(0));
    if (question === null) throw new Error('nothing was read');
    const odds = (models: typeof known) => rateCandidates(question, models).map((each) => each.odds);
    expect(odds(both)).not.toEqual(odds(known));
  });

  it.each([
    ['damaged', 'candor'],
    ['empty', ''],
  ])('that is %s is refused', async (name, text) => {
    const file = join(folder, `${name}.trees`);
    await writeFile(file, text);
    expect(await codeOf(openRatingModels(file))).toBe('boosting.model-invalid');
  });

  it('of another version is refused', async () => {
    const file = join(folder, 'old.trees');
    await writeFile(file, await forestOf(READING_FEATURES.slice(1)));
    expect(await codeOf(openRatingModels(file))).toBe('boosting.model-invalid');
  });
});
