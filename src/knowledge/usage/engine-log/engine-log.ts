/** Query logs that are tables or views of an engine: the engine groups their rows, and only the groups come here. */

export type EngineLogKind =
  /** Rows hold statements. */
  | 'statements'
  /** Rows name a table that was read. */
  | 'tables'
  /** ACCOUNT_USAGE.ACCESS_HISTORY: tables, as Snowflake itself tells them. */
  | 'snowflake-access-history'
  /** ACCOUNT_USAGE.QUERY_HISTORY: statements. */
  | 'snowflake-query-history'
  /** INFORMATION_SCHEMA.JOBS: tables, as BigQuery itself tells them. */
  | 'bigquery-jobs';

/** Names of columns, as the engine spells them. */
export interface EngineLogColumns {
  readonly user: string;
  /** A timestamp. */
  readonly time: string;
  /** Of `statements`. */
  readonly sql?: string;
  /** Of `tables`: a name, with schema and catalog before it where there are such. */
  readonly table?: string;
  /** True where the run ended well; absent: all did. */
  readonly success?: string;
  /** NULL where the run ended well. */
  readonly error?: string;
  /** Where names without a schema are looked up. */
  readonly database?: string;
  readonly schema?: string;
}

export interface EngineLog {
  /** What is known of its days is kept under this name. */
  readonly name: string;
  readonly kind: EngineLogKind;
  /** Names of the table or view, outermost first. */
  readonly table: readonly string[];
  /** Of `statements` and `tables`; the other kinds know theirs. */
  readonly columns?: EngineLogColumns;
}

/** Times without a zone, from and to before: `2025-01-31 00:00:00`. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether the rows are a history of the engine's own: then the guard, which keeps queries away from such tables, must not
 * stand before the connection.
 */
export function isOfEngine({ kind }: EngineLog): boolean {
  return kind !== 'statements' && kind !== 'tables';
}
