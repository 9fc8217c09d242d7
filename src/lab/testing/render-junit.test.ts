import { describe, expect, it } from 'vitest';
import { readXml } from '../../../test/e2e/cli/read-xml.ts';
import { renderJunit } from './render-junit.ts';
import type { CaseResult, TestCase, TurnResult } from './test-result.ts';

const NASTY = 'a<b>&"c\' ]]> \u0000\u001b[2J\u0085\ud800\uffff\r\n\u{1f600} é';
/** What XML cannot hold is written out; everything else comes back. */
const SHOWN = 'a<b>&"c\' ]]> \\u0000\\u001b[2J\u0085\\ud800\\uffff\r\n\u{1f600} é';

const testCase = (file: string, id: string, given: Partial<TestCase> = {}): TestCase => ({
  ...{ file, path: `/${file}`, line: 3, id, tags: [] },
  turns: [{ says: { kind: 'question', text: NASTY } }],
  ...given,
});
const turn = (given: Partial<TurnResult>): TurnResult => ({ says: NASTY, tokens: 0, problems: [], ...given });
const failing = turn({
  sql: NASTY,
  recordId: 'r1',
  problems: [
    {
      what: 'rows',
      text: NASTY,
      difference: {
        ...{ expected: { rows: 1, columns: 1 }, actual: { rows: 1, columns: 1 }, columns: [NASTY] },
        missing: { count: 1, rows: [[NASTY]] },
        extra: { count: 1, rows: [[null]] },
      },
    },
  ],
});
const RESULTS: readonly CaseResult[] = [
  {
    tested: testCase('tests/a.yml', 'one'),
    status: 'passed',
    runs: [{ turns: [turn({})], isRight: true }],
    ms: 1500,
  },
  {
    tested: testCase('tests/a.yml', 'two'),
    status: 'failed',
    runs: [{ turns: [failing], isRight: false }],
    ms: 250,
  },
  { tested: testCase('tests/a.yml', 'three', { skip: NASTY }), status: 'skipped', runs: [], ms: 0 },
  {
    ...{ tested: testCase('b<&>.yml', 'four'), status: 'error', ms: 0 },
    runs: [{ turns: [turn({ problems: [{ what: 'error', text: 'asking failed' }] })], isRight: false }],
  },
  { tested: testCase('b<&>.yml', 'five', { knownFailure: 'why' }), status: 'known', runs: [], ms: 0 },
  {
    tested: testCase('b<&>.yml', 'six', { knownFailure: 'why' }),
    status: 'unexpected-pass',
    runs: [],
    ms: 0,
  },
  { tested: testCase('b<&>.yml', 'seven'), status: 'not-asked', runs: [], ms: 0 },
];

describe('renderJunit', () => {
  const root = readXml(renderJunit({ results: RESULTS, seconds: 1.75 }));
  const cases = root.children.flatMap(({ children }) => children);

  it('counts for the run and for each file', () => {
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: {
        name: 'candor test',
        tests: '7',
        failures: '2',
        errors: '1',
        skipped: '3',
        time: '1.750',
      },
    });
    expect(root.children.map(({ name, attributes }) => ({ of: name, ...attributes }))).toEqual([
      {
        of: 'testsuite',
        name: 'tests/a.yml',
        tests: '3',
        failures: '1',
        errors: '0',
        skipped: '1',
        time: '1.750',
      },
      {
        of: 'testsuite',
        name: 'b<&>.yml',
        tests: '4',
        failures: '1',
        errors: '1',
        skipped: '2',
        time: '0.000',
      },
    ]);
  });

  it('names each case with its place', () => {
    expect(cases[0]?.attributes).toEqual({
      classname: 'tests.a',
      name: `one: ${SHOWN}`,
      file: 'tests/a.yml',
      line: '3',
      time: '1.500',
    });
  });

  it('says what came of each', () => {
    expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
      [],
      ['failure'],
      ['skipped'],
      ['error'],
      ['skipped'],
      ['failure'],
      ['skipped'],
    ]);
    expect(cases[2]?.children[0]?.attributes).toEqual({ message: SHOWN });
    expect(cases[4]?.children[0]?.attributes).toEqual({ message: 'known to fail: why' });
    expect(cases[5]?.children[0]?.attributes.message).toContain('remove knownFailure');
  });

  it('carries what differs, the SQL and the record, whatever characters are in them', () => {
    const failure = cases[1]?.children[0];
    expect(failure?.attributes).toEqual({ message: SHOWN, type: 'rows' });
    expect(failure?.text).toBe(
      `${SHOWN}\n${SHOWN}\nexpected 1 × 1, came 1 × 1 (rows × columns)\n  - ${SHOWN}\n  + NULL\nSQL that came:\n${SHOWN}\ncandor replay r1`,
    );
  });
});

describe('the reader of this test', () => {
  it.each([
    '<a/>',
    '<?xml version="1.0" encoding="UTF-8"?><a>',
    '<?xml version="1.0" encoding="UTF-8"?><a></b>',
    '<?xml version="1.0" encoding="UTF-8"?><a b="1" b="2"/>',
    '<?xml version="1.0" encoding="UTF-8"?><a b="<"/>',
    '<?xml version="1.0" encoding="UTF-8"?><a>&</a>',
    '<?xml version="1.0" encoding="UTF-8"?><a>&#27;</a>',
    '<?xml version="1.0" encoding="UTF-8"?><a>\u001b</a>',
    '<?xml version="1.0" encoding="UTF-8"?><a/><b/>',
  ])('refuses %j', (text) => expect(() => readXml(text)).toThrow());
});
