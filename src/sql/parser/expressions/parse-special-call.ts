/** Calls with a grammar of their own: CAST, EXTRACT, TRIM, ARRAY[…], STRUCT<…>(…) and their like. */
import type { NodeType } from '../../tree/node-types.ts';
import { LEVEL } from '../reader/grammar.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { parseArgument } from './parse-argument.ts';
import { parseCallArguments, parseCallArgumentsAfter } from './parse-call-arguments.ts';
import { parseSquareBrackets } from './parse-composite.ts';
import { parseAnyName } from './parse-names.ts';

/** Gives `undefined`, with nothing read, when the word is used in the plain way. */
type SpecialCall = (parser: Parser, start: number) => Draft | undefined;

const PLAIN = { takesUnit: false, takesLambda: false };

/** By the word in upper case. */
export const SPECIAL_CALLS: ReadonlyMap<string, SpecialCall> = new Map<string, SpecialCall>([
  ['CAST', (parser, start) => parseCast(parser, start, 'Cast')],
  ['TRY_CAST', (parser, start) => parseCast(parser, start, 'TryCast')],
  ['SAFE_CAST', (parser, start) => parseCast(parser, start, 'TryCast')],
  ['CONVERT', parseConvert],
  ['EXTRACT', parseExtract],
  ['EXISTS', parseExists],
  ['SUBSTRING', keywordCall('Substring', ['FROM', 'FOR', 'SIMILAR', 'ESCAPE'])],
  ['SUBSTR', keywordCall('Substring', ['FROM', 'FOR'])],
  ['OVERLAY', keywordCall('Overlay', ['PLACING', 'FROM', 'FOR'])],
  ['POSITION', keywordCall('StrPosition', ['IN'])],
  ['CEIL', keywordCall('Ceil', ['TO'])],
  ['FLOOR', keywordCall('Floor', ['TO'])],
  ['TRIM', parseTrim],
  ['CHAR', parseMysqlChar],
  ['LIKE', parsePlainCall],
  ['DATE_PART', parseDatePart],
  ['ARRAY', parseArray],
  ['STRUCT', parseTypedStruct],
  ['MAP', parseMap],
  ['MATCH', parseMatch],
  ['XMLELEMENT', parseNamedXml],
  ['XMLPI', parseNamedXml],
  ['XMLROOT', parseXmlRoot],
  ['XMLNAMESPACES', parseXmlNames],
  ['XMLPARSE', parseXmlDocument],
  ['XMLSERIALIZE', parseXmlDocument],
  ['NORMALIZE', wordCall('second', ['NFC', 'NFD', 'NFKC', 'NFKD'])],
  ['NORMALIZE_AND_CASEFOLD', wordCall('second', ['NFC', 'NFD', 'NFKC', 'NFKD'])],
  ['GET_FORMAT', wordCall('first', ['DATE', 'TIME', 'DATETIME', 'TIMESTAMP'])],
]);

const CALLED = Object.freeze({ call: 'true' });

/** `CAST(x AS type)`, with BigQuery's `FORMAT '…'`. */
function parseCast(parser: Parser, start: number, type: NodeType): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const value = as('this', parser.rules.expression(parser));
  if (parser.key !== 'AS') throw parser.fault('AS');
  parser.advance();
  const parts = [value, as('to', parser.rules.dataType(parser))];
  if (parser.accept('FORMAT')) parts.push(as('expression', parser.rules.expression(parser)));
  // Snowflake: how an OBJECT with fields becomes another.
  while (
    parser.grammar.connectBy &&
    (parser.acceptAll('RENAME', 'FIELDS') || parser.acceptAll('ADD', 'FIELDS'))
  );
  parser.expect(')');
  return parser.node(type, start, parts, name, CALLED);
}

/** MySQL's `CONVERT(x, type)` and `CONVERT(x USING charset)`; elsewhere a plain function. */
function parseConvert(parser: Parser, start: number): Draft | undefined {
  if (!parser.grammar.mysqlWords || parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const value = as('this', parser.rules.expression(parser));
  if (!parser.accept('USING')) parser.expect(',');
  const to = as('to', parser.rules.dataType(parser));
  parser.expect(')');
  return parser.node('Cast', start, [value, to], name, CALLED);
}

/** `EXTRACT(YEAR FROM x)`. */
function parseExtract(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  const isPart = parser.ahead(3) === 'FROM' || (parser.ahead(3) === '(' && parser.ahead(6) === 'FROM');
  if (!isPart) return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const part = as('this', parsePart(parser));
  parser.expect('FROM');
  const value = as('expression', parser.rules.expression(parser));
  parser.expect(')');
  return parser.node('Extract', start, [part, value], name, CALLED);
}

function parsePart(parser: Parser): Draft {
  if (parser.kind !== 'word') return parser.rules.expression(parser, LEVEL.postfix);
  const { start } = parser;
  const word = parser.advance().text;
  if (parser.accept('(')) {
    parser.advance();
    parser.expect(')');
  }
  return parser.node('Var', start, [], word);
}

/** `EXISTS (SELECT …)`; a list function of that name takes other arguments. */
function parseExists(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  let distance = 1;
  while (parser.ahead(distance) === '(') distance += 1;
  if (!['SELECT', 'WITH', 'VALUES', 'FROM', 'TABLE'].includes(parser.ahead(distance))) return undefined;
  parser.advance();
  const subquery = parser.rules.expression(parser, LEVEL.postfix);
  // The query itself is the child; its brackets belong to EXISTS as those of IN belong to its Subquery.
  const query =
    subquery.type === 'Subquery' && subquery.children.length === 1 ? subquery.children[0] : subquery;
  return parser.node('Exists', start, [as('this', query ?? subquery)]);
}

/** `f(x KEYWORD y KEYWORD z)`; where no keyword comes, the call is a plain one. */
function keywordCall(type: NodeType, keywords: readonly string[]): SpecialCall {
  // IN would be read as a predicate, so the operands stop above it.
  const level = keywords.includes('IN') ? LEVEL.other : LEVEL.lowest;
  return (parser, start) => {
    if (parser.ahead(1) !== '(') return undefined;
    const name = parser.advance().text;
    parser.expect('(');
    const first = parser.key === ')' ? undefined : as('this', parser.rules.expression(parser, level));
    if (first === undefined || !keywords.includes(parser.key)) {
      return parser.node(type, start, parseCallArgumentsAfter(parser, first), name, CALLED);
    }
    const parts = [first];
    while (keywords.includes(parser.key)) {
      parser.advance();
      parts.push(as('expressions', parser.rules.expression(parser, level)));
    }
    parser.expect(')');
    return parser.node(type, start, parts, name, CALLED);
  };
}

/** MySQL: `CHAR(77, 121 USING utf8mb4)`. */
function parseMysqlChar(parser: Parser, start: number): Draft | undefined {
  if (!parser.grammar.mysqlWords || parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const codes = parser.list(() => as('expressions', parser.rules.expression(parser)));
  if (parser.accept('USING')) parser.advance();
  parser.expect(')');
  return parser.node('Chr', start, codes, name, CALLED);
}

/** `LIKE(x, pattern)` of SQLite and Snowflake: a call by a word that otherwise is an operator. */
function parsePlainCall(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  return parser.node('Like', start, parseCallArguments(parser, name), name, CALLED);
}

/** Snowflake's `DATE_PART(year FROM x)`. */
function parseDatePart(parser: Parser, start: number): Draft | undefined {
  return parser.ahead(3) === 'FROM' ? parseExtract(parser, start) : undefined;
}

/** `TRIM(BOTH 'x' FROM y)`, `TRIM(y)`, `TRIM(y, 'x')`. */
function parseTrim(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const kind = ['BOTH', 'LEADING', 'TRAILING'].includes(parser.key)
    ? parser.advance().text.toUpperCase()
    : undefined;
  const parts: Draft[] = [];
  if (parser.key !== 'FROM') parts.push(parser.rules.expression(parser));
  if (parser.accept('FROM')) parts.push(as('this', parser.rules.expression(parser)));
  while (parser.accept(',')) parts.push(as('expressions', parser.rules.expression(parser)));
  const [first] = parts;
  if (first?.role === 'root')
    first.role = parts.some((part) => part.role === 'this') ? 'expressions' : 'this';
  parser.expect(')');
  return parser.node('Trim', start, parts, name, kind === undefined ? CALLED : { call: 'true', kind });
}

/** `ARRAY[1, 2]`, `ARRAY<INT64>[1]`, `ARRAY(SELECT …)`; other arguments make it a function. */
function parseArray(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) === '[') {
    parser.advance();
    return parseSquareBrackets(parser, start);
  }
  if (parser.ahead(1) !== '<') return undefined;
  const to = as('to', parser.rules.dataType(parser));
  const list = as('this', parseSquareBrackets(parser, parser.start));
  return parser.node('Cast', start, [to, list], undefined, { operator: 'typed' });
}

/** `STRUCT<a INT64>(1)`; without a type it is a plain call. */
function parseTypedStruct(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '<') return undefined;
  const to = as('to', parser.rules.dataType(parser));
  const { start: from } = parser;
  const values = parseCallArguments(parser);
  const struct = as('this', parser.node('Struct', from, [...allAs('expressions', values)]));
  return parser.node('Cast', start, [to, struct], undefined, { operator: 'typed' });
}

/** DuckDB: `MAP {'a': 1}`. */
function parseMap(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '{') return undefined;
  parser.advance();
  parser.expect('{');
  const entries: Draft[] = [];
  while (parser.key !== '}') {
    const { start: from } = parser;
    const key = as('this', parser.rules.expression(parser));
    parser.expect(':');
    const pair = [key, as('expression', parser.rules.expression(parser))];
    entries.push(as('expressions', parser.node('PropertyEQ', from, pair)));
    if (!parser.accept(',')) break;
  }
  parser.expect('}');
  return parser.node('Map', start, entries);
}

/** MySQL: `MATCH (a, b) AGAINST ('words' IN BOOLEAN MODE)`. */
function parseMatch(parser: Parser, start: number): Draft | undefined {
  if (!parser.grammar.mysqlWords || parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const columns = parser.list(() => as('expressions', parser.rules.expression(parser)));
  parser.expect(')', 'AGAINST', '(');
  const words = as('this', parser.rules.expression(parser, LEVEL.other));
  while (parser.kind === 'word') parser.advance();
  parser.expect(')');
  return parser.node('MatchAgainst', start, [...columns, words], name, CALLED);
}

/** `XMLELEMENT(NAME foo, XMLATTRIBUTES(a AS b), c)`, `XMLPI(NAME php, 'x')`: the name is no column. */
function parseNamedXml(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(' || parser.ahead(2) !== 'NAME') return undefined;
  const isName = parser.kindAhead(3) === 'word' || parser.kindAhead(3) === 'quoted-name';
  if (!isName) return undefined;
  const name = parser.advance().text;
  parser.move(parser.at + 2);
  const { start: from } = parser;
  const word = parser.node('Var', from, [], parseAnyName(parser).value);
  word.end = parser.end;
  return anonymous(parser, start, { name, parts: parseCallArgumentsAfter(parser, word) });
}

/** `XMLPARSE(DOCUMENT x)`, `XMLSERIALIZE(CONTENT x AS text INDENT)`. */
function parseXmlDocument(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(' || !['DOCUMENT', 'CONTENT'].includes(parser.ahead(2))) return undefined;
  if ([',', ')', '.'].includes(parser.ahead(3))) return undefined;
  const name = parser.advance().text;
  parser.move(parser.at + 2);
  const parts = [parser.rules.expression(parser)];
  if (parser.accept('AS')) parts.push(parser.rules.dataType(parser));
  if (!parser.acceptAll('PRESERVE', 'WHITESPACE')) parser.acceptAll('STRIP', 'WHITESPACE');
  if (!parser.acceptAll('NO', 'INDENT')) parser.accept('INDENT');
  parser.expect(')');
  return anonymous(parser, start, { name, parts });
}

/** `XMLROOT(x, VERSION '1.0', STANDALONE YES)`, `XMLROOT(x, VERSION NO VALUE)`. */
function parseXmlRoot(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const parts = [parser.rules.expression(parser)];
  parser.expect(',', 'VERSION');
  if (!parser.acceptAll('NO', 'VALUE')) parts.push(parser.rules.expression(parser));
  if (parser.accept(',')) {
    parser.expect('STANDALONE');
    if (!parser.accept('YES')) {
      parser.expect('NO');
      parser.accept('VALUE');
    }
  }
  parser.expect(')');
  return anonymous(parser, start, { name, parts });
}

/** `XMLNAMESPACES('http://x' AS x, DEFAULT 'http://y')`. */
function parseXmlNames(parser: Parser, start: number): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  const name = parser.advance().text;
  parser.expect('(');
  const parts = parser.list(() =>
    parser.accept('DEFAULT') ? parser.rules.expression(parser) : parseArgument(parser, PLAIN),
  );
  parser.expect(')');
  return anonymous(parser, start, { name, parts });
}

/** `NORMALIZE(x, NFC)`, `GET_FORMAT(DATE, 'EUR')`: one argument is a word of the engine. */
function wordCall(place: 'first' | 'second', words: readonly string[]) {
  return (parser: Parser, start: number): Draft | undefined => {
    if (parser.ahead(1) !== '(') return undefined;
    if (place === 'first' && !(words.includes(parser.ahead(2)) && parser.ahead(3) === ',')) return undefined;
    const name = parser.advance().text;
    parser.expect('(');
    const parts = [parseWordOr(parser, place === 'first' ? words : [])];
    while (parser.accept(','))
      parts.push(parseWordOr(parser, parts.length === 1 && place === 'second' ? words : []));
    parser.expect(')');
    return anonymous(parser, start, { name, parts });
  };
}

function parseWordOr(parser: Parser, words: readonly string[]): Draft {
  const { start } = parser;
  if (!words.includes(parser.key) || ![',', ')'].includes(parser.ahead(1)))
    return parseArgument(parser, PLAIN);
  return parser.node('Var', start, [], parser.advance().text);
}

interface Called {
  readonly name: string;
  readonly parts: Draft[];
}

function anonymous(parser: Parser, start: number, { name, parts }: Called): Draft {
  for (const part of parts) if (part.role === 'root' || part.role === 'this') as('expressions', part);
  return parser.node('Anonymous', start, parts, name, CALLED);
}
