import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../lib/seeded-random.ts';
import { predictSoftmax } from './predict-softmax.ts';
import type { SoftmaxExample, SoftmaxModel } from './softmax-model.ts';
import type { SoftmaxSettings } from './softmax-settings.ts';
import { trainSoftmax } from './train-softmax.ts';

const EVERY: Partial<SoftmaxSettings> = { minCount: 1, minWeight: 0 };

/** What speaks for a class in the sets below: log-odds of a, b and c for each of four features. */
const TRUTH: Readonly<Record<string, readonly [number, number, number]>> = {
  w: [1.5, 0, -1],
  x: [-1, 1, 0],
  y: [0, -0.5, 1],
  z: [0, 0, 0],
};
const BASE = [0.5, 0, -0.5];

function truthOf(features: readonly string[]): number[] {
  const powers = BASE.map((base, place) =>
    Math.exp(features.reduce((odds, name) => odds + (TRUTH[name]?.[place] ?? 0), base)),
  );
  const sum = powers.reduce((before, power) => before + power, 0);
  return powers.map((power) => power / sum);
}

/** Labels drawn from the probabilities of `truthOf`. */
function drawExamples(count: number, seed: number): SoftmaxExample[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const features = Object.keys(TRUTH).filter(() => random() < 0.5);
    const [a = 0, b = 0] = truthOf(features);
    const share = random();
    return { features, label: share < a ? 'a' : share < a + b ? 'b' : 'c' };
  });
}

const likeliest = (model: SoftmaxModel, features: readonly string[]): string | undefined => {
  const odds = predictSoftmax(model, features);
  return model.classes[odds.indexOf(Math.max(...odds))];
};

describe('training', () => {
  it('learns what can be told apart', () => {
    const texts: [string, string][] = [
      ['how many', 'count'],
      ['how many of them', 'count'],
      ['the number of', 'count'],
      ['average of', 'mean'],
      ['the mean of', 'mean'],
      ['on average', 'mean'],
      ['list them', 'list'],
      ['show all of them', 'list'],
      ['list all', 'list'],
    ];
    const examples = texts.map(([text, label]) => ({ features: text.split(' '), label }));
    const model = trainSoftmax(examples, { minCount: 1, l2: 0.01, epochs: 100 });
    expect(model.classes).toEqual(['count', 'list', 'mean']);
    for (const { features, label } of examples) {
      expect(likeliest(model, features)).toBe(label);
      expect(Math.max(...predictSoftmax(model, features))).toBeGreaterThan(0.9);
    }
  });

  it('finds the probabilities that labels were drawn from', () => {
    // The exact solution is .022 off for this draw of labels; the rest is for the descent.
    const model = trainSoftmax(drawExamples(20_000, 3));
    for (const features of [[], ['w'], ['x'], ['y'], ['w', 'x'], ['x', 'y', 'z'], ['w', 'x', 'y', 'z']]) {
      const found = predictSoftmax(model, features);
      for (const [place, share] of truthOf(features).entries())
        expect(Math.abs((found[place] ?? 0) - share), `${features} ${place}`).toBeLessThan(0.03);
    }
  });

  it('comes to the solution known by hand', () => {
    // With w against -w the slope of L2 is 2·l2·w a pair: 20·(1 − p) = l2·w and p = σ(2w), so w = 1.2229 for l2 = 1.
    const examples = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? { features: ['x'], label: 'yes' } : { features: ['y'], label: 'no' },
    );
    const model = trainSoftmax(examples, { ...EVERY, epochs: 300 });
    const weight = solve((own) => 20 / (1 + Math.exp(2 * own)) - own);
    const wanted = 1 / (1 + Math.exp(-2 * weight));
    expect(predictSoftmax(model, ['x'])[1]).toBeCloseTo(wanted, 2);
    expect(predictSoftmax(model, ['y'])[0]).toBeCloseTo(wanted, 2);
    expect(predictSoftmax(model, [])[0]).toBeCloseTo(0.5, 2);
  });

  it('shrinks with L2', () => {
    const sizes = [0.1, 1, 10, 100].map((l2) => {
      const { weights, exponents } = trainSoftmax(drawExamples(500, 1), { ...EVERY, l2 });
      return weights.reduce((sum, byte, at) => sum + (byte * 2 ** exponents[Math.floor(at / 3)]!) ** 2, 0);
    });
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  it('counts weights as examples', () => {
    const examples = drawExamples(300, 4);
    const thrice = examples.map((example) => ({ ...example, weight: 3 }));
    const settings = { ...EVERY, epochs: 100 };
    const repeated = trainSoftmax([...examples, ...examples, ...examples], settings);
    const weighted = trainSoftmax(thrice, settings);
    for (const name of Object.keys(TRUTH))
      for (const [place, share] of predictSoftmax(repeated, [name]).entries())
        expect(predictSoftmax(weighted, [name])[place]).toBeCloseTo(share, 1);
    const none = { features: ['never'], label: 'nothing', weight: 0 };
    expect(trainSoftmax([...examples, none], EVERY)).toEqual(trainSoftmax(examples, EVERY));
  });

  it('gives the same model for the same seed and another for another', () => {
    const train = (seed: number) => trainSoftmax(drawExamples(400, 2), { ...EVERY, seed });
    expect(train(7)).toEqual(train(7));
    expect(train(8)).not.toEqual(train(7));
  });

  it('names classes and features in their own order, not in that of the examples', () => {
    const examples = drawExamples(200, 5);
    const there = trainSoftmax(examples, EVERY);
    const back = trainSoftmax(examples.toReversed(), EVERY);
    expect(back.classes).toEqual(['a', 'b', 'c']);
    expect(back.classes).toEqual(there.classes);
    expect(rowsOf(back)).toEqual([
      ['w', 0],
      ['x', 1],
      ['y', 2],
      ['z', 3],
    ]);
  });

  it('is told nothing by the order or repetition of features', () => {
    const examples = drawExamples(200, 6);
    const turned = examples.map(({ features, label }) => ({
      features: [...features.toReversed(), ...features],
      label,
    }));
    expect(trainSoftmax(turned, EVERY)).toEqual(trainSoftmax(examples, EVERY));
  });

  it('drops rare features before and tiny ones after', () => {
    const examples = [...drawExamples(500, 7), { features: ['once', 'once'], label: 'a' }];
    const { features } = trainSoftmax(examples, { minWeight: 0 });
    expect([...features.keys()]).toEqual(['w', 'x', 'y', 'z']);
    const few = trainSoftmax(examples, { minWeight: 0.4 });
    expect(rowsOf(few)).toEqual([
      ['w', 0],
      ['x', 1],
      ['y', 2],
    ]);
    expect([few.weights.length, few.exponents.length]).toEqual([9, 3]);
    const none = trainSoftmax(examples, { minWeight: 100 });
    expect([none.features.size, none.weights.length]).toEqual([0, 0]);
    expect(predictSoftmax(none, ['w'])).toEqual(predictSoftmax(none, []));
  });

  it('keeps weights as precise as it is told, and says nearly the same with coarse ones', () => {
    const examples = drawExamples(500, 8);
    const fine = trainSoftmax(examples, EVERY);
    const coarse = trainSoftmax(examples, { ...EVERY, precision: 4 });
    expect(fine.exponents.every((exponent) => exponent < -4)).toBe(true);
    expect(coarse.exponents.every((exponent) => exponent === -4)).toBe(true);
    for (const { features } of examples) {
      const [there, here] = [predictSoftmax(fine, features), predictSoftmax(coarse, features)];
      // At most half a step for each of four features and the bias of neither.
      for (const [place, likely] of here.entries())
        expect(Math.abs(Math.log(likely / there[place]!))).toBeLessThanOrEqual(2 * 4 * 2 ** -5);
    }
  });

  const two: SoftmaxExample[] = [
    { features: ['x'], label: 'a' },
    { features: ['y'], label: 'b' },
  ];
  it.each<[string, readonly SoftmaxExample[], Partial<SoftmaxSettings>, string]>([
    ['no example', [], {}, 'have 0 labels; expected 2 or more'],
    ['one class', two.slice(1), {}, 'have 1 labels; expected 2 or more'],
    ['one class with a weight', [two[0]!, { ...two[1]!, weight: 0 }], {}, 'have 1 labels'],
    [
      'a weight below 0',
      [...two, { features: [], label: 'a', weight: -1 }],
      {},
      'the weight of example 2 is -1',
    ],
    ['a weight of NaN', [{ features: [], label: 'a', weight: Number.NaN }], {}, 'example 0 is NaN'],
    [
      'a long feature',
      [...two, { features: ['x'.repeat(201)], label: 'a' }],
      { minCount: 1 },
      '201 characters',
    ],
    [
      'a long label',
      [...two, { features: [], label: 'x'.repeat(201) }],
      {},
      'the class "xxxxxxxxxxxxxxxxxxxx…" has 201',
    ],
    ['no epoch', two, { epochs: 0 }, 'epochs is a whole number from 1 to 10000, not 0'],
    ['half an epoch', two, { epochs: 1.5 }, 'epochs is a whole number from 1 to 10000, not 1.5'],
    [
      'a rate of NaN',
      two,
      { learningRate: Number.NaN },
      'learningRate is a number from 0.000001 to 10, not NaN',
    ],
    ['L2 below 0', two, { l2: -1 }, 'l2 is a number from 0 to 1000000, not -1'],
    ['a count of 0', two, { minCount: 0 }, 'minCount is a whole number'],
    ['a seed below 0', two, { seed: -1 }, 'seed is a whole number'],
  ])('refuses %s', (_, examples, settings, message) => {
    const train = () => trainSoftmax(examples, settings);
    expect(train).toThrow(expect.objectContaining({ code: 'softmax.data-invalid' }));
    expect(train).toThrow(message);
  });

  it('refuses more weights than there is memory for', () => {
    const examples = Array.from({ length: 6_400 }, (_, at) => ({ features: [`${at}`], label: `${at}` }));
    expect(() => trainSoftmax(examples, { minCount: 1 })).toThrow(
      '6400 features times 6400 classes are more than 40000000 weights; a higher minCount keeps fewer features',
    );
  });
});

describe('probabilities', () => {
  const name = fc.oneof(fc.constantFrom('w', 'x', 'y', 'z'), fc.string());
  const example = fc.record({
    features: fc.array(name, { maxLength: 8 }),
    label: fc.constantFrom('a', 'b', 'c'),
    weight: fc.double({ min: 0.001, max: 1_000, noNaN: true }),
  });

  it('sum to 1 and are told nothing by order, repetition or what is not known', () => {
    fc.assert(
      fc.property(fc.array(example, { maxLength: 20 }), fc.array(name), (examples, features) => {
        const sure = [...examples, { features: ['w'], label: 'a' }, { features: ['x'], label: 'b' }];
        const model = trainSoftmax(sure, { ...EVERY, epochs: 3, learningRate: 10 });
        const found = predictSoftmax(model, features);
        expect(found.length).toBe(model.classes.length);
        expect(found.every((share) => share >= 0 && share <= 1)).toBe(true);
        expect(found.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
        const other = [...features.toReversed(), ...features, 'not known: \u{1f419}'];
        expect(predictSoftmax(model, other)).toEqual(found);
      }),
    );
  });

  it('stand as they should where weights are larger than any training makes', () => {
    const model: SoftmaxModel = {
      classes: ['a', 'b'],
      features: new Map([['x', 0]]),
      weights: Int8Array.of(127, -127),
      exponents: Int8Array.of(127),
      bias: Float32Array.of(3e38, -3e38),
    };
    expect([...predictSoftmax(model, ['x'])]).toEqual([1, 0]);
  });
});

/** The place where a falling function is 0. */
function solve(falling: (at: number) => number): number {
  let [low, high] = [0, 10];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (falling(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

function rowsOf({ features }: SoftmaxModel): (readonly [string, number | undefined])[] {
  return [...features.keys()].map((name) => [name, features.get(name)]);
}
