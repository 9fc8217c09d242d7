import type { Attributes } from '@opentelemetry/api';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { ATTRIBUTES, inSpan } from '../../tracing/index.ts';
import type { Database } from './database.ts';
import { decorate } from './decorate.ts';

export interface TracedDatabaseOptions {
  /** The text of statements goes into spans; off unless somebody wants it. */
  readonly hasContent?: boolean;
}

/** As the conventions spell them; for engines that they do not list, by their manner. */
const SYSTEMS: Readonly<Record<DialectName, string>> = {
  sqlite: 'sqlite',
  duckdb: 'duckdb',
  postgres: 'postgresql',
  mysql: 'mysql',
  trino: 'trino',
  snowflake: 'snowflake',
  bigquery: 'gcp.bigquery',
};

const READING = /^\s*(?:\(\s*)*(select|with|values|show|describe|pragma|explain)\b/i;

/** Which database it is, for every span that has to do with one. */
export function databaseAttributes({ dialect, name }: Pick<Database, 'dialect' | 'name'>): Attributes {
  return { [ATTRIBUTES.dbSystem]: SYSTEMS[dialect], [ATTRIBUTES.dbNamespace]: name };
}

/** A span for every statement that the engine gets, below the question or request it is for. */
export function tracedDatabase(
  database: Database,
  { hasContent = false }: TracedDatabaseOptions = {},
): Database {
  const place = { ...databaseAttributes(database), ...serverOf(database.url) };
  const settingsOf = (operation: string | undefined, sql: string, counts: 'queries' | 'plans') => ({
    counts,
    kind: 'client' as const,
    needsParent: true,
    attributes: {
      ...place,
      [ATTRIBUTES.dbOperation]: operation,
      [ATTRIBUTES.dbText]: hasContent ? sql : undefined,
    },
  });
  return decorate(database, (below) => ({
    query: (sql, limits, signal) => {
      const operation = operationOf(sql);
      return inSpan(
        spanName(operation, database),
        settingsOf(operation, sql, 'queries'),
        async ({ tell }) => {
          const result = await below.query(sql, limits, signal);
          tell({ [ATTRIBUTES.dbRows]: result.rows.length });
          return result;
        },
      );
    },
    explain: (sql, signal) =>
      inSpan(spanName('EXPLAIN', database), settingsOf('EXPLAIN', sql, 'plans'), () =>
        below.explain(sql, signal),
      ),
  }));
}

function spanName(operation: string | undefined, { name }: Database): string {
  return operation === undefined ? name : `${operation} ${name}`;
}

/** What begins with `WITH` reads as well: nothing else passes the guard. */
function operationOf(sql: string): string | undefined {
  const word = READING.exec(sql)?.[1]?.toUpperCase();
  return word === 'WITH' ? 'SELECT' : word;
}

/** Of a URL without secrets; a file has no server. */
function serverOf(shown: string): Attributes {
  if (!URL.canParse(shown)) return {};
  const { hostname, port } = new URL(shown);
  if (hostname === '') return {};
  return {
    [ATTRIBUTES.serverAddress]: hostname,
    [ATTRIBUTES.serverPort]: port === '' ? undefined : Number(port),
  };
}
