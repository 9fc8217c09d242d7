import { below, type ImportContext, keepKeys, type Spot } from '../conversion/import-context.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import { contextOf, expressionIn, type LeanMetric } from '../foreign/lean-model.ts';
import { MEMBER_MARK, resolveExpression } from '../foreign/resolve-expression.ts';
import { columnsIn, ratioIn } from '../foreign/sql-expression.ts';
import { CUBE_VENDOR, type CubeMeasure, MEASURE } from './cube-shape.ts';
import { cubeSql, plainSql } from './cube-template.ts';
import { type CubePlace, readWords } from './import-cube-members.ts';

/** Types of measures that are one aggregate, and how it is written. */
const AGGREGATES: Readonly<Record<string, (sql: string) => string>> = {
  count: (sql) => `COUNT(${sql})`,
  count_distinct: (sql) => `COUNT(DISTINCT ${sql})`,
  count_distinct_approx: (sql) => `COUNT(DISTINCT ${sql})`,
  sum: (sql) => `SUM(${sql})`,
  avg: (sql) => `AVG(${sql})`,
  min: (sql) => `MIN(${sql})`,
  max: (sql) => `MAX(${sql})`,
};
/** Types whose `sql` aggregates itself. */
const WHOLE = new Set(['number', 'string', 'time', 'boolean', 'number_agg']);

/** The aggregate of a measure over plain names; `undefined` where it cannot be said in SQL alone. */
function aggregateOf(measure: CubeMeasure, cube: string): string | undefined {
  const { type, sql } = measure;
  const hasWindow = measure.rolling_window !== undefined || measure.multi_stage === true;
  if (hasWindow || measure.time_shift !== undefined || measure.case !== undefined) return undefined;
  const plain = sql == null ? undefined : plainSql(sql, cube);
  if (sql != null && plain === undefined) return undefined;
  if (type === 'count' && plain === undefined) return 'COUNT(*)';
  if (plain === undefined) return undefined;
  return WHOLE.has(type) ? plain : AGGREGATES[type]?.(plain);
}

/** A measure that has become a metric, for ratios. */
interface NamedMeasure {
  readonly id: string;
  readonly name: string;
  readonly sql: string;
}

interface Task extends CubePlace {
  readonly measure: CubeMeasure;
  readonly at: Spot;
}

export interface ReadMeasures {
  readonly metrics: readonly LeanMetric[];
  /** What of each cube is no metric of ours, by the name of the cube. */
  readonly aside: ReadonlyMap<string, BlockData>;
}

/** The measures of all cubes; a ratio may stand before the measures that it divides. */
export function importMeasures(
  places: readonly CubePlace[],
  times: ReadonlyMap<string, string>,
): ReadMeasures {
  const tasks: Task[] = places.flatMap((place) =>
    (place.cube.measures ?? []).map((measure, index) => ({
      ...place,
      measure,
      at: below(place.spot, 'measures', index),
    })),
  );
  const known: NamedMeasure[] = [];
  const read = new Map<Task, LeanMetric>();
  for (const _ of ['plain measures', 'ratios of them'])
    for (const task of tasks.filter((item) => !read.has(item))) {
      const metric = importMeasure(task, known, times);
      if (metric !== undefined) read.set(task, metric);
    }
  const boxes = new Map<string, AsideBox>();
  for (const task of tasks.filter((item) => !read.has(item))) {
    const { cube, measure, at, desk } = task;
    const box = boxes.get(cube.name) ?? new AsideBox();
    boxes.set(cube.name, box);
    box.add('measures', Number(at.path.at(-1)), measure);
    const why = 'is no aggregate over one table and no ratio of two measures';
    desk.lose('kept', at, `measure ${measure.name} (${measure.type}) ${why}`);
  }
  return {
    metrics: tasks.flatMap((task) => read.get(task) ?? []),
    aside: new Map([...boxes].map(([name, box]) => [name, box.block()])),
  };
}

function importMeasure(
  task: Task,
  known: NamedMeasure[],
  times: ReadonlyMap<string, string>,
): LeanMetric | undefined {
  const { cube, measure, at, desk, home, tables } = task;
  const aggregate = aggregateOf(measure, cube.name);
  if (aggregate === undefined) return undefined;
  const filters = readFilters(task);
  if (filters === undefined) return undefined;
  const { words: given, block } = readWords(measure);
  const words = desk.wordsOf(measure, given);
  const own: BlockData = { ...block, ...words.note, ...keptOf(measure, at, desk) };
  const finish = (sql: string, ours: BlockData, written: BlockData): LeanMetric => {
    desk.mark(`metric ${words.name}`, at);
    return withoutUndefined({
      name: words.name,
      expression: expressionIn(sql),
      description: measure.description ?? undefined,
      ai_context: contextOf(words.synonyms, given.instructions),
      custom_extensions: blocks({ CANDOR: ours, [CUBE_VENDOR]: { ...own, ...written } }),
    });
  };
  const ratio = filters.length > 0 ? undefined : ratioOf(aggregate, cube.name, known);
  if (ratio !== undefined) {
    const [above, under] = ratio;
    const sql = `${above.sql} / ${under.sql}`;
    const written = keepWritten(measure.sql ?? '', sql, cubeRatio(above.id, under.id));
    const notes = { ...written, cube: cube.name };
    return finish(sql, { ratio: { numerator: above.name, denominator: under.name } }, notes);
  }
  const resolved = resolveExpression(aggregate, tables, home);
  if (resolved === undefined || resolved.tables.some((table) => table !== home.table)) return undefined;
  known.push({ id: `${cube.name}.${measure.name}`.toLowerCase(), name: words.name, sql: resolved.sql });
  const shape = measureShape(resolved.sql);
  const isAsWritten =
    shape.type === measure.type &&
    (shape.sql ?? '') === (measure.sql ?? '') &&
    filters.every(({ same }) => same);
  if (measure.type === 'count_distinct_approx')
    desk.lose('approximated', at, `measure ${measure.name} is approximate there, exact here`);
  const written: BlockData = isAsWritten
    ? {}
    : {
        written: {
          text: JSON.stringify(
            withoutUndefined({ type: measure.type, sql: measure.sql, filters: measure.filters }),
          ),
          for: JSON.stringify([resolved.sql, ...filters.map(({ sql }) => sql)]),
        },
      };
  const ours = {
    table: home.table,
    filters: filters.length === 0 ? undefined : filters.map(({ sql }) => sql),
    time_column: times.get(home.table),
  };
  return finish(resolved.sql, ours, written);
}

function keptOf(measure: CubeMeasure, at: Spot, desk: ImportContext): BlockData {
  const shown = ['name', 'title', 'description', 'meta', 'type', 'sql', 'filters'];
  const kept = Object.keys(MEASURE.shape).filter((key) => !shown.includes(key) && measure[key] != null);
  return keepKeys(measure, at, { desk, known: Object.keys(MEASURE.shape), kept });
}

interface ReadFilter {
  readonly sql: string;
  /** Whether an export writes it as it stood. */
  readonly same: boolean;
}

function readFilters({ cube, measure, home, tables }: Task): ReadFilter[] | undefined {
  const filters = (measure.filters ?? []).map(({ sql, ...others }): ReadFilter | undefined => {
    const plain = plainSql(sql, cube.name);
    const resolved = plain === undefined ? undefined : resolveExpression(plain, tables, home);
    if (resolved === undefined || resolved.tables.some((table) => table !== home.table)) return undefined;
    return { sql: resolved.sql, same: cubeSql(resolved.sql) === sql && Object.keys(others).length === 0 };
  });
  return filters.every((filter) => filter !== undefined) ? filters : undefined;
}

/** `{revenue} / NULLIF({orders.count}, 0)`, both measures that are known. */
function ratioOf(
  sql: string,
  cube: string,
  known: readonly NamedMeasure[],
): readonly [NamedMeasure, NamedMeasure] | undefined {
  const ratio = ratioIn(sql);
  if (ratio === undefined) return undefined;
  const [above, under] = [ratio.numerator, ratio.denominator].map((side) => {
    const [column, ...others] = columnsIn(side) ?? [];
    const [name = '', owner = cube] = [...(column?.parts ?? [])].reverse();
    if (others.length > 0 || !name.startsWith(MEMBER_MARK) || /[()*+ ]/.test(side)) return undefined;
    return known.find(({ id }) => id === `${owner}.${name.slice(MEMBER_MARK.length)}`.toLowerCase());
  });
  return above === undefined || under === undefined ? undefined : [above, under];
}

/** How a ratio is written; both as `cube.measure`. */
export function cubeRatio(above: string, under: string): string {
  return `{${above}} / NULLIF({${under}}, 0)`;
}

/** An aggregate of ours as type and `sql` of a measure. */
export function measureShape(sql: string): { readonly type: string; readonly sql?: string } {
  if (/^COUNT\(\s*\*\s*\)$/i.test(sql)) return { type: 'count' };
  const [, name = '', distinct, argument = ''] = /^(\w+)\(\s*(DISTINCT\s)?([^()]*)\)$/is.exec(sql) ?? [];
  const type = name.toLowerCase() + (distinct === undefined ? '' : '_distinct');
  const isOne = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'].includes(type);
  if (isOne && argument.trim() !== '' && !argument.includes(','))
    return { type, sql: cubeSql(argument.trim()) };
  return { type: 'number', sql: cubeSql(sql) };
}

/** The members of a cube that expressions may name, each over plain names. */
export function membersOf(place: Pick<CubePlace, 'cube'>): (readonly [string, string])[] {
  const { cube } = place;
  const dimensions = (cube.dimensions ?? []).flatMap(({ name, sql }) => {
    const plain = plainSql(sql ?? name, cube.name);
    return plain === undefined ? [] : [[name, plain] as const];
  });
  const measures = (cube.measures ?? []).flatMap((measure) => {
    const aggregate = measure.filters == null ? aggregateOf(measure, cube.name) : undefined;
    return aggregate === undefined ? [] : [[measure.name, aggregate] as const];
  });
  return [...dimensions, ...measures];
}
