import { describe, expect, it } from 'vitest';
import { treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { selectCandidate } from './select-candidate.ts';
import type {
  CandidateOutcome,
  SelectionCandidate,
  SelectionOptions,
  SelectionStep,
} from './selection-candidate.ts';

type Rows = readonly (readonly Cell[])[];

const rows = (...cells: Rows): CandidateOutcome => ({
  kind: 'rows',
  result: { columns: (cells[0] ?? []).map((_, at) => `c${at}`), rows: cells },
});
const FAILED: CandidateOutcome = { kind: 'failed', message: 'no such column: nmae.' };
const NOT_RUN: CandidateOutcome = { kind: 'not-run' };
const [ONE, TWO, THREE] = [rows([1]), rows([2]), rows([3])];
const NONE = rows();
const NULLS = rows([null]);

type Given = Partial<Omit<SelectionCandidate, 'tree'>> & { readonly sql?: string };

function candidatesOf(given: readonly Given[]): readonly SelectionCandidate[] {
  return given.map(({ sql, ...rest }, index) => ({
    ...{ index, problems: [], outcome: NOT_RUN },
    ...(sql !== undefined && { tree: treeOf(sql) }),
    ...rest,
  }));
}

interface Case {
  readonly why: string;
  readonly given: readonly Given[];
  readonly options?: SelectionOptions;
  readonly chosen: number | undefined;
  readonly by?: SelectionStep;
  readonly groups?: readonly (readonly number[])[];
}

const CASES: readonly Case[] = [
  { why: 'nothing to choose from', given: [], chosen: undefined },
  { why: 'one alone', given: [{ outcome: ONE }], chosen: 0, by: 'alone' },
  {
    why: 'errors only',
    given: [{ outcome: FAILED }, { outcome: ONE, problems: ['no table t'] }],
    chosen: undefined,
  },
  {
    why: 'one sound beside many that fail alike',
    given: [{ outcome: FAILED }, { outcome: FAILED }, { outcome: FAILED }, { outcome: ONE }],
    chosen: 3,
    by: 'alone',
  },
  {
    why: 'an empty one beside errors',
    given: [{ outcome: FAILED, weight: 100 }, { outcome: NONE }],
    chosen: 1,
    by: 'alone',
  },
  {
    why: 'the largest group',
    given: [{ outcome: ONE }, { outcome: TWO }, { outcome: TWO }],
    chosen: 1,
    by: 'agreement',
    groups: [[1, 2], [0]],
  },
  {
    why: 'the largest group, although its risk is higher',
    given: [
      { outcome: ONE, risk: 0.1 },
      { outcome: TWO, risk: 0.9 },
      { outcome: TWO, risk: 0.8 },
    ],
    chosen: 2,
    by: 'agreement',
  },
  {
    why: 'a heavy voice against two light ones',
    given: [
      { outcome: ONE, weight: 0.9 },
      { outcome: TWO, weight: 0.4 },
      { outcome: TWO, weight: 0.4 },
    ],
    chosen: 0,
    by: 'agreement',
  },
  {
    why: 'rows against more that find none',
    given: [{ outcome: NONE }, { outcome: NONE }, { outcome: ONE }],
    chosen: 2,
    by: 'agreement',
  },
  {
    why: 'rows against more that find NULL',
    given: [{ outcome: NULLS }, { outcome: NULLS }, { outcome: ONE }],
    chosen: 2,
    by: 'agreement',
  },
  {
    why: 'no rows as good as any, if that is wished',
    given: [{ outcome: NONE }, { outcome: NONE }, { outcome: ONE }],
    options: { emptyWeight: 1 },
    chosen: 0,
    by: 'agreement',
  },
  {
    why: 'a zero is an answer',
    given: [{ outcome: rows([0]) }, { outcome: rows([0]) }, { outcome: ONE }],
    chosen: 0,
    by: 'agreement',
  },
  {
    why: 'one without doubts against two with',
    given: [
      { outcome: ONE, doubts: ['the column has no such value'] },
      { outcome: ONE, doubts: ['the column has no such value'] },
      { outcome: TWO },
    ],
    chosen: 2,
    by: 'agreement',
  },
  {
    why: 'all empty: whose values exist',
    given: [
      { outcome: NONE, literalsExist: false },
      { outcome: NONE, literalsExist: false },
      { outcome: NONE, literalsExist: true },
    ],
    chosen: 2,
    by: 'agreement',
  },
  {
    why: 'none and NULL: whose values exist',
    given: [
      { outcome: NONE, literalsExist: false },
      { outcome: NULLS, literalsExist: true },
    ],
    chosen: 1,
    by: 'literals',
  },
  {
    why: 'an even vote: the tests',
    given: [
      { outcome: ONE, testsPassed: 0.95, risk: 0.9 },
      { outcome: TWO, testsPassed: 0.8, risk: 0.1 },
    ],
    chosen: 0,
    by: 'tests',
  },
  {
    why: 'an even vote: tests that ran before tests that did not',
    given: [{ outcome: ONE }, { outcome: TWO, testsPassed: 0.5 }],
    chosen: 1,
    by: 'tests',
  },
  {
    why: 'an even vote: the lower risk',
    given: [
      { outcome: ONE, risk: 0.5 },
      { outcome: TWO, risk: 0.4 },
    ],
    chosen: 1,
    by: 'risk',
  },
  {
    why: 'an even vote: a known risk before an unknown one',
    given: [{ outcome: ONE }, { outcome: TWO, risk: 0.4 }],
    chosen: 1,
    by: 'risk',
  },
  {
    why: 'an even vote: the simpler query',
    given: [
      { outcome: ONE, sql: 'SELECT COUNT(*) FROM t JOIN u ON t.i = u.i' },
      { outcome: TWO, sql: 'SELECT COUNT(*) FROM t' },
    ],
    chosen: 1,
    by: 'simplicity',
  },
  {
    why: 'an even vote and nothing else: the first draw, wherever it stands',
    given: [
      { outcome: ONE, index: 2 },
      { outcome: TWO, index: 1 },
    ],
    chosen: 1,
    by: 'index',
  },
  {
    why: 'within a group: the simplest',
    given: [
      { outcome: ONE, sql: 'SELECT a FROM t WHERE b IN (SELECT c FROM u)' },
      { outcome: ONE, sql: 'SELECT a FROM t' },
      { outcome: TWO, sql: 'SELECT b' },
    ],
    chosen: 1,
    by: 'agreement',
    groups: [[1, 0], [2]],
  },
  {
    why: 'what was not run beside what was',
    given: [{ outcome: ONE }, { sql: 'SELECT 1' }, { sql: 'SELECT 1' }],
    chosen: 0,
    by: 'alone',
  },
  {
    why: 'rows in another order, where order counts',
    given: [
      { outcome: rows([1], [2]), risk: 0.9 },
      { outcome: rows([2], [1]), risk: 0.1 },
      { outcome: rows([1], [2]), risk: 0.9 },
    ],
    options: { results: { rows: 'list' } },
    chosen: 0,
    by: 'agreement',
  },
];

const TREES: readonly Case[] = [
  {
    why: 'the same but for spelling',
    given: [
      { sql: 'SELECT a FROM t WHERE x = 1 AND y = 2' },
      { sql: 'SELECT b FROM u' },
      { sql: 'select T.a from t where y=2 and x=1' },
    ],
    chosen: 0,
    by: 'agreement',
    groups: [[0, 2], [1]],
  },
  {
    // sel, from, where: the first shares two of three with each of the next two, they one with each other.
    why: 'the one most like the others',
    given: [
      { sql: 'SELECT a FROM t WHERE x = 1' },
      { sql: 'SELECT b FROM t WHERE x = 1' },
      { sql: 'SELECT a FROM t WHERE x = 2' },
      { sql: 'SELECT q FROM w' },
    ],
    chosen: 0,
    by: 'agreement',
  },
  {
    why: 'an even vote: the lower risk',
    given: [
      { sql: 'SELECT a FROM t', risk: 0.5 },
      { sql: 'SELECT b FROM u', risk: 0.2 },
    ],
    chosen: 1,
    by: 'risk',
  },
  { why: 'what cannot be read', given: [{}, { sql: 'SELECT a FROM t' }, {}], chosen: 1, by: 'alone' },
];

describe('selectCandidate', () => {
  it.each([...CASES, ...TREES])('$why', ({ given, options, chosen, by, groups }) => {
    const selection = selectCandidate(candidatesOf(given), options);
    expect(selection.chosen).toBe(chosen);
    expect(selection.decidedBy).toBe(by);
    if (groups !== undefined) expect(selection.groups.map(({ members }) => members)).toEqual(groups);
  });

  it.each<{ why: string; given: readonly Given[]; reasons: readonly string[] }>([
    {
      why: 'a vote and an error',
      given: [{ outcome: ONE }, { outcome: TWO }, { outcome: FAILED }, { outcome: ONE }],
      reasons: [
        'Candidate 3 was left out: no such column: nmae.',
        '2 of 3 sound candidates give the same row.',
        'The vote gives them 67 %, the next 33 %.',
        'Candidate 1 was chosen.',
      ],
    },
    {
      why: 'an even vote',
      given: [
        { outcome: ONE, risk: 0.5 },
        { outcome: TWO, risk: 0.25 },
        { outcome: THREE, risk: 0.75 },
      ],
      reasons: [
        'Of 3 sound candidates none agrees with the strongest.',
        'The vote is even; its risk is 25 %, that of the next 50 %.',
        'Candidate 2 was chosen.',
      ],
    },
    {
      why: 'no rows',
      given: [
        { outcome: NONE, literalsExist: true },
        { outcome: NONE, literalsExist: false },
      ],
      reasons: [
        'All 2 sound candidates give the same 0 rows.',
        'No candidate finds any rows, which does not prove it wrong. The database holds the values that it asks for.',
        'Candidate 1 was chosen.',
      ],
    },
    {
      why: 'nothing was run',
      given: [{ sql: 'SELECT a FROM t' }, { sql: 'SELECT a FROM t' }],
      reasons: ['All 2 sound candidates say the same.', 'Candidate 1 was chosen.'],
    },
    {
      why: 'nothing sound',
      given: [{ problems: ['no table t', 'no table u'] }],
      reasons: ['Candidate 1 was left out: no table t; no table u.', 'No candidate is sound.'],
    },
  ])('says why: $why', ({ given, reasons }) => {
    expect(selectCandidate(candidatesOf(given)).reasons).toEqual(reasons);
  });

  it('tells how much stands behind each group', () => {
    const { groups } = selectCandidate(
      candidatesOf([{ outcome: ONE, weight: 0.5 }, { outcome: ONE }, { outcome: rows([2], [3]) }]),
    );
    expect(groups).toEqual([
      { members: [0, 1], support: 1.5, share: 0.6, rows: 1 },
      { members: [2], support: 1, share: 0.4, rows: 2 },
    ]);
  });
});
