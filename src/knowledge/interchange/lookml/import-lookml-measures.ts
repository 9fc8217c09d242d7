import type { ImportContext } from '../conversion/import-context.ts';
import { type BlockData, blocks, withoutUndefined } from '../conversion/vendor-block.ts';
import { contextOf, expressionIn, type LeanMetric } from '../foreign/lean-model.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { columnsIn, ratioIn } from '../foreign/sql-expression.ts';
import { filterTypeOf, keyOf, type LookmlView, readLabel } from './import-lookml-view.ts';
import {
  elementsOf,
  fieldKey,
  filterCondition,
  isBlock,
  keepOthers,
  LOOKML_VENDOR,
  type LookmlElement,
  lose,
  placeIn,
  plainLookmlSql,
  readField,
  textOf,
} from './lookml-element.ts';

const AGGREGATES: Readonly<Record<string, (sql: string) => string>> = {
  count_distinct: (sql) => `COUNT(DISTINCT ${sql})`,
  sum: (sql) => `SUM(${sql})`,
  sum_distinct: (sql) => `SUM(${sql})`,
  average: (sql) => `AVG(${sql})`,
  average_distinct: (sql) => `AVG(${sql})`,
  min: (sql) => `MIN(${sql})`,
  max: (sql) => `MAX(${sql})`,
  median: (sql) => `MEDIAN(${sql})`,
};

interface NamedMeasure {
  readonly id: string;
  readonly name: string;
  readonly sql: string;
}

interface Task {
  readonly view: LookmlView;
  readonly measure: LookmlElement;
  readonly desk: ImportContext;
  readonly tables: readonly LogicalTable[];
}

export interface ReadMeasures {
  readonly metrics: readonly (LeanMetric & { readonly name: string })[];
  /** Measures that are nothing of ours, by view. */
  readonly aside: ReadonlyMap<string, readonly LookmlElement[]>;
}

/** The measures of all views; a ratio may stand before the measures that it divides. */
export function importMeasures(views: readonly LookmlView[], desk: ImportContext): ReadMeasures {
  const plain = views.map(({ home }) => home);
  const known: NamedMeasure[] = [];
  const tasks: Task[] = views.flatMap((view) =>
    elementsOf(view.view, 'measure').map((measure) => ({
      view,
      measure,
      desk,
      tables: withMeasures(views, plain),
    })),
  );
  const read = new Map<Task, LeanMetric>();
  for (const _ of ['plain measures', 'ratios of them'])
    for (const task of tasks.filter((item) => !read.has(item))) {
      const metric = importMeasure(task, known);
      if (metric !== undefined) read.set(task, metric);
    }
  const rest = tasks.filter((task) => !read.has(task));
  for (const { measure } of rest) {
    const type = textOf(measure, 'type') ?? 'string';
    const why = 'is no aggregate over one table and no ratio of two measures';
    lose(desk, 'kept', measure, `measure ${measure.name} (${type}) ${why}`);
  }
  return {
    metrics: tasks.flatMap((task) => read.get(task) ?? []),
    aside: new Map(
      views.map(({ view }) => [
        view.name,
        rest.filter((task) => task.view.view === view).map(({ measure }) => measure),
      ]),
    ),
  };
}

/** Measures without filters may be named by others. */
function withMeasures(views: readonly LookmlView[], tables: readonly LogicalTable[]): LogicalTable[] {
  return tables.map((table, index) => {
    const measures = elementsOf(views[index]!.view, 'measure').flatMap((measure): [string, string][] => {
      const isFiltered = measure.entries.some(({ key }) => key === 'filters');
      const sql = isFiltered ? undefined : aggregateOf(measure, table.name);
      return sql === undefined ? [] : [[fieldKey(measure.name), sql]];
    });
    return { ...table, members: new Map([...table.members, ...measures]) };
  });
}

function aggregateOf(measure: LookmlElement, view: string): string | undefined {
  const type = textOf(measure, 'type') ?? 'string';
  const sql = textOf(measure, 'sql');
  if (type === 'count') return sql === undefined ? 'COUNT(*)' : undefined;
  const plain = sql === undefined ? undefined : plainLookmlSql(sql, view);
  if (plain === undefined) return undefined;
  return type === 'number' ? plain : AGGREGATES[type]?.(plain);
}

function importMeasure({ view, measure, desk, tables }: Task, known: NamedMeasure[]): LeanMetric | undefined {
  const { home } = view;
  const aggregate = aggregateOf(measure, home.name);
  const filters = readFilters(measure, view, tables);
  if (aggregate === undefined || filters === undefined) return undefined;
  const { name, synonyms } = desk.wordsOf(keyOf(measure), readLabel(measure));
  const used = ['type', 'sql', 'label', 'description', 'filters', 'sql_distinct_key'];
  const finish = (sql: string, ours: BlockData): LeanMetric => {
    desk.places.set(`metric ${name}`, placeIn(measure));
    const own = keepOthers(measure, used, desk);
    return withoutUndefined({
      name,
      expression: expressionIn(sql),
      description: textOf(measure, 'description'),
      ai_context: contextOf(synonyms),
      custom_extensions: blocks({ CANDOR: ours, [LOOKML_VENDOR]: own }),
    });
  };
  const ratio = filters.length > 0 ? undefined : ratioOf(aggregate, known);
  if (ratio !== undefined) {
    const [above, under] = ratio;
    return finish(`${above.sql} / ${under.sql}`, {
      ratio: { numerator: above.name, denominator: under.name },
    });
  }
  const resolved = resolveExpression(
    aggregate,
    tables,
    tables.find((table) => table.name === home.name),
  );
  if (resolved === undefined || resolved.tables.some((table) => table !== home.table)) return undefined;
  known.push({ id: `${home.name}.${measure.name}`.toLowerCase(), name, sql: resolved.sql });
  if (
    /_distinct$/.test(textOf(measure, 'type') ?? '') &&
    measure.entries.some(({ key }) => key === 'sql_distinct_key')
  )
    lose(
      desk,
      'approximated',
      measure,
      `measure ${name}: rows are not made distinct by \`sql_distinct_key\``,
    );
  return finish(resolved.sql, { table: home.table, filters: filters.length === 0 ? undefined : filters });
}

/** The conditions of `filters: [field: "value"]`, and of the older form with a block each. */
function readFilters(
  measure: LookmlElement,
  { view, home }: LookmlView,
  tables: readonly LogicalTable[],
): string[] | undefined {
  const pairs = measure.entries.flatMap(({ key, value }): { field: string; text: string }[] => {
    if (key !== 'filters' || typeof value === 'string') return [];
    if (isBlock(value)) return [{ field: textOf(value, 'field') ?? '', text: textOf(value, 'value') ?? '' }];
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item) =>
      typeof item !== 'string' && 'text' in item ? [{ field: item.key, text: item.text }] : [],
    );
  });
  const conditions = pairs.map(({ field, text }) => {
    const name = field.startsWith(`${view.name}.`) ? field.slice(view.name.length + 1) : field;
    const dimension = elementsOf(view, 'dimension').find((item) => item.name === name);
    const sql = home.members.get(fieldKey(name));
    const resolved = sql === undefined ? undefined : resolveExpression(sql, tables, home);
    if (dimension === undefined || resolved === undefined) return undefined;
    const isOwn = resolved.tables.every((table) => table === home.table);
    return isOwn ? filterCondition(resolved.sql, text, filterTypeOf(dimension)) : undefined;
  });
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

/** `1.0 * ${revenue} / NULLIF(${orders.count}, 0)`, both measures that are known. */
function ratioOf(
  sql: string,
  known: readonly NamedMeasure[],
): readonly [NamedMeasure, NamedMeasure] | undefined {
  const ratio = ratioIn(sql.replace(/^\s*(?:1|1\.0+)\s*\*\s*/, ''));
  if (ratio === undefined) return undefined;
  const [above, under] = [ratio.numerator, ratio.denominator].map((side) => {
    const [column, ...others] = columnsIn(side) ?? [];
    const found = column && readField(column.parts);
    if (found === undefined || others.length > 0 || /[()*+ ]/.test(side.trim())) return undefined;
    return known.find(({ id }) => id === `${found.view}.${found.field}`.toLowerCase());
  });
  return above === undefined || under === undefined ? undefined : [above, under];
}
