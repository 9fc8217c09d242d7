/** What an engine says of a restricted statement, without the text that the policy put into it. */
import { CandorError } from '../../errors.ts';
import { DIALECTS, type DialectName, lexSql, type Token } from '../../sql/index.ts';
import type { Database, QueryLimits, QueryResult } from '../database.ts';

export interface Restricted {
  /** As it was written. */
  readonly sql: string;
  /** What the engine gets. */
  readonly text: string;
  readonly dialect: DialectName;
  /** Lower-case names that the caller may see anyhow. */
  readonly isKnown: (name: string) => boolean;
  /** The engine's words may quote rows that the policy hides. */
  readonly hidesErrors: boolean;
}

const KEPT_BACK = 'The engine could not run the SQL; its message is kept back since it';
/** Where DuckDB and MariaDB quote the statement that they got: its lines are not those that were written. */
const QUOTED_LINE = /\s*\bLINE \d+: [^\n]*\n\s*\^[^\n]*/g;
const QUOTED_REST = /[,;]? ?(?:check the manual [^']*?)?to use near '[\s\S]*' at line \d+/;
/** Of the places in a statement that a failure tells: in ours they are others. */
const PLACES: readonly string[] = ['position', 'line', 'column'];
/** Shorter literals are told from what else a message says only where they stand in quotes. */
const LEAST_LITERAL = 3;

/** Runs what asks the engine for a restricted statement; what it throws tells of the statement as it was written. */
export async function inOwnWords<T>(restricted: Restricted, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof CandorError ? retold(error, restricted) : error;
  }
}

/** The rows, under the names that the statement as written would give its columns. */
export async function withOwnHeaders(
  result: QueryResult,
  { sql, dialect }: Restricted,
  {
    below,
    limits,
    signal,
  }: { readonly below: Database; readonly limits: QueryLimits; readonly signal?: AbortSignal | undefined },
): Promise<QueryResult> {
  // Other engines name a column by what the rewriting keeps, see `keepNames`; DuckDB prints the whole statement anew.
  if (dialect !== 'duckdb' || !result.columns.some((name) => name.includes('"candor shown"'))) return result;
  const names = await namesOf(sql, { below, limits, signal });
  const columns = result.columns.map((name, index) => {
    if (!name.includes('"candor shown"')) return name;
    return names?.length === result.columns.length ? (names[index] ?? '') : `column${index}`;
  });
  return { ...result, columns };
}

/** DuckDB names the columns of a statement without reading a row of it. */
async function namesOf(
  sql: string,
  {
    below,
    limits,
    signal,
  }: { readonly below: Database; readonly limits: QueryLimits; readonly signal?: AbortSignal | undefined },
): Promise<readonly string[] | undefined> {
  try {
    const most = { ...limits, rows: 10_000, bytes: 10_000_000 };
    const { rows } = await below.query(`DESCRIBE ${sql}`, most, signal);
    return rows.map(([name]) => String(name));
  } catch (error) {
    // A statement that it cannot describe has numbered columns; a cancel or a lost engine ends the query itself.
    if (error instanceof CandorError && error.code === 'database.query-failed') return undefined;
    throw error;
  }
}

function retold(error: CandorError, restricted: Restricted): CandorError {
  // Neither the statement that the engine got goes on, nor the driver's own error, which may quote it.
  const data = Object.fromEntries(Object.entries(error.data).filter(([name]) => !PLACES.includes(name)));
  if ('sql' in data) data.sql = restricted.sql;
  if (error.code === 'database.query-failed' && restricted.hidesErrors)
    return new CandorError(error.code, `${KEPT_BACK} may tell of rows you may not see.`, { data });
  const message = error.message.replace(QUOTED_LINE, '').replace(QUOTED_REST, '').trimEnd();
  return quotesPolicy(message, restricted)
    ? new CandorError(error.code, `${KEPT_BACK} quotes what your access policy puts into it.`, { data })
    : new CandorError(error.code, message, { data });
}

/** Whether a message has a word or a value that stands in the rewritten statement and not in the one that was written. */
function quotesPolicy(message: string, { sql, text, dialect, isKnown }: Restricted): boolean {
  const written = sql.toLowerCase();
  const own = new Set(lexSql(sql, dialect).map((token) => wordOf(token)));
  const said = message.toLowerCase();
  const words = new Set(said.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const { reserved } = DIALECTS[dialect];
  // A restriction stands in the text as often as its table: each word is looked at once.
  const seen = new Set<string>();
  return lexSql(text, dialect).some((token) => {
    const word = wordOf(token);
    if (seen.has(`${token.kind} ${word}`)) return false;
    seen.add(`${token.kind} ${word}`);
    // An alias that keeps a column's name is a piece of what was written.
    if (word === '' || own.has(word) || (token.kind !== 'number' && written.includes(word))) return false;
    const isPlain = /^[\p{L}\p{N}_$]+$/u.test(word);
    const isLiteral = token.kind === 'text' || token.kind === 'number';
    if (!isLiteral && (reserved.has(word) || isKnown(word))) return false;
    if (isLiteral && word.length < LEAST_LITERAL)
      return [`'${word}'`, `"${word}"`, `(${word})`].some((quoted) => said.includes(quoted));
    return isPlain ? words.has(word) : said.includes(word);
  });
}

/** What a word, a quoted name or a literal stands for, in lower case; empty for the rest. */
function wordOf({ kind, text }: Token): string {
  if (kind === 'comment' || kind === 'operator' || text.trim() === '') return '';
  return text.replace(/^[A-Za-z]?(['"`[])([\s\S]*)['"`\]]$/, '$2').toLowerCase();
}
