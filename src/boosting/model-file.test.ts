import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../lib/seeded-random.ts';
import { decodeModelFile, encodeModelFile, type ModelFile } from './model-file.ts';
import { makeScorer } from './score-trees.ts';
import { trainTrees } from './train-trees.ts';

const PATH = 'models/ranker.json';

async function makeFile(): Promise<ModelFile> {
  const random = seededRandom(5);
  const draw = () =>
    Float32Array.from({ length: 500 }, () => (random() < 0.1 ? Number.NaN : random() * 1e-3));
  const features = [draw(), draw(), draw()];
  const labels = Uint8Array.from(features[0] ?? [], (value) => Number(random() < (value > 5e-4 ? 0.8 : 0.3)));
  const { model } = await trainTrees(
    { names: ['a', 'b', 'c'], rows: 500, features, labels },
    { settings: { trees: 30 } },
  );
  return { model, about: 'a test', data: { rows: 'drawn by seed 5' }, scores: { auc: 0.75 } };
}

const file = await makeFile();
const text = encodeModelFile(file);
const edited = (change: (json: Record<string, unknown>) => void): string => {
  const json: Record<string, unknown> = JSON.parse(text);
  change(json);
  return JSON.stringify(json);
};

describe('a model file', () => {
  it('comes back as it was, and scores the same to the last bit', () => {
    const back = decodeModelFile(text, PATH, { features: ['a', 'b', 'c'] });
    expect(back).toEqual(file);
    const [before, after] = [makeScorer(file.model), makeScorer(back.model)];
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: 0, max: Math.fround(1e-3) }), { minLength: 3, maxLength: 3 }),
        (row) => {
          expect(after.score(row)).toBe(before.score(row));
        },
      ),
    );
  });

  it('is small: less than 50 characters a split', () => {
    const splits = file.model.trees.reduce((sum, { feature }) => sum + feature.length, 0);
    expect(splits).toBeGreaterThan(300);
    expect(text.length / splits).toBeLessThan(50);
  });

  it('is not written with numbers that JSON does not hold', () =>
    expect(() => encodeModelFile({ ...file, scores: { auc: Number.NaN } })).toThrow(
      'cannot use the model to be written: scores.auc',
    ));
});

describe('a broken model file is refused', () => {
  it.each<[string, string, string]>([
    ['no JSON', '{', 'it is no JSON'],
    ['something else', '[]', 'the file: Invalid input'],
    ['cut off', text.slice(0, -20), 'it is no JSON'],
    ['too long', ' '.repeat(16_000_001), 'it has 16000001 characters; at most 16000000 are read'],
    ['of another version', text.replace('candor-trees 1', 'candor-trees 2'), 'format: Invalid input'],
    ['with a number of another kind', text.replace('"left":[', '"left":[0.5,'), 'trees[0].left[0]: Invalid'],
    ['edited', text.replace('"base":', '"base":1'), 'its trees are not those of its hash'],
    ['renamed', text.replace('["a","b","c"]', '["a","c","b"]'), 'its features are not those of its hash'],
    ['with more', edited((json) => Object.assign(json, { more: 1 })), 'the file: Unrecognized key: "more"'],
  ])('%s', (_, broken, message) => {
    const decode = () => decodeModelFile(broken, PATH);
    expect(decode).toThrow(expect.objectContaining({ code: 'boosting.model-invalid' }));
    expect(decode).toThrow(`cannot use the model ${PATH}: ${message}`);
  });

  it.each([
    [['a', 'b'], 'features[2] is "c"; expected nothing'],
    [['a', 'b', 'c', 'd'], 'features[3] is nothing; expected "d"'],
    [['a', 'x', 'c'], 'features[1] is "b"; expected "x"'],
  ])('made for other features than %j', (features, message) =>
    expect(() => decodeModelFile(text, PATH, { features })).toThrow(message),
  );

  it('whatever single character is changed, unless it says the same', () => {
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('0', '7', '-', ',', ']', 'x', ' '),
        (at, character) => {
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          try {
            expect(decodeModelFile(changed, PATH).model).toEqual(file.model);
          } catch (error) {
            expect(error).toMatchObject({ code: 'boosting.model-invalid' });
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
