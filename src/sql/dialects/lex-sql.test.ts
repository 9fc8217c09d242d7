import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectName } from './dialect.ts';
import { lexSql, significantTokens } from './lex-sql.ts';

const DIALECTS: readonly DialectName[] = ['sqlite', 'duckdb'];
const PIECES = `' " \` [ ] ( ) -- /* */ \n \r ; , . $ $$ $a$ ? :a @b :: -> ->> || 1 1.5e3 .5 0xff x'00' E'\\' select é 😀 \u00a0 \0 #`;
const sqlLike = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PIECES.split(' ')),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constant(' '),
    ),
    {
      maxLength: 25,
    },
  )
  .map((pieces) => pieces.join(''));

describe.each(DIALECTS)('lexSql for %s', (dialect) => {
  it('tiles every text: tokens follow each other without gap or overlap', () => {
    fc.assert(
      fc.property(sqlLike, (sql) => {
        const tokens = lexSql(sql, dialect);
        let place = 0;
        for (const token of tokens) {
          expect(token.start).toBe(place);
          expect(token.end).toBeGreaterThan(token.start);
          expect(token.text).toBe(sql.slice(token.start, token.end));
          place = token.end;
        }
        expect(place).toBe(sql.length);
      }),
      { numRuns: 500 },
    );
  });
});

const CASES: readonly (readonly [DialectName, string, readonly string[]])[] = [
  ['sqlite', "SELECT 'it''s' -- no", ['word:SELECT', "text:'it''s'"]],
  ['sqlite', '[a b] `c``d` "e""f"', ['quoted-name:[a b]', 'quoted-name:`c``d`', 'quoted-name:"e""f"']],
  ['sqlite', 'a /* b /* c */ d', ['word:a', 'word:d']],
  ['sqlite', 'a /* to the end', ['word:a']],
  ['sqlite', "x'0f' ?1 :a", ["text:x'0f'", 'parameter:?1', 'parameter::a']],
  ['duckdb', 'a /* b /* c */ d */ e', ['word:a', 'word:e']],
  ['duckdb', 'a /* to the end', ['word:a', 'broken:/* to the end']],
  ['duckdb', "E'a\\'b' $q$ ' $q$", ["text:E'a\\'b'", "text:$q$ ' $q$"]],
  ['duckdb', '[1]', ['operator:[', 'number:1', 'operator:]']],
  ['duckdb', 'a --x\rb', ['word:a', 'word:b']],
  ['duckdb', 'j->>$$a$$', ['word:j', 'operator:->>', 'text:$$a$$']],
  ['sqlite', "'open", ["broken:'open"]],
];

describe('tokens by the rules of the engine', () => {
  it.each(CASES)('%s: %s', (dialect, sql, expected) => {
    const found = significantTokens(lexSql(sql, dialect)).map((token) => `${token.kind}:${token.text}`);
    expect(found).toEqual(expected);
  });
});
