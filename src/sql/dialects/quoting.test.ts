import { describe, expect, it } from 'vitest';
import { parse } from '../parser/parse.ts';
import { DIALECT_NAMES } from './dialects.ts';
import { inQuotes, quoteName, quoteText, requoteName, withoutQuotes, writeName } from './quoting.ts';

const ODD = ["O'Hara", 'a"b', 'a`b', 'back\\slash', "\\'; DROP TABLE t; --", 'two\nlines', '', 'é'];

describe('a name', () => {
  it.each(['singers', 'Singer_ID', '_x1'])('%s stays bare where it may', (name) => {
    for (const dialect of ['sqlite', 'duckdb'] as const) expect(writeName(name, dialect)).toBe(name);
  });

  it.each(['', '1st', 'two words', 'select', 'ORDER', 'a"b', 'é'])('%j is quoted where it must', (name) => {
    for (const dialect of ['sqlite', 'duckdb'] as const)
      expect(writeName(name, dialect)).toBe(`"${name.replaceAll('"', '""')}"`);
  });

  it.each([
    ['mysql', 'a`b', '`a``b`'],
    ['bigquery', 'a`b', '`a\\`b`'],
    ['postgres', 'a"b', '"a""b"'],
  ] as const)('ends where it should in %s', (dialect, name, written) =>
    expect(quoteName(name, dialect)).toBe(written),
  );

  it.each([
    ['postgres', 'Order', '"order"'],
    ['snowflake', 'Order', '"ORDER"'],
    ['sqlite', 'Order', '"Order"'],
    ['postgres', 'Orders', 'Orders'],
  ] as const)('that was bare is the same thing again in %s', (dialect, name, written) =>
    expect(requoteName(name, dialect)).toBe(written),
  );
});

describe.each(DIALECT_NAMES)('a text in %s', (dialect) => {
  it.each(ODD)('%j is one literal, whatever it holds', (text) => {
    const written = quoteText(text, dialect);
    const parsed = parse(`SELECT ${written}`, dialect);
    expect(parsed.ok).toBe(true);
    if (!parsed.ok) return;
    expect(parsed.tree.root.children).toHaveLength(1);
    const [literal] = parsed.tree.root.children;
    expect(literal).toMatchObject({ type: 'Literal', start: 7, end: 7 + written.length });
  });
});

describe('quotes', () => {
  it.each(["'", '"', '`'] as const)('%s come off as they went on', (quote) => {
    for (const text of ODD) expect(withoutQuotes(inQuotes(text, quote))).toBe(text);
  });

  it.each([
    ['[a b]', 'a b'],
    ['plain', 'plain'],
    ['"', '"'],
    ['"open', '"open'],
    ['', ''],
  ])('%j → %j', (text, bare) => expect(withoutQuotes(text)).toBe(bare));
});
