/** IS, IN, LIKE, BETWEEN and their kin: what follows an operand and is not a plain operator. */
import { allAs, as, type Draft } from './draft.ts';
import { type Infix, LEVEL } from './grammar.ts';
import { parseAnyName } from './parse-names.ts';
import type { Parser } from './rules.ts';

/** The predicate over `left`, or `undefined` when the word here is no predicate after all. */
export function parsePredicate(parser: Parser, left: Draft, infix: Infix): Draft | undefined {
  switch (infix.form) {
    case 'not':
      return parseNegated(parser, left);
    case 'is':
      return parseIs(parser, left);
    case 'in':
      parser.advance();
      return parseIn(parser, left);
    case 'like':
      parser.advance();
      return parseLike(parser, left, infix);
    case 'similar':
      return parseSimilar(parser, left, infix);
    case 'between':
      parser.advance();
      return parseBetween(parser, left);
    case 'is-null':
      return parsePostfixNull(parser, left);
    case 'collate':
      parser.advance();
      return parser.node('Collate', left.start, [as('this', left), as('expression', parseCollation(parser))]);
    case 'at-time-zone':
      return parseAtTimeZone(parser, left);
    case 'member-of':
      return parseMemberOf(parser, left);
    case 'factorial':
      return parseFactorial(parser, left);
    default:
      return parseNamedOperator(parser, left, infix);
  }
}

/** `NOT IN` is Not(In), as `NOT (… IN …)` would be; `a NOT NULL` of SQLite is `a IS NOT NULL`. */
function parseNegated(parser: Parser, left: Draft): Draft | undefined {
  const inner = parser.grammar.infix.get(parser.ahead(1));
  if (parser.ahead(1) === 'NULL' && parser.grammar.postfixNull) {
    parser.advance();
    return notNull(parser, left);
  }
  if (inner === undefined || !['in', 'like', 'between', 'similar'].includes(inner.form)) return undefined;
  parser.advance();
  const predicate = parsePredicate(parser, left, inner);
  return predicate && parser.node('Not', left.start, [as('this', predicate)]);
}

function notNull(parser: Parser, left: Draft): Draft {
  const { start } = parser;
  parser.advance();
  const is = parser.node('Is', left.start, [
    as('this', left),
    as('expression', parser.node('Null', start, [])),
  ]);
  return parser.node('Not', left.start, [as('this', is)]);
}

function parseIs(parser: Parser, left: Draft): Draft {
  parser.advance();
  const isNegated = parser.accept('NOT');
  const predicate = parser.looksAt('DISTINCT', 'FROM')
    ? parseDistinctFrom(parser, left, isNegated)
    : parser.node('Is', left.start, [as('this', left), as('expression', parseIsOperand(parser))]);
  const isDone = !isNegated || predicate.type === 'NullSafeEQ';
  return isDone ? predicate : parser.node('Not', left.start, [as('this', predicate)]);
}

function parseDistinctFrom(parser: Parser, left: Draft, isNegated: boolean): Draft {
  parser.expect('DISTINCT', 'FROM');
  const right = parser.rules.expression(parser, parser.grammar.operandLevel);
  const type = isNegated ? 'NullSafeEQ' : 'NullSafeNEQ';
  return parser.node(type, left.start, [as('this', left), as('expression', right)], undefined, {
    operator: 'IS DISTINCT FROM',
  });
}

const TRUTH_WORDS: ReadonlySet<string> = new Set(['UNKNOWN', 'JSON', 'DOCUMENT', 'NORMALIZED']);
const FORMS_OF_TEXT: ReadonlySet<string> = new Set(['NFC', 'NFD', 'NFKC', 'NFKD']);
const JSON_KINDS: ReadonlySet<string> = new Set(['VALUE', 'SCALAR', 'ARRAY', 'OBJECT']);

function parseIsOperand(parser: Parser): Draft {
  const { start } = parser;
  if (FORMS_OF_TEXT.has(parser.key) && parser.ahead(1) === 'NORMALIZED') parser.advance();
  if (TRUTH_WORDS.has(parser.key)) {
    const word = parser.advance().text;
    if (JSON_KINDS.has(parser.key)) parser.advance();
    if (!parser.acceptAll('WITH', 'UNIQUE', 'KEYS')) parser.acceptAll('WITHOUT', 'UNIQUE', 'KEYS');
    return parser.node('Var', start, [], word);
  }
  return parser.rules.expression(parser, parser.grammar.operandLevel);
}

function parseIn(parser: Parser, left: Draft): Draft {
  const { start } = parser;
  const end = (children: readonly Draft[]) => parser.node('In', left.start, [as('this', left), ...children]);
  if (parser.key === 'UNNEST') {
    return end([as('unnest', parseUnnestList(parser))]);
  }
  if (!parser.accept('('))
    return end([as('field', parser.rules.expression(parser, parser.grammar.operandLevel))]);
  if (parser.accept(')')) return end([]);
  const items: Draft[] = [parseSetOperand(parser)];
  while (parser.accept(',')) {
    if (parser.key === ')') break;
    items.push(parser.rules.expression(parser));
  }
  const [only] = items;
  if (items.length === 1 && only !== undefined && isQuery(only)) {
    parser.expect(')');
    return end([as('query', parser.node('Subquery', start, [as('this', only)]))]);
  }
  parser.expect(')');
  return end(allAs('expressions', items));
}

function parseUnnestList(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('UNNEST', '(');
  const list = as('expressions', parser.rules.expression(parser));
  parser.expect(')');
  return parser.node('Unnest', start, [list]);
}

/** `IN ((SELECT 1) UNION (SELECT 2))`: the first brackets are only a branch. */
function parseSetOperand(parser: Parser): Draft {
  const first = parser.rules.expression(parser);
  return first.type === 'Subquery' ? parser.rules.queryAfter(parser, first) : first;
}

const QUERY_TYPES: ReadonlySet<string> = new Set(['Select', 'Union', 'Intersect', 'Except', 'Values']);

function isQuery(node: Draft): boolean {
  return QUERY_TYPES.has(node.type);
}

function parseLike(parser: Parser, left: Draft, { type }: Infix): Draft {
  const sign = type === 'Operator' ? { operator: signBefore(parser) } : undefined;
  const pattern = parseLikePattern(parser);
  const like = parser.node(type, left.start, [as('this', left), as('expression', pattern)], undefined, sign);
  if (!parser.accept('ESCAPE')) return like;
  const mark = parser.rules.expression(parser, parser.grammar.operandLevel);
  return parser.node('Escape', left.start, [as('this', like), as('expression', mark)]);
}

/** MATCH, or SOUNDS LIKE: the words before the pattern. */
function signBefore(parser: Parser): string {
  const word = parser.ahead(-1);
  return word === 'LIKE' ? 'SOUNDS LIKE' : word;
}

/** `LIKE ANY ('a%', 'b%')`. */
function parseLikePattern(parser: Parser): Draft {
  const { start, key } = parser;
  const isUnnest = parser.ahead(1) === 'UNNEST' && parser.ahead(2) === '(';
  if ((key === 'ANY' || key === 'ALL' || key === 'SOME') && (parser.ahead(1) === '(' || isUnnest)) {
    parser.advance();
    const among = as(
      'this',
      isUnnest ? parseUnnestList(parser) : parser.rules.expression(parser, LEVEL.postfix),
    );
    return parser.node(key === 'ALL' ? 'All' : 'Any', start, [among]);
  }
  return parser.rules.expression(parser, parser.grammar.operandLevel);
}

/** SIMILAR TO, SOUNDS LIKE. */
function parseSimilar(parser: Parser, left: Draft, infix: Infix): Draft | undefined {
  const second = infix.type === 'SimilarTo' ? 'TO' : 'LIKE';
  if (parser.ahead(1) !== second) return undefined;
  parser.advance();
  parser.advance();
  return parseLike(parser, left, infix);
}

function parseBetween(parser: Parser, left: Draft): Draft {
  const isSymmetric = parser.accept('SYMMETRIC');
  if (!isSymmetric) parser.accept('ASYMMETRIC');
  const low = as('low', parser.rules.expression(parser, parser.grammar.operandLevel));
  parser.expect('AND');
  const high = as('high', parser.rules.expression(parser, parser.grammar.operandLevel));
  const flags = isSymmetric ? { symmetric: 'true' } : undefined;
  return parser.node('Between', left.start, [as('this', left), low, high], undefined, flags);
}

/** `x ISNULL`, `x NOTNULL`: the word is operator and NULL at once. */
function parsePostfixNull(parser: Parser, left: Draft): Draft {
  const { start } = parser;
  const word = parser.advance().text.toUpperCase();
  const is = parser.node('Is', left.start, [
    as('this', left),
    as('expression', parser.node('Null', start, [])),
  ]);
  return word === 'ISNULL' ? is : parser.node('Not', left.start, [as('this', is)]);
}

function parseCollation(parser: Parser): Draft {
  const { start } = parser;
  if (parser.kind === 'text') return parser.rules.expression(parser, LEVEL.postfix);
  let end = parseAnyName(parser, 'the name of a collation');
  while (parser.accept('.')) end = parseAnyName(parser);
  return parser.node('Var', start, [], end.value);
}

/** Dialects with `AT LOCAL`: in the time zone of the session. */
const LOCAL_ZONES: ReadonlySet<string> = new Set(['postgres', 'trino']);

function parseAtTimeZone(parser: Parser, left: Draft): Draft | undefined {
  const isLocal = parser.looksAt('AT', 'LOCAL') && LOCAL_ZONES.has(parser.grammar.dialect);
  if (isLocal) {
    parser.advance();
    const { start } = parser;
    const local = as('zone', parser.node('Var', start, [], parser.advance().text));
    local.end = parser.end;
    return parser.node('AtTimeZone', left.start, [as('this', left), local]);
  }
  if (!parser.acceptAll('AT', 'TIME', 'ZONE')) return undefined;
  const zone = as('zone', parser.rules.expression(parser, LEVEL.unary));
  return parser.node('AtTimeZone', left.start, [as('this', left), zone]);
}

/** DuckDB: `4!`. */
function parseFactorial(parser: Parser, left: Draft): Draft {
  parser.advance();
  return parser.node('UnaryOperator', left.start, [as('this', left)], undefined, { operator: 'FACTORIAL' });
}

/** `17 MEMBER OF (list)`. */
function parseMemberOf(parser: Parser, left: Draft): Draft | undefined {
  if (!parser.acceptAll('MEMBER', 'OF')) return undefined;
  const list = as('expression', parser.rules.expression(parser, LEVEL.postfix));
  return parser.node('Operator', left.start, [as('this', left), list], undefined, { operator: 'MEMBER OF' });
}

/** PostgreSQL: `a OPERATOR(pg_catalog.~) b`. */
function parseNamedOperator(parser: Parser, left: Draft, { level }: Infix): Draft | undefined {
  if (parser.ahead(1) !== '(') return undefined;
  parser.advance();
  parser.advance();
  let operator = '';
  while (!parser.isAt(')')) operator += parser.advance().text;
  parser.expect(')');
  const right = as('expression', parser.rules.expression(parser, level + 1));
  return parser.node('Operator', left.start, [as('this', left), right], undefined, { operator });
}
