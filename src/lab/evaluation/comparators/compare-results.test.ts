/** Oracle cases, judged by hand; the reason stands in the name of each. */
import { describe, expect, it } from 'vitest';
import type { ComparedResult, Verdict } from '../../../results/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';
import type { ComparisonPolicy } from '../../corpus/index.ts';
import { compareResults } from './compare-results.ts';
import { orderedColumn } from './ordered-column.ts';

type Rows = readonly (readonly Cell[])[];

interface Oracle {
  readonly why: string;
  readonly gold: Rows;
  readonly predicted: Rows;
  readonly orderMatters?: boolean;
  /** Verdicts per policy, in the order of POLICIES: = equal, ! different. */
  readonly verdicts: string;
}

const POLICIES: readonly ComparisonPolicy[] = ['spider', 'answer', 'bird', 'strict'];

const ORACLES: readonly Oracle[] = [
  { why: 'the same', gold: [[1, 'a']], predicted: [[1, 'a']], verdicts: '====' },
  { why: 'another value', gold: [[1]], predicted: [[2]], verdicts: '!!!!' },
  { why: 'rows in another order', gold: [[1], [2]], predicted: [[2], [1]], verdicts: '===!' },
  {
    why: 'rows in another order where order counts (BIRD never looks)',
    gold: [[1], [2]],
    predicted: [[2], [1]],
    orderMatters: true,
    verdicts: '!!=!',
  },
  { why: 'columns permuted', gold: [[1, 'a']], predicted: [['a', 1]], verdicts: '==!!' },
  {
    why: 'columns permuted where order counts',
    gold: [
      [1, 'a'],
      [2, 'b'],
    ],
    predicted: [
      ['a', 1],
      ['b', 2],
    ],
    orderMatters: true,
    verdicts: '==!!',
  },
  {
    // Each row is a permutation of its partner, but no one permutation serves both.
    why: 'another permutation for each row',
    gold: [
      [1, 2],
      [3, 4],
    ],
    predicted: [
      [1, 2],
      [4, 3],
    ],
    verdicts: '!!!!',
  },
  {
    // Column by column the bags agree; the pairs (1,x) (2,y) do not.
    why: 'the same bags by column, other pairs',
    gold: [
      [1, 'x'],
      [2, 'y'],
    ],
    predicted: [
      [1, 'y'],
      [2, 'x'],
    ],
    verdicts: '!!!!',
  },
  { why: 'a row too often', gold: [[1], [2]], predicted: [[1], [2], [2]], verdicts: '!!=!' },
  { why: 'other repetitions', gold: [[1], [1], [2]], predicted: [[1], [2], [2]], verdicts: '!!=!' },
  { why: 'a column too many', gold: [[1]], predicted: [[1, 1]], verdicts: '!!!!' },
  { why: 'a column missing', gold: [[1, 2]], predicted: [[1]], verdicts: '!!!!' },
  { why: 'whole and floating number', gold: [[3]], predicted: [[3.0]], verdicts: '====' },
  { why: 'rounding in the last digits', gold: [[0.1 + 0.2]], predicted: [[0.3]], verdicts: '==!!' },
  {
    why: 'rounded to two digits: 0.333 against 0.33',
    gold: [[1 / 3]],
    predicted: [[0.33]],
    verdicts: '!!!!',
  },
  // 1,000,000 and 1,000,001 are within 1e-6 of each other, but counts are exact.
  { why: 'neighbouring whole numbers', gold: [[1_000_000]], predicted: [[1_000_001]], verdicts: '!!!!' },
  {
    why: 'a sum with noise against a whole sum',
    gold: [[1_000_000]],
    predicted: [[1_000_000.0001]],
    verdicts: '==!!',
  },
  { why: 'zero and noise', gold: [[0]], predicted: [[1e-15]], verdicts: '==!!' },
  { why: 'minus zero', gold: [[0]], predicted: [[-0]], verdicts: '===!' },
  { why: 'number and its text', gold: [[3]], predicted: [['3']], verdicts: '!=!!' },
  { why: 'number and text with leading zeros', gold: [[7]], predicted: [['007']], verdicts: '!!!!' },
  { why: 'upper and lower case', gold: [['Ann']], predicted: [['ann']], verdicts: '!!!!' },
  { why: 'NULL and NULL', gold: [[null]], predicted: [[null]], verdicts: '====' },
  { why: 'NULL and empty text', gold: [[null]], predicted: [['']], verdicts: '!!!!' },
  { why: 'NULL and the text null', gold: [[null]], predicted: [['null']], verdicts: '!!!!' },
  { why: 'NULL and zero', gold: [[null]], predicted: [[0]], verdicts: '!!!!' },
  { why: 'true and one (Python calls them equal)', gold: [[true]], predicted: [[1]], verdicts: '===!' },
  { why: 'bigint and number of one value', gold: [[5n]], predicted: [[5]], verdicts: '===!' },
  {
    why: 'whole numbers beyond 2^53 that differ by one',
    gold: [[9007199254740993n]],
    predicted: [[9007199254740992n]],
    verdicts: '!!!!',
  },
  {
    why: 'equal bytes',
    gold: [[new Uint8Array([1, 255])]],
    predicted: [[new Uint8Array([1, 255])]],
    verdicts: '====',
  },
  { why: 'bytes and their text', gold: [[new Uint8Array([65])]], predicted: [['A']], verdicts: '!!!!' },
  { why: 'no rows and no rows', gold: [], predicted: [], verdicts: '====' },
  { why: 'no rows and one', gold: [], predicted: [[1]], verdicts: '!!!!' },
];

describe('compareResults', () => {
  it.each(ORACLES.flatMap((oracle) => POLICIES.map((policy, i) => ({ ...oracle, policy, i }))))(
    '$policy: $why',
    ({ gold, predicted, orderMatters = false, verdicts, policy, i }) => {
      const wanted: Verdict = verdicts[i] === '=' ? 'equal' : 'different';
      expect(compareResults(toResult(gold), toResult(predicted), { policy, orderMatters })).toBe(wanted);
    },
  );

  it('calls two empty results equal whatever their columns, as the official script does', () => {
    const options = { policy: 'spider', orderMatters: false } as const;
    expect(compareResults({ columns: ['a'], rows: [] }, { columns: ['a', 'b'], rows: [] }, options)).toBe(
      'equal',
    );
  });

  it('is symmetric on every oracle', () => {
    for (const { gold, predicted, orderMatters = false } of ORACLES) {
      for (const policy of POLICIES) {
        const there = compareResults(toResult(gold), toResult(predicted), { policy, orderMatters });
        const back = compareResults(toResult(predicted), toResult(gold), { policy, orderMatters });
        expect(back).toBe(there);
      }
    }
  });
});

function toResult(rows: Rows): ComparedResult {
  return { columns: (rows[0] ?? []).map((_, i) => `c${i}`), rows };
}

describe("defog's comparison", () => {
  const rows: Rows = [
    ['Rex', 3],
    ['Tom', 9],
  ];
  it.each<{
    why: string;
    gold: Rows;
    predicted: Rows;
    orderMatters?: boolean;
    orderedColumn?: number;
    verdict: Verdict;
  }>([
    {
      why: 'a column too many, in front',
      gold: rows,
      predicted: rows.map((row) => [1, ...row]),
      verdict: 'equal',
    },
    { why: 'a column too few', gold: rows, predicted: [['Rex'], ['Tom']], verdict: 'different' },
    { why: 'a row too many', gold: rows, predicted: [...rows, ['Ada', 9]], verdict: 'different' },
    { why: 'a row twice', gold: rows, predicted: [...rows, ['Tom', 9]], verdict: 'equal' },
    {
      why: 'a row twice beside a column too many',
      gold: [['Rex'], ['Tom']],
      predicted: [...rows, ['Tom', 9]],
      verdict: 'different',
    },
    { why: 'another order', gold: rows, predicted: rows.toReversed(), verdict: 'equal' },
    {
      why: 'another order where it counts',
      gold: rows,
      predicted: rows.toReversed(),
      orderMatters: true,
      verdict: 'different',
    },
    {
      why: 'the columns of different rows',
      gold: rows,
      predicted: [
        ['Rex', 9],
        ['Tom', 3],
      ],
      verdict: 'different',
    },
    { why: 'no rows, whatever the columns', gold: [], predicted: [], verdict: 'equal' },
    {
      why: 'a decimal with more digits than a number holds',
      gold: [[0.2727272727272727]],
      predicted: [['0.27272727272727272727']],
      verdict: 'equal',
    },
    { why: 'a number as text', gold: [[3]], predicted: [['3']], verdict: 'different' },
    {
      why: 'another order of rows that tie',
      gold: [...rows, ['Ada', 9]],
      predicted: [
        ['Rex', 3],
        ['Ada', 9],
        ['Tom', 9],
      ],
      orderMatters: true,
      orderedColumn: 1,
      verdict: 'equal',
    },
    {
      why: 'another order of rows that do not tie',
      gold: rows,
      predicted: rows.toReversed(),
      orderMatters: true,
      orderedColumn: 1,
      verdict: 'different',
    },
  ])('$why is $verdict', ({ gold, predicted, orderMatters = false, orderedColumn, verdict }) => {
    const result = (of: Rows): ComparedResult => ({ columns: (of[0] ?? [1]).map(String), rows: of });
    const options = { policy: 'defog' as const, orderMatters, orderedColumn };
    expect(compareResults(result(gold), result(predicted), options)).toBe(verdict);
  });

  it.each([
    { sql: 'SELECT name, COUNT(*) AS n FROM a GROUP BY 1 ORDER BY n DESC NULLS LAST LIMIT 5', column: 1 },
    { sql: 'SELECT a.name, a.n FROM a ORDER BY a.n, a.name;', column: 1 },
    { sql: 'SELECT name FROM a ORDER BY n DESC', column: undefined },
    { sql: 'SELECT name FROM a', column: undefined },
  ])('$sql is ordered by column $column', ({ sql, column }) => {
    expect(orderedColumn(sql, column === undefined ? ['name'] : ['name', 'n'])).toBe(column);
  });
});
