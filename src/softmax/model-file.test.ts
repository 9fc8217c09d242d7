import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../lib/seeded-random.ts';
import { predictSoftmax } from './predict-softmax.ts';
import {
  hashSoftmax,
  readSoftmaxModel,
  type SoftmaxContent,
  type SoftmaxProvenance,
  writeSoftmaxModel,
} from './softmax-file.ts';
import type { SoftmaxModel } from './softmax-model.ts';
import { trainSoftmax } from './train-softmax.ts';

const PATH = 'models/intents.json';
const PROVENANCE: SoftmaxProvenance = {
  data: 'drawn by seed 5',
  licence: 'Apache-2.0',
  seed: 1,
  trained: 300,
};
const WORDS = ['how', 'many', 'list', '', '"', '\n', '\ud800', 'größer', '🐙', '__proto__'];

function makeModel(): SoftmaxModel {
  const random = seededRandom(5);
  const examples = Array.from({ length: 300 }, () => {
    const features = WORDS.filter(() => random() < 0.4);
    const label = random() < 0.3 ? 'none' : (features[0] ?? 'none');
    return { features, label };
  });
  return trainSoftmax(examples, { minWeight: 0 });
}

const model = makeModel();
const text = writeSoftmaxModel(model, PROVENANCE);

/** The text with a part changed, under its old hash or, where only the shape is wrong, under a right one. */
function edited(change: Readonly<Record<string, unknown>>): string {
  const json: Record<string, unknown> & SoftmaxContent = JSON.parse(text);
  return JSON.stringify({ ...json, ...change });
}
function resealed(change: Partial<SoftmaxContent>): string {
  const json: SoftmaxContent = JSON.parse(text);
  return edited({ ...change, hash: hashSoftmax({ ...json, ...change }) });
}

describe('a model file', () => {
  it('comes back as it was, and predicts the same to the last bit', () => {
    const back = readSoftmaxModel(text, PATH);
    expect(back).toEqual({ model, provenance: PROVENANCE });
    expect(writeSoftmaxModel(back.model, back.provenance)).toBe(text);
    fc.assert(
      fc.property(fc.subarray(WORDS), (features) => {
        expect(predictSoftmax(back.model, features)).toEqual(predictSoftmax(model, features));
      }),
    );
  });

  it('comes back from any examples', () => {
    const name = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
    const example = fc.record({ features: fc.array(name), label: fc.string() });
    fc.assert(
      fc.property(
        fc.array(example, { maxLength: 10 }),
        fc.double({ min: 0, max: 1 }),
        (examples, minWeight) => {
          const sure = [...examples, { features: ['x'], label: 'a' }, { features: ['y'], label: 'b' }];
          const own = trainSoftmax(sure, {
            minCount: 1,
            epochs: 2,
            minWeight: Number.isNaN(minWeight) ? 0 : minWeight,
          });
          expect(readSoftmaxModel(writeSoftmaxModel(own, PROVENANCE)).model).toEqual(own);
        },
      ),
    );
  });

  it('says in its first lines what it is', () =>
    expect(text.split('\n').slice(0, 2)).toEqual([
      '{"format":"candor-softmax 1",',
      '"provenance":{"data":"drawn by seed 5","licence":"Apache-2.0","seed":1,"trained":300},',
    ]));

  it('is small: four thirds of a byte a weight beside the names', () => {
    const random = seededRandom(2);
    const [features, classes] = [20_000, 20];
    const large: SoftmaxModel = {
      classes: Array.from({ length: classes }, (_, at) => `class ${at}`),
      features: new Map(Array.from({ length: features }, (_, at) => [`w${at}`, at])),
      weights: Int8Array.from({ length: features * classes }, () => Math.floor(random() * 255) - 127),
      exponents: new Int8Array(features).fill(-6),
      bias: new Float32Array(classes),
    };
    const names = JSON.stringify([...large.features.keys()]).length;
    expect(writeSoftmaxModel(large, PROVENANCE).length - names).toBeLessThan(565_000);
  });

  it.each<[string, Partial<SoftmaxModel>, Partial<SoftmaxProvenance>, string]>([
    ['a bias of NaN', { bias: model.bias.map(() => Number.NaN) }, {}, 'bias[0]'],
    ['a bias too few', { bias: model.bias.slice(1) }, {}, 'bias has length 8; expected 9'],
    [
      'weights of another shape',
      { weights: model.weights.slice(1) },
      {},
      'weights has length 89; expected 90',
    ],
    ['half an example', {}, { trained: 0.5 }, 'provenance.trained'],
  ])('is not written with %s', (_, wrong, provenance, message) =>
    expect(() => writeSoftmaxModel({ ...model, ...wrong }, { ...PROVENANCE, ...provenance })).toThrow(
      `cannot use the model to be written: ${message}`,
    ),
  );
});

describe('a broken model file is refused', () => {
  const { classes, features, bias, exponents, weights }: SoftmaxContent = JSON.parse(text);
  it.each<[string, string, string]>([
    ['empty', '', 'it is no JSON'],
    ['no JSON', 'candor', 'it is no JSON'],
    ['something else', '[]', 'the file: Invalid input'],
    ['cut off', text.slice(0, -20), 'it is no JSON'],
    ['too long', ' '.repeat(100_000_001), 'it has 100000001 characters; at most 100000000 are read'],
    ['of another version', text.replace('candor-softmax 1', 'candor-softmax 2'), 'format: Invalid input'],
    ['of trees', text.replace('candor-softmax 1', 'candor-trees 1'), 'format: Invalid input'],
    ['with NaN', text.replace('"bias":[', '"bias":[NaN,'), 'it is no JSON'],
    ['with null for NaN', resealed({ bias: JSON.parse('[null]') }), 'bias[0]: Invalid input'],
    ['with an infinite number', text.replace('"bias":[', '"bias":[1e999,'), 'bias[0]: Invalid input'],
    ['with a number too large', resealed({ bias: bias.with(2, 1e300) }), 'bias[2] is too large: 1e+300'],
    [
      'with a class twice',
      resealed({ classes: classes.with(1, classes[0]!) }),
      'classes[1] is there before: ""',
    ],
    [
      'with a feature twice',
      resealed({ features: features.with(3, features[1]!) }),
      'features[3] is there before',
    ],
    ['with one class', resealed({ classes: ['a'] }), 'classes: Too small'],
    ['with a class too many', resealed({ classes: [...classes, 'x'] }), 'bias has length 9; expected 10'],
    [
      'with a feature too many',
      resealed({ features: [...features, 'x'] }),
      'exponents has length 10; expected 11',
    ],
    ['with a long feature', resealed({ features: ['x'.repeat(201)] }), 'features[0]: Too big'],
    [
      'with exponents cut',
      resealed({ exponents: exponents.slice(4) }),
      'exponents has length 7; expected 10',
    ],
    ['with weights cut', resealed({ weights: weights.slice(4) }), 'weights has length 87; expected 90'],
    ['with weights that are no base64', resealed({ weights: `*${weights.slice(1)}` }), 'weights'],
    ['without weights', edited({ weights: undefined }), 'weights: Invalid input'],
    ['edited', edited({ bias: bias.with(0, 1) }), 'its content is not that of its hash'],
    ['renamed', edited({ features: features.toReversed() }), 'its content is not that of its hash'],
    ['of nobody', edited({ provenance: undefined }), 'provenance: Invalid input'],
    ['with more', edited({ more: 1 }), 'the file: Unrecognized key: "more"'],
  ])('%s', (_, broken, message) => {
    const read = () => readSoftmaxModel(broken, PATH);
    expect(read).toThrow(expect.objectContaining({ code: 'softmax.model-invalid' }));
    expect(read).toThrow(`cannot use the model ${PATH}: ${message}`);
  });

  it('whatever single character is changed, unless it says the same', () => {
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('0', '7', '-', ',', ']', 'x', ' '),
        (at, character) => {
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          try {
            expect(readSoftmaxModel(changed, PATH).model).toEqual(model);
          } catch (error) {
            expect(error).toMatchObject({ code: 'softmax.model-invalid' });
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
