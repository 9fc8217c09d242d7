/** Identifiers, dotted names and aliases. */
import type { Token } from '../../dialects/lex-sql.ts';
import { withoutQuotes } from '../../dialects/quoting.ts';
import type { Flags } from '../../tree/node.ts';
import type { Parser } from '../reader/rules.ts';
import { as, type Draft, NO_FLAGS } from '../reader/token-reader.ts';

const QUOTED: Readonly<Record<string, Flags>> = Object.fromEntries(
  ['"', '`', '[', "'"].map((quote) => [quote, Object.freeze({ quoted: quote })]),
);

/** A name after a dot or AS, where every word will do. */
export function parseAnyName(parser: Parser, what = 'a name'): Draft {
  const { token, start } = parser;
  if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted-name')) {
    throw parser.fault(what);
  }
  parser.advance();
  return identifier(parser, token, start);
}

function identifier(parser: Parser, token: Token, start: number): Draft {
  if (token.kind === 'word') return parser.node('Identifier', start, [], token.text);
  return parser.node('Identifier', start, [], unquote(token.text), quotedBy(token.text));
}

export function isName(parser: Parser): boolean {
  const { kind } = parser;
  return kind === 'quoted-name' || (kind === 'word' && !parser.grammar.reserved.has(parser.key));
}

/** The alias after an expression or a table: `AS name`, or a bare name that can be nothing else. */
export function parseAlias(parser: Parser, takesText = parser.grammar.textAlias): Draft | undefined {
  if (parser.accept('AS')) {
    return as('alias', parser.kind === 'text' ? parseTextName(parser) : parseAnyName(parser, 'an alias'));
  }
  if (parser.kind === 'text') return takesText ? as('alias', parseTextName(parser)) : undefined;
  return isBareAlias(parser) ? as('alias', parseAnyName(parser)) : undefined;
}

function isBareAlias(parser: Parser): boolean {
  if (parser.kind === 'quoted-name') return true;
  if (parser.kind !== 'word' || parser.grammar.reserved.has(parser.key)) return false;
  return !parser.grammar.noAlias.has(parser.key) || isFreeWord(parser);
}

/** Words that begin a clause only with what follows them; alone they are names like others. */
const NEEDS_NEXT: Readonly<Record<string, (parser: Parser) => boolean>> = {
  WINDOW: (parser) => parser.ahead(2) === 'AS',
  OFFSET: (parser) =>
    ['number', 'parameter', 'word', 'operator'].includes(parser.kindAhead(1) ?? '') && !isAfterAlias(parser),
  END: (parser) => parser.openCases > 0,
  AT: (parser) => ['TIME', 'LOCAL', '('].includes(parser.ahead(1)),
  FILTER: (parser) => parser.ahead(1) === '(',
  OVER: () => true,
  WITHIN: (parser) => parser.ahead(1) === 'GROUP',
  PIVOT: (parser) => parser.ahead(1) === '(',
  UNPIVOT: (parser) => ['(', 'INCLUDE', 'EXCLUDE'].includes(parser.ahead(1)),
  MATCH_RECOGNIZE: (parser) => parser.grammar.rowPatterns && parser.ahead(1) === '(',
  DIV: (parser) => parser.grammar.mysqlWords,
  MOD: (parser) => parser.grammar.mysqlWords,
  XOR: (parser) => parser.grammar.mysqlWords,
  PARTITION: (parser) => ['BY', '('].includes(parser.ahead(1)),
  RETURNING: () => true,
  LOCK: (parser) => parser.grammar.mysqlWords && parser.ahead(1) === 'IN',
  START: (parser) => parser.grammar.connectBy && parser.ahead(1) === 'WITH',
  CONNECT: (parser) => parser.grammar.connectBy && parser.ahead(1) === 'BY',
  MATCH_CONDITION: (parser) => parser.grammar.connectBy,
  DIRECTED: (parser) => parser.grammar.connectBy && parser.ahead(1) === 'JOIN',
  POSITIONAL: (parser) => parser.ahead(1) === 'JOIN',
  ASOF: (parser) => ['JOIN', 'LEFT', 'RIGHT', 'FULL', 'INNER'].includes(parser.ahead(1)),
  SEMI: (parser) => parser.ahead(1) === 'JOIN',
  ANTI: (parser) => parser.ahead(1) === 'JOIN',
  ISNULL: (parser) => parser.grammar.infix.has('ISNULL'),
  NOTNULL: (parser) => parser.grammar.infix.has('NOTNULL'),
  GLOB: (parser) => parser.grammar.infix.has('GLOB'),
  MATCH: (parser) => parser.grammar.infix.has('MATCH'),
  REGEXP: (parser) => parser.grammar.infix.has('REGEXP'),
  RLIKE: (parser) => parser.grammar.infix.has('RLIKE'),
  NULLS: (parser) => ['FIRST', 'LAST'].includes(parser.ahead(1)),
  IGNORE: (parser) => parser.ahead(1) === 'NULLS',
  RESPECT: (parser) => parser.ahead(1) === 'NULLS',
  MINUS: () => true,
  OUTER: () => true,
};

function isFreeWord(parser: Parser): boolean {
  const isClause = NEEDS_NEXT[parser.key];
  return isClause !== undefined && !isClause(parser);
}

/** In `UNNEST(x) AS y WITH OFFSET off` and `SELECT 1 offset` the word is a name. */
function isAfterAlias(parser: Parser): boolean {
  return parser.kindAhead(1) === undefined || [',', 'FROM', ')'].includes(parser.ahead(1));
}

/** A text used as a name. */
export function parseTextName(parser: Parser): Draft {
  const { start } = parser;
  const token = parser.advance();
  return parser.node('Identifier', start, [], unquote(token.text), QUOTED["'"]);
}

/** The name inside quotes; `U&"a"` stands for its letters. */
export function unquote(text: string): string {
  return withoutQuotes(/^[uU]&/.test(text) ? text.slice(2) : text);
}

function quotedBy(text: string): Flags {
  return QUOTED[text.charAt(0)] ?? QUOTED['"'] ?? NO_FLAGS;
}

/** `a.b.c` inside one pair of backquotes: an Identifier for each part, with its own place. */
export function splitQuotedName(parser: Parser, token: Token): readonly Draft[] {
  const parts = token.text.slice(1, -1).split('.');
  let start = token.start + 1;
  return parts.map((part) => {
    const node = parser.node('Identifier', start, [], part, QUOTED['`']);
    node.end = start + part.length;
    start = node.end + 1;
    return node;
  });
}

// Texts in quotes and what they say.

const TEXT_FLAGS = Object.freeze({ string: 'true' });

/** Texts beside each other are one in PostgreSQL, MySQL and Snowflake: `'a' 'b'`. */
export function parseText(parser: Parser): Draft {
  const { text, start } = parser.advance();
  if (/^[xX]'/.test(text)) return parser.node('HexString', start, [], text.slice(2, -1));
  if (/^[bB]'/.test(text) && !parser.grammar.dottedQuotes)
    return parser.node('BitString', start, [], text.slice(2, -1));
  const hasTriples = parser.grammar.dialect === 'bigquery';
  let value = textValue(text, hasTriples);
  // The sign that begins the escapes; they end no text.
  if (/^[uU]&/.test(text) && parser.key === 'UESCAPE' && parser.kindAhead(1) === 'text')
    parser.move(parser.at + 2);
  while (parser.grammar.textsJoin && parser.kind === 'text')
    value += textValue(parser.advance().text, hasTriples);
  return parser.node('Literal', start, [], value, TEXT_FLAGS);
}

/** What a text says, as far as its quotes go; backslashes stay as written. */
function textValue(text: string, hasTriples: boolean): string {
  if (text.charAt(0) === '$')
    return text.slice(text.indexOf('$', 1) + 1, text.lastIndexOf('$', text.length - 2));
  const open = text.search(/['"]/);
  const quote = text.charAt(open);
  const isTriple = hasTriples && text.length >= open + 6 && text.startsWith(quote.repeat(3), open);
  const inner = isTriple ? text.slice(open + 3, -3) : text.slice(open + 1, -1);
  return isTriple || !inner.includes(quote) ? inner : inner.replaceAll(quote + quote, quote);
}

/** What may follow a star in a select list: EXCEPT, EXCLUDE, REPLACE, RENAME. */
export function parseStarChanges(parser: Parser): Draft[] {
  const changes: Draft[] = [];
  for (;;) {
    const role = roleAt(parser);
    if (role === undefined) return changes;
    parser.advance();
    const read = { except: parseExcepted, replace: parseReplaced, rename: parseRenamed }[role];
    const isList = parser.accept('(');
    const items = isList ? parser.list(() => read(parser)) : [read(parser)];
    if (isList) parser.expect(')');
    for (const item of items) changes.push(as(role, item));
  }
}

function roleAt(parser: Parser): 'except' | 'replace' | 'rename' | undefined {
  const isList = parser.ahead(1) === '(';
  switch (parser.key) {
    case 'EXCEPT':
      return isList && parser.ahead(2) !== 'SELECT' && parser.ahead(2) !== '(' ? 'except' : undefined;
    case 'EXCLUDE':
      return 'except';
    case 'REPLACE':
      return isList ? 'replace' : undefined;
    case 'RENAME':
      return 'rename';
    default:
      return undefined;
  }
}

function parseExcepted(parser: Parser): Draft {
  const first = parseAnyName(parser, 'a column');
  if (!parser.accept('.')) return first;
  const column = parseAnyName(parser, 'a column');
  return parser.node('Column', first.start, [as('table', first), as('this', column)]);
}

function parseReplaced(parser: Parser): Draft {
  const value = parser.rules.expression(parser);
  parser.expect('AS');
  return parser.node('Alias', value.start, [as('this', value), as('alias', parseAnyName(parser))]);
}

function parseRenamed(parser: Parser): Draft {
  const column = parseAnyName(parser, 'a column');
  parser.expect('AS');
  return parser.node('Alias', column.start, [as('this', column), as('alias', parseAnyName(parser))]);
}
