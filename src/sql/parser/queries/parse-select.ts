/** One SELECT from its list to QUALIFY. */
import { parseAlias, parseAnyName, parseStarChanges } from '../expressions/parse-names.ts';
import { parseWindows } from '../expressions/parse-window.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { parseFrom } from './parse-relation.ts';
import { parseSample } from './parse-table.ts';

export function parseSelect(parser: Parser): Draft {
  const { start } = parser;
  const parts: Draft[] = [];
  const flags: { as?: string } = {};
  // Steps follow such a FROM, and no clause.
  if (parser.key === 'FROM' && parser.grammar.pipes)
    return parser.node('Select', start, parseFrom(parser), undefined, { pipe: 'true' });
  if (parser.key === 'FROM' && parser.grammar.duckdbForms) parts.push(...parseFrom(parser));
  if (parts.length === 0 || parser.key === 'SELECT') parts.push(...parseSelectList(parser, flags));
  if (parser.key === 'INTO') parts.push(as('into', parseInto(parser)));
  if (parser.key === 'FROM' && parts.every((part) => part.role !== 'from')) parts.push(...parseFrom(parser));
  parts.push(...parseClauses(parser));
  return parser.node('Select', start, parts, undefined, flags);
}

/** MySQL's hints to its optimiser, which change no result. */
const MODIFIERS: ReadonlySet<string> = new Set(
  `STRAIGHT_JOIN HIGH_PRIORITY SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT SQL_NO_CACHE SQL_CACHE
  SQL_CALC_FOUND_ROWS`.split(/\s+/),
);

export function parseSelectList(parser: Parser, flags: { as?: string }): Draft[] {
  parser.expect('SELECT');
  const parts: Draft[] = [];
  while (MODIFIERS.has(parser.key) && parser.grammar.mysqlWords) parser.advance();
  if (parser.key === 'DISTINCT' || parser.key === 'DISTINCTROW')
    parts.push(as('distinct', parseDistinct(parser)));
  else if (parser.key === 'ALL' && parser.ahead(1) !== '(') parser.advance();
  while (MODIFIERS.has(parser.key) && parser.grammar.mysqlWords) parser.advance();
  if (parser.grammar.top && parser.key === 'TOP' && parser.kindAhead(1) === 'number')
    parts.push(as('limit', parseTop(parser)));
  if (parser.key === 'AS' && (parser.ahead(1) === 'STRUCT' || parser.ahead(1) === 'VALUE')) {
    parser.advance();
    flags.as = parser.advance().text.toUpperCase();
  }
  // PostgreSQL allows an empty list: SELECT FROM t.
  if (parser.key === 'FROM' && parser.ahead(1) !== '.') return parts;
  parts.push(as('expressions', parseProjection(parser)));
  while (parser.accept(',')) {
    if (parser.grammar.trailingComma && (parser.key === 'FROM' || parser.key === ';' || parser.isAtEnd))
      break;
    parts.push(as('expressions', parseProjection(parser)));
  }
  return parts;
}

function parseDistinct(parser: Parser): Draft {
  const { start } = parser;
  parser.advance();
  if (parser.key !== 'ON' || parser.ahead(1) !== '(') return parser.node('Distinct', start, []);
  parser.advance();
  const { start: from } = parser;
  parser.expect('(');
  const items = allAs(
    'expressions',
    parser.list(() => parser.rules.expression(parser)),
  );
  parser.expect(')');
  return parser.node('Distinct', start, [as('on', parser.node('Tuple', from, [...items]))]);
}

function parseTop(parser: Parser): Draft {
  const { start } = parser;
  parser.advance();
  const { start: from } = parser;
  const count = parser.advance().text;
  return parser.node('Limit', start, [as('expression', parser.node('Literal', from, [], count))], undefined, {
    kind: 'TOP',
  });
}

/** An item of the select list with its alias. */
export function parseProjection(parser: Parser): Draft {
  const { start } = parser;
  const prefix = parsePrefixAlias(parser);
  if (prefix !== undefined) return prefix;
  const read = parser.rules.expression(parser);
  const pattern = patternOfStar(parser, read);
  const value = pattern === undefined ? read : (read.children[0] ?? read);
  if (isStar(value)) {
    const changes = [...(pattern === undefined ? [] : [pattern]), ...parseStarChanges(parser)];
    if (changes.length > 0) attachToStar(parser, value, changes);
  }
  if (parser.key === 'AS' && parser.ahead(1) === '(') return parseAliases(parser, value);
  const alias = parseAlias(parser);
  return alias === undefined ? value : parser.node('Alias', start, [as('this', value), as('alias', alias)]);
}

function isStar({ type, children }: Draft): boolean {
  return type === 'Star' || (['Column', 'Dot'].includes(type) && children.at(-1)?.type === 'Star');
}

/** The pattern of Snowflake's `* ILIKE 'a%'`, which was read as an operator and says which columns are shown. */
function patternOfStar({ grammar }: Parser, { type, children, flags }: Draft): Draft | undefined {
  const [star, pattern] = children;
  if (!grammar.connectBy || type !== 'ILike' || flags.call !== undefined) return undefined;
  if (star === undefined || star.type === 'Dot' || !isStar(star)) return undefined;
  return pattern?.type === 'Literal' && pattern.flags.string !== undefined
    ? as('condition', pattern)
    : undefined;
}

function attachToStar(parser: Parser, value: Draft, changes: readonly Draft[]): void {
  const star = value.type === 'Star' ? value : value.children.at(-1);
  if (star === undefined) return;
  star.children.push(...changes);
  star.end = parser.end;
  value.end = parser.end;
}

/** `SELECT f(x) AS (a, b)`. */
function parseAliases(parser: Parser, value: Draft): Draft {
  parser.expect('AS', '(');
  const names = parser.list(() => as('aliases', parseAnyName(parser)));
  parser.expect(')');
  return parser.node('Aliases', value.start, [as('this', value), ...names]);
}

/** DuckDB: `SELECT total: a + b`. */
function parsePrefixAlias(parser: Parser): Draft | undefined {
  if (!parser.grammar.duckdbForms || parser.ahead(1) !== ':' || parser.kind === 'number') return undefined;
  const { start } = parser;
  const name = as('alias', parseAnyName(parser));
  parser.expect(':');
  return parser.node('Alias', start, [name, as('this', parser.rules.expression(parser))]);
}

function* parseClauses(parser: Parser): Generator<Draft> {
  if (parser.key === 'WHERE') yield as('where', parseWhere(parser));
  if (isConnect(parser)) yield as('connect', parseConnect(parser));
  if (parser.key === 'GROUP' && parser.ahead(1) === 'BY') yield as('group', parseGroup(parser));
  if (parser.key === 'HAVING') yield as('having', parseOne(parser, 'Having'));
  if (parser.key === 'WINDOW') yield* parseWindows(parser);
  if (parser.key === 'QUALIFY') yield as('qualify', parseOne(parser, 'Qualify'));
  if (parser.key === 'WINDOW') yield* parseWindows(parser);
  if (parser.key === 'USING' && parser.ahead(1) === 'SAMPLE') yield as('sample', parseSample(parser));
}

function isConnect(parser: Parser): boolean {
  return parser.grammar.connectBy && (parser.looksAt('START', 'WITH') || parser.looksAt('CONNECT', 'BY'));
}

/** `START WITH a CONNECT BY b`, in either order. */
function parseConnect(parser: Parser): Draft {
  const { start } = parser;
  const parts: Draft[] = [];
  while (isConnect(parser)) {
    const role = parser.key === 'START' ? 'condition' : 'this';
    if (parts.some((part) => part.role === role)) throw parser.fault('the end of CONNECT BY');
    parser.move(parser.at + 2);
    parser.accept('NOCYCLE');
    parts.push(as(role, parser.rules.expression(parser)));
  }
  if (parts.every(({ role }) => role !== 'this')) throw parser.fault('CONNECT BY');
  return parser.node('Connect', start, parts);
}

export function parseWhere(parser: Parser): Draft {
  if (parser.key !== 'WHERE') throw parser.fault('WHERE');
  return parseOne(parser, 'Where');
}

/** A clause of one word and one expression. */
function parseOne(parser: Parser, type: string): Draft {
  const { start } = parser;
  parser.advance();
  return parser.node(type, start, [as('this', parser.rules.expression(parser))]);
}

function parseGroup(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('GROUP', 'BY');
  if (isQuantified(parser)) parser.advance();
  else if (parser.key === 'ALL' && parser.ahead(1) !== '(') {
    parser.advance();
    return parser.node('Group', start, [], undefined, { all: 'true' });
  }
  if (parser.key === 'DISTINCT') parser.advance();
  const items = parser.list(() => as('expressions', parseOrderedGrouping(parser)));
  if (parser.key === 'WITH' && (parser.ahead(1) === 'ROLLUP' || parser.ahead(1) === 'CUBE')) {
    const { start: from } = parser;
    parser.advance();
    const type = parser.advance().text.toUpperCase() === 'CUBE' ? 'Cube' : 'Rollup';
    items.push(as('expressions', parser.node(type, from, [])));
  }
  return parser.node('Group', start, items);
}

/** `GROUP BY ALL CUBE (a), ROLLUP (b)` of the standard, where ALL is the opposite of DISTINCT. */
function isQuantified(parser: Parser): boolean {
  const isGrouping = GROUPINGS[parser.ahead(1)] !== undefined && parser.ahead(2) === '(';
  return (
    parser.key === 'ALL' && (isGrouping || (parser.ahead(1) === 'GROUPING' && parser.ahead(2) === 'SETS'))
  );
}

/** MariaDB, and MySQL up to 5.7: `GROUP BY a DESC`. */
function parseOrderedGrouping(parser: Parser): Draft {
  const grouping = parseGrouping(parser);
  if (parser.grammar.mysqlWords && !parser.accept('DESC')) parser.accept('ASC');
  return grouping;
}

const GROUPINGS: Readonly<Record<string, string>> = { ROLLUP: 'Rollup', CUBE: 'Cube' };

/** An expression, `ROLLUP (…)`, `CUBE (…)` or `GROUPING SETS (…)`. */
function parseGrouping(parser: Parser): Draft {
  const { start } = parser;
  const isSets = parser.key === 'GROUPING' && parser.ahead(1) === 'SETS';
  const type = isSets ? 'GroupingSets' : parser.ahead(1) === '(' ? GROUPINGS[parser.key] : undefined;
  if (type === undefined) return parser.rules.expression(parser);
  parser.move(parser.at + (isSets ? 2 : 1));
  parser.expect('(');
  const items = parser.list(() => as('expressions', parseGrouping(parser)));
  parser.expect(')');
  return parser.node(type, start, items);
}

/** Parts of a query that do more than read: INTO and locks. They are read so that they can be named and refused. */
const INTO_ENDS: ReadonlySet<string> = new Set(
  'FROM WHERE GROUP HAVING ORDER LIMIT UNION INTERSECT EXCEPT FOR LOCK ; )'.split(' '),
);

/** `INTO t`, `INTO OUTFILE '…'`, `INTO @a, @b`: the words up to the next clause, unread. */
export function parseInto(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('INTO');
  const { start: from } = parser;
  const first = parser.advance().text;
  while (!parser.isAtEnd && !INTO_ENDS.has(parser.key)) parser.advance();
  return parser.node('Into', start, [as('this', parser.node('Var', from, [], first))]);
}

/** `FOR UPDATE OF t NOWAIT`, `LOCK IN SHARE MODE`. */
export function* parseLocks(parser: Parser): Generator<Draft> {
  while (parser.key === 'FOR' || (parser.key === 'LOCK' && parser.ahead(1) === 'IN')) {
    yield as('locks', parseLock(parser));
  }
}

function parseLock(parser: Parser): Draft {
  const { start } = parser;
  if (parser.acceptAll('LOCK', 'IN', 'SHARE', 'MODE'))
    return parser.node('Lock', start, [], undefined, { kind: 'SHARE' });
  parser.expect('FOR');
  const words: string[] = [];
  while (['NO', 'KEY', 'UPDATE', 'SHARE'].includes(parser.key))
    words.push(parser.advance().text.toUpperCase());
  if (words.length === 0) throw parser.fault('UPDATE', 'SHARE');
  const tables = parser.accept('OF')
    ? allAs(
        'expressions',
        parser.list(() => parseAnyName(parser)),
      )
    : [];
  if (!parser.accept('NOWAIT')) parser.acceptAll('SKIP', 'LOCKED');
  return parser.node('Lock', start, [...tables], undefined, { kind: words.join(' ') });
}
