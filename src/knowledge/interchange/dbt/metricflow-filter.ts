/** Filters of MetricFlow: SQL conditions with a few documented Jinja calls for dimensions. */

/** A dimension, entity or metric that a filter names. */
export interface FilterName {
  readonly call: 'Dimension' | 'TimeDimension' | 'Entity' | 'Metric';
  /** `order__status`, as written. */
  readonly name: string;
  readonly grain?: string;
}

export type FilterResult =
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
