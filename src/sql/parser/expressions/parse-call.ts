/** Calls of functions, and what follows their brackets up to OVER. */

import type { Parser } from '../reader/rules.ts';
import { as, type Draft } from '../reader/token-reader.ts';
import { functionType } from './function-types.ts';
import { parseCallArguments } from './parse-call-arguments.ts';
import { parseAnyName, unquote } from './parse-names.ts';
import { SPECIAL_CALLS } from './parse-special-call.ts';
import { parseOver } from './parse-window.ts';

/** Words before `(` that are no function. */
const NO_FUNCTION: ReadonlySet<string> = new Set(
  `SELECT FROM WHERE GROUP HAVING ORDER LIMIT UNION INTERSECT EXCEPT ON AND OR NOT CASE WHEN THEN ELSE END AS IN IS
  BETWEEN LIKE USING INNER JOIN CROSS NATURAL DISTINCT WITH OVER BY`.split(/\s+/),
);

/**
 * The call that begins here, with the qualifiers read before it; `undefined` when there is none. `CURRENT_DATE` and
 * its kin are calls without brackets.
 */
export function parseCall(
  parser: Parser,
  start: number,
  qualifiers: readonly Draft[] = [],
): Draft | undefined {
  const call =
    qualifiers.length > 0 ? parseQualified(parser, start, qualifiers) : parseUnqualified(parser, start);
  return call && parseCallTail(parser, call);
}

function parseUnqualified(parser: Parser, start: number): Draft | undefined {
  const { key, token } = parser;
  const special = SPECIAL_CALLS.get(key)?.(parser, start);
  if (special !== undefined) return special;
  if (parser.ahead(1) !== '(') return parseBareCall(parser, start);
  if (token === undefined || NO_FUNCTION.has(key)) return undefined;
  parser.advance();
  const isQuoted = token.kind === 'quoted-name';
  const name = isQuoted ? unquote(token.text) : token.text;
  return callOf(parser, start, name);
}

/** `schema.f(x)`: the name keeps its qualifiers, since it is another function than `f`. */
function parseQualified(parser: Parser, start: number, qualifiers: readonly Draft[]): Draft {
  parser.expect('.');
  const last = parseAnyName(parser, 'a function');
  const name = [...qualifiers, last].map((part) => part.value ?? '').join('.');
  return callOf(parser, start, name);
}

/** Types whose arguments are alike, the first no other than the rest. */
const LISTS: ReadonlySet<string> = new Set(['Anonymous', 'Struct', 'Array', 'Map', 'Unnest']);

/** Types that are operators elsewhere and so have two operands. */
const OPERATORS: ReadonlySet<string> = new Set(
  `Mod Pow Xor IntDiv Like ILike Glob RegexpILike BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift
  BitwiseRightShift`.split(/\s+/),
);

const CALLED = Object.freeze({ call: 'true' });
const BARE = Object.freeze({ call: 'bare' });

function callOf(parser: Parser, start: number, name: string): Draft {
  const type = functionType(name.toUpperCase(), parser.grammar.dialect);
  const parts = parseCallArguments(parser, name);
  // MOD(a) is an operator with an operand missing: a call, whatever its name.
  if (OPERATORS.has(type) && parts.length !== 2) return anonymousCall(parser, start, name, parts);
  if (LISTS.has(type)) for (const part of parts) if (part.role === 'this') part.role = 'expressions';
  if (type === 'If') nameBranches(parts);
  return parser.node(type, start, parts, name, CALLED);
}

function anonymousCall(parser: Parser, start: number, name: string, parts: Draft[]): Draft {
  for (const part of parts) if (part.role === 'this') part.role = 'expressions';
  return parser.node('Anonymous', start, parts, name, CALLED);
}

/** IF (c, a, b) has the roles of a branch of CASE. */
function nameBranches(parts: readonly Draft[]): void {
  const [, yes, no] = parts;
  if (yes?.role === 'expressions') as('true', yes);
  if (no?.role === 'expressions') as('false', no);
}

function parseBareCall(parser: Parser, start: number): Draft | undefined {
  if (!parser.grammar.bareCalls.has(parser.key) || parser.kind !== 'word') return undefined;
  const name = parser.advance().text;
  return parser.node(functionType(name.toUpperCase(), parser.grammar.dialect), start, [], name, BARE);
}

/** After the brackets: WITHIN GROUP, FILTER, IGNORE NULLS, OVER. */
function parseCallTail(parser: Parser, call: Draft): Draft {
  let left = call;
  for (;;) {
    // `NTH_VALUE(a, 2) FROM FIRST OVER w`
    const isFrom = parser.key === 'FROM' && ['FIRST', 'LAST'].includes(parser.ahead(1));
    if (isFrom && ['OVER', 'IGNORE', 'RESPECT'].includes(parser.ahead(2))) parser.move(parser.at + 2);
    const next = parseTailPart(parser, left);
    if (next === undefined) return left;
    left = next;
  }
}

function parseTailPart(parser: Parser, left: Draft): Draft | undefined {
  switch (parser.key) {
    case 'WITHIN':
      if (parser.ahead(1) !== 'GROUP') return undefined;
      parser.expect('WITHIN', 'GROUP', '(');
      return closing(parser, 'WithinGroup', left, parser.rules.order(parser));
    case 'FILTER':
      if (parser.ahead(1) !== '(') return undefined;
      parser.expect('FILTER', '(');
      return closing(parser, 'Filter', left, parseFilterCondition(parser));
    case 'IGNORE':
    case 'RESPECT':
      if (parser.ahead(1) !== 'NULLS') return undefined;
      return parseNullsTail(parser, left);
    case 'OVER':
      return parseOver(parser, left);
    default:
      return undefined;
  }
}

/** DuckDB leaves out WHERE. */
function parseFilterCondition(parser: Parser): Draft {
  const isBare = parser.grammar.duckdbForms && parser.key !== 'WHERE';
  return isBare ? parser.rules.expression(parser) : parser.rules.where(parser);
}

function closing(parser: Parser, type: string, call: Draft, inside: Draft): Draft {
  parser.expect(')');
  return parser.node(type, call.start, [as('this', call), as('expression', inside)]);
}

function parseNullsTail(parser: Parser, left: Draft): Draft {
  const type = parser.key === 'IGNORE' ? 'IgnoreNulls' : 'RespectNulls';
  parser.move(parser.at + 2);
  return parser.node(type, left.start, [as('this', left)]);
}
