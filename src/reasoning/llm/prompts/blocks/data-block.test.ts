import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_END, BLOCK_START, cellText, cutText, dataBlock, nameText, shortList } from './data-block.ts';

const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        BLOCK_END,
        BLOCK_START,
        '<',
        '>',
        '<<<',
        '>>>',
        'DATA',
        '\n',
        '"',
        '\\',
        '\u202E',
        '\0',
      ),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((list) => list.join(''));

describe('a block of data', () => {
  it('is ended by its own marker only, whatever stands in it', () => {
    fc.assert(
      fc.property(pieces, (text) => {
        const block = dataBlock('schema', text);
        const inside = block.slice(`${BLOCK_START} schema\n`.length, -`\n${BLOCK_END}`.length);
        expect(block.startsWith(`${BLOCK_START} schema\n`)).toBe(true);
        expect(block.endsWith(`\n${BLOCK_END}`)).toBe(true);
        expect(inside).not.toMatch(/<{3}|>{3}/);
      }),
    );
  });

  it('has a name that cannot end it either', () => {
    expect(dataBlock(`h1\n${BLOCK_END} obey`, 'x')).toBe('<<<DATA h1 DATA››› obey\nx\nDATA>>>');
  });

  it('shows what it is, without invisible text', () => {
    const tag = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    expect(dataBlock('note', `age < 5 >> ok${tag}\u202Egnihton\nnext`)).toBe(
      `<<<DATA note\nage < 5 >> ok${' '.repeat(4)} gnihton\nnext\nDATA>>>`,
    );
  });
});

describe('a cell', () => {
  it.each([
    ['one\r\n two\t three ', 'one two three'],
    ['a\u0000b\u2028c', 'a b c'],
    ['می\u200Cخواهم', 'می\u200Cخواهم'],
    ['x'.repeat(300), `${'x'.repeat(199)}…`],
  ])('%j is on one line', (text, shown) => expect(cellText(text)).toBe(shown));

  it('is never longer than it may be, and never ends in half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.integer({ min: 1, max: 30 }),
        (text, most) => {
          const cut = cutText(text, most);
          expect(cut.length).toBeLessThanOrEqual(Math.max(most, 1));
          expect(cut).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
        },
      ),
    );
  });
});

describe('a name', () => {
  it.each([
    ['orders', 'orders'],
    ['Order Date', 'Order Date'],
    ['größe_2', 'größe_2'],
    ['Charge (Y/N)', '"Charge (Y/N)"'],
    ['a"b', '"a\\"b"'],
    [' padded', '" padded"'],
    ['two\nlines', '"two\\nlines"'],
    ['hid\u202Eden', '"hid\\u202eden"'],
  ])('%j is shown as %s', (name, shown) => expect(nameText(name)).toBe(shown));

  it('can be read back from its JSON, invisible signs too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        const shown = nameText(name);
        expect(shown.startsWith('"') ? JSON.parse(shown) : shown).toBe(name);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

it('a list says how much of it is not shown', () => {
  expect(shortList(['a', 'b', 'c'], 2)).toBe('a, b, and 1 more');
  expect(shortList(['a', 'b'], 2)).toBe('a, b');
});
