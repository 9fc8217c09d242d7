import { expect, it } from 'vitest';
import type { Answered } from '../../../answer.ts';
import { answerMarkdown } from './openai-routes.ts';

const ANSWERED: Answered = {
  kind: 'answered',
  question: 'q',
  related: [],
  recordId: 'r-1',
  thinkMs: 1,
  sql: 'SELECT `name` FROM t',
  columns: ['a|b', 'n'],
  rows: [
    ['<b>x</b>\n| # hm', 1n],
    [null, new Uint8Array(3)],
  ],
  truncatedBy: null,
  explanation: 'names of *t*',
  evidence: [],
  assumptions: [{ kind: 'time', text: 'all years' }],
  checks: [{ name: 'execute', passed: true }],
  alternatives: [],
};

it('shows rows, what was assumed and the query, and no data as markup', () => {
  expect(answerMarkdown(ANSWERED)).toBe(
    [
      'names of \\*t\\*',
      '| a\\|b | n |\n| --- | --- |\n| \\<b\\>x\\</b\\> \\| \\# hm | 1 |\n|  | 3 bytes |',
      'Assumed:\n- all years',
      '```sql\nSELECT `name` FROM t\n```',
      'Record: `r-1`',
    ].join('\n\n'),
  );
});

it('passes no command to a terminal, nor a sign that turns a line around', () => {
  const foreign = 'a\u001b[2J\u0007\u009b1m\u202eb\u2066c\u200f\u0000d';
  const text = answerMarkdown({
    ...ANSWERED,
    ...{ columns: [foreign], rows: [[foreign]], explanation: foreign, sql: `SELECT '${foreign}'\n-- b` },
    assumptions: [{ kind: 'time', text: foreign }],
  });
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
  expect(text).toContain("SELECT 'a\\x1b[2J");
  expect(text).toContain('\n-- b');
});

it('fences a query that holds fences, and says what it leaves out', () => {
  const rows = Array.from({ length: 60 }, (_, at) => ['x', at]);
  const text = answerMarkdown({ ...ANSWERED, rows, sql: "SELECT '````'", truncatedBy: 'rows' });
  expect(text).toContain("`````sql\nSELECT '````'\n`````");
  expect(text).toContain('10 more rows');
  expect(text).toContain('cut at the limit of rows');
});

it('says what the engine has to say about the rows', () => {
  const notices = [{ code: 'value-cut' as const, text: 'GROUP_CONCAT was *cut*.' }];
  expect(answerMarkdown({ ...ANSWERED, notices })).toContain('\n\nGROUP\\_CONCAT was \\*cut\\*.');
});

it('offers what a question back offers', () => {
  const base = { question: 'q', related: [], recordId: 'r', thinkMs: 1 };
  const options = [
    { label: 'last 7 days', question: 'a' },
    { label: 'this year', question: 'b' },
  ];
  const clarify = {
    ...base,
    kind: 'clarify' as const,
    gap: 'time' as const,
    phrase: 'recently',
    ask: 'When?',
  };
  expect(answerMarkdown({ ...clarify, options })).toContain('When?\n\n1. last 7 days\n2. this year');
});
