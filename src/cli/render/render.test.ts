import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControl, escapeControlKeepingLines } from '../../lib/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { renderCsv, renderJson } from './layout/render-rows.ts';
import { shellQuote } from './layout/shell-quote.ts';
import { cellText, fitText, makeStyle, renderTable, textWidth } from './layout/text-layout.ts';

const plain = { style: makeStyle(false) };

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['東京', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['ｆｕｌｌ', 8],
    ['한국', 4],
    ['naïve – “x”', 11],
  ])('%j takes %i columns', (text, width) => expect(textWidth(text)).toBe(width));

  it.each([
    ['abcdef', 4, 'abc…'],
    ['abcd', 4, 'abcd'],
    ['東京都', 4, '東…'],
    ['東京都', 5, '東京…'],
  ])('%j fits %i columns as %j', (text, width, fitted) => expect(fitText(text, width)).toBe(fitted));
});

describe('escapeControl', () => {
  it.each([
    ['a\u001b[2Jb', 'a\\x1b[2Jb'],
    ['one\ntwo\tthree\r', 'one\\ntwo\\tthree\\r'],
    ['bell\u0007', 'bell\\x07'],
    ['\u009b31m', '\\x9b31m'],
    ['abc\u202edef', 'abc\\u202edef'],
    ['東京 ok', '東京 ok'],
  ])('makes %j safe', (text, safe) => expect(escapeControl(text)).toBe(safe));

  it('leaves nothing a terminal would obey, whatever the data', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeControl(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(escapeControlKeepingLines(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });
});

describe('renderTable', () => {
  it('aligns by display width, numbers right, NULL written out', () => {
    const rows: Cell[][] = [
      ['東京', 1200, null],
      ['Lyon', 7.5, 'x'],
    ];
    expect(renderTable(['city', 'orders', 'note'], rows, plain)).toBe(
      ['city  orders  note', '────  ──────  ────', '東京    1200  NULL', 'Lyon     7.5  x'].join('\n'),
    );
  });

  it('narrows the widest column to the terminal and says when columns are left out', () => {
    const narrow = renderTable(['id', 'text'], [[1, 'a'.repeat(50)]], { ...plain, width: 20 });
    expect(narrow.split('\n').map(textWidth)).toEqual([8, 20, 20]);
    expect(narrow).toContain('aaa…');
    const many = Array.from({ length: 9 }, (_, index) => `column${index}`);
    const cut = renderTable(many, [many], { ...plain, width: 30 });
    expect(cut).toContain('5 more columns; --output csv shows all');
  });

  it('never exceeds the width it was given', () => {
    const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
        fc.integer({ min: 20, max: 90 }),
        (rows, width) => {
          const lines = renderTable(['left', 'right'], rows, { ...plain, width }).split('\n');
          expect(lines).toHaveLength(rows.length + 2);
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it.each<[Cell, string]>([
    [0.1 + 0.2, '0.3'],
    [1e21, '1e+21'],
    [9007199254740993n, '9007199254740993'],
    [true, 'true'],
    ['', ''],
    [new Uint8Array([1, 171]), "x'01ab'"],
    [new Uint8Array(9), "x'0000000000000000…' (9 bytes)"],
    ['two\nlines', 'two\\nlines'],
  ])('shows %s as %s', (cell, text) => expect(cellText(cell)).toBe(text));
});

describe('renderCsv', () => {
  it('follows RFC 4180 and tells NULL from an empty text', () => {
    const rows: Cell[][] = [
      [null, '', 'plain'],
      ['a,b', 'say "hi"', 'two\nlines'],
      [1.5, 12345678901234567890n, new Uint8Array([255])],
      ['=1+1', false, ' spaced '],
    ];
    expect(renderCsv(['a', 'b,c', 'd'], rows)).toBe(
      'a,"b,c",d\r\n,"",plain\r\n"a,b","say ""hi""","two\nlines"\r\n1.5,12345678901234567890,/w==\r\n=1+1,false, spaced \r\n',
    );
  });
});

describe('a field of CSV', () => {
  /** RFC 4180, one field: nothing is NULL, a pair of quotes an empty value. */
  const fieldOf = (csv: string): string | null => {
    const field = csv.slice('c\r\n'.length, -'\r\n'.length);
    if (field === '') return null;
    return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
  };
  it('tells NULL from a value, and gives every value back', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', ',', '\r', '\n', '\0', ' ', 'a', 'é'),
      maxLength: 6,
    });
    const cell = fc.oneof(text, fc.uint8Array({ maxLength: 4 }), fc.constant(null));
    fc.assert(
      fc.property(cell, (one) => {
        const due = one instanceof Uint8Array ? Buffer.from(one).toString('base64') : one;
        expect(fieldOf(renderCsv(['c'], [[one]]))).toBe(due);
      }),
    );
  });
  it.each<[Cell, string]>([
    [null, ''],
    ['', '""'],
    [new Uint8Array(), '""'],
    ['100.00', '100.00'],
    ['0.0000000001', '0.0000000001'],
    ['a\0b', 'a\0b'],
  ])('%j is %j', (cell, field) => expect(renderCsv(['c'], [[cell]])).toBe(`c\r\n${field}\r\n`));
});

describe('renderJson', () => {
  it('keeps what JSON has no word for', () => {
    const value = {
      big: 2n ** 60n,
      bytes: new Uint8Array([1, 2]),
      buffer: Buffer.from([1, 2]),
      none: null,
      odd: [Number.NaN, Number.POSITIVE_INFINITY],
      at: new Date(0),
    };
    expect(JSON.parse(renderJson(value))).toEqual({
      big: '1152921504606846976',
      bytes: { base64: 'AQI=' },
      buffer: { base64: 'AQI=' },
      none: null,
      odd: ['NaN', 'Infinity'],
      at: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('shellQuote', () => {
  it.each([
    ['shop', 'shop'],
    ['two words', '"two words"'],
    ["it's", `"it's"`],
    ['costs $5', "'costs $5'"],
    [`"a" isn't $b`, `'"a" isn'\\''t $b'`],
    ['', '""'],
  ])('%j becomes %s', (text, quoted) => expect(shellQuote(text)).toBe(quoted));
});
