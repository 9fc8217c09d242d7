import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTensors, encodeTensors, encodeTexts, seededRandom, type TensorFile } from '../lib/index.ts';
import { predictSoftmax } from './predict-softmax.ts';
import { decodeSoftmaxModels, encodeSoftmaxModels, type SoftmaxProvenance } from './softmax-file.ts';
import type { SoftmaxModel } from './softmax-model.ts';
import { trainSoftmax } from './train-softmax.ts';

const PATH = 'models/intents.softmax';
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
const bytes = encodeSoftmaxModels({ models: { intent: model }, provenance: PROVENANCE });

/** Another file under a right hash: what is wrong with it is not that it was edited. */
const changed = (change: (parts: TensorFile) => TensorFile): Uint8Array =>
  encodeTensors(change(decodeTensors(bytes, Number.POSITIVE_INFINITY, (what) => new Error(what))));
const withTensors = (tensors: TensorFile['tensors']): Uint8Array =>
  changed((parts) => ({ ...parts, tensors: { ...parts.tensors, ...tensors } }));
const withMetadata = (metadata: TensorFile['metadata']): Uint8Array =>
  changed((parts) => ({ ...parts, metadata: { ...parts.metadata, ...metadata } }));

/** The model as training makes it, to compare with. */
function plain({ features, ...rest }: SoftmaxModel): SoftmaxModel {
  return { ...rest, features: new Map([...features.keys()].map((name) => [name, features.get(name) ?? -1])) };
}

describe('a model file', () => {
  it('comes back as it was, and predicts the same to the last bit', () => {
    const { models, provenance } = decodeSoftmaxModels(bytes, PATH);
    const back = models.intent!;
    expect(plain(back)).toEqual(model);
    expect(provenance).toEqual(PROVENANCE);
    expect(encodeSoftmaxModels({ models, provenance })).toEqual(bytes);
    fc.assert(
      fc.property(fc.subarray(WORDS), (features) => {
        expect(predictSoftmax(back, features)).toEqual(predictSoftmax(model, features));
      }),
    );
  });

  it('comes back from any examples, beside a model of others', () => {
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
          const file = encodeSoftmaxModels({ models: { own, intent: model }, provenance: PROVENANCE });
          const { models } = decodeSoftmaxModels(file, PATH);
          expect(Object.keys(models)).toEqual(['own', 'intent']);
          expect(plain(models.own!)).toEqual(own);
          expect(plain(models.intent!)).toEqual(model);
        },
      ),
    );
  });

  it('is small: a byte a weight and a few a feature, beside the names, which models share', () => {
    const random = seededRandom(2);
    const [features, classes] = [20_000, 20];
    const names = Array.from({ length: features }, (_, at) => `w${String(at).padStart(5, '0')}`);
    const large = (): SoftmaxModel => ({
      classes: Array.from({ length: classes }, (_, at) => `class ${String(at).padStart(2, '0')}`),
      features: new Map(names.map((name, at) => [name, at])),
      weights: Int8Array.from({ length: features * classes }, () => Math.floor(random() * 255) - 127),
      exponents: new Int8Array(features).fill(-6),
      bias: new Float32Array(classes),
    });
    const models = { one: large(), other: large() };
    const file = encodeSoftmaxModels({ models, provenance: PROVENANCE });
    expect(file.length - JSON.stringify(names).length).toBeLessThan(2 * 442_000);
  });

  it.each<[string, Partial<SoftmaxModel>, Partial<SoftmaxProvenance>, string]>([
    ['a bias of NaN', { bias: model.bias.map(() => Number.NaN) }, {}, 'intent/bias[0]'],
    ['a bias too few', { bias: model.bias.slice(1) }, {}, 'intent/bias has length 8; expected 9'],
    [
      'weights of another shape',
      { weights: model.weights.slice(1) },
      {},
      'intent/weights has length 89; expected 90',
    ],
    ['half an example', {}, { trained: 0.5 }, 'provenance.trained'],
  ])('is not written with %s', (_, wrong, provenance, message) =>
    expect(() =>
      encodeSoftmaxModels({
        models: { intent: { ...model, ...wrong } },
        provenance: { ...PROVENANCE, ...provenance },
      }),
    ).toThrow(`cannot use the model to be written: ${message}`),
  );
});

describe('a broken model file is refused', () => {
  const { classes, bias, exponents, weights } = model;
  const features = [...model.features.keys()];
  it.each<[string, Uint8Array, string]>([
    ['empty', new Uint8Array(), 'it is no model file'],
    ['a text', Buffer.from('{"format":"candor-softmax 1"}'), 'it is no model file'],
    ['cut off', bytes.subarray(0, -20), 'it was cut off'],
    ['too long', new Uint8Array(100_000_001), 'it has 100000001 bytes; at most 100000000 are read'],
    ['of another version', withMetadata({ format: 'candor-softmax 3' }), 'its format is "candor-softmax 3"'],
    ['of trees', withMetadata({ format: 'candor-trees 2' }), 'its format is "candor-trees 2"'],
    ['with NaN', withTensors({ 'intent/bias': bias.map(() => Number.NaN) }), 'intent/bias[0] is NaN'],
    [
      'with a class twice',
      withTensors({ 'intent/classes': encodeTexts(classes.with(1, classes[0]!)) }),
      'intent/classes[1] does not come after the one before',
    ],
    [
      'with a feature twice',
      withTensors({ features: encodeTexts(features.with(3, features[2]!)) }),
      'features[3] does not come after the one before',
    ],
    [
      'with one class',
      withTensors({ 'intent/classes': encodeTexts(['a']) }),
      'intent/classes is no list of 2 to',
    ],
    [
      'with a class too many',
      withTensors({ 'intent/classes': encodeTexts([...classes, '\uffff']) }),
      'intent/bias has length 9; expected 10',
    ],
    [
      'with a feature too many',
      withTensors({ features: encodeTexts([...features, '\uffff']) }),
      'intent/knows has length 10; expected 11',
    ],
    [
      'with a long feature',
      withTensors({ features: encodeTexts(['x'.repeat(201)]) }),
      'features[0] is no text of at most 200 characters',
    ],
    [
      'with exponents cut',
      withTensors({ 'intent/exponents': exponents.slice(3) }),
      'intent/exponents has length 7; expected 10',
    ],
    [
      'with weights cut',
      withTensors({ 'intent/weights': weights.slice(3) }),
      'intent/weights has length 87; expected 90',
    ],
    ['without the model it names', withMetadata({ models: '["other"]' }), 'other/classes is no array of U8'],
    ['without names of models', withMetadata({ models: '7' }), 'models is no list of names'],
    ['of nobody', withMetadata({ provenance: '{}' }), 'provenance.data: Invalid input'],
  ])('%s', (_, broken, message) => {
    const read = () => decodeSoftmaxModels(broken, PATH);
    expect(read).toThrow(expect.objectContaining({ code: 'softmax.model-invalid' }));
    expect(read).toThrow(`cannot use the model ${PATH}: ${message}`);
  });
});
