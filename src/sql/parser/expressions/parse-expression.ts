/** Expressions: operators by levels (Pratt), predicates, and what may follow an operand. */

import { type Infix, LEVEL } from '../reader/grammar.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { parseAnyName } from './parse-names.ts';
import { parseOperand } from './parse-operand.ts';

/** An expression whose operators all hold tighter than `level`, or as tight. */
export function parseExpression(parser: Parser, level: number = LEVEL.lowest): Draft {
  return parser.nested(() => parseInfix(parser, parsePrefix(parser), level));
}

/** Goes on after an operand that has been read. */
function parseInfix(parser: Parser, first: Draft, level: number): Draft {
  let left = first;
  for (;;) {
    const infix = infixAt(parser);
    if (infix === undefined || infix.level < level) return left;
    const next =
      infix.form === 'binary' ? parseBinary(parser, left, infix) : parsePredicate(parser, left, infix);
    if (next === undefined) return left;
    left = next;
  }
}

function infixAt(parser: Parser): Infix | undefined {
  if (parser.key === '') return undefined;
  const listed = parser.grammar.infix.get(parser.key);
  return listed ?? (isNamedBySign(parser) ? SIGNED_INFIX : undefined);
}

/** In PostgreSQL any signs are an operator, which the guard looks up by name. */
const SIGNS = /^[-+*/<>=~!@#%^&|`?]+$/;
const SIGNED_INFIX: Infix = { form: 'binary', type: 'Operator', level: LEVEL.other };

function isNamedBySign({ grammar, key }: Parser): boolean {
  return grammar.ownOperators && SIGNS.test(key) && key !== '=>';
}

/** Types whose sign tells more than the type. */
const SIGNED: ReadonlySet<string> = new Set(['Operator', 'NEQ', 'EQ']);

function parseBinary(parser: Parser, left: Draft, { type, level }: Infix): Draft {
  const sign = parser.key;
  parser.advance();
  const isCompared = level === LEVEL.compare || parser.grammar.ownOperators;
  const right = isCompared ? parseCompared(parser, level) : parser.rules.expression(parser, level + 1);
  const flags = SIGNED.has(type) && sign !== '=' ? { operator: sign } : undefined;
  return parser.node(type, left.start, [as('this', left), as('expression', right)], undefined, flags);
}

const QUANTIFIERS: Readonly<Record<string, string>> = { ANY: 'Any', SOME: 'Any', ALL: 'All' };

/** The right side of a comparison may be `ANY (…)`, in PostgreSQL that of every operator. */
function parseCompared(parser: Parser, level: number): Draft {
  const quantifier = QUANTIFIERS[parser.key];
  if (quantifier === undefined || parser.ahead(1) !== '(') return parser.rules.expression(parser, level + 1);
  const { start } = parser;
  parser.advance();
  return parser.node(quantifier, start, [as('this', parser.rules.expression(parser, LEVEL.postfix))]);
}

const PREFIX: Readonly<Record<string, readonly [type: string, level: number]>> = {
  NOT: ['Not', LEVEL.not],
  '-': ['Neg', LEVEL.unary],
  '+': ['Pos', LEVEL.unary],
  '~': ['BitwiseNot', LEVEL.unary],
};

/** Signs before an operand that only some dialects have. */
const OTHER_PREFIX: ReadonlySet<string> = new Set(['!', '@', '|/', '||/']);

function parsePrefix(parser: Parser): Draft {
  const { start, key } = parser;
  const prefix = PREFIX[key];
  if (prefix !== undefined) {
    parser.advance();
    return parser.node(prefix[0], start, [as('this', parser.rules.expression(parser, prefix[1]))]);
  }
  // PostgreSQL reads `@ a + b` as `@ (a + b)`.
  if (isNamedBySign(parser) && key !== '*') {
    parser.advance();
    const operand = as('this', parser.rules.expression(parser, LEVEL.other + 1));
    return parser.node('UnaryOperator', start, [operand], undefined, { operator: key });
  }
  // Snowflake: `** list` stands for the items of the list.
  if (OTHER_PREFIX.has(key) || (key === '**' && parser.grammar.connectBy)) {
    parser.advance();
    const operand = as('this', parser.rules.expression(parser, LEVEL.unary));
    return parser.node('UnaryOperator', start, [operand], undefined, { operator: key });
  }
  return parseOperand(parser);
}

// IS, IN, LIKE, BETWEEN and their kin: what follows an operand and is not a plain operator.

/** The predicate over `left`, or `undefined` when the word here is no predicate after all. */
function parsePredicate(parser: Parser, left: Draft, infix: Infix): Draft | undefined {
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
