import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv, writeCsv } from './csv-text.ts';

const cellsOf = (text: string) => readCsv(text, 'a.csv').map(({ cells }) => cells);

describe('CSV', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a\n\n\nb', [['a'], ['b']]],
    ['"x, y","he said ""no"""\n', [['x, y', 'he said "no"']]],
    [
      '"two\nlines",b\nc,d',
      [
        ['two\nlines', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"spaces behind"  ,b', [['spaces behind', 'b']]],
    ['a,\n', [['a', '']]],
  ])('reads %j', (text, rows) => {
    expect(cellsOf(text)).toEqual(rows);
  });

  it('knows the line that a row starts on', () => {
    expect(readCsv('a\n"b\nc"\nd', 'a.csv').map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  it.each([
    ['a\n"open', 'a.csv:2:1: this quote does not close'],
    ['"a"b,c', 'a.csv:1:4: expected a comma'],
  ])('refuses %j with its place', (text, message) => {
    expect(() => readCsv(text, 'a.csv')).toThrow(message);
  });

  it('reads back all that it writes', () => {
    const row = fc
      .array(fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', 'é') }), { minLength: 1 })
      // An empty line stands for no row.
      .filter((cells) => cells.length > 1 || cells[0] !== '');
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        expect(cellsOf(writeCsv(rows))).toEqual(rows);
      }),
    );
  });
});
