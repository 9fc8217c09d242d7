import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainQuery, toQuery } from './read-written.ts';

const CASES: readonly (readonly [what: string, reply: string, sql: string | undefined])[] = [
  ['alone', 'SELECT id FROM orders;', 'SELECT id FROM orders'],
  ['in lower case', 'select id from orders', 'select id from orders'],
  ['after words', 'Sure! Here is the query:\n\nSELECT id FROM orders', 'SELECT id FROM orders'],
  ['before words', 'SELECT id FROM orders\n\nThis lists the orders.', 'SELECT id FROM orders'],
  [
    'over empty lines',
    'SELECT id\n\nFROM orders\n\nWHERE id > 1\n\nDone.',
    'SELECT id\n\nFROM orders\n\nWHERE id > 1',
  ],
  [
    'with a semicolon in a text',
    "SELECT id FROM orders WHERE s = ';' ; bye",
    "SELECT id FROM orders WHERE s = ';'",
  ],
  ['in a fence', 'So:\n```sql\nSELECT id FROM orders;\n```\nSELECT is a keyword.', 'SELECT id FROM orders'],
  [
    'in the last fence',
    '```\nSELECT 1 FROM a\n```\nbetter:\n```sql\nSELECT 2 FROM b\n```',
    'SELECT 2 FROM b',
  ],
  ['after thoughts', '<think>SELECT no FROM draft</think>SELECT id FROM orders', 'SELECT id FROM orders'],
  ['with a CTE', 'WITH a AS (SELECT 1) SELECT * FROM a', 'WITH a AS (SELECT 1) SELECT * FROM a'],
  ['on one line with its fence', '```sql SELECT id FROM orders```', undefined],
  [
    'of our own recipe',
    '<think>all</think>\n<answer>SELECT id FROM orders</answer>',
    'SELECT id FROM orders',
  ],
  ['under another key', '{"sql": "SELECT id FROM orders;"}', 'SELECT id FROM orders'],
  ['with its comments', 'SELECT id -- all\nFROM orders', 'SELECT id -- all\nFROM orders'],
  ['prose', 'With this schema, select the rows that you want.', undefined],
  ['a refusal', 'I cannot help with that.', undefined],
  ['half a JSON', '{"query": "SELECT id FROM orders\nWHERE', undefined],
  ['half a JSON over lines', '{"query": "\nSELECT id FROM orders\nWHERE', undefined],
  ['nothing', '', undefined],
];

describe('a query in a reply without the form', () => {
  it.each(CASES)('%s', (_, reply, sql) => {
    const read = readPlainQuery(reply, 'sqlite');
    expect(read && toQuery(read).sql).toBe(sql);
  });

  it('is taken as it stands, blank lines and all, where a quote has no end', () => {
    const written = "SELECT a\n\n\nFROM b WHERE c = 'd";
    expect(readPlainQuery(`It is:\n${written}\n\nThat is all.`, 'sqlite')?.query).toBe(written);
  });

  it('is a piece of the reply, whatever the reply', () => {
    const pieces = fc.constantFrom(
      'SELECT ',
      'FROM ',
      'WITH a AS (',
      '```',
      '\n',
      '\n\n',
      ';',
      "'",
      '{',
      '"query":',
      '--',
      '<think>',
      'a ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
        const read = readPlainQuery(list.join(''), 'sqlite');
        expect(read === undefined || list.join('').includes(read.query)).toBe(true);
      }),
    );
  });
});
