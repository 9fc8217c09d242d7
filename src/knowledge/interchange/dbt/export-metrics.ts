import { METRIC_EXTENSION } from '../../semantic/semantic-file.ts';
import { CANDOR, type DescribedModel, type DescribedTable, tableOf } from '../conversion/described-model.ts';
import { readBlock } from '../conversion/vendor-block.ts';
import { type ForeignRecord, textOf, withoutEmpty } from '../foreign/foreign-record.ts';
import { isRecord, type LeanMetric, standardSql, synonymsOf } from '../foreign/lean-model.ts';
import { columnText, isExpression, rewriteColumns } from '../foreign/sql-expression.ts';
import { DBT_VENDOR, type DbtNode } from './dbt-project.ts';
import { nameOfDimension, primaryEntityName, timeDimension } from './export-semantic-model.ts';
import { writeFilterName } from './semantic-layer.ts';
import { dbtName, withSynonyms } from './spoken-words.ts';

export interface ExportedMetrics {
  readonly metrics: readonly ForeignRecord[];
  /** Measures that metrics need in the semantic model of a dataset. */
  measuresOf(dataset: string): readonly ForeignRecord[];
}

/**
 * Metrics as MetricFlow has them: one aggregate over a table with a time is a measure and a simple metric, a ratio is a
 * ratio. Others are left out whole, since dbt could only give another figure for them.
 */
export function exportMetrics(described: DescribedModel, nodes: readonly DbtNode[]): ExportedMetrics {
  const measures = new Map<string, ForeignRecord[]>();
  const all = [
    ...described.tables.flatMap((table) =>
      table.metrics.map((metric) => ({ metric, own: tableOf(table.source) })),
    ),
    ...described.metrics.map((metric) => ({ metric, own: undefined })),
  ];
  const written = new Map<string, string>();
  const metrics = new Map<LeanMetric, ForeignRecord>();
  for (const { metric, own } of all) {
    const simple = givenMetric(metric) ?? simpleMetric(metric, own, { described, nodes, measures });
    if (simple === undefined) continue;
    metrics.set(metric, simple);
    written.set(metric.name, String(simple.name));
  }
  for (const { metric } of all) {
    const ratio = metrics.has(metric) ? undefined : ratioMetric(metric, written);
    if (ratio !== undefined) metrics.set(metric, ratio);
  }
  return {
    metrics: all.flatMap(({ metric }): ForeignRecord[] => {
      const record = metrics.get(metric);
      return record === undefined ? [] : [record];
    }),
    measuresOf: (dataset) => measures.get(dataset) ?? [],
  };
}

/** A metric that came from dbt goes back as it came, with the words of today. */
function givenMetric(metric: LeanMetric): ForeignRecord | undefined {
  const given = readBlock(metric.custom_extensions, DBT_VENDOR).metric;
  if (!isRecord(given)) return undefined;
  const description = metric.description;
  return description === textOf(given.description) ? given : { ...given, ...withoutEmpty({ description }) };
}

interface MetricTarget {
  readonly described: DescribedModel;
  readonly nodes: readonly DbtNode[];
  readonly measures: Map<string, ForeignRecord[]>;
}

function simpleMetric(
  metric: LeanMetric,
  own: string | undefined,
  { described, nodes, measures }: MetricTarget,
): ForeignRecord | undefined {
  const extension = METRIC_EXTENSION.safeParse(readBlock(metric.custom_extensions, CANDOR)).data;
  const name = extension?.table ?? own;
  const at = described.tables.findIndex(
    ({ source }) => tableOf(source).toLowerCase() === name?.toLowerCase(),
  );
  const [table, node] = [described.tables[at], nodes[at]];
  if (table === undefined || extension === undefined || extension.ratio !== undefined) return undefined;
  // A semantic model is about a model; sources have none.
  if (node?.kind === 'source') return undefined;
  const aggregate = readAggregate(standardSql(metric) ?? '', tableOf(table.source));
  const time = timeDimension(table, extension.time_column?.split('.').at(-1));
  const filters = extension.filters.map((filter) => writeFilter(filter, table));
  if (aggregate === undefined || time === undefined || filters.includes(undefined)) return undefined;
  const measure = dbtName(metric.name);
  const list = measures.get(table.name) ?? [];
  if (list.some((item) => item.name === measure)) return undefined;
  measures.set(table.name, [...list, { name: measure, ...aggregate, agg_time_dimension: time }]);
  return {
    ...named(metric),
    type: 'simple',
    type_params: { measure },
    ...withoutEmpty({ filter: filters.length === 1 ? filters[0] : filters }),
  };
}

function ratioMetric(metric: LeanMetric, written: ReadonlyMap<string, string>): ForeignRecord | undefined {
  const extension = METRIC_EXTENSION.safeParse(readBlock(metric.custom_extensions, CANDOR)).data;
  const numerator = written.get(extension?.ratio?.numerator ?? '');
  const denominator = written.get(extension?.ratio?.denominator ?? '');
  if (numerator === undefined || denominator === undefined) return undefined;
  return { ...named(metric), type: 'ratio', type_params: { numerator, denominator } };
}

function named(metric: LeanMetric): ForeignRecord {
  const name = dbtName(metric.name);
  const record = { name, label: metric.name, ...withoutEmpty({ description: metric.description }) };
  const context = metric.ai_context;
  const synonyms = isRecord(context)
    ? synonymsOf({ ...context, synonyms: [...(context.synonyms ?? [])] })
    : [];
  return withSynonyms(record, synonyms);
}

const ONE_CALL = /^(SUM|AVG|MIN|MAX|COUNT)\s*\(\s*(DISTINCT\s+)?([\s\S]+)\)$/i;
const AGGREGATES: Readonly<Record<string, string>> = {
  SUM: 'sum',
  AVG: 'average',
  MIN: 'min',
  MAX: 'max',
  COUNT: 'count',
  'COUNT DISTINCT': 'count_distinct',
};

/** One aggregate over columns of one table, as a measure says it. */
function readAggregate(sql: string, table: string): ForeignRecord | undefined {
  const [, call = '', distinct, inner = ''] = ONE_CALL.exec(sql.trim()) ?? [];
  const agg = AGGREGATES[`${call.toUpperCase()}${distinct === undefined ? '' : ' DISTINCT'}`];
  if (agg === undefined) return undefined;
  if (inner.trim() === '*') return { agg, expr: '1' };
  // The brackets of "SUM(a) + SUM(b)" are not those of one call.
  if (!isExpression(inner)) return undefined;
  const expr = rewriteColumns(inner, ([owner, column]) =>
    column !== undefined && owner?.toLowerCase() === table.toLowerCase() ? columnText(column) : undefined,
  );
  return expr === undefined ? undefined : { agg, expr };
}

/** The condition with its columns as dimensions; `undefined` where one of them is none. */
function writeFilter(filter: string, table: DescribedTable): string | undefined {
  const entity = primaryEntityName(table);
  return rewriteColumns(filter, ([owner, column]) => {
    if (column === undefined || owner?.toLowerCase() !== tableOf(table.source).toLowerCase())
      return undefined;
    const found = table.columns.find(
      (item) => item.isDimension && item.name.toLowerCase() === column.toLowerCase(),
    );
    return found && writeFilterName(entity, nameOfDimension(found), found.isTime === true);
  });
}
