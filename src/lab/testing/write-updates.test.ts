import { describe, expect, it } from 'vitest';
import type { ExpectRow } from '../corpus/question-row.ts';
import { parseQuestionRows } from '../corpus/read-question-file.ts';
import { applyUpdate, type Update } from './propose-updates.ts';

const RAW = "SELECT city, 'a: b' FROM customers";
const SQL = "SELECT city,\n  'a: b'\n  FROM customers";

function update(id: string, turn = 0, given: Partial<Update> = {}): Update {
  return {
    tested: { file: 'c.yml', path: '/c.yml', line: 1, id, tags: [], turns: [] },
    ...{ turn, sql: SQL, result: { says: '', sql: RAW, tokens: 0, problems: [] } },
    ...given,
  };
}

const dueIn = (text: string, at = 0, turn?: number): ExpectRow | string | undefined => {
  const { row } = parseQuestionRows(text, 'c.yml')[at]!;
  const said = turn === undefined ? row : row.turns![turn]!;
  return said.sql ?? said.expect;
};

describe('applyUpdate', () => {
  it('keeps comments: before the list, behind an entry and behind the value itself', () => {
    const text =
      '# top\n- id: a   # first\n  question: q\n  sql: SELECT 1 # why\n\n- id: b\n  question: p\n  sql: SELECT 2\n';
    const after = applyUpdate(text, update('a'));
    expect(after).toBe(text.replace('SELECT 1', JSON.stringify(RAW)));
  });

  it('replaces a block by a block', () => {
    const text = `- id: a\n  question: q\n  expect:\n    kind: answered\n    sql: |\n      SELECT 1\n        FROM t\n    orderMatters: true # it does\n- id: b\n  question: p\n  sql: SELECT 2\n`;
    const after = applyUpdate(text, update('a'));
    expect(after).toBe(
      `- id: a\n  question: q\n  expect:\n    kind: answered\n    sql: |\n      SELECT city,\n        'a: b'\n        FROM customers\n    orderMatters: true # it does\n- id: b\n  question: p\n  sql: SELECT 2\n`,
    );
  });

  it('replaces a plain value at the end of a file without a line break', () => {
    const after = applyUpdate('- id: a\n  question: q\n  sql: SELECT 1', update('a'));
    expect(dueIn(after)).toBe(`${SQL}\n`);
  });

  it('stays on one line inside braces, with the quotes that it needs', () => {
    const text = '- { id: a, question: q, expect: { kind: answered, sql: SELECT 1 } } # here\n';
    const after = applyUpdate(text, update('a'));
    expect(after).toBe(
      `- { id: a, question: q, expect: { kind: answered, sql: ${JSON.stringify(RAW)} } } # here\n`,
    );
  });

  it('adds the SQL where none stood, in braces and below', () => {
    const flow = applyUpdate('- id: a\n  question: q\n  expect: { kind: answered }\n', update('a'));
    expect(dueIn(flow)).toEqual({ kind: 'answered', sql: RAW });
    const block = applyUpdate(
      '- id: a\n  question: q\n  expect:\n    kind: answered # yes\n  tags: [x]\n',
      update('a'),
    );
    expect(dueIn(block)).toMatchObject({ kind: 'answered', sql: `${SQL}\n` });
    expect(block).toContain('kind: answered # yes\n    sql: |\n');
  });

  it('writes rows in the place of rows, and leaves SQL out where none was', () => {
    const text =
      '- id: a\n  question: q\n  expect:\n    kind: answered\n    result:\n      - [1, x]\n      - [2, y]\n    tolerance: 0.1\n';
    const after = applyUpdate(text, update('a', 0, { rows: [[3, 'it: "z"']] }));
    expect(dueIn(after)).toEqual({ kind: 'answered', result: [[3, 'it: "z"']], tolerance: 0.1 });
  });

  it('finds the turn of a conversation', () => {
    const text =
      '- id: a\n  turns:\n    - question: q\n      sql: SELECT 1\n    - { question: p, sql: SELECT 2 }\n';
    const after = applyUpdate(text, update('a', 1));
    expect(dueIn(after, 0, 0)).toBe('SELECT 1');
    expect(dueIn(after, 0, 1)).toBe(RAW);
    expect(dueIn(applyUpdate(text, update('a', 0)), 0, 0)).toMatch(/^SELECT city,\n {2}'a: b'/);
  });

  it('leaves a file alone that it cannot edit safely', () => {
    const text =
      '- id: a\n  question: q\n  expect: &due { kind: answered, sql: SELECT 1 }\n- id: b\n  question: p\n  expect: *due\n';
    expect(() => applyUpdate(text, update('b'))).toThrow('b was not updated');
    // One place for both: editing it would change the other case.
    expect(() => applyUpdate(text, update('a'))).toThrow('a was not updated');
  });
});
