/** What an engine says of a restricted statement, without the text that the policy put into it. */
import { CandorError } from '../../errors.ts';
import { DIALECTS, type Token } from '../../sql/dialects/index.ts';
import { type DialectName, lexSql } from '../../sql/index.ts';
import type { Database, QueryLimits, QueryResult } from '../interface/database.ts';

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

/** What a message begins with: whose it is. */
const DATABASE = /^\S+ database [^:]*: /;
/** Classes of the SQL states of statements that do not hold together. */
const OF_STATEMENT = /^(?:21|42)/;
/** What DuckDB says of a statement before it has read a row. */
const BEFORE_ROWS = /^(?:Binder|Catalog|Parser) Error\b/;
const NUMBER = /(?<![\p{L}\p{N}_])\d/u;
const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`/g;
/** Where MariaDB says that a name stands. */
const CLAUSE =
  /^'(?:field list|select|where|having|on|(?:order|group) by|(?:where|having|on|group|order|from|partition) (?:clause|statement))'$/i;

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
  if (quotesPolicy(message, restricted))
    return new CandorError(error.code, `${KEPT_BACK} quotes what your access policy puts into it.`, { data });
  if (error.code === 'database.query-failed' && quotesValue({ message, data }, restricted))
    return new CandorError(error.code, `${KEPT_BACK} quotes a value, which may be one you may not see.`, {
      data,
    });
  return new CandorError(error.code, message, { data });
}

/**
 * Whether a message may quote a value of a row: a mask or a filter that casts fails over values that it hides. That a value
 * stands in the statement as written tells nothing: a list of guesses in it would find the right one.
 */
function quotesValue(
  { message, data }: Pick<CandorError, 'message' | 'data'>,
  { sql, dialect, isKnown }: Restricted,
): boolean {
  const said = message.replace(DATABASE, '');
  if (BEFORE_ROWS.test(said)) return false;
  const quoted = said.match(QUOTED) ?? [];
  // SQLite quotes no number of a row; those that it says are counts of columns.
  if (!OF_STATEMENT.test(String(data.sqlState ?? '')))
    return quoted.length > 0 || (dialect !== 'sqlite' && NUMBER.test(said));
  // Texts that are read as patterns and paths fail like statements: what is quoted must be names.
  const own = new Set(
    lexSql(sql, dialect).flatMap((token) => (token.kind === 'text' ? [] : [wordOf(token)])),
  );
  const isName = (word: string): boolean => own.has(word) || isKnown(word);
  return quoted.some((piece) => {
    const words = piece.slice(1, -1).toLowerCase().split('.');
    return !CLAUSE.test(piece) && !words.every(isName);
  });
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
