/** Every variant of a query that is worth running: which of its decisions the stored data make a difference to. */
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { writeName } from '../../sql/dialects/index.ts';
import type { Patch } from '../../sql/rewrite/index.ts';
import { child, childrenIn, type SqlNode, textOf, walk } from '../../sql/tree/index.ts';
import { andedIn, isCondition, writtenText } from '../reading/operands.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { inserting, isDenied, patched, type QueryVariant, replacing, shown } from './variant.ts';

/** Those that most often decide come first: not all may be run. */
export function queryVariants(query: ReadQuery, schema: SchemaFacts): readonly QueryVariant[] {
  const all = [
    ...spellingVariants(query),
    ...tiedVariants(query),
    ...missingVariants(query),
    ...joinVariants(query),
    ...groupVariants(query, schema),
    ...wholeDivisionVariants(query),
    ...dayEndVariants(query),
  ];
  const bySql = new Map(all.map((variant) => [variant.sql, variant]));
  bySql.delete(query.tree.text);
  return [...bySql.values()];
}

// Groups that are one and count as several, and several that count as one.

/**
 * Of a query that groups by a column of text: its texts folded, and the key of its table beside it. What groups within another
 * query is compared there with texts as they are stored.
 */
function groupVariants(query: ReadQuery, schema: SchemaFacts): readonly QueryVariant[] {
  const select = query.tree.root;
  const group = select.type === 'Select' ? child(select, 'group') : undefined;
  if (group === undefined) return [];
  const columns = group.children.filter(({ type, id }) => type === 'Column' && query.families[id] === 'text');
  return columns.flatMap((column) => [
    ...(child(select, 'having') === undefined ? foldedGroups(column, select, query) : []),
    ...groupsByKey(column, group, query, schema),
  ]);
}

function foldedGroups(column: SqlNode, select: SqlNode, query: ReadQuery): readonly QueryVariant[] {
  const reference = query.scopes.references[column.id];
  if (reference?.kind !== 'column') return [];
  const parts = ['expressions', 'group', 'order'] as const;
  const same = parts
    .flatMap((role) => childrenIn(select, role))
    .flatMap((part) => [...walk(part)])
    .filter(({ id, type }) => type === 'Column' && isSame(query.scopes.references[id], reference));
  const sql = patched(
    query,
    same.map((one) => foldingPatch(one, query)),
  );
  const says = `groups whose ${shown(column, query)} differs in case or blanks alone are one`;
  return [{ kind: 'grouped', says, sql, tells: 'fewer rows' }];
}

type Reference = ReadQuery['scopes']['references'][number];

function isSame(one: Reference, other: Reference): boolean {
  return (
    one?.kind === 'column' &&
    other?.kind === 'column' &&
    one.source === other.source &&
    one.output === other.output
  );
}

function groupsByKey(
  column: SqlNode,
  group: SqlNode,
  query: ReadQuery,
  schema: SchemaFacts,
): readonly QueryVariant[] {
  const reference = query.scopes.references[column.id];
  if (reference?.kind !== 'column' || reference.source.table === undefined) return [];
  const { alias, name, node, table } = reference.source;
  const [key, more] = schema.tables.get(table.id)?.primaryKey ?? [];
  const keyColumn = key === undefined || more !== undefined ? undefined : schema.columns.get(key);
  // An outer join makes a group of rows that have no key at all.
  const isOuter = query.tree.nodes.some(({ type, flags }) => type === 'Join' && flags.side !== undefined);
  if (keyColumn === undefined || name === undefined || isOuter) return [];
  const says = `rows of ${name} that have the same ${shown(column, query)} are kept apart (by ${keyColumn.name})`;
  const written = textOf(query.tree, alias ?? child(node, 'this') ?? node);
  const keyName = writeName(keyColumn.name, query.tree.dialect);
  const sql = patched(query, [inserting(group.end, `, ${written}.${keyName}`)]);
  return [{ kind: 'grouped', says, sql, tells: 'a few rows more' }];
}

// Rows without a partner: kept where the query leaves them out.

/** Each inner join as a left one: a total is short of rows without a partner. That a list leaves them out is what the join is for. */
function joinVariants(query: ReadQuery): readonly QueryVariant[] {
  return query.tree.nodes.filter(isInner).flatMap((join): readonly QueryVariant[] => {
    const joined = child(join, 'this');
    if (joined === undefined || join.parent?.type !== 'Select') return [];
    const sql = patched(query, [{ span: { start: join.start, end: joined.start }, text: 'LEFT JOIN ' }]);
    const says = `rows without a row of ${shown(joined, query)} are kept (LEFT JOIN)`;
    return [{ kind: 'unmatched', says, sql, tells: 'other values' }];
  });
}

/** By columns that have to be equal alone: what else stands in ON leaves out rows that have a partner. */
function isInner(join: SqlNode): boolean {
  const { type, flags } = join;
  if (type !== 'Join' || flags.side !== undefined || flags.method !== undefined || flags.comma !== undefined)
    return false;
  const on = child(join, 'on');
  const isByColumns =
    on === undefined
      ? child(join, 'using') !== undefined
      : andedIn(on).every((one) => one.type === 'EQ' && one.children.every((side) => side.type === 'Column'));
  return isByColumns && (flags.kind === undefined || flags.kind === 'INNER') && !isDenied(join);
}

/** Comparisons that leave rows out because something is NULL: `a <> 'x'`, `NOT IN`, `NOT LIKE`; averages do the same. */
function missingVariants(query: ReadQuery): readonly QueryVariant[] {
  return query.tree.nodes.flatMap((node): QueryVariant[] => {
    if (node.type === 'Avg') return averaged(node, query);
    const column = deniedColumn(node);
    if (column === undefined || !isCondition(node) || isDenied(node)) return [];
    const sql = patched(query, [
      inserting(node.start, '('),
      inserting(node.end, ` OR ${textOf(query.tree, column)} IS NULL)`),
    ]);
    const says = `rows where ${shown(column, query)} is NULL are kept beside ${shown(node, query)}`;
    return [{ kind: 'missing', says, sql, tells: 'any' }];
  });
}

const DENIED: ReadonlySet<string> = new Set(['In', 'Like', 'ILike', 'EQ', 'Between']);

/** The column of a comparison with values that is denied. */
function deniedColumn(node: SqlNode): SqlNode | undefined {
  const compared = node.type === 'Not' ? insideOf(node) : node;
  if (compared === undefined) return undefined;
  const isDenied = node.type === 'Not' ? DENIED.has(compared.type) : node.type === 'NEQ';
  const column = child(compared, 'this');
  const values = compared.children.filter((other) => other !== column);
  const isByValue = values.length > 0 && values.every(({ type }) => type === 'Literal' || type === 'Boolean');
  return isDenied && column?.type === 'Column' && isByValue ? column : undefined;
}

function insideOf(node: SqlNode): SqlNode | undefined {
  const inner = child(node, 'this');
  return inner?.type === 'Paren' ? child(inner, 'this') : inner;
}

function averaged(call: SqlNode, query: ReadQuery): QueryVariant[] {
  const [argument, second] = call.children;
  if (argument === undefined || second !== undefined || argument.type === 'Distinct') return [];
  const text = textOf(query.tree, argument);
  const sql = patched(query, [replacing(argument, `COALESCE(${text}, 0)`)]);
  const says = `where ${shown(argument, query)} is NULL it counts as 0 in the average`;
  return [{ kind: 'missing', says, sql, tells: 'any' }];
}

// Ties that are cut, and whole numbers that are divided.

/** ROW_NUMBER picks one of equal rows, and so does LIMIT at its end. */
function tiedVariants(query: ReadQuery): readonly QueryVariant[] {
  return query.tree.nodes.flatMap((node): readonly QueryVariant[] => {
    if (node.type === 'RowNumber' && node.parent?.type === 'Window') {
      const name = { start: node.start, end: node.start + (node.value ?? '').length };
      const sql = patched(query, [{ span: name, text: 'RANK' }]);
      return [
        {
          kind: 'tied',
          says: 'rows that tie are all taken (RANK in place of ROW_NUMBER)',
          sql,
          tells: 'more rows',
        },
      ];
    }
    return node.type === 'Limit' ? cutLater(node, query) : [];
  });
}

/** One row more, to see whether it ties with the last. */
function cutLater(limit: SqlNode, query: ReadQuery): readonly QueryVariant[] {
  const count = child(limit, 'expression');
  const rows = Number(count?.value);
  const select = limit.parent;
  if (select?.type !== 'Select' || select.parent !== undefined || child(limit, 'offset') !== undefined)
    return [];
  const keys = orderKeys(select, query);
  if (count?.type !== 'Literal' || !Number.isInteger(rows) || keys.length === 0) return [];
  const sql = patched(query, [replacing(count, String(rows + 1))]);
  const says = `one row after the ${rows} that LIMIT takes`;
  return [{ kind: 'tied', says, sql, tells: 'a tie at the end', keys }];
}

/** The places of the columns that a SELECT is ordered by; none where one of them is not shown. */
function orderKeys(select: SqlNode, { tree, scopes }: ReadQuery): readonly number[] {
  const order = child(select, 'order');
  const shownItems = childrenIn(select, 'expressions');
  // A star stands for any number of columns.
  if (shownItems.some((item) => (child(item, 'this') ?? item).type === 'Star' && item.type !== 'Count'))
    return [];
  const items = shownItems.map((item) => ({
    name: child(item, 'alias')?.value?.toLowerCase(),
    text: textOf(tree, item.type === 'Alias' ? (child(item, 'this') ?? item) : item),
  }));
  const keys = (order?.children ?? []).map((ordered) => {
    const by = child(ordered, 'this') ?? ordered;
    if (by.type === 'Literal') return Number(by.value) - 1;
    const isAlias = scopes.references[by.id]?.kind === 'alias';
    const name = isAlias ? child(by, 'this')?.value?.toLowerCase() : undefined;
    return items.findIndex((item) =>
      name === undefined ? item.text === textOf(tree, by) : item.name === name,
    );
  });
  return keys.every((key) => key >= 0) ? keys : [];
}

/** Engines where 1 / 2 is 0. */
const WHOLE: ReadonlySet<DialectName> = new Set(['sqlite', 'postgres', 'trino']);

function wholeDivisionVariants(query: ReadQuery): readonly QueryVariant[] {
  if (!WHOLE.has(query.tree.dialect)) return [];
  return query.tree.nodes.flatMap((node): readonly QueryVariant[] => {
    const dividend = node.type === 'Div' ? child(node, 'this') : undefined;
    // Of a chain the first division decides: what follows goes on with its fraction.
    if (dividend === undefined || dividend.type === 'Div' || isRounding(dividend)) return [];
    const text = textOf(query.tree, dividend);
    const sql = patched(query, [replacing(dividend, `(1.0 * (${text}))`)]);
    return [{ kind: 'whole-division', says: `${shown(node, query)} keeps its fraction`, sql, tells: 'any' }];
  });
}

/** `(month + 2) / 3` is a quarter: who adds a number before dividing means whole steps. */
function isRounding(dividend: SqlNode): boolean {
  const inner = dividend.type === 'Paren' ? child(dividend, 'this') : dividend;
  const isSum = inner?.type === 'Add' || inner?.type === 'Sub';
  return isSum && inner.children.some(({ type }) => type === 'Literal');
}

// Stored values that a comparison misses: another case, blanks around, a time of day on the last day.

/** Texts compared without regard to case and to blanks around them. */
function spellingVariants(query: ReadQuery): readonly QueryVariant[] {
  return query.tree.nodes.flatMap((node): QueryVariant[] => {
    const sides = textSides(node, query);
    if (sides === undefined) return [];
    const sql = patched(
      query,
      sides.map((side) => foldingPatch(side, query)),
    );
    const says = `${shown(node, query)} is compared without regard to case and blanks`;
    return [{ kind: 'spelling', says, sql, tells: 'any' }];
  });
}

/** `LOWER(TRIM(…))` around an expression. */
function foldingPatch(node: SqlNode, { tree }: ReadQuery): Patch {
  return replacing(node, `LOWER(TRIM(${textOf(tree, node)}))`);
}

const EQUALITIES: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'In']);

/** The sides of an equality of texts; undefined for others, and where no side is a column of text. */
function textSides(node: SqlNode, query: ReadQuery): readonly SqlNode[] | undefined {
  if (!EQUALITIES.has(node.type)) return undefined;
  const left = child(node, 'this');
  const right = node.type === 'In' ? childrenIn(node, 'expressions') : childrenIn(node, 'expression');
  if (left === undefined || right.length === 0) return undefined;
  const sides = [left, ...right];
  const isText = sides.every((side) => writtenText(side, query) !== undefined || isTextual(side, query));
  return isText && sides.some((side) => hasColumn(side, query)) ? sides : undefined;
}

/** Folding makes a text of what it is put around: SQLite would compare a number with it in another way than before. */
function isTextual(side: SqlNode, { families, scopes, tree }: ReadQuery): boolean {
  if (families[side.id] !== 'text') return false;
  if (tree.dialect !== 'sqlite') return true;
  return [...walk(side)].every(({ id }) => {
    const reference = scopes.references[id];
    const origin = reference?.kind === 'column' ? reference.output.origin : undefined;
    return origin?.kind !== 'schema' || /char|clob|text/i.test(origin.column.type ?? '');
  });
}

function hasColumn(side: SqlNode, { scopes }: ReadQuery): boolean {
  return [...walk(side)].some(({ id }) => scopes.references[id]?.kind === 'column');
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Behind any time of that day: SQLite compares texts, with a blank or a T before the time. */
const latestOf = (dialect: DialectName): string => (dialect === 'sqlite' ? 'T24' : ' 23:59:59.999999');

/** `<= '2024-12-31'` and BETWEEN leave out what has a time on that day. */
function dayEndVariants(query: ReadQuery): readonly QueryVariant[] {
  return query.tree.nodes.flatMap((node): QueryVariant[] => {
    const last =
      node.type === 'Between'
        ? child(node, 'high')
        : node.type === 'LTE'
          ? child(node, 'expression')
          : undefined;
    const day = last && writtenText(last, query);
    if (last === undefined || day === undefined || !DAY.test(day) || isDenied(node)) return [];
    const sql = patched(query, [replacing(last, `'${day}${latestOf(query.tree.dialect)}'`)]);
    return [{ kind: 'day-end', says: `all of ${day} is in, whatever the time of day`, sql, tells: 'any' }];
  });
}
