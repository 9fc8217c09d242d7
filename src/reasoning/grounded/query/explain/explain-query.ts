import type { Expression, OrderItem, Query, SelectQuery } from '../../../../sql/print/index.ts';
import { allOf, conditionTexts, expressionText, type QueryNames, type Telling } from './part-text.ts';

/**
 * A query in a sentence for people: "orders, where brand = ‘Halden’, 2024, by month". It is told from the tree that is
 * printed as SQL and from nothing else, so that whatever it says of the rows is what the engine is asked for.
 */
export function explainQuery(query: Query, names: QueryNames): string {
  return queryText(query, { names, named: new Map(), common: new Set(), explain: queryText });
}

function queryText(query: Query, above: Telling): string {
  if (query.kind === 'set') {
    const word = { union: 'and', intersect: 'that are also', except: 'but not' }[query.operator];
    return `${queryText(query.left, above)}, ${word} ${queryText(query.right, above)}`;
  }
  const named = new Map([...above.named, ...namedQueries(query)]);
  const inner: Telling = { ...above, named, common: new Set() };
  const selects = [query, ...namedQueries(query).flatMap(([, one]) => allOf(one))];
  const blocks = selects.filter((one) => !named.has(one.from.table));
  const said = blocks.map((block) => conditionTexts(block.where, block, inner));
  const [first = []] = said;
  const common = new Set(first.filter((text) => said.every((texts) => texts.includes(text))));
  const telling: Telling = { ...inner, common };
  const groups = [
    ...new Set(blocks.flatMap((block) => block.groupBy.map((key) => groupText(key, block, telling)))),
  ];
  const periods = [...common].filter(isPeriod);
  const others = [...common].filter((text) => IS_AMONG.test(text));
  const narrowed = [...common].filter((text) => !isPeriod(text) && !IS_AMONG.test(text));
  const { head, isByGroup } = headOf(query, groups, telling);
  const passing = selects.flatMap((one) => [
    ...conditionTexts(one.having, one, telling),
    ...(named.has(one.from.table) ? conditionTexts(one.where, one, telling) : []),
  ]);
  return [
    head,
    narrowed.length === 0 ? '' : `where ${narrowed.join(' and ')}`,
    ...others,
    ...periods,
    isByGroup ? `by ${groups.join(' and ')}` : '',
    passing.length === 0 ? '' : `with ${[...new Set(passing)].join(' and ')}`,
    orderText(query, groups, telling),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The queries of WITH, also those inside one another. */
function namedQueries(query: SelectQuery): (readonly [string, Query])[] {
  return (query.ctes ?? []).flatMap(({ name, query: one }) => [
    [name, one] as const,
    ...allOf(one).flatMap(namedQueries),
  ]);
}

/** "without any orders": what a row has elsewhere needs no "where". */
const IS_AMONG = /^with(?:out)? any /;

/** Years, months and days stand alone: "orders, 2024". */
function isPeriod(text: string): boolean {
  return /^(?:\d{4}|from \d{4}|before \d{4})/.test(text);
}

/** The key of a table stands for its rows. */
function groupText(key: Expression, block: SelectQuery, telling: Telling): string {
  const isColumn = key.kind === 'column' && !telling.named.has(key.table);
  return (
    (isColumn ? telling.names.key(key.table, key.column) : undefined) ?? expressionText(key, block, telling)
  );
}

/** What is shown: the figures, or where only groups are shown, those. */
function headOf(
  query: SelectQuery,
  groups: readonly string[],
  telling: Telling,
): { readonly head: string; readonly isByGroup: boolean } {
  const shown = [
    ...new Set(query.select.map(({ expression }) => expressionText(expression, query, telling))),
  ];
  const figures = shown.filter((text) => !groups.includes(text));
  const isFact = !telling.named.has(query.from.table);
  const saysTable =
    query.select.some(({ expression }) => expression.kind !== 'column' && expression.kind !== 'aggregate') ||
    figures.some((text) => text.includes(`count of ${query.from.table}`));
  const of = isFact && !saysTable ? ` of ${query.from.table}` : '';
  const different = query.distinct ? 'different ' : '';
  return figures.length > 0
    ? { head: `${different}${figures.join(', ')}${of}`, isByGroup: groups.length > 0 }
    : { head: `${different}${shown.join(', ')}${of}`, isByGroup: groups.length > shown.length };
}

function orderText(query: SelectQuery, groups: readonly string[], telling: Telling): string {
  const { limit } = query;
  const [first] = query.orderBy;
  const rows = limit === undefined ? '' : limit === 1 ? 'the first row' : `the first ${limit} rows`;
  const items = query.orderBy.filter(
    (item) => isFigure(item, query, telling) && (item === first || !isKey(item, query, groups, telling)),
  );
  const texts = items.flatMap((item) => {
    const what = expressionText(item.expression, query, telling);
    // Groups in their own order tell nothing about what is in them.
    if (isKey(item, query, groups, telling))
      return item.direction === 'asc' && limit === undefined
        ? []
        : `sorted by ${what}${item.direction === 'desc' ? ' descending' : ''}`;
    return `by ${what}, ${item.direction === 'desc' ? 'highest' : 'lowest'} first`;
  });
  return [...texts, rows].filter((part) => part !== '').join(', ');
}

/** Rows of the best in each group are told by "rank"; that they stand in its order says nothing more. */
function isFigure({ expression }: OrderItem, query: SelectQuery, telling: Telling): boolean {
  return !/^(?:rank|place) by /.test(expressionText(expression, query, telling));
}

function isKey(item: OrderItem, query: SelectQuery, groups: readonly string[], telling: Telling): boolean {
  return groups.includes(expressionText(item.expression, query, telling));
}
