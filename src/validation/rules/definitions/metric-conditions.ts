/** The conditions of a metric that the question names: of every figure that is computed for it. */
import { columnsInSql, type Metric } from '../../../knowledge/semantic/index.ts';
import type { Source } from '../../../sql/scope/index.ts';
import { ancestor, child, type SqlNode, walk } from '../../../sql/tree/index.ts';
import { conditionsOn, isShown, keeps, lets, type Rule, readRule } from './conditions.ts';
import type { NamedMetric } from './named-metrics.ts';
import { conditionOf, type QueryUses } from './query-uses.ts';
import { type Place, type QuestionWords, stemsIn } from './question-words.ts';
import { isKeptElsewhere } from './same-rows.ts';

interface Figure {
  readonly source: Source;
  /** An aggregate; absent: the rows of a subquery that only asks whether there are any. */
  readonly node?: SqlNode;
}

export function brokenMetricConditions(
  named: readonly NamedMetric[],
  uses: QueryUses,
  words: QuestionWords,
): readonly string[] {
  const ruled = named.map((one) => ({ ...one, rules: rulesOf(one.metric, uses) }));
  return ruled.flatMap(({ metric, places, rules, isAliased = false }) => {
    const isMore = saysMore(metric, places, { uses, words });
    const figures = figuresOf(metric, uses, isMore).filter(
      ({ source }) => isMore || !isOfPeriod(metric, source, uses),
    );
    if (rules.length === 0 || figures.length === 0) return [];
    const rivals = ruled.filter(({ metric: { table } }) => table === metric.table);
    const missing = (figure: Figure): Rule | undefined =>
      rules.find((rule) => !isKept(figure, rule, { uses, words, places }));
    const isOfAnother = (figure: Figure): boolean =>
      rivals.some(
        (other) =>
          other.metric !== metric &&
          other.rules.every((rule) => isKept(figure, rule, { uses, words, places: other.places })),
      );
    const own = figures.filter((figure) => missing(figure) === undefined);
    const broken = figures.find((figure) => missing(figure) !== undefined && !isOfAnother(figure));
    const [first] = figures;
    // Other figures beside the one of that name are called otherwise.
    const of = own.length === 0 ? first : isAliased ? undefined : broken;
    const rule = of && missing(of);
    return rule === undefined
      ? []
      : [`${metric.name} is defined with ${rule.sql}, and the query does not keep to it`];
  });
}

/** A condition that hangs on a dimension is the one for whether the query uses it. */
function rulesOf({ filters, conditionalFilters }: Metric, uses: QueryUses): readonly Rule[] {
  const { dialect } = uses.schema.catalog;
  const conditional = conditionalFilters.map(({ whenDimensions, then, otherwise }) => {
    const isUsed = uses.semantics.dimensions.some(
      ({ name, column }) => whenDimensions.includes(name) && uses.mentionsOf(column).length > 0,
    );
    return isUsed ? then : otherwise;
  });
  return [...filters, ...conditional]
    .map((sql) => readRule(sql, dialect))
    .filter(({ columns }) => columns.length > 0);
}

/** What is computed for a metric: a name such as “dealers” is often what is listed, not what is counted. */
function figuresOf(metric: Metric, uses: QueryUses, isSaidInFull: boolean): readonly Figure[] {
  const { table, expression = '', timeColumn } = metric;
  if (table === undefined) return [];
  const columns = columnsInSql(expression).map((column) => uses.columnId(column));
  const isCount = /^\s*count\b/i.test(expression);
  const figures = uses.reads(table).flatMap((source): Figure[] =>
    uses
      .aggregatesOver(source)
      .filter((node) => isFigure(node, source, { columns, isCount, uses }))
      .map((node) => ({ source, node })),
  );
  if (figures.length > 0 || !isCount || (timeColumn === undefined && !isSaidInFull)) return figures;
  return uses.reads(table).flatMap((source) => (isAskedFor(source, uses) ? [{ source }] : []));
}

/** “vehicles in service” is more than the name of the table, which may as well be what is listed. */
function saysMore(
  { table }: Metric,
  places: readonly Place[],
  { uses, words }: Pick<Asked, 'uses' | 'words'>,
): boolean {
  const { datasets, dimensions } = uses.semantics;
  const names = [...datasets, ...dimensions]
    .filter((one) => one.table === table)
    .flatMap(({ name, synonyms }) => [name, ...synonyms])
    .flatMap((name) => words.placesOf(name));
  return places.some(({ start, end }) => !names.some((name) => name.start <= start && end <= name.end));
}

/** “vehicles bought in 2022” are those of a period, also where plain “vehicles” are those of today. */
function isOfPeriod({ table, timeColumn }: Metric, source: Source, uses: QueryUses): boolean {
  const dataset = timeColumn === undefined && uses.semantics.datasets.find((one) => one.table === table);
  const time = dataset ? dataset.timeColumn : undefined;
  return time !== undefined && conditionsOn(time, uses, source).length > 0;
}

interface Counted {
  readonly columns: readonly string[];
  readonly isCount: boolean;
  readonly uses: QueryUses;
}

function isFigure(node: SqlNode, source: Source, { columns, isCount, uses }: Counted): boolean {
  const own = [...walk(node)].flatMap((one) =>
    uses.homesOf(one).flatMap((home) => (home.source === source ? [{ ...home, node: one }] : [])),
  );
  if (own.some(({ id }) => columns.includes(id))) return true;
  if (node.type === 'Count')
    return isCount && (own.length === 0 || own.every(({ node: one }) => isKey(one, uses)));
  // SUM(CASE WHEN … THEN 1 END), AVG(status = 'x'): rows are counted by what they are, and those of a table that refers here are not these.
  if (!uses.isFirst(source) || !uses.countedAt(node).includes(source)) return false;
  return isCount && own.length > 0 && own.every(({ node: one }) => conditionOf(one) !== undefined);
}

function isKey(node: SqlNode, uses: QueryUses): boolean {
  return uses.homesOf(node).every(({ id }) => {
    const { tableId, name } = uses.schema.columns.get(id) ?? {};
    const dataset = uses.semantics.datasets.find(({ table }) => uses.tableId(table) === tableId);
    return dataset?.primaryKey.some((key) => lastPart(key) === name?.toLowerCase()) === true;
  });
}

export function lastPart(column: string): string {
  return column.slice(column.lastIndexOf('.') + 1).toLowerCase();
}

/** It is the first table of an EXISTS or IN. */
function isAskedFor({ node }: Source, uses: QueryUses): boolean {
  const select = ancestor(node, ({ type }) => type === 'Select');
  const holder = select && ancestor(select, ({ type }) => type !== 'Subquery' && type !== 'Paren');
  if (select === undefined || (holder?.type !== 'Exists' && holder?.type !== 'In')) return false;
  const from = child(select, 'from');
  return from !== undefined && from.start <= node.start && node.end <= from.end && uses.nodes.includes(node);
}

interface Asked {
  readonly uses: QueryUses;
  readonly words: QuestionWords;
  /** Where the metric is named. */
  readonly places: readonly Place[];
}

function isKept({ source, node }: Figure, rule: Rule, asked: Asked): boolean {
  const { uses } = asked;
  if (rule.columns.length > 1) return isComparedTogether(rule, uses);
  const [column = ''] = rule.columns;
  const said = conditionsOn(column, uses, source).filter(
    ({ within }) => within === undefined || within === node || within === node?.parent,
  );
  if (said.some((one) => keeps(one, rule, uses))) return true;
  // An average or a difference of the column is of the rows that have one.
  if (/is\s+not\s+null/i.test(rule.sql) && node !== undefined && isInside(column, node, asked)) return true;
  if (isKeptElsewhere(source, rule, uses)) return true;
  if (said.length === 0 && isShown(column, uses, source)) return true;
  return isSettled(column, asked);
}

function isInside(column: string, node: SqlNode, { uses }: Asked): boolean {
  return uses.mentionsOf(column).some(({ node: one }) => node.start <= one.start && one.end <= node.end);
}

/** Two columns are compared with each other: neither the direction nor what is made of them is looked at. */
function isComparedTogether({ columns }: Rule, uses: QueryUses): boolean {
  const [first = '', ...others] = columns;
  return uses.mentionsOf(first).some(({ node }) => {
    const condition = conditionOf(node) ?? node;
    const below = new Set([...walk(condition)].flatMap((one) => uses.homesOf(one).map(({ id }) => id)));
    return others.every((column) => below.has(uses.columnId(column)));
  });
}

/** The question itself says which rows of that column are meant: “test drives that were called off”. */
function isSettled(column: string, { uses, words, places }: Asked): boolean {
  const inName = (place: Place): boolean =>
    places.some(({ start, end }) => start <= place.start && place.end <= end);
  const said = conditionsOn(column, uses);
  if (said.length === 0) return words.isIncluded(stemsIn(lastPart(column)));
  const isMapped = uses.semantics.valueMappings.some(
    ({ column: mapped, value, surface }) =>
      mapped === column &&
      surface.some((one) => words.placesOf(one).some((place) => !inName(place))) &&
      said.some((one) => lets(one, value, uses) !== false),
  );
  const name = column.slice(column.lastIndexOf('.') + 1);
  return isMapped || words.placesOfStems(stemsIn(name)).some((place) => !inName(place));
}
