import { expect, it } from 'vitest';
import type { DialectName } from '../../dialects/dialect.ts';
import { parse } from '../../parser/parse.ts';
import { readText } from './read-text.ts';

const CASES: readonly (readonly [dialect: DialectName, literal: string, text: string | undefined])[] = [
  ['sqlite', "'it''s \\n'", "it's \\n"],
  ['postgres', "E'a\\nb\\'c\\x41'", "a\nb'cA"],
  ['postgres', "'a\\n'", 'a\\n'],
  ['postgres', "$tag$it's$tag$", "it's"],
  ['postgres', "'a'\n'b'", 'ab'],
  ['postgres', "U&'\\0041'", undefined],
  ['mysql', "'a\\'b\\\\c\\%d\\q'", "a'b\\c\\%dq"],
  ['mysql', '"say ""x"""', 'say "x"'],
  ['snowflake', "'tab\\t\\u0041'", 'tab\tA'],
  ['bigquery', "'it\\'s'", "it's"],
  ['bigquery', "r'\\d+'", '\\d+'],
  ['bigquery', "'''a'b'''", "a'b"],
  ['bigquery', "b'x'", undefined],
];

it.each(CASES)('%s: %s', (dialect, literal, text) => {
  const parsed = parse(`SELECT ${literal}`, dialect);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const node = parsed.tree.nodes.find(({ type }) => type === 'Literal');
  expect(node && readText(node, parsed.tree)).toBe(text);
});
