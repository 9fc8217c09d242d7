/** MATCH_RECOGNIZE behind a relation: what is looked for in its rows, and what is said of each match. */

import { isName, parseAlias, parseAnyName } from '../expressions/parse-names.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';

export function isRowPattern(parser: Parser): boolean {
  return parser.grammar.rowPatterns && parser.key === 'MATCH_RECOGNIZE' && parser.ahead(1) === '(';
}

/** The clauses of the standard, in its order; a clause that is not understood is a fault. */
export function parseRowPattern(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('MATCH_RECOGNIZE', '(');
  const parts = [...parsePartition(parser)];
  if (parser.key === 'ORDER') parts.push(as('order', parser.rules.order(parser)));
  if (parser.accept('MEASURES')) parts.push(...parser.list(() => as('expressions', parseMeasure(parser))));
  const { at } = parser;
  const isAll = parseRowsPerMatch(parser);
  if (parser.accept('AFTER')) parseSkip(parser);
  parser.accept('INITIAL');
  parser.expect('PATTERN', '(');
  parts.push(...parsePattern(parser));
  parser.expect(')');
  if (parser.accept('SUBSET')) parts.push(...parseSubsets(parser));
  const words = wordsBetween(parser, at, parser.at);
  parser.expect('DEFINE');
  parts.push(...parser.list(() => as('fields', parseDefinition(parser))));
  parser.expect(')');
  return parser.node('MatchRecognize', start, parts, words, isAll ? { all: 'true' } : undefined);
}

/** What stands there has no nodes, so the value of the whole keeps it, spaced as written: `{-` is one sign. */
function wordsBetween(parser: Parser, from: number, to: number): string {
  let words = '';
  let end: number | undefined;
  for (let at = from; at < to; at += 1) {
    const token = parser.tokenAhead(at - parser.at);
    if (token === undefined) continue;
    words += (end === undefined || end === token.start ? '' : ' ') + token.text;
    end = token.end;
  }
  return words;
}

/** Only columns: what an expression is called outside is not known. */
function parsePartition(parser: Parser): readonly Draft[] {
  if (!parser.accept('PARTITION')) return [];
  parser.expect('BY');
  return allAs(
    'partition_by',
    parser.list(() => {
      const place = parser.at;
      const value = parser.rules.expression(parser);
      if (value.type === 'Column') return value;
      parser.move(place);
      throw parser.fault('a column');
    }),
  );
}

function parseMeasure(parser: Parser): Draft {
  const value = parser.rules.expression(parser);
  const alias = parseAlias(parser, false);
  if (alias === undefined) throw parser.fault('AS');
  return parser.node('Alias', value.start, [as('this', value), alias]);
}

/** Whether every row of a match comes out. */
function parseRowsPerMatch(parser: Parser): boolean {
  if (parser.accept('ONE')) {
    parser.expect('ROW', 'PER', 'MATCH');
    return false;
  }
  if (!parser.accept('ALL')) return false;
  parser.expect('ROWS', 'PER', 'MATCH');
  if (parser.accept('SHOW') || parser.accept('OMIT')) parser.expect('EMPTY', 'MATCHES');
  else if (parser.accept('WITH')) parser.expect('UNMATCHED', 'ROWS');
  return true;
}

function parseSkip(parser: Parser): void {
  parser.expect('MATCH', 'SKIP');
  if (parser.acceptAll('PAST', 'LAST', 'ROW')) return;
  parser.expect('TO');
  if (parser.acceptAll('NEXT', 'ROW')) return;
  const isSide = (parser.key === 'FIRST' || parser.key === 'LAST') && isNameKind(parser.kindAhead(1));
  // `SKIP TO LAST PATTERN (…)`: the word before PATTERN is the variable.
  if (isSide && parser.ahead(2) !== '(') parser.advance();
  parseVariable(parser);
}

function isNameKind(kind: string | undefined): boolean {
  return kind === 'word' || kind === 'quoted-name';
}

function parseVariable(parser: Parser): Draft {
  if (!isName(parser)) throw parser.fault('a variable of the pattern');
  return as('aliases', parseAnyName(parser));
}

/** `A B+ | C`: the variables in it, in the order of the text. */
function parsePattern(parser: Parser): Draft[] {
  return parser.nested(() => {
    const variables: Draft[] = [];
    do {
      do variables.push(...parseFactor(parser));
      while (!['|', ')', ',', '-', ''].includes(parser.key) || isNameKind(parser.kind));
    } while (parser.accept('|'));
    return variables;
  });
}

function parseFactor(parser: Parser): readonly Draft[] {
  const variables = parseTerm(parser);
  if (parser.accept('*') || parser.accept('+') || acceptMark(parser)) acceptMark(parser);
  else if (parser.key === '{' && parser.ahead(1) !== '-') {
    parseCounts(parser);
    acceptMark(parser);
  }
  return variables;
}

/** `?`, which is a parameter everywhere else. */
function acceptMark(parser: Parser): boolean {
  if (parser.token?.text !== '?') return false;
  parser.advance();
  return true;
}

function parseTerm(parser: Parser): readonly Draft[] {
  if (parser.accept('^') || parser.accept('$')) return [];
  if (parser.accept('(')) return parsePatternTo(parser, ')');
  if (parser.acceptAll('{', '-')) return parsePatternTo(parser, '-', '}');
  if (parser.key !== 'PERMUTE' || parser.ahead(1) !== '(') return [parseVariable(parser)];
  parser.expect('PERMUTE', '(');
  const variables = parsePattern(parser);
  while (parser.accept(',')) variables.push(...parsePattern(parser));
  parser.expect(')');
  return variables;
}

function parsePatternTo(parser: Parser, ...end: readonly string[]): readonly Draft[] {
  const variables = parsePattern(parser);
  parser.expect(...end);
  return variables;
}

/** `{2}`, `{2,}`, `{,3}`, `{2,3}` */
function parseCounts(parser: Parser): void {
  parser.expect('{');
  const hasLeast = acceptCount(parser);
  const hasMost = parser.accept(',') && acceptCount(parser);
  if (!hasLeast && !hasMost) throw parser.fault('a number');
  parser.expect('}');
}

function acceptCount(parser: Parser): boolean {
  if (parser.kind !== 'number' || !/^\d+$/.test(parser.token?.text ?? '')) return false;
  parser.advance();
  return true;
}

/** `U = (A, B)`: one more variable for the rows of several. */
function parseSubsets(parser: Parser): readonly Draft[] {
  const variables: Draft[] = [];
  do {
    variables.push(parseVariable(parser));
    parser.expect('=', '(');
    variables.push(...parser.list(() => parseVariable(parser)));
    parser.expect(')');
  } while (parser.accept(','));
  return variables;
}

function parseDefinition(parser: Parser): Draft {
  const { start } = parser;
  const name = as('alias', parseAnyName(parser, 'a variable of the pattern'));
  parser.expect('AS');
  const condition = as('this', parser.rules.expression(parser));
  return parser.node('PatternDefinition', start, [name, condition]);
}
