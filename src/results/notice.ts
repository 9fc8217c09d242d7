/** What an engine, a session or the data have to say about rows that are not quite what they seem. */

type NoticeCode =
  /** The engine would not take a setting that we pin. */
  | 'setting-not-pinned'
  /** A setting that no session may set has another value than rows are read with elsewhere. */
  | 'setting-differs'
  /** The engine cut values. */
  | 'value-cut'
  /** The engine read values as something else than they say, or as NULL. */
  | 'value-misread'
  /** A division by zero gave NULL. */
  | 'division-by-zero'
  /** Amounts are written in the money of the server’s locale. */
  | 'money-locale'
  /** The stored data make a difference to a decision of the query: it is told with its effect. */
  | 'data-matters'
  /** The engine warned of something else. */
  | 'engine-warning';

/** Never holds the engine’s own words: they quote values, also of rows that a caller may not see. */
export interface Notice {
  readonly code: NoticeCode;
  /** A sentence for people. */
  readonly text: string;
}
