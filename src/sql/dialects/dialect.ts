/** A dialect is data: what differs between engines when we print SQL. Nothing else asks which dialect it is. */
export type DialectName = 'sqlite' | 'duckdb' | 'postgres' | 'mysql' | 'trino' | 'snowflake' | 'bigquery';

export interface Dialect {
  readonly name: DialectName;
  readonly quote: '"' | '`';
  /** Names that reach what they spell without quotes: PostgreSQL folds others to lower case, Snowflake to upper. */
  readonly plainName: RegExp;
  /** What the engine makes of the letters of a name without quotes. */
  readonly foldsTo: 'same' | 'lower' | 'upper';
  /** `{0}` is an expression that holds a date or an ISO text. */
  readonly datePart: Readonly<Record<DatePart, string>>;
  /** Days from `{0}` to `{1}`, with the part of a day where they hold a time. */
  readonly daysBetween: string;
  /** The moment, in UTC and without a zone, that `{0}` seconds since 1970 stand for. */
  readonly fromEpoch: string;
  /** Text of a date literal, `{0}` is YYYY-MM-DD without quotes. */
  readonly dateLiteral: string;
  /** What is replaced inside a text, in this order: a quote is doubled where a backslash means itself. */
  readonly textEscapes: readonly (readonly [character: string, written: string])[];
  /** The same inside a name in quotes. */
  readonly nameEscapes: readonly (readonly [character: string, written: string])[];
  /** Case-insensitive LIKE operator. */
  readonly like: string;
  /** Division that does not truncate whole numbers: `{0}` by `{1}`, NULL when dividing by zero. */
  readonly divide: string;
  /** Words that must be quoted when used as a name. */
  readonly reserved: ReadonlySet<string>;
}

/** A weekday is a number from 0, Sunday; the quarter and the month of a year are numbers without their year. */
export type DatePart =
  | 'year'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'weekday'
  | 'quarter-of-year'
  | 'month-of-year';
