/** The semantic models of MetricFlow as metrics and links see them: entities, dimensions and measures by name. */
import { readOneColumn } from '../../semantic/semantic-file.ts';
import { type ForeignRecord, recordsIn, textOf } from '../foreign/foreign-record.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';

export interface SemanticModel {
  readonly name: string;
  /** Name of the dataset it is about. */
  readonly dataset: string;
  /** Its table, for expressions. */
  readonly table: LogicalTable;
  readonly record: ForeignRecord;
}

export interface Measure {
  readonly model: SemanticModel;
  readonly record: ForeignRecord;
}

export interface SemanticLayer {
  readonly models: readonly SemanticModel[];
  readonly measures: ReadonlyMap<string, Measure>;
}

export function semanticLayer(models: readonly SemanticModel[]): SemanticLayer {
  const measures = new Map<string, Measure>();
  for (const model of models)
    for (const record of recordsIn(model.record.measures)) {
      const name = textOf(record.name);
      if (name !== undefined && !measures.has(name)) measures.set(name, { model, record });
    }
  return { models, measures };
}

/** What a dimension, entity or measure computes: its `expr`, else the column of its name. */
export function expressionOf({ expr, name }: ForeignRecord): string {
  return textOf(expr) ?? (typeof expr === 'number' ? String(expr) : String(name));
}

/** The one column of a dimension or entity; `undefined` where it is computed. */
export function columnOf(record: ForeignRecord): string | undefined {
  return readOneColumn(expressionOf(record));
}

export function entitiesOf(model: ForeignRecord, types: readonly string[]): ForeignRecord[] {
  return recordsIn(model.entities).filter(
    ({ type, name }) => types.includes(String(type)) && textOf(name) !== undefined,
  );
}

/** Names under which a semantic model's dimensions are addressed. */
function ownEntities({ record }: SemanticModel): readonly string[] {
  const primary = textOf(record.primary_entity);
  const named = entitiesOf(record, ['primary', 'unique']).map(({ name }) => String(name));
  return primary === undefined ? named : [primary, ...named];
}

/** What a name in the filter of a metric over `home` stands for, as SQL over `table.column`. */
export function resolveFilterName({ call, name, grain }: FilterName, home: SemanticModel): FilterResult {
  const steps = name.split('__');
  const last = steps.at(-1) ?? '';
  const fail = (why: string): FilterResult => ({ ok: false, why });
  if (call === 'Metric') return fail(`its filter compares with the metric ${name}`);
  if (steps.length > 2) return fail(`its filter reaches ${name} over other tables`);
  if (steps.length === 2 && !ownEntities(home).includes(steps[0] ?? ''))
    return fail(`its filter names ${name}, which belongs to another table`);
  const members = recordsIn(call === 'Entity' ? home.record.entities : home.record.dimensions);
  const member = members.find((record) => record.name === last);
  if (member === undefined) return fail(`its filter names ${name}, which is not there`);
  const parameters = recordsIn([member.type_params])[0];
  const own = textOf(parameters?.time_granularity) ?? 'day';
  if (grain !== undefined && grain !== own) return fail(`its filter takes ${name} by ${grain}`);
  const resolved = resolveExpression(expressionOf(member), [home.table], home.table);
  if (resolved === undefined) return fail(`the expression of ${name} is not understood`);
  return { ok: true, sql: columnOf(member) === undefined ? `(${resolved.sql})` : resolved.sql };
}

/** The column that tells when a row of the measure happened. */
export function timeColumnOf({ model, record }: Measure): string | undefined {
  const defaults = recordsIn([model.record.defaults])[0];
  const name = textOf(record.agg_time_dimension) ?? textOf(defaults?.agg_time_dimension);
  const dimension = recordsIn(model.record.dimensions).find(
    (item) => name !== undefined && item.name === name,
  );
  return dimension && columnOf(dimension);
}

const AGGREGATES: ReadonlyMap<string, (sql: string) => string> = new Map([
  ['sum', (sql: string) => `SUM(${sql})`],
  ['avg', (sql: string) => `AVG(${sql})`],
  ['average', (sql: string) => `AVG(${sql})`],
  ['min', (sql: string) => `MIN(${sql})`],
  ['max', (sql: string) => `MAX(${sql})`],
  ['count', (sql: string) => `COUNT(${sql})`],
  ['count_distinct', (sql: string) => `COUNT(DISTINCT ${sql})`],
  ['sum_boolean', (sql: string) => `SUM(CASE WHEN ${sql} THEN 1 ELSE 0 END)`],
]);

/** The aggregate of a measure as SQL over `table.column`; `undefined` where we have none that means the same. */
export function measureSql({ model, record }: Measure): string | undefined {
  const aggregate = AGGREGATES.get(String(record.agg).toLowerCase());
  const resolved = resolveExpression(expressionOf(record), [model.table], model.table);
  return resolved && aggregate?.(resolved.sql);
}

// Filters of MetricFlow: SQL conditions with a few documented Jinja calls for dimensions.

/** A dimension, entity or metric that a filter names. */
export interface FilterName {
  readonly call: 'Dimension' | 'TimeDimension' | 'Entity' | 'Metric';
  /** `order__status`, as written. */
  readonly name: string;
  readonly grain?: string;
}

type FilterResult =
  | { readonly ok: true; readonly sql: string }
  | { readonly ok: false; readonly why: string };

const LONGEST = 10_000;
const CALL =
  /\{\{-?\s*(Dimension|TimeDimension|Entity|Metric)\s*\(([^(){}]{1,300})\)((?:\.[^{}]{1,200})?)\s*-?\}\}/g;
const ARGUMENTS = /^\s*(['"])([^'"]+)\1\s*(?:,\s*(?:time_granularity\s*=\s*)?(['"])(\w+)\3\s*)?,?\s*$/;
const GRAIN = /^\s*\.grain\(\s*(['"])(\w+)\1\s*\)\s*$/;

/**
 * The condition with each call replaced by what `resolve` gives for it, a text or why there is none. Only the forms of
 * the documentation are read; any other Jinja could mean anything.
 */
export function readFilter(text: string, resolve: (name: FilterName) => FilterResult): FilterResult {
  if (text.length > LONGEST) return { ok: false, why: `a filter of more than ${LONGEST} characters` };
  let failure: string | undefined;
  const sql = text.replace(CALL, (_, call: string, inside: string, behind: string) => {
    const name = readCall(call, inside, behind);
    const result: FilterResult =
      name === undefined
        ? { ok: false, why: `${call}(${inside.trim()})${behind} is no form that is read` }
        : resolve(name);
    if (result.ok) return result.sql;
    failure ??= result.why;
    return '';
  });
  if (failure !== undefined) return { ok: false, why: failure };
  if (/\{[{%#]/.test(sql)) return { ok: false, why: 'its filter holds Jinja that is not read' };
  return { ok: true, sql: sql.trim() };
}

function readCall(call: string, inside: string, behind: string): FilterName | undefined {
  const found = ARGUMENTS.exec(inside);
  const grain = behind.trim() === '' ? undefined : GRAIN.exec(behind);
  if (found === null || grain === null) return undefined;
  const [, , name = '', , inCall] = found;
  const said = grain?.[2] ?? inCall;
  const known = (['Dimension', 'TimeDimension', 'Entity', 'Metric'] as const).find((item) => item === call);
  return known && { call: known, name, ...(said === undefined ? {} : { grain: said }) };
}

/** How a filter names a dimension of a semantic model. */
export function writeFilterName(entity: string, dimension: string, isTime: boolean): string {
  return isTime
    ? `{{ TimeDimension('${entity}__${dimension}', 'day') }}`
    : `{{ Dimension('${entity}__${dimension}') }}`;
}

/** The texts of a filter: one condition, or several that all hold. */
export function filterTexts(filter: unknown): readonly string[] | undefined {
  if (filter === undefined || filter === null || filter === '') return [];
  if (typeof filter === 'string') return [filter];
  return Array.isArray(filter) && filter.every((item) => typeof item === 'string') ? filter : undefined;
}
