import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvProgress, CsvRecord, csvCell } from './csv.ts';

const STRICT = { isStrict: true, mostFields: 4 };
const LENIENT = { isStrict: false, mostFields: 4 };

describe('a CSV record', () => {
  it.each<[string, typeof STRICT, CsvProgress, string[], number]>([
    ['a,b\nc', STRICT, 'whole', ['a', 'b'], 4],
    ['a,b\r\nc', STRICT, 'whole', ['a', 'b'], 5],
    ['a,', STRICT, 'whole', ['a', ''], 3],
    ['"a""b",c', STRICT, 'whole', ['a"b', 'c'], 9],
    ['a"b,c', STRICT, 'broken', [], 1],
    ['a"b,c', LENIENT, 'whole', ['a"b', 'c'], 6],
    ['"a" ,b', STRICT, 'broken', [], 3],
    ['"a" ,b', LENIENT, 'whole', ['a', 'b'], 7],
    ['"a"b', LENIENT, 'broken', [], 3],
    ['a,"b', LENIENT, 'open', ['a'], 2],
    ['1,2,3,4,5', LENIENT, 'broken', ['1', '2', '3', '4'], 8],
  ])('reads %j by %j as %s', (text, rules, progress, fields, end) => {
    const record = new CsvRecord(rules);
    expect(record.push(text)).toBe(progress);
    if (progress === 'whole' || progress === 'open') expect(record.fields).toEqual(fields);
    expect(record.end).toBe(end);
  });

  it('goes on with the next line inside quotes, and takes one line only', () => {
    const record = new CsvRecord(STRICT);
    expect(record.pushLine('a,"b')).toBe('open');
    expect(record.pushLine('c",d')).toBe('whole');
    expect(record.fields).toEqual(['a', 'b\nc', 'd']);
    expect(new CsvRecord(STRICT).pushLine('a\rb')).toBe('broken');
  });

  it('is the same by lines and at once, whatever its cells are', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
        const text = cells.map(csvCell).join(',');
        const [whole, byLine] = [new CsvRecord(STRICT), new CsvRecord(STRICT)];
        expect(whole.push(text)).toBe('whole');
        expect(
          text
            .split('\n')
            .map((line) => byLine.pushLine(line))
            .at(-1),
        ).toBe('whole');
        expect([whole.fields, byLine.fields]).toEqual([cells, cells]);
      }),
    );
  });
});
