import { METRIC_EXTENSION } from '../../semantic/semantic-file.ts';
import { keepWritten } from '../aside.ts';
import type { ForeignPath } from '../foreign-document.ts';
import { expressionIn, type LeanMetric } from '../lean-model.ts';
import { findMetricHome, type KnownMetric } from '../metric-home.ts';
import { type BlockData, blocks, readBlock, withoutUndefined } from '../vendor-block.ts';
import { called, extensionsOf, type OsiContext, unknownKeys, withStandard } from './osi-elements.ts';
import { OSI_METRIC, type OsiMetric, type OsiModel } from './osi-shape.ts';

/**
 * The metrics of a model. One that says its table in our extension is taken as it is; else its table is what its
 * expression names, and one over several tables is a ratio of others or set aside.
 */
export function importOsiMetrics(model: OsiModel, path: ForeignPath, context: OsiContext): LeanMetric[] {
  const metrics = (model.metrics ?? []).map((metric, index) => ({ metric, at: [...path, 'metrics', index] }));
  const known: KnownMetric[] = [];
  const read = new Map<OsiMetric, LeanMetric>();
  // Twice: a ratio may stand before the metrics that it divides.
  for (const isLast of [false, true])
    for (const { metric, at } of metrics) {
      if (read.has(metric)) continue;
      const result = importMetric(metric, at, { ...context, known, isLast });
      if (result !== undefined) read.set(metric, result);
    }
  return metrics.flatMap(({ metric }) => read.get(metric) ?? []);
}

interface MetricContext extends OsiContext {
  readonly known: KnownMetric[];
  readonly isLast: boolean;
}

/** `undefined` when it has no home (yet). */
function importMetric(metric: OsiMetric, path: ForeignPath, context: MetricContext): LeanMetric | undefined {
  const { document, losses, places, aside, known, isLast } = context;
  const ours = readBlock(metric.custom_extensions, 'CANDOR');
  const { sql, added } = withStandard(metric.expression);
  if (ours.table !== undefined || ours.ratio !== undefined) {
    places.set(`metric ${nameIn(metric, context)}`, document.place(path));
    if (sql !== undefined) known.push({ name: nameIn(metric, context), sql });
    return finish(metric, path, { context, expression: added.expression, note: added.note, home: {} });
  }
  const found =
    sql === undefined
      ? { kind: 'none' as const, why: 'it has no expression in SQL' }
      : findMetricHome(sql, context.tables, { known });
  if (found.kind === 'none' || sql === undefined) {
    if (!isLast) return undefined;
    aside.add('metrics', Number(path.at(-1)), metric);
    const why = found.kind === 'none' ? found.why : '';
    losses.push({ kind: 'kept', place: document.place(path), what: `metric ${metric.name}: ${why}` });
    return undefined;
  }
  places.set(`metric ${nameIn(metric, context)}`, document.place(path));
  if (found.kind === 'ratio') {
    const { numerator, denominator } = found;
    const home = { ratio: { numerator, denominator } };
    return finish(metric, path, { context, expression: added.expression, note: added.note, home });
  }
  known.push({ name: nameIn(metric, context), sql: found.sql });
  const others = added.expression.dialects.filter(({ dialect }) => dialect.toUpperCase() !== 'ANSI_SQL');
  const index = added.expression.dialects.findIndex(({ dialect }) => dialect.toUpperCase() === 'ANSI_SQL');
  const standard = expressionIn(found.sql).dialects;
  const dialects = [...others.slice(0, index), ...standard, ...others.slice(index)];
  const note = { ...added.note, ...keepWritten(sql, found.sql) };
  return finish(metric, path, { context, expression: { dialects }, note, home: { table: found.table } });
}

function nameIn(metric: OsiMetric, { words }: OsiContext): string {
  return words.get(metric)?.name ?? metric.name;
}

interface Findings {
  readonly context: MetricContext;
  readonly expression: LeanMetric['expression'];
  readonly note: BlockData;
  /** `table` or `ratio`, where our extension did not say it; marked as found by us, to be left out again. */
  readonly home: BlockData;
}

function finish(
  metric: OsiMetric,
  path: ForeignPath,
  { context, expression, note, home }: Findings,
): LeanMetric {
  const { description, datatype } = metric;
  const { name, ai_context, note: words } = called(metric, path, context);
  const keys = unknownKeys(metric, Object.keys(OSI_METRIC.shape), path, context);
  const isFound = Object.keys(home).length > 0;
  const given = metric.custom_extensions ?? [];
  const ours = { ...readBlock(given, 'CANDOR'), ...home };
  const others = given.filter(({ vendor_name }) => vendor_name.toUpperCase() !== 'CANDOR');
  const withHome = isFound ? [...(blocks({ CANDOR: ours }) ?? []), ...others] : given;
  const found: BlockData = isFound ? { found: home } : {};
  const custom_extensions = extensionsOf(
    { custom_extensions: withHome },
    { ...keys, ...note, ...words, ...found },
    path,
    {
      context,
      schema: METRIC_EXTENSION,
    },
  );
  return withoutUndefined({ name, expression, description, datatype, ai_context, custom_extensions });
}
