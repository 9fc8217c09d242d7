import { below, type ImportContext, keepKeys, type Spot } from '../conversion/import-context.ts';
import { findMetricHome, type KnownMetric, type MetricHome } from '../conversion/metric-home.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import { contextOf, expressionIn, type LeanMetric } from '../foreign/lean-model.ts';
import type { LogicalTable } from '../foreign/resolve-expression.ts';
import { columnsIn, localSql, ratioIn } from '../foreign/sql-expression.ts';
import { type CortexMetric, type CortexModel, METRIC } from './cortex-shape.ts';
import { ratioText } from './cortex-writer.ts';
import { CORTEX_VENDOR, logicalTable, readWords } from './import-cortex-table.ts';

interface Found {
  readonly metrics: readonly LeanMetric[];
  /** Metrics of the model that fit no table and are no ratio. */
  readonly aside: BlockData;
  /** The same of tables, by the name of the table. */
  readonly asideOfTables: ReadonlyMap<string, BlockData>;
}

interface Task {
  readonly metric: CortexMetric;
  readonly spot: Spot;
  readonly home: LogicalTable | undefined;
}

interface NamedMetric extends KnownMetric {
  /** `orders.revenue` as the file writes it, and in lower case. */
  readonly written: string;
  readonly id: string;
}

/** The metrics of the tables and of the model; a ratio may stand before the metrics that it divides. */
export function importMetrics(
  model: CortexModel,
  spot: Spot,
  { desk, times }: { readonly desk: ImportContext; readonly times: ReadonlyMap<string, string> },
): Found {
  const tables = model.tables.map(logicalTable);
  const tasks: Task[] = [
    ...model.tables.flatMap(({ metrics }, table) =>
      (metrics ?? []).map((metric, index) => ({
        metric,
        spot: below(spot, 'tables', table, 'metrics', index),
        home: tables[table],
      })),
    ),
    ...(model.metrics ?? []).map((metric, index) => ({
      metric,
      spot: below(spot, 'metrics', index),
      home: undefined,
    })),
  ];
  const known: NamedMetric[] = [];
  const read = new Map<Task, LeanMetric>();
  const homes = new Map<Task, MetricHome>();
  for (const _ of ['plain metrics', 'ratios of them'])
    for (const task of tasks.filter((item) => !read.has(item))) {
      const home =
        namedRatio(task, known) ?? findMetricHome(task.metric.expr, tables, { home: task.home, known });
      homes.set(task, home);
      if (home.kind === 'none') continue;
      const metric = writeMetric(task, home, { desk, times, known });
      read.set(task, metric);
      const written = `${task.home?.name ?? ''}.${task.metric.name}`;
      if (home.kind === 'table')
        known.push({ id: written.toLowerCase(), written, name: metric.name, sql: home.sql });
    }
  return { metrics: tasks.flatMap((task) => read.get(task) ?? []), ...setAside(tasks, homes, desk) };
}

function setAside(
  tasks: readonly Task[],
  homes: ReadonlyMap<Task, MetricHome>,
  desk: ImportContext,
): Omit<Found, 'metrics'> {
  const boxes = new Map<string, AsideBox>();
  for (const task of tasks) {
    const { metric, spot, home } = task;
    const found = homes.get(task);
    if (found?.kind !== 'none') continue;
    const owner = home?.name ?? '';
    const box = boxes.get(owner) ?? new AsideBox();
    boxes.set(owner, box);
    box.add('metrics', Number(spot.path.at(-1)), metric);
    desk.lose('kept', spot, `metric ${metric.name}: ${found.why}`);
  }
  return {
    aside: boxes.get('')?.block() ?? {},
    asideOfTables: new Map([...boxes].map(([name, box]) => [name, box.block()])),
  };
}

/** `orders.revenue / orders.count`, both metrics by their names. */
function namedRatio({ metric, home }: Task, known: readonly NamedMetric[]): MetricHome | undefined {
  const ratio = ratioIn(metric.expr);
  if (ratio === undefined) return undefined;
  const [above, below] = [ratio.numerator, ratio.denominator].map((side) => {
    const [column, ...others] = columnsIn(side) ?? [];
    if (column === undefined || others.length > 0 || !/^[\w."]+$/.test(side.trim())) return undefined;
    const [name = '', table = home?.name ?? ''] = [...column.parts].reverse();
    return known.find(({ id }) => id === `${table}.${name}`.toLowerCase());
  });
  if (above === undefined || below === undefined) return undefined;
  return { kind: 'ratio', numerator: above.name, denominator: below.name };
}

interface Writing {
  readonly desk: ImportContext;
  readonly times: ReadonlyMap<string, string>;
  readonly known: readonly NamedMetric[];
}

function writeMetric(
  { metric, spot, home }: Task,
  found: Exclude<MetricHome, { kind: 'none' }>,
  { desk, times, known }: Writing,
): LeanMetric {
  const { name, synonyms, note } = desk.wordsOf(metric, readWords(metric));
  desk.mark(`metric ${name}`, spot);
  const sqlOf = (part: string): string => known.find((item) => item.name === part)?.sql ?? '';
  const sql = found.kind === 'table' ? found.sql : `${sqlOf(found.numerator)} / ${sqlOf(found.denominator)}`;
  const nameOf = (part: string): string => known.find((item) => item.name === part)?.written ?? '';
  const wouldWrite =
    found.kind === 'table' ? localSql(sql) : ratioText(nameOf(found.numerator), nameOf(found.denominator));
  const ours: BlockData =
    found.kind === 'table'
      ? { table: found.table, time_column: times.get(found.table) }
      : { ratio: { numerator: found.numerator, denominator: found.denominator } };
  const passed = Object.keys(METRIC.shape).filter(
    (key) => !['name', 'synonyms', 'description', 'expr'].includes(key),
  );
  const kept = {
    ...keepKeys(metric, spot, { desk, known: Object.keys(METRIC.shape), kept: passed }),
    ...note,
    ...keepWritten(metric.expr, sql, wouldWrite),
    // A ratio stands at the model; one that stood in a table goes back there.
    ...(found.kind === 'ratio' && home !== undefined ? { table: home.name } : {}),
  };
  return withoutUndefined({
    name,
    expression: expressionIn(sql),
    description: metric.description ?? undefined,
    ai_context: contextOf(synonyms),
    custom_extensions: blocks({ CANDOR: ours, [CORTEX_VENDOR]: kept }),
  });
}
