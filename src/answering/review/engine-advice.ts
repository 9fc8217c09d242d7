/** What to do about an error of an engine, in whole sentences: in the words of the engine that is open. */

import type { SchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { ENGINE_NAMES } from '../../sql/dialects/index.ts';
import type { DialectName } from '../../sql/index.ts';
import type { EngineError } from '../../validation/index.ts';

/** The query that was refused, and what is known where it is to run. */
export interface Told {
  readonly sql: string;
  readonly schema: SchemaFacts;
}

type Advice = (error: EngineError, told: Told) => string;

export function engineAdvice(error: EngineError, told: Told): string {
  const { instead, hint } = error;
  const offered = instead.length === 0 ? '' : ` It offers: ${instead.join(', ')}.`;
  const own = hint === undefined ? '' : ` The engine’s own advice: ${hint}`;
  return `${ADVICE[error.kind](error, told)}${offered}${own}`;
}

const ADVICE: Readonly<Record<EngineError['kind'], Advice>> = {
  'access-denied': (error, told) => `${askFor(error, told)} No other wording of the query helps.`,
  write: () =>
    'It is refused as a write: Candor only reads, and no right to read helps. Ask for the rows that it would change with a SELECT, or run it with a client of your own if the change is meant.',
  unavailable: () =>
    'There is nothing in the query to change. Try again in a moment; if it stays, ask whoever runs the engine for its load, its locks and its connections.',
  'missing-table': ({ name }) =>
    `Where ${name ?? 'a table'} is meant, look whether the query ran in the database and schema that Candor reads, and run \`candor onboard\` again if tables have changed. Some engines say the same of a table that one may not read: then ask for the right to read it.`,
  'missing-column': ({ name }) =>
    `Look whether ${name ?? 'the column'} was renamed or dropped, and run \`candor onboard\` again if it was.`,
  'missing-function': ({ name }, told) =>
    `Write ${name === undefined ? 'it' : `${name}(…)`} with functions that ${engineOf(told)} has, with arguments of the types it takes.`,
  'missing-source': ({ name }) =>
    `Nothing in FROM goes by ${name ?? 'this name'} at this place: write the alias where a table has one, join the table, or write LATERAL before a subquery that looks at its neighbours.`,
  'ambiguous-column': ({ name }) => `Write the table before ${name ?? 'the column'}, with a dot.`,
  'duplicate-name': ({ name }) => `Give ${name ?? 'one of the two'} another alias: AS …, each name once.`,
  'missing-alias': () => 'Write a name behind the subquery in FROM: (SELECT …) AS part.',
  'group-by': ({ name }) =>
    `Add ${name ?? 'every column that stands beside an aggregate'} to GROUP BY, or aggregate it: MIN(…), MAX(…).`,
  'misplaced-call': (_, told) =>
    `A condition on an aggregate belongs in HAVING, behind GROUP BY. An aggregate of an aggregate, or a condition on a window, takes a subquery that computes the inner one first.${HAS_QUALIFY.has(dialectOf(told)) ? ' A condition on a window may also stand in QUALIFY.' : ''} ROW_NUMBER and its like need OVER (…).`,
  'order-by': () =>
    'Order by a position that the SELECT list has, counted from 1; behind SELECT DISTINCT only by what the list shows.',
  'subquery-rows': () =>
    'Say which of the rows is meant: IN (SELECT …) for any of them, MIN(…) or MAX(…) for one figure, ORDER BY … LIMIT 1 for the first, or a condition in the subquery that leaves one.',
  'column-count': () =>
    'Show one column in a subquery that is compared with one, and the same number of columns in every part of a UNION.',
  conversion: conversionAdvice,
  'out-of-range': () =>
    'A value is beyond what its type holds or the function takes: CAST to a wider type (BIGINT, DECIMAL, DOUBLE) before computing, and leave out rows for which there is no result (a negative root, the logarithm of zero) with a condition.',
  'division-by-zero': () =>
    'Write NULLIF(divisor, 0) for the divisor, so that such rows give NULL, or leave these rows out with a condition.',
  arguments: ({ name }, told) =>
    `Look up how many arguments ${name === undefined ? 'the function' : `${name}(…)`} takes in ${engineOf(told)}, and of which types; CAST what is of another one.`,
  pattern: () =>
    'Mend the pattern: every bracket is closed, and a bracket that is meant as a sign has \\ before it.',
  parameter: () =>
    'Write the value in place of the parameter: Candor runs a query as it is, without parameters.',
  timeout: (_, told) =>
    `Read less: a condition on a date or partition of ${tablesIn(told)}, fewer columns, no join that is not needed; or ask whoever runs the engine for more time.`,
  resources: (_, told) =>
    `Read less: a condition on a date or partition of ${tablesIn(told)}, a smaller GROUP BY or ORDER BY; or ask whoever runs the engine for more room.`,
  type: () => 'Make both sides of one type: CAST the one that is not (… AS …), or correct the literal.',
  syntax: (_, told) =>
    `It is valid for ${engineOf(told)}, for which it was checked here. If it ran on another engine, open that database with Candor; else look at the place that the engine names.`,
  unknown: () =>
    'No rule knows this error. Schema, values and engine have nothing against the query here, so look at what is different where it ran: the database, the account, its limits.',
};

const HAS_QUALIFY: ReadonlySet<DialectName> = new Set(['duckdb', 'snowflake', 'bigquery']);

const NUMBER = /int|num|dec|doub|float|real/i;
const TIME = /date|time/i;

/** What a value is none of: `number` for INT32. */
export function sortOf(target: string | undefined): string {
  if (target === undefined) return 'value of the type it is to be';
  if (NUMBER.test(target)) return 'number';
  if (TIME.test(target)) return 'date or time';
  return `value of type ${target.toUpperCase()}`;
}

function conversionAdvice({ value, target, name }: EngineError, told: Told): string {
  const sort = sortOf(target);
  if (value !== undefined && told.sql.includes(`'${value}'`))
    return `“${value}” stands in the query and is no ${sort}: write one there, or CAST the other side to text.`;
  const column = castColumn(told) ?? name ?? 'the column';
  const type = /^INT\d*$/i.test(target ?? '') ? 'INTEGER' : (target ?? '…').toUpperCase();
  const cast = `${TOLERANT[dialectOf(told)] ?? 'CAST'}(${column} AS ${type})`;
  const isTolerant = TOLERANT[dialectOf(told)] !== undefined;
  if (value === undefined)
    return `Some stored text is no ${sort}. ${isTolerant ? `Write ${cast}, which gives NULL for it.` : `Write a CASE with a condition in it, which casts only what looks like one.`}`;
  const write = isTolerant
    ? `Write ${cast}, which gives NULL for it,`
    : `Write ${cast.replace(`(${column} `, `(NULLIF(${column}, '${value}') `)}, which gives NULL for it (where there are more such values, a CASE that casts only what looks like one),`;
  return `“${value}” is stored text and no ${sort}. ${write} or leave such rows out with a condition: WHERE ${column} <> '${value}'.`;
}

/** A CAST that gives NULL for what it cannot read, where an engine has one. */
const TOLERANT: Partial<Record<DialectName, string>> = {
  duckdb: 'TRY_CAST',
  trino: 'TRY_CAST',
  snowflake: 'TRY_CAST',
  bigquery: 'SAFE_CAST',
};

/** The only column of the query that is cast, as it is written. */
function castColumn({ sql, schema }: Told): string | undefined {
  const read = readQuery(sql, schema.catalog.dialect, schema.catalog);
  if (!read.ok) return undefined;
  const casts = read.query.tree.nodes.filter(
    ({ type, parent }) => type === 'Column' && parent !== undefined && CASTS.has(parent.type),
  );
  const [only] = new Set(casts.map(({ start, end }) => read.query.tree.text.slice(start, end)));
  return casts.length === 1 ? only : undefined;
}

const CASTS: ReadonlySet<string> = new Set(['Cast', 'TryCast']);

function dialectOf({ schema }: Told): DialectName {
  return schema.catalog.dialect;
}

function engineOf(told: Told): string {
  return ENGINE_NAMES[dialectOf(told)];
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
