/** Queries as a whole: the parts of a SELECT, set operations, VALUES and WITH. */
import type { DialectName } from '../../dialects/dialect.ts';
import { GRAMMARS } from '../../parser/grammars.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { ancestor, child, childrenIn, type SqlNode, walk } from '../../tree/node.ts';
import { hasAggregate } from '../translation/aggregate-types.ts';
import { allAs, as, build, callNode, copy, nameNode, numberNode } from '../translation/built-node.ts';
import { plainNumber } from '../translation/intervals.ts';
import { asValue } from '../translation/loose-values.ts';
import { reportSyntax } from '../translation/syntax-limits.ts';
import type { Rules, Translation } from '../translation/translation.ts';

export const QUERY_RULES: Rules = {
  Select: translateSelect,
  Union: translateSetOperation,
  Intersect: translateSetOperation,
  Except: translateSetOperation,
  Values: translateValues,
  Subquery: translateSubquery,
  With: translateWith,
  CTE: translateCte,
  Group: translateGroup,
};

const DROPPED: ReadonlySet<string> = new Set(['limit', 'offset', 'locks', 'into', 'sample']);
/** The list comes first, whatever the text began with. */
const EARLY: ReadonlySet<string> = new Set(['with', 'distinct', 'expressions']);

function translateSelect(node: SqlNode, translation: Translation): PrintableNode {
  reportSyntax(node, translation);
  reportDropped(node, translation);
  const kept = node.children.filter(({ role }) => !DROPPED.has(role));
  const list = kept.filter(({ role }) => EARLY.has(role)).map((part) => translatePart(part, translation));
  const hasList = list.some(({ role }) => role === 'expressions');
  const star = hasList || child(node, 'from') === undefined ? [] : [as('expressions', build('Star'))];
  const rest = kept.filter(({ role }) => !EARLY.has(role)).map(translation.translate);
  return build('Select', [...list, ...star, ...rest, ...translateLimits(node, translation)]);
}

/** A condition in the list is shown as 1 or 0 where the source shows it so. */
function translatePart(part: SqlNode, translation: Translation): PrintableNode {
  if (part.role !== 'expressions') return translation.translate(part);
  if (part.type !== 'Alias') return asValue(part, translation);
  const value = child(part, 'this');
  const alias = child(part, 'alias');
  if (value === undefined || alias === undefined) return translation.translate(part);
  return as(
    'expressions',
    build('Alias', [as('this', asValue(value, translation)), translation.translate(alias)]),
  );
}

/** Locks change nothing of the result; INTO and samples do. */
function reportDropped(node: SqlNode, { unsupported, changed, to }: Translation): void {
  for (const part of node.children) {
    if (part.role === 'locks') changed('lock', part, 'rows are not locked');
    if (part.role === 'into') unsupported('syntax', part, 'INTO writes');
    if (part.role === 'sample') unsupported('syntax', part, `${to} has no such sample`);
  }
}

function translateSetOperation(node: SqlNode, translation: Translation): PrintableNode {
  reportSyntax(node, translation);
  reportDropped(node, translation);
  const { translate } = translation;
  const parts = node.children.flatMap((part): readonly PrintableNode[] => {
    if (DROPPED.has(part.role)) return [];
    return part.role === 'this' || part.role === 'expression'
      ? [translateOperand(part, translation)]
      : [translate(part)];
  });
  const { all } = node.flags;
  return build(node.type, [...parts, ...translateLimits(node, translation)], {
    flags: all === undefined ? {} : { all },
  });
}

const NO_VALUES: ReadonlySet<DialectName> = new Set(['bigquery']);

/** Rows are in brackets, with the word ROW before them in MySQL. */
function translateValues(node: SqlNode, translation: Translation): PrintableNode {
  const { to, unsupported, translate } = translation;
  const isQuery = node.parent === undefined || node.role !== 'this' || node.parent.type !== 'Subquery';
  if (NO_VALUES.has(to) || (to === 'snowflake' && isQuery)) {
    unsupported('syntax', node, `${to} has no VALUES here`);
  }
  const rows = childrenIn(node, 'expressions').map((row) => {
    const values = row.type === 'Tuple' ? row.children.map(translate) : [translate(row)];
    return as(
      'expressions',
      to === 'mysql' ? callNode('ROW', values) : build('Tuple', allAs('expressions', values)),
    );
  });
  const rest = node.children
    .filter(({ role }) => role !== 'expressions' && !DROPPED.has(role))
    .map(translate);
  return build('Values', [...rest, ...rows, ...translateLimits(node, translation)]);
}

const NEEDS_ALIAS: ReadonlySet<DialectName> = new Set(['mysql', 'postgres']);

/** Tables out of queries need a name in MySQL, and in PostgreSQL before version 16. */
function translateSubquery(node: SqlNode, translation: Translation): PrintableNode {
  const { to, tree, translate } = translation;
  reportDropped(node, translation);
  const kept = node.children.filter(({ role }) => !DROPPED.has(role)).map(translate);
  const parts = [...kept, ...translateLimits(node, translation)];
  const isTable = node.role === 'this' && (node.parent?.type === 'From' || node.parent?.type === 'Join');
  const isQuery = ['Select', 'Union', 'Intersect', 'Except', 'Values', 'Subquery'].includes(
    node.children[0]?.type ?? '',
  );
  if (!isTable || !isQuery || child(node, 'alias') !== undefined || !NEEDS_ALIAS.has(to))
    return build('Subquery', parts);
  const before = tree.nodes.filter(({ type, id }) => type === 'Subquery' && id <= node.id).length;
  const alias = build('TableAlias', [as('this', nameNode(`subquery_${before}`))]);
  return build('Subquery', [...parts, as('alias', alias)]);
}

/** SQLite and Snowflake do not need the word RECURSIVE. */
function translateWith(node: SqlNode, { translate }: Translation): PrintableNode {
  const isRecursive = node.flags.recursive !== undefined || node.children.some(readsItself);
  return build('With', node.children.map(translate), { flags: isRecursive ? { recursive: 'true' } : {} });
}

function readsItself(cte: SqlNode): boolean {
  const alias = child(cte, 'alias');
  const name = alias && child(alias, 'this')?.value?.toLowerCase();
  const body = child(cte, 'this');
  if (name === undefined || body === undefined) return false;
  return [...walk(body)].some(
    (table) =>
      table.type === 'Table' && child(table, 'this')?.value?.toLowerCase() === name && !child(table, 'db'),
  );
}

const HAS_MATERIALIZED: ReadonlySet<DialectName> = new Set(['sqlite', 'postgres', 'duckdb']);

/** The hint changes no result and is left out where it is not known. */
function translateCte(node: SqlNode, { to, translate, unsupported }: Translation): PrintableNode {
  const { materialized } = node.flags;
  const columns = child(node, 'alias')?.children.length ?? 0;
  if (columns > 1 && to === 'bigquery') unsupported('syntax', node, 'bigquery names no columns here');
  const flags = materialized !== undefined && HAS_MATERIALIZED.has(to) ? { materialized } : {};
  return build('CTE', node.children.map(translate), { flags });
}

// The two sides of UNION, INTERSECT and EXCEPT, bracketed as the target needs them.

const SET_OPERATIONS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

/** SQLite allows no brackets around a side, so a side that needs them becomes a table of its own. */
function translateOperand(side: SqlNode, translation: Translation): PrintableNode {
  const { to, translate } = translation;
  const isBracketed = side.type === 'Subquery';
  const inner = isBracketed ? side.children[0] : undefined;
  if (to === 'sqlite' && isBracketed && inner !== undefined) {
    const isPlain = inner.type === 'Select' && inner.children.every(({ role }) => !ENDS.has(role));
    return as(
      side.role,
      isPlain && side.children.length === 1 ? translate(inner) : selectFrom(translate(side)),
    );
  }
  if (isBracketed || !SET_OPERATIONS.has(side.type)) return translate(side);
  if (side.role === 'this' && !needsBrackets(side, to)) return translate(side);
  const bracketed = build('Subquery', [as('this', translate(side))]);
  return as(side.role, to === 'sqlite' ? selectFrom(bracketed) : bracketed);
}

const ENDS: ReadonlySet<string> = new Set(['with', 'order', 'limit', 'offset']);

/** To the left stand without brackets what the target reads from left to right. */
function needsBrackets(side: SqlNode, to: Translation['to']): boolean {
  const above = side.parent?.type;
  if (to === 'bigquery') return side.type !== above;
  return GRAMMARS[to].intersectFirst && above === 'Intersect' && side.type !== 'Intersect';
}

function selectFrom(table: PrintableNode): PrintableNode {
  const from = build('From', [as('this', table)]);
  return build('Select', [as('expressions', build('Star')), as('from', from)]);
}

// GROUP BY: ALL, ROLLUP, and columns of the list.

const HAS_ALL: ReadonlySet<DialectName> = new Set(['duckdb', 'snowflake', 'bigquery']);

function translateGroup(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, translate } = translation;
  if (node.flags.all !== undefined && !HAS_ALL.has(to)) return groupByEach(node, translation);
  const last = node.children.at(-1);
  const isOneRollup = last?.type === 'Rollup' && last.children.length > 0 && node.children.length === 1;
  if (isOneRollup && to === 'mysql') {
    return build('Group', [...last.children.map(translate), as('expressions', build('Rollup'))]);
  }
  const isTail = last?.type === 'Rollup' && last.children.length === 0;
  if (!isTail || to === 'mysql') return copy(node, translation);
  if (to === 'sqlite') {
    translation.unsupported('syntax', last, 'sqlite has no ROLLUP');
    return build('Group', node.children.slice(0, -1).map(translate));
  }
  const rollup = build('Rollup', node.children.slice(0, -1).map(translate));
  return build('Group', [as('expressions', rollup)]);
}

/** GROUP BY ALL means every item of the list without an aggregate. */
function groupByEach(node: SqlNode, { to, unsupported, translate }: Translation): PrintableNode {
  const items = node.parent === undefined ? [] : childrenIn(node.parent, 'expressions');
  const grouped = items.filter((item) => !hasAggregate(item));
  if (grouped.some(isStar)) unsupported('syntax', node, `${to} has no GROUP BY ALL, and the list has a star`);
  const keys = grouped.map((item) => {
    const value = item.type === 'Alias' ? child(item, 'this') : item;
    return as('expressions', translate(value ?? item));
  });
  return build('Group', keys);
}

function isStar(item: SqlNode): boolean {
  return item.type === 'Star' || (item.type === 'Column' && item.children.at(-1)?.type === 'Star');
}

// LIMIT, OFFSET, FETCH and TOP in the target's form.

interface Limits {
  readonly count: SqlNode | undefined;
  readonly offset: SqlNode | undefined;
}

/** Children of the query for its limits, in the order the target wants them. */
function translateLimits(query: SqlNode, translation: Translation): readonly PrintableNode[] {
  const { to, translate } = translation;
  const { count, offset } = readLimits(query, translation);
  const limit = count === undefined ? missingCount(offset, to) : translate(count);
  const first = limit === undefined ? [] : [as('limit', build('Limit', [as('expression', limit)]))];
  if (offset === undefined) return first;
  const second = as('offset', build('Offset', [as('expression', translate(offset))]));
  return to === 'trino' ? [second, ...first] : [...first, second];
}

function readLimits(query: SqlNode, { unsupported, to }: Translation): Limits {
  const limit = child(query, 'limit');
  const offset = child(query, 'offset');
  const start = (limit && child(limit, 'offset')) ?? (offset && child(offset, 'expression'));
  if (limit?.flags.ties !== undefined) unsupported('syntax', limit, `${to} has no WITH TIES`);
  if (limit?.flags.percent !== undefined) unsupported('syntax', limit, `${to} has no limit in percent`);
  const count = limit && (child(limit, 'expression') ?? child(limit, 'count'));
  if (limit?.type === 'Fetch' && count === undefined) {
    unsupported('syntax', limit, `${to} wants the number of rows`);
  }
  // SQLite's negative limit is none.
  const isNone = count !== undefined && (plainNumber(count)?.startsWith('-') ?? false);
  return { count: isNone ? undefined : count, offset: start };
}

/** Where OFFSET needs a LIMIT before it: more rows than there can be. */
const ALL_ROWS: Readonly<Record<string, string>> = {
  sqlite: '-1',
  mysql: '18446744073709551615',
  bigquery: '9223372036854775807',
};

function missingCount(offset: SqlNode | undefined, to: string): PrintableNode | undefined {
  if (offset === undefined) return undefined;
  if (to === 'snowflake') return build('Null');
  const all = ALL_ROWS[to];
  return all === undefined ? undefined : numberNode(all);
}

/** ORDER BY: where NULL stands when nothing says it. */
export const ORDER_RULES: Rules = {
  Order: (node, translation) =>
    build(
      'Order',
      allAs(
        'expressions',
        node.children.flatMap((item) => translateOrdered(item, translation)),
      ),
    ),
};

/** NULL as the smallest value, as the largest, or last in either direction. */
const NULL_PLACES: Readonly<Record<DialectName, 'smallest' | 'largest' | 'last'>> = {
  sqlite: 'smallest',
  mysql: 'smallest',
  bigquery: 'smallest',
  postgres: 'largest',
  snowflake: 'largest',
  duckdb: 'last',
  trino: 'last',
};

function translateOrdered(node: SqlNode, translation: Translation): readonly PrintableNode[] {
  const { from, to, translate, options } = translation;
  const value = child(node, 'this');
  if (value === undefined) return [];
  const isDescending = node.flags.desc !== undefined;
  const wanted = node.flags.nulls ?? defaultNulls(options.nullsAsTarget ? to : from, isDescending);
  const desc = isDescending ? { desc: 'true' } : {};
  const isSame = wanted === defaultNulls(to, isDescending) || isNeverNull(value);
  if (isSame) return [ordered(translate(value), desc)];
  if (to !== 'mysql') return [ordered(translate(value), { ...desc, nulls: wanted })];
  return mysqlOrdered(value, { desc, wanted }, translation);
}

function defaultNulls(dialect: DialectName, isDescending: boolean): 'first' | 'last' {
  const place = NULL_PLACES[dialect];
  if (place === 'last') return 'last';
  return (place === 'smallest') === isDescending ? 'last' : 'first';
}

function ordered(value: PrintableNode, flags: PrintableNode['flags']): PrintableNode {
  return build('Ordered', [as('this', value)], { flags });
}

/** MySQL cannot say it, but can order by `x IS NULL` first; a place in the list or a union has no such form. */
function mysqlOrdered(
  value: SqlNode,
  { desc, wanted }: { readonly desc: PrintableNode['flags']; readonly wanted: string },
  { translate, changed }: Translation,
): readonly PrintableNode[] {
  const query = ancestor(value, ({ type }) => ['Select', 'Union', 'Intersect', 'Except'].includes(type));
  const isPlaced =
    value.type === 'Literal' || (query?.type !== 'Select' && value.parent?.parent?.parent === query);
  const isDistinct = query !== undefined && child(query, 'distinct') !== undefined;
  if (isPlaced || isDistinct) {
    changed('nulls', value, `mysql puts NULL ${wanted === 'first' ? 'last' : 'first'} here`);
    return [ordered(translate(value), desc)];
  }
  const isNull = build('Is', [as('this', translate(value)), as('expression', build('Null'))]);
  return [ordered(isNull, wanted === 'first' ? { desc: 'true' } : {}), ordered(translate(value), desc)];
}

const NEVER_NULL: ReadonlySet<string> = new Set([
  'Count',
  'RowNumber',
  'Rank',
  'DenseRank',
  'CountIf',
  'Rand',
]);

/** Counts and ranks, directly or by their alias. */
function isNeverNull(value: SqlNode): boolean {
  if (value.type === 'Window' || value.type === 'Paren') {
    const inner = child(value, 'this');
    return inner !== undefined && isNeverNull(inner);
  }
  if (NEVER_NULL.has(value.type)) return true;
  const name = value.type === 'Column' && value.children.length === 1 ? value.children[0]?.value : undefined;
  const select = value.parent?.parent?.parent;
  if (name === undefined || select?.type !== 'Select' || value.parent?.parent?.role !== 'order') return false;
  const named = childrenIn(select, 'expressions').find(
    (item) => item.type === 'Alias' && child(item, 'alias')?.value?.toLowerCase() === name.toLowerCase(),
  );
  const expression = named && child(named, 'this');
  return expression !== undefined && NEVER_NULL.has(expression.type);
}
