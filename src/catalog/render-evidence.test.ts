import { expect, it } from 'vitest';
import { renderEvidence } from './render-evidence.ts';
import type { Column } from './schema/catalog.ts';

const BARE: Column = {
  id: 't.n',
  tableId: 't',
  name: 'n',
  type: 'INTEGER',
  family: 'number',
  isNullable: true,
};
const SAMPLED: Column = {
  ...BARE,
  comment: 'How many',
  profile: {
    scannedRows: 20_000,
    sampledBy: 'random rows',
    countedRows: 1_000_000,
    nullCount: 250_000,
    distinctCount: 700,
    distinctEstimate: 712,
    min: '1',
    max: '900',
    examples: ['7', '8', '9', '10', '11', '12'],
    semanticClass: 'category',
    statistics: {
      mean: 12.5,
      quartiles: ['5', '9', '20'],
      histogram: ['1', '2', '3', '4', '5', '9', '10', '20', '50', '99', '900'],
      topValues: [{ value: '7', count: 300 }],
    },
  },
};

const asRecord = (...parameters: Parameters<typeof renderEvidence>) =>
  Object.fromEntries(renderEvidence(...parameters).map(({ name, value }) => [name, value]));

it('adds facts level by level', () => {
  expect(asRecord(SAMPLED, 'L0')).toEqual({ column: 'n' });
  expect(asRecord(SAMPLED, 'L1')).toEqual({ column: 'n', type: 'INTEGER', class: 'category' });
  expect(asRecord(SAMPLED, 'L2')).toEqual({
    ...asRecord(SAMPLED, 'L1'),
    description: 'How many',
    values: '7 | 8 | 9 | 10 | 11',
    'null share': '25 % of 1000000 rows',
    'distinct values': '700 in 20000 rows (random rows), about 712 in all rows',
  });
  const overlaps = [{ fromColumn: 't.n', toColumn: 'u.id', share: 0.975, comparedValues: 40 }];
  expect(asRecord(SAMPLED, 'L3', overlaps)).toEqual({
    ...asRecord(SAMPLED, 'L2'),
    smallest: '1',
    largest: '900',
    mean: '12.5',
    quartiles: '5 | 9 | 20',
    'histogram of 10 equal bins': '1 | 2 | 3 | 4 | 5 | 9 | 10 | 20 | 50 | 99 | 900',
    'most frequent': '7 (300)',
    'text length': 'not available',
    form: 'not available',
    'key overlap': '97.5 % of 40 values in u.id',
  });
});

it('says what is not available, and guesses nothing', () => {
  const evidence = asRecord(BARE, 'L3');
  expect(Object.keys(evidence)).toHaveLength(16);
  const { column, type, ...others } = evidence;
  expect({ column, type }).toEqual({ column: 'n', type: 'INTEGER' });
  expect(new Set(Object.values(others))).toEqual(new Set(['not available']));
});

it('cuts values at 40 characters, and says withheld where values are', () => {
  const long = { ...SAMPLED, profile: { ...SAMPLED.profile!, examples: ['x'.repeat(50)] } };
  expect(asRecord(long, 'L2').values).toBe('x'.repeat(40));
  const pii = { kind: 'email', because: 'its name says email', isWithheld: true } as const;
  const secret = asRecord({ ...SAMPLED, profile: { ...SAMPLED.profile!, examples: [], pii } }, 'L3');
  expect([secret.values, secret.smallest, secret['most frequent']]).toEqual([
    'withheld',
    'withheld',
    'withheld',
  ]);
});
