/** Calls with words among their arguments: XML of PostgreSQL, NORMALIZE, GET_FORMAT of MySQL. */
import { as, type Draft } from './draft.ts';
import { parseArgument } from './parse-argument.ts';
import { parseCallArgumentsAfter } from './parse-call-arguments.ts';
import { parseAnyName } from './parse-names.ts';
import type { Parser } from './rules.ts';

const CALLED = Object.freeze({ call: 'true' });
const PLAIN = { takesUnit: false, takesLambda: false };

/** `XMLELEMENT(NAME foo, XMLATTRIBUTES(a AS b), c)`, `XMLPI(NAME php, 'x')`: the name is no column. */
export function parseNamedXml(parser: Parser, start: number): Draft | undefined {
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
export function parseXmlDocument(parser: Parser, start: number): Draft | undefined {
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
export function parseXmlRoot(parser: Parser, start: number): Draft | undefined {
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
export function parseXmlNames(parser: Parser, start: number): Draft | undefined {
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
export function wordCall(place: 'first' | 'second', words: readonly string[]) {
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
