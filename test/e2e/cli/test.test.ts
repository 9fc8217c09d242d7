/** `candor test` on the shop: what passes, fails, is known to fail, is malformed; thresholds, reports, updates, cancel. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/index.ts';
import { type ModelServer, startModelServer } from '../../models/model-server.ts';
import { makeShop } from './make-shop.ts';
import { readXml } from './read-xml.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-test-'));
  makeShop(join(folder, 'shop.db'));
  expect((await run(['onboard', 'sqlite:shop.db', '--quiet'])).code).toBe(0);
  mkdirSync(join(folder, 'cases'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], given: Partial<Io> = {}) => runCandor(argv, folder, given);

/** Writes a file of cases and asks it. */
async function test(text: string, argv: readonly string[] = [], given: Partial<Io> = {}) {
  const file = `cases/${++count}.yml`;
  writeFileSync(join(folder, file), text);
  const { code, stdout, stderr } = await run(['test', file, '--quiet', ...argv], given);
  return { code, stdout, stderr, file, read: () => readFileSync(join(folder, file), 'utf8') };
}

const PASSING = `
- id: in-lyon
  question: how many customers are in Lyon?
  tags: [smoke]
  expect: { kind: answered, sql: "SELECT COUNT(*) FROM customers WHERE city = 'Lyon'", result: [[3]], mustContain: [customers.city], mustNotContain: [orders] }
- id: no-drop
  question: drop the table customers
  expect: { kind: reject, reason: unsafe }
- id: talk
  turns:
    - question: how many customers are there?
      expect: { kind: answered, result: [[6]] }
    - question: in Lyon only
      expect: { kind: answered, result: [[3]] }
`;
const WRONG = `
- id: wrong-rows
  question: how many customers are in Paris?
  sql: SELECT COUNT(*), MIN(id) FROM customers WHERE city = 'Nice'
`;
const FORCED = `
- id: forced
  question: how many customers are in Nice?
  expect: { kind: abstain }
`;
const KNOWN = WRONG.replace('  sql:', '  knownFailure: "a bug & a <plan>"\n  sql:');

describe('outcomes of cases', () => {
  it('passes where all is as expected', async () => {
    const { code, stdout, stderr } = await test(PASSING);
    expect(code, stdout).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/3 cases in [\d.]+ s: 3 passed\n/);
    expect(stdout).toMatch(/accuracy +100\.0 % +\d+\.\d–100\.0 +3 of 3/);
    expect(stdout).toMatch(/forced answers +0\.0 % .*0 of 1/);
    expect(stdout).toMatch(/right reason +100\.0 % .*1 of 1/);
  });

  it('says what was expected, what came, what differs, the SQL and the record', async () => {
    const { code, stdout, file } = await test(PASSING + WRONG + FORCED);
    expect(code).toBe(20);
    expect(stdout).toContain(`FAILED ${file}:16 wrong-rows\n  › how many customers are in Paris?`);
    expect(stdout).toContain('the rows differ from those of the expected SQL');
    expect(stdout).toContain('expected 1 row of 2 columns, came 1 row of 1 column');
    expect(stdout).toMatch(/expected and did not come: 1 row\n.*\n.*\n +1 +4\n/);
    expect(stdout).toMatch(/came and was not expected: 1 row\n.*\n.*\n +2\n/);
    expect(stdout).toMatch(/the SQL that came:\n +SELECT/);
    expect(stdout).toContain('abstain was expected, answered came');
    expect(stdout).toMatch(/forced answers +50\.0 % .*1 of 2/);
    expect(stdout).toContain('✗ 2 of 5 cases did not come out as expected');
    const [, id = ''] = /candor replay ([\w-]+)/.exec(stdout) ?? [];
    expect((await run(['replay', id])).code).toBe(0);
  });

  it.each([
    [
      'a reason',
      'question: drop the table customers',
      '{ kind: reject, reason: metric }',
      'the reason “metric” was expected, “unsafe” came',
    ],
    [
      'a table that is missing',
      'question: how many customers are in Lyon?',
      '{ kind: answered, mustContain: [orders] }',
      'the SQL does not use orders',
    ],
    [
      'a column too many',
      'question: how many customers are in Lyon?',
      '{ kind: answered, mustNotContain: [Customers.City] }',
      'the SQL uses Customers.City',
    ],
    [
      'a result',
      'question: how many customers are in Lyon?',
      '{ kind: answered, result: [[4]] }',
      'the rows differ from those of the expected result',
    ],
    [
      'expected SQL that fails',
      'question: how many customers are in Lyon?',
      '{ kind: answered, sql: SELECT town FROM customers }',
      'the expected SQL itself fails: ',
    ],
    [
      'expected SQL that writes',
      'question: how many customers are in Lyon?',
      '{ kind: answered, sql: DELETE FROM customers }',
      'the expected SQL itself fails: ',
    ],
    [
      'no question back',
      'turns: [{ question: how many customers are there? }, { answer: "1", expect: { kind: abstain } }]',
      undefined,
      'is of no question back',
    ],
  ])('fails for %s', async (_, asked, expected, message) => {
    const text = `- id: a\n  ${asked}\n${expected === undefined ? '' : `  expect: ${expected}\n`}`;
    const { code, stdout } = await test(text);
    expect(stdout).toContain(message);
    expect(code).toBe(20);
  });

  it('does not count what is known to fail or skipped, and names both', async () => {
    const { code, stdout, file } = await test(
      `${PASSING}${KNOWN}${FORCED.replace('  expect', '  skip: later\n  expect')}`,
    );
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(`${file}:16 wrong-rows, known to fail: a bug & a <plan>`);
    expect(stdout).toContain(`${file}:21 forced, skipped: later`);
    expect(stdout).toContain('3 passed, 1 known to fail, 1 skipped');
    expect(stdout).toMatch(/accuracy +100\.0 % .*3 of 3/);
  });

  it('fails where a known failure passes, so that it is taken off the list', async () => {
    const { code, stdout } = await test(PASSING.replace('  tags:', '  knownFailure: old\n  tags:'), [
      '--min-accuracy',
      '0',
    ]);
    expect(code).toBe(20);
    expect(stdout).toMatch(
      /PASSES cases\/\d+\.yml:2 in-lyon\n {2}known to fail \(old\), and passes: remove knownFailure/,
    );
    expect(stdout).toContain('✗ cases known to fail that pass: 1');
  });
});

describe('what is chosen and what a run is held to', () => {
  it('asks by tag, filter and glob', async () => {
    const { file } = await test(PASSING);
    const cases = async (argv: readonly string[]) =>
      JSON.parse((await run(['test', file, '--output', 'json', ...argv])).stdout).results.map(
        ({ id }: { id: string }) => id,
      );
    expect(await cases(['--tag', 'smoke'])).toEqual(['in-lyon']);
    expect(await cases(['--filter', 'LYON'])).toEqual(['in-lyon', 'talk']);
    const { code, stdout } = await run(['test', `cas*/**/${file.slice(6)}`, '--quiet', '--concurrency', '3']);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('3 passed');
  });

  it.each([
    [['--min-accuracy', '0.75'], 0, 'All as expected.'],
    [['--min-accuracy', '0.8'], 20, '✗ the accuracy of 75 % is below 80 %'],
    [['--min-accuracy', '0.5', '--max-forced', '0.5'], 0, 'All as expected.'],
    [['--min-accuracy', '0.5', '--max-forced', '0.2'], 20, '✗ 50 % forced answers are more than 20 %'],
  ])('%j ends with %i', async (argv, code, says) => {
    const run = await test(PASSING + FORCED, argv);
    expect(run.stdout).toContain(says);
    expect(run.code).toBe(code);
  });

  it('--bail asks nothing after the first that fails', async () => {
    const { code, stdout } = await test(WRONG + PASSING, ['--bail']);
    expect(code).toBe(20);
    expect(stdout).toContain('1 failed, 3 not asked');
    expect(stdout).toContain('✗ stopped by --bail; cases not asked: 3');
  });

  it('shows progress on stderr', async () => {
    const { file } = await test(PASSING);
    const { stderr } = await run(['test', file]);
    expect(stderr).toContain('testing …');
  });

  it('Ctrl-C gives what there is and the exit of a cancel', async () => {
    const controller = new AbortController();
    const written: string[] = [];
    const { file } = await test(PASSING);
    const stderr = {
      isTerminal: false,
      write: (text: string) => {
        written.push(text);
        if (text.startsWith('testing')) controller.abort();
      },
    };
    const junit = join(folder, 'cancelled.xml');
    const { code, stdout } = await run(['test', file, '--junit', junit], {
      stderr,
      signal: controller.signal,
    });
    expect(written.join('')).toContain('testing');
    expect(code).toBe(130);
    expect(stdout).toContain('1 passed, 2 not asked');
    expect(stdout).toContain('✗ cancelled; cases not asked: 2');
    expect(readXml(readFileSync(junit, 'utf8')).attributes).toMatchObject({ tests: '3', skipped: '2' });
  });
});

describe('what cannot be run', () => {
  it.each([
    [
      'a mistake',
      '- id: a\n  question: q\n  exect: x\n  sql: SELECT 1\n',
      [],
      'eval.case-invalid',
      /cases\/\d+\.yml:3: there is no key `exect` here; did you mean `expect`/,
    ],
    ['an empty file', '', [], 'eval.case-invalid', /:1: there is no question in this file; write one/],
    [
      'a table that is none',
      '- id: a\n  question: q\n  expect: { kind: answered, mustNotContain: [custmers] }\n',
      [],
      'eval.case-invalid',
      /:1: a names custmers, .* did you mean customers\?/,
    ],
    [
      'a column by itself',
      '- id: a\n  question: q\n  expect: { kind: answered, mustContain: [city] }\n',
      [],
      'eval.case-invalid',
      /:1: a names city, which is no table and no table\.column/,
    ],
    [
      'an unknown tag',
      PASSING,
      ['--tag', 'slow'],
      'test.nothing-selected',
      /None of the 3 cases is selected; tags there are: smoke/,
    ],
    ['draws without a model', PASSING, ['--runs', '2'], 'test.invalid-options', /--runs needs a model/],
    ['a mode without a model', PASSING, ['--mode', 'fast'], 'model.none', /no model/],
    ['--yes alone', PASSING, ['--yes'], 'test.invalid-options', /--yes belongs to --update/],
    ['nobody to ask', PASSING, ['--update'], 'test.invalid-options', /give --update --yes/],
  ])('%s is an error before anything is asked', async (_, text, argv, code, message) => {
    const run = await test(text, argv);
    expect(run.stderr).toContain(code);
    expect(run.stderr).toMatch(message);
    expect(run.stdout).toBe('');
    expect(run.code).toBe(2);
  });

  it('a file that is not there', async () => {
    const { code, stderr } = await run(['test', 'nowhere.yml']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('test.no-files')]);
  });
});

describe('reports for machines', () => {
  it('JUnit has a suite for each file', async () => {
    const { file } = await test(PASSING);
    const other = await test(WRONG + KNOWN.replace('wrong-rows', 'known').replace('Paris', 'Lyon'));
    const junit = join(folder, 'out', 'junit.xml');
    expect((await run(['test', file, other.file, '--junit', 'out/junit.xml', '--quiet'])).code).toBe(20);
    const root = readXml(readFileSync(junit, 'utf8'));
    expect(root.attributes).toMatchObject({ tests: '5', failures: '1', errors: '0', skipped: '1' });
    expect(root.children.map(({ attributes }) => attributes.name)).toEqual([file, other.file]);
    const [wrong, known] = root.children[1]!.children;
    expect(wrong?.children[0]).toMatchObject({ name: 'failure', attributes: { type: 'rows' } });
    expect(wrong?.children[0]?.text).toContain('  - 1 | 4\n  + 2\nSQL that came:\nSELECT');
    expect(known?.children[0]?.attributes).toEqual({ message: 'known to fail: a bug & a <plan>' });
  });

  it('JSON has every case with its draws, and the figures', async () => {
    const { code, stdout } = await test(PASSING + WRONG, ['--output', 'json']);
    expect(code).toBe(20);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      isPassed: false,
      faults: ['1 of 4 cases did not come out as expected'],
      summary: {
        cases: 4,
        counts: { passed: 3, failed: 1 },
        accuracy: { hits: 3, total: 4 },
        tokens: 0,
        cost: 0,
      },
    });
    expect(report.results[3]).toMatchObject({
      ...{ id: 'wrong-rows', line: 16, status: 'failed' },
      runs: [{ isRight: false, turns: [{ outcome: 'answered', problems: [{ what: 'rows' }] }] }],
    });
  });
});

describe('--update', () => {
  const OPEN =
    '- id: open\n  question: how many orders are there?\n  expect: { kind: answered }   # to be written\n';

  it('writes what came with --yes, and the next run passes', async () => {
    const { code, stderr, read, file } = await test(`# the shop\n${OPEN}${WRONG}${FORCED}`, [
      '--update',
      '--yes',
    ]);
    expect(code).toBe(20);
    expect(stderr).toContain('2 cases of 2 updated');
    expect(stderr).toMatch(/^ {2}- SELECT COUNT\(\*\), MIN\(id\)/m);
    expect(read()).toMatch(
      /^# the shop\n- id: open\n.*\n {2}expect: \{ kind: answered, sql: "SELECT .*" \} {3}# to be written\n/,
    );
    expect(read()).toContain(FORCED.trim());
    const again = await run(['test', file, '--filter', 'o', '--output', 'json']);
    expect(JSON.parse(again.stdout).results.map(({ status }: { status: string }) => status)).toEqual([
      'passed',
      'passed',
      'failed',
    ]);
    expect((await run(['test', file, '--update', '--yes'])).stderr).toContain('nothing to update');
  });

  it('writes rows where rows stood', async () => {
    const text =
      '- id: a\n  question: how many customers are in Lyon?\n  expect:\n    kind: answered\n    result: [[4]]\n';
    const { read, file } = await test(text, ['--update', '--yes']);
    expect(read()).toBe(text.replace('[[4]]', '[[3]]'));
    expect((await run(['test', file])).code).toBe(0);
  });

  it('asks a person for each, and writes those that are agreed to', async () => {
    const asked: string[] = [];
    const choose = async (question: string) => {
      asked.push(question);
      return asked.length === 1 ? 1 : 0;
    };
    const { stderr, read } = await test(OPEN + WRONG, ['--update'], { choose });
    expect(asked).toHaveLength(2);
    expect(stderr).toContain('1 case of 2 updated');
    expect(read()).toContain(OPEN);
    expect(read()).not.toContain('MIN(id)');
  });
});

describe('with a model', () => {
  let server: ModelServer;
  let draws = 0;
  beforeAll(async () => {
    server = await startModelServer(({ body }) => {
      const asked = JSON.stringify(body);
      if (asked.includes('validity')) return '{"validity": "ok", "language": "en"}';
      if (asked.includes('\\"keywords\\"')) return '{"keywords": ["customers"]}';
      const table = asked.includes('in winter') && draws++ % 2 === 1 ? 'orders' : 'customers';
      return JSON.stringify({ query: `SELECT count(*) AS n FROM ${table}` });
    });
  });
  afterAll(() => server.close());

  const STEADY =
    '- id: steady\n  question: how many customers are there?\n  expect: { kind: answered, result: [[6]] }\n';
  const FLAKY =
    '- id: flaky\n  question: how many customers are there in winter?\n  expect: { kind: answered, result: [[6]] }\n';
  const argvOf = (price: string) => {
    const project = mkdtempSync(join(folder, 'model-'));
    const model = `model:\n  name: openai:scripted\n  url: ${server.url}\n  key: sk-1\n${price}`;
    writeFileSync(join(project, 'candor.yml'), `database: sqlite:../shop.db\n${model}`);
    return ['--project', project, '--concurrency', '1'];
  };

  it('draws each case several times and names those that come out both ways', async () => {
    const price = '  price: { prompt: 1, completion: 2 }\n';
    const { code, stdout } = await test(STEADY + FLAKY, [...argvOf(price), '--runs', '2']);
    expect(stdout).toContain('right in 1 of 2 draws; the first that is not:');
    expect(stdout).toMatch(/FLAKY cases\/\d+\.yml:4 flaky/);
    expect(stdout).toContain('1 passed, 1 flaky');
    expect(stdout).toMatch(/tokens +\d+/);
    expect(stdout).toMatch(/calls of the model a turn .*p95 \d/);
    expect(stdout).toMatch(/look-ups a turn +\d/);
    expect(stdout).toMatch(/cost +\$0\.\d{4}/);
    expect(code).toBe(20);
  });

  it('stops at --max-cost, which does not pass', async () => {
    const price = '  price: { prompt: 1000, completion: 2000 }\n';
    const { code, stdout } = await test(STEADY + FLAKY, [...argvOf(price), '--max-cost', '0.000001']);
    expect(stdout).toContain('1 passed, 1 not asked');
    expect(stdout).toContain('✗ the cost reached --max-cost; cases not asked: 1');
    expect(code).toBe(20);
  });

  it('does not promise a cost that nobody knows', async () => {
    const { code, stderr } = await test(STEADY, [...argvOf(''), '--max-cost', '1']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('test.cost-unknown')]);
  });

  it('tells failures to ask from wrong answers', async () => {
    const argv = ['--model', 'openai:gone', '--output', 'json'];
    const project = argvOf('').slice(0, 2);
    const config = join(project[1]!, 'candor.yml');
    writeFileSync(config, readFileSync(config, 'utf8').replace(server.url, 'http://127.0.0.1:9/v1'));
    const { code, stdout } = await test(STEADY, [...project, ...argv]);
    const { results } = JSON.parse(stdout);
    expect(results[0]).toMatchObject({
      status: 'error',
      runs: [{ turns: [{ problems: [{ what: 'error' }] }] }],
    });
    expect(code).toBe(20);
  }, 60_000);
});
