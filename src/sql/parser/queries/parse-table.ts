/** One relation: a table, a function, a subquery, UNNEST, LATERAL; with its alias, sample and pivots. */
import type { NodeType } from '../../tree/node-types.ts';
import { parseCall } from '../expressions/parse-call.ts';
import { isName, parseAlias, parseAnyName, splitQuotedName, unquote } from '../expressions/parse-names.ts';
import { LEVEL } from '../reader/grammar.ts';
import { type Parser, startsQuery } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { isPivot, parsePivot } from './parse-pivot.ts';
import { isRowPattern, parseRowPattern } from './parse-row-pattern.ts';
import { parseValues } from './parse-values.ts';

export function parseTable(parser: Parser): Draft {
  return parser.nested(() => parseAfter(parser, parseCore(parser)));
}

function parseCore(parser: Parser): Draft {
  const { start } = parser;
  switch (parser.key) {
    case '(':
      return parseBracketed(parser);
    case 'UNNEST':
      if (parser.ahead(1) === '(') return parseUnnest(parser);
      break;
    case 'LATERAL':
      return parseLateral(parser);
    case 'VALUES':
      if (parser.ahead(1) === '(') return parseValues(parser);
      break;
    case 'TABLE':
      if (parser.ahead(1) === '(') return parseTableFunction(parser);
      break;
    case 'ROWS':
      if (parser.ahead(1) === 'FROM' && parser.ahead(2) === '(') return parseRowsFrom(parser);
      break;
    case 'ONLY':
      if (parser.grammar.onlyTables) return parseOnly(parser);
  }
  if (parser.kind === 'text' || isPlace(parser)) return parseFilePlace(parser, start);
  return parseNamedTable(parser, start);
}

/** `('SELECT …)`, `(a JOIN b …)`, `((SELECT …) UNION …)`, `((SELECT …) AS x JOIN …)`. */
function parseBracketed(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('(');
  const isQuery = startsQuery(parser);
  const inner = isQuery ? parser.rules.query(parser) : parseInnerRelation(parser);
  parser.expect(')');
  return parser.node('Subquery', start, [as('this', inner)]);
}

const QUERY_ENDS: ReadonlySet<string> = new Set([
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'MINUS',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FETCH',
  '|>',
]);

/** Inside brackets that open with another bracket: a set operation over it, or joins from it. */
function parseInnerRelation(parser: Parser): Draft {
  if (parser.key !== '(') return parser.rules.relation(parser);
  const first = parser.rules.relation(parser);
  return first.type === 'Subquery' && QUERY_ENDS.has(parser.key)
    ? parser.rules.queryAfter(parser, first)
    : first;
}

function parseUnnest(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('UNNEST', '(');
  const items = allAs(
    'expressions',
    parser.list(() => parser.rules.expression(parser)),
  );
  parser.expect(')');
  return parser.node('Unnest', start, [...items]);
}

function parseLateral(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('LATERAL');
  const inner = parser.key === '(' ? parseBracketed(parser) : parseFunction(parser);
  return parser.node('Lateral', start, [as('this', inner)]);
}

function parseFunction(parser: Parser): Draft {
  const { start } = parser;
  if (parser.key === 'UNNEST') return parseUnnest(parser);
  const call = parseCall(parser, start);
  if (call === undefined) throw parser.fault('a function');
  return call;
}

/** `TABLE(FLATTEN(…))`, `TABLE(f(x))`. */
function parseTableFunction(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('TABLE', '(');
  const inner = as('this', parser.rules.expression(parser));
  parser.expect(')');
  return parser.node('TableFromRows', start, [inner]);
}

/** PostgreSQL: `ONLY t`, `ONLY (t)`: without the rows of the tables that inherit from it. */
function parseOnly(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('ONLY');
  const isBracketed = parser.accept('(');
  const table = parseNamedTable(parser, parser.start);
  if (isBracketed) parser.expect(')');
  return { ...table, start, end: parser.end, flags: { kind: 'ONLY' } };
}

/** `@stage` and `$variable` of Snowflake. */
function isPlace(parser: Parser): boolean {
  return parser.kind === 'parameter' && parser.grammar.placesInFrom;
}

/** `FROM 'file.csv'` of DuckDB, `FROM @stage` of Snowflake: kept, so that it can be named and refused. */
function parseFilePlace(parser: Parser, start: number): Draft {
  const token = parser.advance();
  const isText = token.kind === 'text';
  const value = isText ? unquote(token.text) : token.text;
  const name = parser.node('Identifier', start, [], value, { quoted: isText ? "'" : '@' });
  return parser.node('Table', start, [as('this', name)]);
}

/** PostgreSQL: `ROWS FROM (f(x), g(y) AS (a int))`. */
function parseRowsFrom(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('ROWS', 'FROM', '(');
  const functions = parser.list(() => as('expressions', parseTable(parser)));
  parser.expect(')');
  return parser.node('TableFromRows', start, functions);
}

const SLOTS = ['this', 'db', 'catalog'] as const;

function parseNamedTable(parser: Parser, start: number): Draft {
  const parts: Draft[] = [];
  do {
    const isCall = parts.length === 0 ? parser.ahead(1) === '(' && isName(parser) : parser.ahead(2) === '(';
    const call = isCall ? parseCall(parser, start, parts) : undefined;
    if (call !== undefined) return parser.node('Table', start, [as('this', call)]);
    if (parts.length > 0 && !isDotRead(parser)) parser.expect('.');
    parts.push(...parsePart(parser, parts.length > 0));
  } while (parser.isAt('.') || isDotRead(parser));
  if (parts.length > 3) mergeFront(parts);
  parts.forEach((part, index) => {
    as(SLOTS[parts.length - 1 - index] ?? 'this', part);
  });
  return parser.node('Table', start, parts);
}

function parsePart(parser: Parser, isAfterDot: boolean): readonly Draft[] {
  const { token } = parser;
  if (!isAfterDot && !isName(parser)) throw parser.fault('a table');
  if (token?.kind === 'quoted-name' && parser.grammar.dottedQuotes && token.text.includes('.')) {
    parser.advance();
    return splitQuotedName(parser, token);
  }
  const name = parseAnyName(parser, 'a table');
  if (parser.grammar.dashedNames) joinDashes(parser, name);
  return [name];
}

/**
 * BigQuery: `FROM my-project-1.dataset.table`; the dashes stand without spaces. The lexer takes `1.` for a number, so
 * the dot behind digits belongs to it.
 */
function joinDashes(parser: Parser, name: Draft): void {
  if (parser.key !== '-' || parser.tokenAhead(1)?.kind === 'quoted-name') return;
  while (parser.start === name.end && !isDotRead(parser)) {
    const { kind, text = '' } = parser.token ?? {};
    const isPart = kind === 'word' || parser.key === '-' || (kind === 'number' && /^\w+\.?$/.test(text));
    if (!isPart) return;
    parser.advance();
    name.value = `${name.value ?? ''}${text.replace('.', '')}`;
    name.end = parser.end - (text.endsWith('.') ? 1 : 0);
  }
}

/** The number before this place took the dot with it. */
function isDotRead(parser: Parser): boolean {
  const before = parser.grammar.dashedNames ? parser.tokenAhead(-1) : undefined;
  return before?.kind === 'number' && before.text.endsWith('.');
}

/** More than three parts: the first ones name the place as one. */
function mergeFront(parts: Draft[]): void {
  const front = parts.splice(0, parts.length - 2);
  const [first] = front;
  const last = front.at(-1);
  if (first === undefined || last === undefined) return;
  first.value = front.map((part) => part.value ?? '').join('.');
  first.end = last.end;
  parts.unshift(first);
}

/** Alias, sample, pivots and the like, in the orders the dialects write them. */
function parseAfter(parser: Parser, relation: Draft): Draft {
  for (;;) {
    const next = parseSuffix(parser, relation);
    if (next === undefined) return relation;
    relation.children.push(next);
    relation.end = parser.end;
  }
}

function parseSuffix(parser: Parser, relation: Draft): Draft | undefined {
  const isTable = relation.type === 'Table';
  if (isPivot(parser) || isRowPattern(parser)) return as('pivots', parseNamedPivot(parser, relation));
  const isSampled = relation.children.some(({ role }) => role === 'sample');
  if (!isSampled && isSample(parser)) return as('sample', parseSample(parser));
  const isVersioned = relation.children.some(({ role }) => role === 'version');
  const version = isTable && !isVersioned ? parseVersion(parser) : undefined;
  if (version !== undefined) return as('version', version);
  const hint = isTable ? parseTableHint(parser) : undefined;
  if (hint !== undefined) return as('hints', hint);
  const isCounted = relation.children.some(({ role }) => role === 'ordinality' || role === 'offset');
  const ordinality = isCounted ? undefined : parseOrdinality(parser, relation.type);
  if (ordinality !== undefined) return ordinality;
  if (relation.children.some((child) => child.role === 'alias')) return undefined;
  const alias = parseTableAlias(parser);
  return alias && as('alias', alias);
}

/** The first name behind a relation is that of the relation, a second one that of its pivot. */
function parseNamedPivot(parser: Parser, relation: Draft): Draft {
  const pivot = isRowPattern(parser) ? parseOnlyPattern(parser, relation) : parsePivot(parser);
  const alias = relation.children.some(({ role }) => role === 'alias') ? parseTableAlias(parser) : undefined;
  if (alias === undefined) return pivot;
  pivot.children.push(as('alias', alias));
  pivot.end = parser.end;
  return pivot;
}

const HAVE_ROWS: ReadonlySet<NodeType> = new Set(['Table', 'Subquery']);

/** Rows are looked at once, as they stand in a table or a query. */
function parseOnlyPattern(parser: Parser, { type, children }: Draft): Draft {
  if (!HAVE_ROWS.has(type) || children.some(({ role }) => role === 'pivots'))
    throw parser.fault('the end of the relation');
  return parseRowPattern(parser);
}

/** `AS t (a, b)`, `t`, `AS (a int, b text)`. */
function parseTableAlias(parser: Parser): Draft | undefined {
  const { start } = parser;
  if (parser.key === 'AS' && parser.ahead(1) === '(') {
    parser.advance();
    return parser.node('TableAlias', start, parseColumns(parser));
  }
  const name = parseAlias(parser, parser.grammar.textNames);
  if (name === undefined) return undefined;
  const parts = [as('this', name)];
  if (parser.key === '(') parts.push(...parseColumns(parser));
  return parser.node('TableAlias', start, parts);
}

function parseColumns(parser: Parser): Draft[] {
  parser.expect('(');
  const columns = parser.list(() => as('columns', parseColumn(parser)));
  parser.expect(')');
  return columns;
}

function parseColumn(parser: Parser): Draft {
  const { start } = parser;
  const name = parseAnyName(parser, 'a column');
  if (parser.key === ',' || parser.key === ')') return name;
  return parser.node('ColumnDef', start, [as('this', name), as('kind', parser.rules.dataType(parser))]);
}

const COUNTED: ReadonlySet<NodeType> = new Set(['Unnest', 'Table', 'Lateral', 'TableFromRows']);

/** `WITH ORDINALITY`, BigQuery's `WITH OFFSET AS place`. */
function parseOrdinality(parser: Parser, type: NodeType): Draft | undefined {
  if (parser.key !== 'WITH' || !COUNTED.has(type)) return undefined;
  const { start } = parser;
  if (parser.acceptAll('WITH', 'ORDINALITY'))
    return as('ordinality', parser.node('Var', start, [], 'ORDINALITY'));
  if (!parser.acceptAll('WITH', 'OFFSET')) return undefined;
  const name = parseAlias(parser, false);
  return as('offset', name ?? parser.node('Identifier', start, [], 'offset'));
}

// What stands behind a table and is neither alias nor sample: versions in time, index hints, partitions.

/** `FOR SYSTEM_TIME AS OF x`, `FOR VERSION AS OF 3`, Snowflake's `AT (TIMESTAMP => x)` and `BEFORE (…)`. */
function parseVersion(parser: Parser): Draft | undefined {
  const { start } = parser;
  const kind = parser.ahead(1);
  if (parser.looksAt('FOR', 'SYSTEM', 'TIME')) {
    parser.move(parser.at + 3);
    parser.expect('AS', 'OF');
    return parser.node('Version', start, [as('this', parser.rules.expression(parser))], undefined, { kind });
  }
  if (parser.key === 'FOR' && ['SYSTEM_TIME', 'TIMESTAMP', 'VERSION'].includes(kind)) {
    parser.move(parser.at + 2);
    return parser.node('Version', start, parsePeriod(parser), undefined, { kind });
  }
  if (parser.grammar.connectBy && parser.looksAt('CHANGES', '(', 'INFORMATION', '=>')) {
    parser.move(parser.at + 4);
    if (!parser.accept('DEFAULT')) parser.expect('APPEND_ONLY');
    parser.expect(')');
    if (!isTravel(parser, ['AT', 'BEFORE'])) throw parser.fault('AT', 'BEFORE');
    const places = [as('this', parseTravel(parser).place)];
    if (isTravel(parser, ['END'])) places.push(as('expression', parseTravel(parser).place));
    return parser.node('Version', start, places, undefined, { kind: 'CHANGES' });
  }
  if (!isTravel(parser, ['AT', 'BEFORE'])) return undefined;
  const { word, place } = parseTravel(parser);
  return parser.node('Version', start, [as('this', place)], undefined, { kind: word });
}

/** `AT (TIMESTAMP => x)` and its kin begin here. */
function isTravel(parser: Parser, words: readonly string[]): boolean {
  return words.includes(parser.key) && parser.ahead(1) === '(' && parser.ahead(3) === '=>';
}

function parseTravel(parser: Parser): { readonly word: string; readonly place: Draft } {
  parser.advance();
  parser.expect('(');
  const word = parser.advance().text.toUpperCase();
  parser.expect('=>');
  const place = parser.rules.expression(parser);
  parser.expect(')');
  return { word, place };
}

/** `AS OF x`; MariaDB: `BETWEEN x AND y`, `FROM x TO y`, `ALL`. */
function parsePeriod(parser: Parser): Draft[] {
  if (!parser.grammar.mysqlWords || parser.key === 'AS') {
    parser.expect('AS', 'OF');
    return [as('this', parser.rules.expression(parser))];
  }
  if (parser.accept('ALL')) return [];
  const second = parser.accept('BETWEEN') ? 'AND' : 'TO';
  if (second === 'TO') parser.expect('FROM');
  const from = as('this', parser.rules.expression(parser, LEVEL.other));
  parser.expect(second);
  return [from, as('expression', parser.rules.expression(parser, LEVEL.other))];
}

/** `INDEXED BY i`, `NOT INDEXED`, `USE INDEX (i)`: hints that change no result; and `PARTITION (p)`. */
function parseTableHint(parser: Parser): Draft | undefined {
  const { start, key, at } = parser;
  if (!acceptHint(parser)) return undefined;
  const words = Array.from({ length: parser.at - at }, (_, place) => {
    const distance = at - parser.at + place;
    return parser.ahead(distance) || parser.tokenAhead(distance)?.text;
  });
  const kind = key === 'PARTITION' ? key : 'INDEX';
  return parser.node('TableHint', start, [], words.join(' '), { kind });
}

function acceptHint(parser: Parser): boolean {
  if (parser.acceptAll('NOT', 'INDEXED')) return true;
  if (parser.acceptAll('INDEXED', 'BY')) {
    parseAnyName(parser, 'an index');
    return true;
  }
  if (!parser.grammar.mysqlWords) return false;
  const isHint =
    ['USE', 'FORCE', 'IGNORE'].includes(parser.key) && ['INDEX', 'KEY'].includes(parser.ahead(1));
  const isPartition = parser.key === 'PARTITION' && parser.ahead(1) === '(';
  if (!isHint && !isPartition) return false;
  while (!parser.isAt('(')) parser.advance();
  parser.expect('(');
  while (parser.kind === 'word' || parser.kind === 'quoted-name' || parser.isAt(',')) parser.advance();
  parser.expect(')');
  return true;
}

/** TABLESAMPLE, SAMPLE and USING SAMPLE. */
function isSample(parser: Parser): boolean {
  if (!parser.grammar.sampleWords.has(parser.key)) return false;
  return (
    parser.key !== 'USING' && (parser.key !== 'SAMPLE' || parser.ahead(1) === '(' || parser.ahead(2) === '(')
  );
}

const METHODS: ReadonlySet<string> = new Set(['BERNOULLI', 'SYSTEM', 'RESERVOIR', 'BLOCK', 'ROW']);

function parseMethod(parser: Parser): string {
  if (!METHODS.has(parser.key)) throw parser.fault('BERNOULLI', 'SYSTEM', 'RESERVOIR');
  return parser.advance().text.toUpperCase();
}

/** `10%` is a share here, not the left side of a modulo. */
function parseSize(parser: Parser): Draft {
  const { token } = parser;
  if (token?.kind !== 'number') throw parser.fault('a number');
  parser.advance();
  return parser.node('Literal', token.start, [], token.text);
}

/** `TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (5)`, `USING SAMPLE 10%`. */
export function parseSample(parser: Parser): Draft {
  const { start } = parser;
  parser.accept('USING');
  parser.advance();
  const method = parser.kind === 'word' ? parseMethod(parser) : undefined;
  const hasBrackets = parser.accept('(');
  const parts = [as('size', parseSize(parser))];
  for (const word of ['%', 'PERCENT', 'ROWS', 'ROW']) if (parser.accept(word)) break;
  if (hasBrackets) parser.expect(')');
  if (parser.key === '(') {
    parser.expect('(');
    while (parser.kind === 'word' || parser.kind === 'number' || parser.isAt(',')) parser.advance();
    parser.expect(')');
  }
  if ((parser.key === 'REPEATABLE' || parser.key === 'SEED') && parser.ahead(1) === '(') {
    parser.advance();
    parser.expect('(');
    parts.push(as('seed', parser.rules.expression(parser)));
    parser.expect(')');
  }
  return parser.node('TableSample', start, parts, method);
}
