import type { Settings } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FactList } from './fact-list.tsx';

const ENGINES: Readonly<Record<Settings['database']['engine'], string>> = {
  sqlite: 'SQLite',
  duckdb: 'DuckDB',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  trino: 'Trino',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
};

/** The database in use. */
export function DataFacts({ settings: { database, project } }: { readonly settings: Settings }) {
  const { desk } = useMessages();
  const { name, engine, tables, today } = database;
  return (
    <FactList
      title={desk.data}
      facts={[
        [desk.database, name],
        [desk.engine, ENGINES[engine]],
        ...(project === undefined
          ? []
          : ([[desk.databaseUrl, <code key="url">{project.database}</code>]] as const)),
        [desk.tablesSeen, String(tables)],
        [desk.today, today === undefined ? desk.todayClock : desk.todayOf(today)],
      ]}
    />
  );
}
