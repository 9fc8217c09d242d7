/**
 * BigQuery's pipes: `FROM t |> WHERE a |> EXTEND b AS c |> SELECT c` becomes queries in each other, so that nothing
 * else needs to know of steps. A step joins the query before it where SQL has its clause there, and stands around it
 * otherwise.
 */

import { isName, parseAlias, parseAnyName } from '../expressions/parse-names.ts';
import { parseWindows } from '../expressions/parse-window.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft, MAX_NESTING, SyntaxFault } from '../reader/token-reader.ts';
import { parseLimits, parseOrder } from './parse-limits-and-order.ts';
import { parsePivot } from './parse-pivot.ts';
import { parseJoin } from './parse-relation.ts';
import { parseProjection, parseSelectList, parseWhere } from './parse-select.ts';
import { readSetWords, setTypeAt } from './parse-set-operation.ts';

/** `query |> step |> step`; gives the query itself where no pipe follows. */
export function parsePipes(parser: Parser, first: Draft): Draft {
  if (parser.key !== '|>') return first;
  const isFrom = first.type === 'Select' && first.flags.pipe !== undefined && first.children.length > 0;
  const chain: Chain = {
    query: first,
    stage: isFrom ? STAGE.joins : STAGE.closed,
    name: isFrom ? onlyName(first) : undefined,
  };
  for (let steps = 0; parser.key === '|>'; steps += 1) {
    if (steps >= MAX_NESTING) throw new SyntaxFault(`there are more than ${MAX_NESTING} pipes`, parser.start);
    const { start } = parser;
    parser.advance();
    const read = Object.hasOwn(STEPS, parser.key) ? STEPS[parser.key] : undefined;
    if (read === undefined) throw parser.fault(...READ);
    read(parser, chain, start);
    chain.query.end = parser.end;
  }
  return chain.query;
}

/** The name of the one table of FROM; of several none could stand for all columns. */
function onlyName(select: Draft): Draft | undefined {
  const [from, ...more] = select.children;
  const relation = from?.children[0];
  if (more.length > 0 || relation === undefined) return undefined;
  const alias = relation.children.find(({ role }) => role === 'alias');
  if (alias !== undefined) return alias.children.find(({ role }) => role === 'this');
  const name = relation.children.find(({ role }) => role === 'this');
  return relation.type === 'Table' && name?.type === 'Identifier' ? name : undefined;
}

/** Other steps (CALL, TABLESAMPLE, ASSERT …) are not read. */
const READ =
  'WHERE SELECT EXTEND SET DROP RENAME AS AGGREGATE ORDER LIMIT JOIN PIVOT UNPIVOT DISTINCT UNION'.split(' ');

type Step = (parser: Parser, chain: Chain, pipe: number) => void;

// What the steps of BigQuery have come to, and the queries that are put around them.

/** How far the clauses of a query have come; a step that would stand before them needs a query of its own. */
const STAGE = { joins: 1, where: 2, list: 3, order: 4, limit: 5, closed: 6 } as const;

const PIPE = Object.freeze({ pipe: 'true' });

const STEPS: Readonly<Record<string, Step>> = {
  WHERE: (parser, chain, pipe) => {
    open(chain, pipe, STAGE.where - 1);
    add(chain, STAGE.where, [as('where', parseWhere(parser))]);
  },
  ORDER: (parser, chain, pipe) => {
    open(chain, pipe, STAGE.where);
    add(chain, STAGE.order, [as('order', parseOrder(parser))]);
  },
  LIMIT: (parser, chain, pipe) => {
    open(chain, pipe, STAGE.order);
    add(chain, STAGE.limit, [...parseLimits(parser)]);
  },
  SELECT: (parser, chain, pipe) => {
    open(chain, pipe, STAGE.where);
    const flags: { as?: string } = {};
    add(chain, STAGE.closed, [...parseSelectList(parser, flags), ...parseStepWindows(parser)]);
    chain.query.flags = { ...chain.query.flags, ...flags };
    chain.name = undefined;
  },
  EXTEND: parseExtend,
  WINDOW: parseExtend,
  SET: (parser, chain, pipe) => parseChange(parser, chain, { pipe, role: 'replace', read: readSet }),
  DROP: (parser, chain, pipe) =>
    parseChange(parser, chain, { pipe, role: 'except', read: (at) => parseAnyName(at, 'a column') }),
  RENAME: (parser, chain, pipe) => parseChange(parser, chain, { pipe, role: 'rename', read: readRename }),
  AGGREGATE: parseAggregate,
  DISTINCT: (parser, chain, pipe) => {
    open(chain, pipe, STAGE.where);
    const { start } = parser;
    parser.advance();
    add(chain, STAGE.closed, [as('distinct', parser.node('Distinct', start, []))]);
    chain.name = undefined;
  },
  AS: (parser, chain) => {
    parser.advance();
    const { start } = parser;
    if (!isName(parser)) throw parser.fault('a name');
    const name = as('this', parseAnyName(parser));
    wrap(chain, parser.node('TableAlias', start, [name]));
    chain.name = name;
  },
  ...Object.fromEntries(
    ['JOIN', 'INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS'].map((word) => [word, parseJoined] as const),
  ),
  PIVOT: parseTurned,
  UNPIVOT: parseTurned,
  UNION: parseTogether,
  INTERSECT: parseTogether,
  EXCEPT: parseTogether,
};

/** `WINDOW w AS (…)` behind the columns of a step. */
function parseStepWindows(parser: Parser): readonly Draft[] {
  return parser.key === 'WINDOW' ? parseWindows(parser) : [];
}

/** `PIVOT (SUM(a) FOR b IN (…)) AS p`, behind the steps so far. */
function parseTurned(parser: Parser, chain: Chain): void {
  const subquery = wrap(chain, undefined);
  subquery.children.push(as('pivots', parsePivot(parser)));
  const { start } = parser;
  const name = parseAlias(parser, false);
  if (name !== undefined)
    subquery.children.push(as('alias', parser.node('TableAlias', start, [as('this', name)])));
  for (const node of [subquery, ...chain.query.children]) node.end = parser.end;
  chain.name = name;
}

/** Columns beside those that are there: the word itself stands for the star. */
function parseExtend(parser: Parser, chain: Chain, pipe: number): void {
  open(chain, pipe, STAGE.where);
  const { start } = parser;
  parser.advance();
  const star = as('expressions', parser.node('Star', start, []));
  const columns = parser.list(() => as('expressions', parseProjection(parser)));
  add(chain, STAGE.closed, [star, ...columns, ...parseStepWindows(parser)]);
}

interface Change {
  readonly pipe: number;
  readonly role: 'replace' | 'except' | 'rename';
  readonly read: (parser: Parser) => Draft;
}

/** Changes of columns, which are those of a star. */
function parseChange(parser: Parser, chain: Chain, { pipe, role, read }: Change): void {
  open(chain, pipe, STAGE.where);
  const { start } = parser;
  parser.advance();
  const changes = parser.list(() => as(role, read(parser)));
  add(chain, STAGE.closed, [as('expressions', parser.node('Star', start, changes))]);
  // By its name the table still has its columns as they were, by ours as they are now.
  chain.name = undefined;
}

function readSet(parser: Parser): Draft {
  const { start } = parser;
  const alias = as('alias', parseAnyName(parser, 'a column'));
  parser.expect('=');
  return parser.node('Alias', start, [alias, as('this', parser.rules.expression(parser))]);
}

function readRename(parser: Parser): Draft {
  const { start } = parser;
  const column = as('this', parseAnyName(parser, 'a column'));
  parser.accept('AS');
  return parser.node('Alias', start, [column, as('alias', parseAnyName(parser, 'a name'))]);
}

/** What is grouped by is shown too, before the aggregates. */
function parseAggregate(parser: Parser, chain: Chain, pipe: number): void {
  open(chain, pipe, STAGE.where);
  parser.advance();
  const isListed = parser.key !== 'GROUP';
  const shown = isListed ? parser.list(() => as('expressions', parseOrderedItem(parser))) : [];
  const { start } = parser;
  const isGrouped = parser.acceptAll('GROUP', 'BY') || parser.acceptAll('GROUP', 'AND', 'ORDER', 'BY');
  const keys = isGrouped ? parser.list(() => as('expressions', parseOrderedItem(parser))) : [];
  const terms = keys.map((key) => as('expressions', copyOf(termOf(key))));
  const group = terms.length === 0 ? [] : [as('group', parser.node('Group', start, terms))];
  add(chain, STAGE.closed, [...keys, ...shown, ...group]);
  chain.name = undefined;
}

/** `SUM(a) AS s DESC NULLS LAST`: the rows come out in that order. */
function parseOrderedItem(parser: Parser): Draft {
  const item = parseProjection(parser);
  if (!parser.accept('DESC')) parser.accept('ASC');
  if (parser.accept('NULLS') && !parser.accept('FIRST')) parser.expect('LAST');
  return item;
}

function termOf(key: Draft): Draft {
  return key.type === 'Alias' ? (key.children.find(({ role }) => role === 'this') ?? key) : key;
}

/** Of these a second node would show or restrict twice what is there once. */
const ONCE: ReadonlySet<string> = new Set(
  'Select Union Intersect Except Subquery Values Table Unnest Star Command'.split(' '),
);

/** A second node for the same text. */
function copyOf(node: Draft): Draft {
  // A name of more parts would be cut twice where its table is replaced.
  if (ONCE.has(node.type) || (node.type === 'Column' && node.children.length > 2))
    throw new SyntaxFault('GROUP BY after AGGREGATE takes plain values alone', node.start);
  return { ...node, children: node.children.map(copyOf) };
}

function parseJoined(parser: Parser, chain: Chain, pipe: number): void {
  // `LEFT UNION ALL BY NAME (…)`
  if (setTypeAt(parser) !== undefined) return parseTogether(parser, chain);
  // A join binds tighter than the comma that stands before it, a pipe does not.
  const hasComma = chain.query.children.some(({ flags }) => flags.comma !== undefined);
  open(chain, pipe, hasComma ? 0 : STAGE.joins);
  const join = parseJoin(parser, false);
  if (join === undefined) throw parser.fault('JOIN');
  const names = namesOf(chain.query);
  const path = tablesIn(join).find(
    (table) => names.has(partsOf(table)[0] ?? '') && partsOf(table).length > 1,
  );
  // Among clauses it would be an array of the row, here it may be a table of that dataset.
  if (path !== undefined) throw new SyntaxFault('a joined array is written UNNEST (…)', path.start);
  add(chain, STAGE.joins, [as('joins', join)]);
  chain.name = undefined;
}

/** What columns of a query's sources may be called by, in lower case. */
function namesOf({ children }: Draft): ReadonlySet<string> {
  const relations = children.filter(({ role }) => role === 'from' || role === 'joins').flatMap(relationsIn);
  return new Set(
    relations.map((relation) => {
      const alias = relation.children.find(({ role }) => role === 'alias');
      return partsOf(alias ?? relation).at(-1) ?? '';
    }),
  );
}

/** A relation and those that stand in it, but for those of a query. */
function relationsIn(node: Draft): readonly Draft[] {
  return [node, ...node.children.filter(({ type }) => type !== 'Select').flatMap(relationsIn)];
}

function tablesIn(node: Draft): readonly Draft[] {
  return [...(node.type === 'Table' ? [node] : []), ...node.children.flatMap(tablesIn)];
}

function partsOf({ children }: Draft): readonly string[] {
  return children.filter(({ type }) => type === 'Identifier').map(({ value }) => (value ?? '').toLowerCase());
}

/** `UNION ALL (query), (query)`. */
function parseTogether(parser: Parser, chain: Chain): void {
  const type = setTypeAt(parser) ?? '';
  const words = readSetWords(parser);
  const flags = { ...PIPE, ...words.flags };
  if (flags.all === undefined && parser.tokenAhead(-1)?.text.toUpperCase() === type.toUpperCase())
    throw parser.fault('ALL', 'DISTINCT');
  const names = words.columns.map(({ value = '' }) => value);
  do {
    const { start } = parser;
    parser.expect('(');
    const inner = as('this', parser.rules.query(parser));
    parser.expect(')');
    const right = as('expression', parser.node('Subquery', start, [inner]));
    const left = as('this', chain.query);
    const columns = allAs(
      'using',
      names.map((name) => parser.node('Identifier', start, [], name)),
    );
    chain.query = parser.node(type, left.start, [left, ...columns, right], undefined, flags);
  } while (parser.accept(','));
  chain.stage = STAGE.closed;
  chain.name = undefined;
}

/** What the steps so far give; lives for one chain. */
interface Chain {
  query: Draft;
  stage: number;
  /** The name of the only table that columns may still be called by. */
  name: Draft | undefined;
}

/** A query around the steps so far, unless its clauses have not come further than `most`. */
function open(chain: Chain, pipe: number, most: number): void {
  if (chain.stage <= most) return;
  const { name } = chain;
  wrap(chain, name && nameAt(name, pipe));
}

/** The name goes on; the pipe stands for it in the text. */
function nameAt(name: Draft, start: number): Draft {
  const place = { start, end: start + '|>'.length, parent: undefined };
  const copy: Draft = { ...name, ...place, role: 'this', children: [] };
  return { ...copy, type: 'TableAlias', children: [copy], value: undefined, flags: {} };
}

/** The steps so far as a subquery of a new query; gives the subquery. */
function wrap(chain: Chain, alias: Draft | undefined): Draft {
  const { query } = chain;
  const place = { ...query, end: alias?.end ?? query.end, value: undefined, flags: PIPE };
  const around = (type: string, children: Draft[]): Draft => ({ ...place, type, children });
  const inner = around('Subquery', [as('this', query), ...(alias === undefined ? [] : [as('alias', alias)])]);
  const from = as('from', around('From', [as('this', inner)]));
  chain.query = { ...around('Select', [from]), role: 'root' };
  chain.stage = STAGE.joins;
  return inner;
}

function add(chain: Chain, stage: number, parts: readonly Draft[]): void {
  chain.query.children.push(...parts);
  chain.stage = stage;
}
