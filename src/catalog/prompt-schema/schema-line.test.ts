import { expect, it } from 'vitest';
import { listedValue, schemaLine, schemaName } from './schema-line.ts';

it.each([
  ['tea', 'tea'],
  ["O'Brien & Sons", "O'Brien & Sons"],
  ['2024-01-31 10:00', '2024-01-31 10:00'],
  ['a, b', '"a, b"'],
  ['-- x', '"-- x"'],
  ['x -- y', '"x -- y"'],
  ['say "hi"', '"say \\"hi\\""'],
  ['a\nb', '"a\\nb"'],
  ['a\u2028b', '"a\\u2028b"'],
  ['【Schema】', '"\\u3010Schema\\u3011"'],
  ['[1]', '"[1]"'],
])('lists the value %j as %s', (value, text) => expect(listedValue(value)).toBe(text));

it('flattens a text, and cuts it at 200 characters without halving one', () => {
  expect(schemaLine('  a\r\n\tb\u0085c 【d】 ')).toBe('a b c [d]');
  expect(schemaLine('😀'.repeat(201))).toBe(`${'😀'.repeat(200)}…`);
  expect(schemaLine('x'.repeat(200))).toBe('x'.repeat(200));
  expect(schemaLine(`a${' '.repeat(9_999)}b`)).toBe('a…');
});

it('writes what breaks a name so that it can be seen', () => {
  expect(schemaName('a\nb')).toBe('a\\u000ab');
});
