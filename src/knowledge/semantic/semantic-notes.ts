/** What a semantic model says, in lines for whoever writes SQL: of tables, of columns, and of the whole. */
import type { Catalog } from '../../catalog/index.ts';
import { columnsInSql, tablesInSql } from './check-semantic-sql.ts';
import { isMissing } from './check-semantic-values.ts';
import { findDatasetTable } from './find-dataset-table.ts';
import type {
  Dataset,
  DescribedField,
  Dimension,
  Metric,
  SemanticModel,
  TimeRules,
} from './semantic-model.ts';

export interface SemanticNotes {
  /** By canonical id of the catalog; tables and columns that are not in it have none. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** Metrics, a line each, with the tables that their formula and filters read. */
  readonly metrics: readonly {
    readonly name: string;
    readonly text: string;
    readonly tables: readonly string[];
  }[];
  /** How many metrics name columns that are not in the catalog; which ones, somebody who may not see these is not told. */
  readonly leftOut: readonly string[];
  /** Time rules, hierarchies, vague and out-of-scope terms, jargon: a line each. */
  readonly rules: readonly string[];
}

/** All of the model that is about this catalog. People wrote every word of it, so it may be told under any policy. */
export function semanticNotes(model: SemanticModel, catalog: Catalog): SemanticNotes {
  const { ids, known, columnId, nameOf, isTable, tableName, areKnown } = catalogNames(model, catalog);
  const joins = new Map(model.relationships.map(({ name, fromColumns }) => [name, fromColumns[0] ?? name]));
  const isInView = ({ expression = '', filters, ratio, timeColumn = '', ...metric }: Metric): boolean =>
    areKnown([expression, timeColumn, ...filters]) &&
    areKnown(metric.conditionalFilters.flatMap(({ then, otherwise }) => [then, otherwise])) &&
    [ratio?.numerator, ratio?.denominator].every(
      (name) => name === undefined || model.metrics.some((part) => part.name === name && isInView(part)),
    );
  const inView = model.metrics.filter(isInView);
  const leftOut = model.metrics.length - inView.length;
  const tables = new Lines();
  for (const dataset of model.datasets)
    tables.add(ids.get(dataset.table), datasetLines(withoutUnknown(dataset, areKnown), nameOf));
  const columns = new Lines();
  for (const one of [...model.dimensions, ...(model.fields ?? [])])
    columns.add(columnId(one.column), [fieldText(one, (link) => nameOf(joins.get(link) ?? link))]);
  for (const { column, value, surface } of model.valueMappings) {
    const stored = known.get(columnId(column) ?? '');
    if (stored === undefined || isMissing(String(value), stored, catalog.dialect)) continue;
    columns.add(stored.id, [`${JSON.stringify(value)} is ${surface.join(' / ')}`]);
  }
  for (const { fromColumns, to, role, synonyms } of model.relationships)
    if (isTable(to) && (role !== undefined || synonyms.length > 0))
      columns.add(columnId(fromColumns[0] ?? ''), [
        `join to ${tableName(to)}${role === undefined ? '' : ` as ${role}`}${inWords(synonyms)}`,
      ]);
  return {
    tables: tables.byId,
    columns: columns.byId,
    metrics: inView.map((metric) => ({
      name: metric.name,
      text: metricText(metric, tableName),
      tables: metricTables(metric, model).map((table) => ids.get(table) ?? table),
    })),
    leftOut:
      leftOut === 0
        ? []
        : [`${leftOut} of ${model.metrics.length} metrics left out: they name columns that are not in view`],
    rules: [
      ...(model.datasets.length + model.metrics.length === 0 ? [] : timeLines(model.timeRules)),
      ...hierarchyLines(model.dimensions.filter(({ column }) => columnId(column) !== undefined)),
      ...model.vagueTerms.map(
        ({ term, ask, options }) => `“${term}” is vague here. ${ask} ${options.join(' / ')}`,
      ),
      ...model.answers.map(({ phrase, take }) => `“${phrase}” was settled: it means ${take}`),
      ...model.outOfScope.map(({ term, why }) => `“${term}” cannot be answered here: ${why}`),
      ...model.jargon.map(({ term, meaning }) => `“${term}” means ${meaning}`),
    ],
  };
}

/** Names of the model as the catalog has them. */
function catalogNames(model: SemanticModel, catalog: Catalog) {
  const ids = new Map(
    model.datasets.flatMap((dataset) => {
      const table = findDatasetTable(dataset, catalog);
      return table === undefined ? [] : [[dataset.table, table.id] as const];
    }),
  );
  const known = new Map(
    catalog.tables.flatMap((table) => table.columns.map((one) => [one.id, one] as const)),
  );
  const columnId = (column: string): string | undefined => {
    const dot = column.lastIndexOf('.');
    const id = `${ids.get(column.slice(0, dot)) ?? column.slice(0, dot)}${column.slice(dot)}`;
    return known.has(id) ? id : undefined;
  };
  const written = new Map(
    catalog.tables.flatMap((table) =>
      table.columns.map(({ id, name }) => [id, `${table.name}.${name}`] as const),
    ),
  );
  const nameOf = (column: string): string => written.get(columnId(column) ?? '') ?? column;
  const tableNames = new Map(catalog.tables.map(({ id, name }) => [id, name]));
  const names = new Set(catalog.tables.map(({ name }) => name.toLowerCase()));
  const isTable = (table: string): boolean => tableNames.has(ids.get(table) ?? table);
  const tableName = (table: string): string => tableNames.get(ids.get(table) ?? table) ?? table;
  const areKnown = (sqls: readonly string[]): boolean =>
    sqls.flatMap(columnsInSql).every((column) => columnId(column) !== undefined) &&
    sqls
      .flatMap(tablesInSql)
      .every((table) => isTable(table) || names.has(table.slice(table.lastIndexOf('.') + 1)));
  return { ids, known, columnId, nameOf, isTable, tableName, areKnown };
}

class Lines {
  readonly byId = new Map<string, string[]>();
  add(id: string | undefined, lines: readonly string[]): void {
    if (id === undefined || lines.length === 0) return;
    const known = this.byId.get(id) ?? [];
    this.byId.set(id, [...known, ...lines.filter((line) => !known.includes(line))]);
  }
}

/** What names columns that are not there is told to people, by `candor doctor`. */
function withoutUnknown(
  { defaultFilter, timeColumn, displayColumn, ...dataset }: Dataset,
  areKnown: (sqls: readonly string[]) => boolean,
): Dataset {
  return {
    ...dataset,
    ...(defaultFilter !== undefined && areKnown([defaultFilter.sql]) && { defaultFilter }),
    ...(timeColumn !== undefined && areKnown([timeColumn]) && { timeColumn }),
    ...(displayColumn !== undefined && areKnown([displayColumn]) && { displayColumn }),
  };
}

function datasetLines(
  { name, description, synonyms, ...dataset }: Dataset,
  nameOf: (column: string) => string,
): readonly string[] {
  const words = [name, ...synonyms].filter((word) => word.toLowerCase() !== dataset.table);
  const { defaultFilter, timeColumn, displayColumn } = dataset;
  return [
    ...(description === undefined ? [] : [description]),
    ...(words.length === 0 ? [] : [`people say ${words.join(', ')}`]),
    ...(defaultFilter === undefined
      ? []
      : [
          `default condition: ${defaultFilter.sql} (${defaultFilter.text}); it holds unless the question asks for the others`,
        ]),
    ...(timeColumn === undefined ? [] : [`its time is ${nameOf(timeColumn)}`]),
    ...(displayColumn === undefined ? [] : [`people know a row by ${nameOf(displayColumn)}`]),
  ];
}

/** A name that is the column's own says nothing new. */
function fieldText(
  { name, synonyms, description, column, ...more }: Dimension | DescribedField,
  columnOf: (link: string) => string,
): string {
  const own = column.slice(column.lastIndexOf('.') + 1);
  const words = [name, ...synonyms].filter((word) => word.toLowerCase().replaceAll(' ', '_') !== own);
  const via = 'via' in more && more.via !== undefined ? Object.entries(more.via) : [];
  const said = words.length === 0 ? '' : `“${words.join('”, “')}”`;
  const joined = [...new Set(via.map(([, link]) => columnOf(link)))].join(', ');
  const meaning = [said, description ?? ''].filter((part) => part !== '').join(': ');
  return joined === '' ? meaning : `${meaning} (reached by ${joined})`;
}

function inWords(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function metricText(metric: Metric, tableName: (table: string) => string): string {
  const { name, synonyms, description, expression, ratio, table, unit, timeColumn, filters } = metric;
  const formula = expression ?? (ratio === undefined ? '' : `${ratio.numerator} / ${ratio.denominator}`);
  const conditions = filters.map((filter) => `(${filter})`).join(' AND ');
  const conditional = metric.conditionalFilters.map(
    ({ whenDimensions, then, otherwise }) =>
      `with ${whenDimensions.join(' or ')} also ${then}, without also ${otherwise}`,
  );
  return [
    `${name}${synonyms.length === 0 ? '' : ` (${synonyms.join(', ')})`} = ${formula}`,
    ...(table === undefined ? [] : [`from ${tableName(table)}`]),
    ...(conditions === '' ? [] : [`where ${conditions}`]),
    ...(timeColumn === undefined ? [] : [`by ${timeColumn}`]),
    ...(unit === undefined ? [] : [`in ${unit}`]),
    ...conditional,
    ...(metric.mandatoryDimensions.length === 0
      ? []
      : [`the question has to say or group by: ${metric.mandatoryDimensions.join(', ')}`]),
    ...(description === undefined ? [] : [`— ${description}`]),
  ].join('; ');
}

/** A ratio reads what its two metrics read. */
function metricTables({ table, ratio }: Metric, { metrics }: SemanticModel): readonly string[] {
  if (table !== undefined) return [table];
  const of = (name: string): readonly string[] =>
    metrics.flatMap((one) => (one.name === name && one.table !== undefined ? [one.table] : []));
  return ratio === undefined ? [] : [...new Set([...of(ratio.numerator), ...of(ratio.denominator)])];
}

function timeLines({
  defaultWindow,
  excludesToday,
  fiscalYearStartMonth,
  weekStart,
}: TimeRules): readonly string[] {
  return [
    defaultWindow === 'all'
      ? 'A question without a time means all of it'
      : 'A question about a metric without a time means the current year',
    ...(excludesToday ? ['“last 7 days” and “to date” end yesterday'] : []),
    ...(fiscalYearStartMonth === 1
      ? []
      : [
          `The fiscal year begins in ${monthName(fiscalYearStartMonth)} and is named after the year it begins in`,
        ]),
    `Weeks begin on ${weekStart === 'monday' ? 'Monday' : 'Sunday'}`,
  ];
}

function monthName(month: number): string {
  return new Date(Date.UTC(2000, month - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
}

function hierarchyLines(dimensions: readonly Dimension[]): readonly string[] {
  return dimensions.flatMap(({ name, parent }) =>
    parent === undefined ? [] : [`${name} lies in ${parent}`],
  );
}
