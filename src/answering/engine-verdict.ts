/** What an engine said against a query, with what to do about it here: which table, which right, which engine. */
import { readQuery, type SchemaFacts } from '../faults/index.ts';
import { ENGINE_NAMES } from '../sql/index.ts';
import { type EngineError, type Problem, readEngineError } from '../validation/index.ts';

export interface EngineVerdict extends EngineError {
  /** What to do next, in whole sentences. */
  readonly next: string;
}

export interface Told {
  readonly sql: string;
  readonly schema: SchemaFacts;
}

/** Reads the error in the light of the query and the catalog. */
export function engineVerdict(message: string, told: Told): EngineVerdict {
  const error = readEngineError(message);
  return { ...error, next: nextOf(error, told) };
}

/** The error as a problem of the query; undefined where the checks found what explains it. */
export function engineProblem(
  { kind, message, name, instead }: EngineVerdict,
  found: readonly Problem[],
): Problem | undefined {
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.some((problem) => explains(problem, kind, name))) return undefined;
  const what = WHAT[kind];
  const text = what === undefined ? `the engine says: ${message}` : `${what}; the engine says: ${message}`;
  return { kind: 'engine', severity: 'error', text, instead };
}

/** A name that both find wrong, or a fault of the same kind; who may read what, the checks never find. */
function explains(problem: Problem, kind: EngineError['kind'], name: string | undefined): boolean {
  if (OUTSIDE.has(kind)) return false;
  if (name !== undefined && problem.text.toLowerCase().includes(lastOf(name).toLowerCase())) return true;
  // What does not parse or reads no user's data at all makes every other error of it likely.
  if (problem.kind === 'parse' || problem.kind === 'system-table') return true;
  return name === undefined;
}

const OUTSIDE: ReadonlySet<EngineError['kind']> = new Set([
  'access-denied',
  'timeout',
  'resources',
  'division-by-zero',
]);

const WHAT: Partial<Record<EngineError['kind'], string>> = {
  'access-denied': 'the engine denies access',
  'missing-table': 'the engine does not find a table',
  'missing-column': 'the engine does not find a column',
  'missing-function': 'the engine does not have a function',
  'division-by-zero': 'a divisor is zero in some row',
  timeout: 'the query takes longer than it may',
  resources: 'the query needs more than it may use',
  type: 'values of different types meet',
  syntax: 'the engine cannot read the query',
};

function nextOf(error: EngineError, told: Told): string {
  const { name, instead, hint } = error;
  const own = hint === undefined ? '' : ` The engine’s own advice: ${hint}`;
  const offered = instead.length === 0 ? '' : ` It offers: ${instead.join(', ')}.`;
  const here = told.schema.catalog.dialect;
  switch (error.kind) {
    case 'access-denied':
      return `${askFor(error, told)} No other wording of the query helps.${own}`;
    case 'missing-table': {
      const again = `Where ${name ?? 'a table'} is meant, look whether the query ran in the database and schema that Candor reads, and run \`candor onboard\` again if tables have changed. Some engines say the same of a table that one may not read: then ask for the right to read it.`;
      return `${again}${offered}${own}`;
    }
    case 'missing-column':
      return `Look whether ${name ?? 'the column'} was renamed or dropped, and run \`candor onboard\` again if it was.${offered}${own}`;
    case 'missing-function':
      return `Write ${name === undefined ? 'it' : `${name}(…)`} with functions that ${ENGINE_NAMES[here]} has, with arguments of the types it takes.${offered}${own}`;
    case 'division-by-zero':
      return 'Write NULLIF(divisor, 0) for the divisor, so that such rows give NULL, or leave these rows out with a condition.';
    case 'timeout':
      return `Read less: a condition on a date or partition of ${tablesIn(told)}, fewer columns, no join that is not needed; or ask whoever runs the engine for more time.${own}`;
    case 'resources':
      return `Read less: a condition on a date or partition of ${tablesIn(told)}, a smaller GROUP BY or ORDER BY; or ask whoever runs the engine for more room.${own}`;
    case 'type':
      return `Make both sides of one type: CAST the one that is not (… AS …), or correct the literal.${offered}${own}`;
    case 'syntax':
      return `It is valid for ${ENGINE_NAMES[here]}, for which it was checked here. If it ran on another engine, open that database with Candor; else look at the place that the engine names.${own}`;
    case 'unknown':
      return `No rule knows this error. Schema, values and engine have nothing against the query here, so look at what is different where it ran: the database, the account, its limits.${own}`;
  }
}

/** Which right to ask for on which table, in the words of the engine. */
function askFor({ name, right }: EngineError, told: Told): string {
  const on = name ?? tablesIn(told);
  const { dialect } = told.schema.catalog;
  if (right?.includes('.'))
    return `Ask for the permission ${right} on ${on}${ROLE[right] === undefined ? '' : ` (the role ${ROLE[right]} has it)`}.`;
  switch (dialect) {
    case 'bigquery':
      return `Ask for the role roles/bigquery.dataViewer on ${on} or its dataset.`;
    case 'sqlite':
    case 'duckdb':
      return `Ask for the right to read ${on}, or for read permission on the file of the database.`;
    case 'snowflake':
      return `Ask for SELECT on ${on}, and USAGE on its schema and database: GRANT SELECT ON TABLE ${on} TO ROLE <role>.`;
    case 'postgres':
      return `Ask for SELECT on ${on}, and USAGE on its schema: GRANT SELECT ON ${on} TO <account>.`;
    case 'mysql':
    case 'trino':
      return `Ask for SELECT on ${on}: GRANT SELECT ON ${on} TO <account>.`;
  }
}

const ROLE: Readonly<Record<string, string>> = {
  'bigquery.tables.getData': 'roles/bigquery.dataViewer',
  'bigquery.tables.get': 'roles/bigquery.metadataViewer',
  'bigquery.jobs.create': 'roles/bigquery.jobUser',
};

const MOST_NAMED = 5;

/** The tables that a query reads, by the names people know. */
function tablesIn({ sql, schema }: Told): string {
  const read = readQuery(sql, schema.catalog.dialect, schema.catalog);
  if (!read.ok) return 'its tables';
  const sources = read.query.scopes.sources.flatMap((source) => source?.table?.id ?? []);
  const names = [...new Set(sources)].map((id) => schema.tables.get(id)?.name ?? id);
  return names.length === 0 ? 'its tables' : names.slice(0, MOST_NAMED).join(', ');
}

function lastOf(name: string): string {
  return name.split(/[.:]/).at(-1) ?? name;
}
