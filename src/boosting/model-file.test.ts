import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTensors, encodeTensors, encodeTexts, seededRandom, type TensorFile } from '../lib/index.ts';
import { decodeModelFile, encodeModelFile, type ModelFile } from './model-file.ts';
import { makeScorer } from './score-trees.ts';
import { trainTrees } from './train-trees.ts';

const PATH = 'models/ranker.trees';
const STUMP = {
  feature: [0],
  threshold: [1],
  missingLeft: [0],
  left: [-1],
  right: [-2],
  value: [0],
  leaf: [1, 2],
};

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
const bytes = encodeModelFile(file);
/** Another file under a right hash: what is wrong with it is not that it was edited. */
const changed = (change: (parts: TensorFile) => TensorFile): Uint8Array =>
  encodeTensors(change(decodeTensors(bytes, Number.POSITIVE_INFINITY, (what) => new Error(what))));
const withTensors = (tensors: TensorFile['tensors']): Uint8Array =>
  changed((parts) => ({ ...parts, tensors: { ...parts.tensors, ...tensors } }));
const withMetadata = (metadata: TensorFile['metadata']): Uint8Array =>
  changed((parts) => ({ ...parts, metadata: { ...parts.metadata, ...metadata } }));

describe('a model file', () => {
  it('comes back as it was, and scores the same to the last bit', () => {
    const back = decodeModelFile(bytes, PATH, { features: ['a', 'b', 'c'] });
    expect(plain(back)).toEqual(file);
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

  it('is small: less than 40 bytes a split', () => {
    const splits = file.model.trees.reduce((sum, { feature }) => sum + feature.length, 0);
    expect(splits).toBeGreaterThan(300);
    expect(bytes.length / splits).toBeLessThan(40);
  });

  it.each<[string, Partial<ModelFile>, string]>([
    ['a score of NaN', { scores: { auc: Number.NaN } }, 'scores.auc'],
    [
      'a number of many digits',
      { model: { ...file.model, trees: [{ ...STUMP, leaf: [1 / 3, 2] }] } },
      'leaf[0] is 0.3333333333333333, which has more digits than a file holds',
    ],
    [
      'a leaf of NaN',
      { model: { ...file.model, trees: [{ ...STUMP, leaf: [1, Number.NaN] }] } },
      'trees[0]: leaf[1] is NaN',
    ],
    [
      'a split by a feature that is not there',
      { model: { ...file.model, trees: [{ ...STUMP, feature: [3] }] } },
      'trees[0]: feature[0] is 3; expected 0 to 2',
    ],
  ])('is not written with %s', (_, wrong, message) =>
    expect(() => encodeModelFile({ ...file, ...wrong })).toThrow(
      `cannot use the model to be written: ${message}`,
    ),
  );

  it('holds numbers of six digits exactly, of any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999, max: 999_999 }),
        fc.integer({ min: -30, max: 20 }),
        (digits, power) => {
          const leaf = Number(`${digits}e${power}`);
          const model = { ...file.model, trees: [{ ...STUMP, leaf: [leaf, -leaf] }] };
          const back = decodeModelFile(encodeModelFile({ ...file, model }), PATH).model.trees[0];
          expect(back?.leaf[0]).toBe(leaf === 0 ? 0 : leaf);
        },
      ),
    );
  });
});

describe('a broken model file is refused', () => {
  it.each<[string, Uint8Array, string]>([
    ['no model file', Buffer.from('{"format":"candor-trees 1"}'), 'it is no model file'],
    ['cut off', bytes.subarray(0, -20), 'it was cut off'],
    ['too long', new Uint8Array(16_000_001), 'it has 16000001 bytes; at most 16000000 are read'],
    [
      'of another version',
      withMetadata({ format: 'candor-trees 3' }),
      'its format is "candor-trees 3"; expected',
    ],
    ['without its data', withMetadata({ data: 'x' }), 'data is no JSON'],
    ['with scores that are no numbers', withMetadata({ scores: '{"auc":"x"}' }), 'scores.auc: Invalid input'],
    ['with numbers of another kind', withTensors({ left: Float32Array.of(0.5) }), 'left is no array of I16'],
    ['with a list too short', withTensors({ right: Int16Array.of(1) }), 'right has length 1; expected'],
    ['with more trees than splits', withTensors({ splits: Uint16Array.of(9_999) }), 'feature has length'],
    [
      'with half a number',
      withTensors({ 'leaf places': Int8Array.of(1) }),
      'leaf places has length 1; expected',
    ],
    [
      'without features',
      withTensors({ features: encodeTexts([]) }),
      'features is no list of 1 to 10000 texts',
    ],
    ['without a base', withTensors({ base: Float64Array.of(Number.NaN) }), 'base is no number'],
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
    expect(() => decodeModelFile(bytes, PATH, { features })).toThrow(message),
  );
});

/** Its arrays as lists, to compare with those of training. */
function plain({ model, ...rest }: ModelFile): ModelFile {
  const trees = model.trees.map((tree) => ({
    feature: Array.from(tree.feature),
    threshold: Array.from(tree.threshold),
    missingLeft: Array.from(tree.missingLeft),
    left: Array.from(tree.left),
    right: Array.from(tree.right),
    value: Array.from(tree.value),
    leaf: Array.from(tree.leaf),
  }));
  return { model: { ...model, trees }, ...rest };
}
