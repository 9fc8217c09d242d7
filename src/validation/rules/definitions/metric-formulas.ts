/** A metric that the question names, computed of another column or by another function than it is defined with. */
import { columnsInSql, type Metric } from '../../../knowledge/semantic/index.ts';
import { isAggregateCall, type Source } from '../../../sql/scope/index.ts';
import { ancestor, child, type SqlNode, walk } from '../../../sql/tree/index.ts';
import { lastPart } from './metric-conditions.ts';
import type { NamedMetric } from './named-metrics.ts';
import { aggregateAround, type QueryUses } from './query-uses.ts';
import { overlaps, type QuestionWords, stemsIn } from './question-words.ts';

export function brokenFormulas(
  named: readonly NamedMetric[],
  uses: QueryUses,
  words: QuestionWords,
): readonly string[] {
  return named.flatMap(({ metric, places }) => {
    const formula = formulaOf(metric, uses);
    if (formula === undefined || uses.reads(metric.table ?? '').length === 0) return [];
    const said = words.words.filter(
      (_, at) => !places.some((place) => overlaps(place, { start: at, end: at + 1 })),
    );
    const broken =
      formula.call === 'count'
        ? otherCount(formula, uses)
        : otherSum(formula, uses, new Set(said.map(({ plain }) => plain)));
    if (broken === undefined || isOfAnother(broken, metric, { named, uses, words })) return [];
    return [
      `${metric.name} is defined as ${metric.expression}, and the query computes ${uses.textOf(broken)}`,
    ];
  });
}

interface Formula {
  readonly call: 'count' | 'sum' | 'avg';
  readonly columns: readonly string[];
  readonly table: string;
}

/** Formulas of one aggregate over columns of one table; what is written otherwise is not looked at. */
function formulaOf({ table, expression = '' }: Metric, uses: QueryUses): Formula | undefined {
  const [, call] = /^\s*(count|sum|avg)\s*\(/i.exec(expression) ?? [];
  const calls = expression.match(/\b(?:count|sum|avg|min|max)\s*\(/gi) ?? [];
  const columns = columnsInSql(expression).map((column) => uses.columnId(column));
  const known = FORMULAS.find((one) => one === call?.toLowerCase());
  if (table === undefined || known === undefined || calls.length !== 1 || columns.length === 0)
    return undefined;
  return { call: known, columns, table };
}

const FORMULAS = ['count', 'sum', 'avg'] as const;

/** Rows, or another column, are counted where different values of a column are defined. */
function otherCount({ columns: [column = ''], table }: Formula, uses: QueryUses): SqlNode | undefined {
  const counts = uses
    .reads(table)
    .flatMap((source) => uses.aggregatesOver(source))
    .filter(({ type }) => type === 'Count');
  if (counts.length === 0) return undefined;
  if (isPrimary(column, table, uses)) return counts.find((node) => isRepeated(node, table, uses));
  const isDistinct = uses.mentionsOf(column).some(({ node }) => {
    const within = aggregateAround(node);
    if (within !== undefined) return child(within, 'this')?.type === 'Distinct';
    return (
      ancestor(node, ({ type }) => type === 'Group' || type === 'Distinct' || type === 'Select')?.type !==
        'Select' || isInDistinct(node)
    );
  });
  return isDistinct ? undefined : counts[0];
}

function isInDistinct(node: SqlNode): boolean {
  const select = ancestor(node, ({ type }) => type === 'Select');
  return select !== undefined && child(select, 'distinct') !== undefined;
}

function isPrimary(column: string, table: string, { semantics, schema }: QueryUses): boolean {
  const dataset = semantics.datasets.find((one) => one.table === table);
  const name = schema.columns.get(column)?.name.toLowerCase();
  return dataset?.primaryKey.some((key) => lastPart(key) === name) === true;
}

/** COUNT of a key without DISTINCT, where a joined table has several rows for one of its. */
function isRepeated(node: SqlNode, table: string, uses: QueryUses): boolean {
  const argument = child(node, 'this');
  if (argument?.type !== 'Column') return false;
  const home = uses.homesOf(argument).find(({ source }) => uses.reads(table).includes(source));
  if (home === undefined || !isPrimary(home.id, table, uses)) return false;
  const beside = uses.scopeAt(node)?.sources ?? [];
  return uses.linksInto(home.source).some(({ one }) => beside.includes(one.source));
}

const MEANS: ReadonlySet<string> = new Set('average avg mean per median typical'.split(' '));

/** Another number of the table is added or averaged; or the right one by the other function. */
function otherSum(
  { call, columns, table }: Formula,
  uses: QueryUses,
  said: ReadonlySet<string>,
): SqlNode | undefined {
  const sums = uses
    .reads(table)
    .flatMap((source) => uses.aggregatesOver(source).map((node) => ({ node, source })))
    .filter(({ node }) => node.type === 'Sum' || node.type === 'Avg');
  const own = sums.filter(({ node }) => isOver(node, columns, uses));
  if (own.length > 0) {
    if (call === 'avg')
      return own.every(({ node }) => node.type === 'Sum' && !isDivided(node)) ? own[0]?.node : undefined;
    const isMean = [...said].some((word) => MEANS.has(word));
    return own.every(({ node }) => node.type === 'Avg') && !isMean ? own[0]?.node : undefined;
  }
  const isThere = columns.some((column) => uses.mentionsOf(column).some(({ node }) => isFigured(node)));
  return isThere
    ? undefined
    : sums.find(({ node, source }) => measuresOf(node, source, uses).length > 0)?.node;
}

function isOver(node: SqlNode, columns: readonly string[], uses: QueryUses): boolean {
  return [...walk(node)].some((one) => uses.homesOf(one).some(({ id }) => columns.includes(id)));
}

function isDivided(node: SqlNode): boolean {
  return (
    ancestor(node, ({ type }) => type === 'Div' || type === 'IntDiv' || type === 'Select')?.type !== 'Select'
  );
}

/** It takes part in a figure: under an aggregate, or in a sum that an outer query makes. */
function isFigured(node: SqlNode): boolean {
  return (
    ancestor(
      node,
      (above) => isAggregateCall(above) || (above.type === 'Select' && above.role === 'root'),
    ) !== undefined
  );
}

/** Numbers of the use that are added up themselves, not compared. */
function measuresOf(aggregate: SqlNode, source: Source, uses: QueryUses): readonly string[] {
  return [...walk(aggregate)].flatMap((node) => {
    const isCompared = ancestor(node, ({ type, id }) => COMPARING.has(type) || id === aggregate.id);
    if (isCompared?.id !== aggregate.id) return [];
    return uses.homesOf(node).flatMap((home) => (home.source === source ? [home.id] : []));
  });
}

const COMPARING: ReadonlySet<string> = new Set('EQ NEQ GT GTE LT LTE In Is Between Like'.split(' '));

interface Others {
  readonly named: readonly NamedMetric[];
  readonly uses: QueryUses;
  readonly words: QuestionWords;
}

/** The figure is of another metric that is named, or of a column that the question names by itself. */
function isOfAnother(node: SqlNode, metric: Metric, { named, uses, words }: Others): boolean {
  const ids = [...walk(node)].flatMap((one) => uses.homesOf(one).map(({ id }) => id));
  const own = stemsIn([metric.name, ...metric.synonyms].join(' '));
  const isMetric = named.some(
    (other) =>
      other.metric !== metric &&
      other.metric.table === metric.table &&
      columnsInSql(other.metric.expression ?? '').some((column) => ids.includes(uses.columnId(column))),
  );
  const isSaid = ids.some((id) => {
    const name = (uses.semantics.fields ?? [])
      .filter(({ column }) => uses.columnId(column) === id)
      .flatMap((field) => [field.name, ...field.synonyms]);
    return name.some((one) => words.has(one) && [...stemsIn(one)].some((stem) => !own.has(stem)));
  });
  return isMetric || isSaid;
}
