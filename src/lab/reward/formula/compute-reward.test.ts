import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeReward, REWARD_CATEGORIES, type RewardFacts, type RewardOptions } from './compute-reward.ts';

const say = (answer: string) => `<think>because</think><answer>${answer}</answer>`;

const SQL: RewardFacts = {
  category: 'standard',
  goldKind: 'sql',
  gold: 'SELECT a FROM t WHERE x=1 AND y=2',
  output: say('SELECT a FROM t WHERE y=2'),
  tokens: 50,
  dialect: 'sqlite',
  isPlannable: true,
  goldResult: { columns: ['a'], rows: [[1]] },
  predictedResult: { columns: ['a'], rows: [[1], [7]] },
  headers: [[1]],
};
const WORDS: RewardFacts = {
  category: 'ambiguity',
  goldKind: 'nl',
  gold: 'Which period do you mean?',
  output: say('Which months do you mean?'),
  tokens: 50,
  dialect: 'sqlite',
  isPlannable: true,
  meaning: 0.95,
};

/** 2·3 / (4 + 3): the vector of §7.1. */
const TREE = 6 / 7;
/** 0.4·1 + 0.1/(1 + 0.3·ln 2) + 0.5·⅔, to four digits. */
const DENSE = 0.8161;
/** One of two conditions is there: tables 0.3, columns 0.3·⅔, clauses 0.2, literals 0.2·½. */
const RULES = 0.3 + 0.2 + 0.2 + 0.1;

const CASES: readonly (readonly [
  about: string,
  facts: RewardFacts,
  options: RewardOptions,
  expected: readonly [format: number, grammar: number, length: number, accuracy: number],
])[] = [
  ['a query of other rows', SQL, {}, [1, 1, 0, 0.5 * TREE + 0.5 * DENSE]],
  ['the right rows', { ...SQL, predictedResult: SQL.goldResult! }, {}, [1, 1, 0, 1]],
  [
    'a query that cannot be planned',
    { ...SQL, isPlannable: false, predictedResult: undefined },
    {},
    [1, 0, 0, 0.5 * TREE],
  ],
  [
    'a query with chatter before it',
    { ...SQL, output: `Well. ${SQL.output}` },
    {},
    [0, 1, 0, 0.5 * TREE + 0.5 * DENSE],
  ],
  ['two answers', { ...SQL, output: SQL.output + say('SELECT 1') }, {}, [0, 0, 0, 0]],
  ['a long output', { ...SQL, tokens: 3000 }, {}, [1, 1, -1, 0.5 * TREE + 0.5 * DENSE]],
  ['words where SQL is due', { ...SQL, output: say('Which year?') }, {}, [1, 0, 0, 0]],
  ['broken SQL', { ...SQL, output: say('SELECT a FROM WHERE') }, {}, [1, 0, 0, 0]],
  ['a question that is near', WORDS, {}, [1, 1, 0, 0.76]],
  ['a question that is far', { ...WORDS, meaning: 0.899 }, {}, [1, 1, 0, 0]],
  ['SQL where words are due', { ...WORDS, output: say('SELECT 1') }, {}, [1, 0, 0, 0]],
  [
    'a refusal that mentions SELECT',
    { ...WORDS, output: say('I cannot SELECT that.'), meaning: 0.97 },
    {},
    [1, 1, 0, 0.97],
  ],
  ['several steps', { ...SQL, category: 'multi_step' }, {}, [1, 1, 0, 0.5 * TREE + 0.5 * DENSE]],
  [
    'several steps, by rules',
    { ...SQL, category: 'multi_step' },
    { usesRules: true },
    [1, 1, 0, 0.5 * RULES + 0.5 * DENSE],
  ],
  ['one step, by rules', SQL, { usesRules: true }, [1, 1, 0, 0.5 * TREE + 0.5 * DENSE]],
  [
    'a schema that is not there',
    { ...SQL, category: 'degenerate', goldResult: undefined, predictedResult: undefined },
    {},
    [1, 1, 0, TREE],
  ],
  ['a schema made real', { ...SQL, category: 'degenerate' }, {}, [1, 1, 0, 0.5 * TREE + 0.5 * DENSE]],
  // The quirks of the published code.
  ['code: other rows', SQL, { codeCompat: true }, [1, 1, 0, 0.5 * TREE]],
  ['code: the right rows', { ...SQL, predictedResult: SQL.goldResult! }, { codeCompat: true }, [1, 1, 0, 1]],
  [
    'code: the right rows in several steps',
    { ...SQL, category: 'multi_step', predictedResult: SQL.goldResult! },
    { codeCompat: true },
    [1, 1, 0, 0.5 * RULES + 0.5 * 1],
  ],
  [
    'code: degenerate is turned round',
    { ...SQL, category: 'degenerate', isPlannable: false },
    { codeCompat: true },
    [1, 1, 0, TREE],
  ],
  [
    'code: degenerate that can be planned',
    { ...SQL, category: 'degenerate' },
    { codeCompat: true },
    [1, 0, 0, TREE],
  ],
  ['code: a forced answer', { ...WORDS, output: say('SELECT 1') }, { codeCompat: true }, [1, 1, 0, 0]],
  [
    'code: a refusal that mentions SELECT',
    { ...WORDS, isPlannable: false, output: say('I cannot SELECT.') },
    { codeCompat: true },
    [1, 0, 0, 0],
  ],
  [
    'code: format anywhere',
    { ...SQL, output: `Well. ${SQL.output} Bye.` },
    { codeCompat: true },
    [1, 1, 0, 0.5 * TREE],
  ],
  ['code: no clamp', { ...SQL, tokens: 3000 }, { codeCompat: true }, [1, 1, (1639 - 3000) / 409, 0.5 * TREE]],
  ['code: ambiguity by meaning', WORDS, { codeCompat: true }, [1, 1, 0, 0.76]],
  [
    'code: dim_reject by meaning',
    { ...WORDS, category: 'dim_reject' },
    { codeCompat: true },
    [1, 1, 0, 0.76],
  ],
  ['code: follow_up by letter', { ...WORDS, category: 'follow_up' }, { codeCompat: true }, [1, 1, 0, 0]],
  [
    'code: metric_reject by letter',
    { ...WORDS, category: 'metric_reject', output: say(WORDS.gold) },
    { codeCompat: true },
    [1, 1, 0, 1],
  ],
];

describe('computeReward', () => {
  it.each(CASES)('%s', (_, facts, options, [format, grammar, length, accuracy]) => {
    const reward = computeReward(facts, options);
    expect({ ...reward, accuracy: 0, length: 0, total: 0 }).toMatchObject({ format, grammar });
    expect(reward.length).toBeCloseTo(length, 9);
    expect(reward.accuracy).toBeCloseTo(accuracy, 4);
    expect(reward.total).toBeCloseTo(1.5 * accuracy + format + 0.9 * grammar + 0.8 * length, 3);
  });

  it('shares no values between empty results in the published way', () => {
    const empty = { columns: ['a'], rows: [] };
    const facts: RewardFacts = { ...SQL, category: 'multi_step', goldResult: empty, predictedResult: empty };
    expect(computeReward(facts).accuracy).toBe(1);
    expect(computeReward(facts, { codeCompat: true }).detail.dense).toMatchObject({ values: 0, total: 0.5 });
  });

  it('resolves bare names by the schema', () => {
    const columns = [{ id: 't.a', name: 'a' }];
    const schema = {
      tables: [
        { id: 't', name: 't', columns },
        { id: 'u', name: 'u', columns: [{ id: 'u.i', name: 'i' }] },
      ],
    };
    const facts: RewardFacts = {
      ...SQL,
      gold: 'SELECT t.a FROM t, u',
      output: say('SELECT a FROM t, u'),
      goldResult: undefined,
    };
    const trees = [facts, { ...facts, schema }].map((given) => computeReward(given).detail.tree);
    expect(trees).toEqual([expect.closeTo(4 / 6, 9), 1]);
  });

  it.each<readonly [keyof RewardFacts, RewardFacts]>([
    ['isPlannable', SQL],
    ['headers', SQL],
    ['meaning', WORDS],
  ])('does not guess: without %s it stops', (name, facts) => {
    expect(() => computeReward({ ...facts, [name]: undefined })).toThrow(`needs the fact ${name}`);
  });
});

describe('the structure', () => {
  const PARTS = fc.record({
    items: fc.uniqueArray(fc.constantFrom('a', 'b', 'COUNT(*)', 'MAX(c)'), { minLength: 1 }),
    all: fc.uniqueArray(fc.constantFrom('x = 1', 'y > 2', 'z < 3', "n LIKE 'a%'"), { minLength: 1 }),
    any: fc.uniqueArray(fc.constantFrom('p = 1', 'q = 2', 'r = 3'), { minLength: 2 }),
    isTurned: fc.boolean(),
  });

  it('does not see the order of items, conditions and operands', () => {
    const write = (items: string[], all: string[], any: string[]) =>
      `SELECT ${items.join(', ')} FROM t WHERE ${all.join(' AND ')} AND (${any.join(' OR ')})`;
    fc.assert(
      fc.property(PARTS, ({ items, all, any, isTurned }) => {
        const turn = (text: string) => text.replace('y > 2', '2 < y').replace('x = 1', '1 = x');
        const gold = write(items, all, any);
        const other = write(items.toReversed(), all.toReversed(), any.toReversed());
        const output = say(isTurned ? turn(other) : other);
        expect(computeReward({ ...SQL, gold, output }).detail.tree).toBeCloseTo(1, 9);
      }),
      { numRuns: 300, seed: 17 },
    );
  });
});

it('stays in its range whatever is written', () => {
  const facts = fc.record({
    category: fc.constantFrom(...REWARD_CATEGORIES),
    goldKind: fc.constantFrom('sql' as const, 'nl' as const),
    answer: fc.oneof(fc.string(), fc.constantFrom('SELECT a FROM t', 'SELECT', 'Which year?', '</answer>')),
    tokens: fc.nat(5_000),
    isPlannable: fc.boolean(),
    meaning: fc.double({ min: -1, max: 1, noNaN: true }),
    cosine: fc.double({ min: -1, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(facts, ({ answer, cosine, ...given }) => {
      const reward = computeReward({ ...SQL, ...given, output: say(answer), headers: [[cosine]] });
      expect(reward.total).toBeGreaterThanOrEqual(-0.8);
      expect(reward.total).toBeLessThanOrEqual(3.4 + 1e-9);
      expect(reward.accuracy).toBeGreaterThanOrEqual(0);
      expect(reward.accuracy).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500, seed: 19 },
  );
});
