import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTestFile } from './read-test-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-test-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string) {
  writeFileSync(join(folder, 'cases.yml'), text);
  return readTestFile(join(folder, 'cases.yml'), folder);
}

const GOOD = '- id: a\n  question: how many?\n  sql: SELECT 1\n';

describe('a file of tests', () => {
  it('is read with places, tags and circumstances', async () => {
    const { file, cases } = await read(
      `# a comment\n${GOOD}- id: b\n  question: why?\n  category: odd\n  tags: [smoke]\n  now: 2024-06-15\n  hint: h\n  assume: { time: all }\n  after: [before]\n  knownFailure: it does\n  expect: { kind: reject, reason: scope }\n`,
    );
    expect(file).toBe('cases.yml');
    expect(cases).toEqual([
      {
        ...{ file: 'cases.yml', path: join(folder, 'cases.yml'), line: 2, id: 'a', tags: [] },
        turns: [
          { says: { kind: 'question', text: 'how many?' }, expect: { kind: 'answered', sql: 'SELECT 1' } },
        ],
      },
      {
        ...{ file: 'cases.yml', path: join(folder, 'cases.yml'), line: 5, id: 'b', tags: ['odd', 'smoke'] },
        ...{ now: '2024-06-15', knownFailure: 'it does' },
        turns: [
          {
            ...{ says: { kind: 'question', text: 'why?' }, hint: 'h', assume: { time: 'all' } },
            ...{ after: ['before'], expect: { kind: 'reject', reason: 'scope' } },
          },
        ],
      },
    ]);
  });

  it('holds conversations, whose hint is that of every turn without its own', async () => {
    const { cases } = await read(
      '- id: a\n  hint: h\n  turns:\n    - question: one\n    - { answer: "2", hint: own, expect: { kind: abstain } }\n',
    );
    expect(cases[0]?.turns).toEqual([
      { says: { kind: 'question', text: 'one' }, hint: 'h' },
      { says: { kind: 'answer', text: '2' }, hint: 'own', expect: { kind: 'abstain' } },
    ]);
  });

  it.each([
    ['nothing', '', ':1: there is no question in this file; write one'],
    ['comments alone', '# to do\n', ':1: there is no question in this file'],
    ['an empty list', '[]\n', ':1: there is no question in this file'],
    ['no list', 'id: a\n', ':1: a question file is a list: each entry starts with `- id:`'],
    ['broken YAML', '- id: "a\n', ':2: Missing closing "quote'],
    ['a key twice', '- id: a\n  id: b\n', ':2: Map keys must be unique'],
    ['an unknown key', `${GOOD}  exect: x\n`, ':4: there is no key `exect` here; did you mean `expect`?'],
    [
      'a key of another spelling',
      '- id: a\n  question: q\n  expect:\n    kind: answered\n    must_contain: [t]\n',
      ':5: expect: there is no key `must_contain` here; did you mean `mustContain`?',
    ],
    [
      'a key of another outcome',
      '- id: a\n  question: q\n  expect: { kind: abstain, gap: time }\n',
      ':3: expect: there is no key `gap`',
    ],
    [
      'no such outcome',
      '- id: a\n  question: q\n  expect: { kind: refuse }\n',
      ':3: expect.kind: `kind` is answered, clarify',
    ],
    [
      'no such reason',
      '- id: a\n  question: q\n  expect: { kind: reject, reason: mood }\n',
      ':3: expect.reason: ',
    ],
    ['nothing due', '- id: a\n  question: q\n', ':1: give either `sql` or `expect`'],
    ['both', `${GOOD}  expect: { kind: abstain }\n`, ':1: give either `sql` or `expect`'],
    ['nothing asked', '- id: a\n  sql: SELECT 1\n', ':1: give either `question` or `turns`'],
    ['an empty question', '- id: a\n  question: " "\n  sql: SELECT 1\n', ':2: question: must not be empty'],
    [
      'an id twice',
      `${GOOD}${GOOD.replace('how many', 'why')}`,
      ':4: the id a stands twice, first in line 1',
    ],
    [
      'a question twice',
      GOOD + GOOD.replace('id: a', 'id: b'),
      ':4: b asks the same as a in line 1; remove one',
    ],
    ['a day that is none', `${GOOD}  now: yesterday\n`, ':4: now: a day as YYYY-MM-DD'],
    ['two ways out', `${GOOD}  skip: x\n  knownFailure: y\n`, ':1: give either `skip` or `knownFailure`'],
    ['half an error', `${GOOD}  errorSql: x\n`, ':1: give `errorSql` and `errorMessage` together'],
    [
      'ragged rows',
      '- id: a\n  question: q\n  expect: { kind: answered, result: [[1], [1, 2]] }\n',
      ':3: expect.result: every row has as many cells',
    ],
    [
      'a cell that is none',
      '- id: a\n  question: q\n  expect: { kind: answered, result: [[{}]] }\n',
      ':3: expect.result.0.0: a cell is a text',
    ],
    [
      'order of nothing',
      '- id: a\n  question: q\n  expect: { kind: answered, orderMatters: true }\n',
      ':3: expect: `orderMatters` and `tolerance` need',
    ],
    ['no turn', '- id: a\n  turns: []\n', ':2: turns: a conversation has at least one turn'],
    [
      'an answer first',
      '- id: a\n  turns: [{ answer: "1", sql: SELECT 1 }]\n',
      ':2: turns.0: the first turn asks a question',
    ],
    ['an open end', '- id: a\n  turns: [{ question: q }]\n', ':2: turns: the last turn says what is due'],
    [
      'both ways of asking',
      `${GOOD}  turns: [{ question: q, sql: SELECT 1 }]\n`,
      ':1: give either `question` or `turns`',
    ],
    [
      'what turns have',
      '- id: a\n  after: [b]\n  turns: [{ question: q, sql: SELECT 1 }]\n',
      ':1: beside `turns` stand none of',
    ],
  ])('with %s is refused with its line', async (_, text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'eval.case-invalid',
      message: expect.stringContaining(`cases.yml${message}`),
    });
    await expect(read(text)).rejects.toMatchObject({ message: expect.not.stringContaining(folder) });
  });
});
