/** The statements of a text, and of each the part that reads. */

import { significantTokens, type Token, withoutQuotes } from '../../../sql/dialects/index.ts';
import { type DialectName, lexSql, parse } from '../../../sql/index.ts';
import type { SqlTree } from '../../../sql/tree/index.ts';
import { withoutPlaceholders } from './constants.ts';

export type ReadingPart =
  /** `isWhole`: the statement is this query, not one that writes what it shows elsewhere. */
  | { readonly kind: 'query'; readonly tree: SqlTree; readonly isWhole: boolean }
  | { readonly kind: 'not-reading' }
  | { readonly kind: 'not-sql'; readonly line: number; readonly column: number };

/** Statements of one text; a log line with more is no person's. */
const MAX_STATEMENTS = 100;

/** The texts between semicolons; those without a statement are left out. */
export function splitStatements(text: string, dialect: DialectName): readonly string[] {
  if (!text.includes(';')) return [text];
  const parts: string[] = [];
  let from = 0;
  for (const token of lexSql(text, dialect)) {
    if (token.text !== ';' || token.kind !== 'operator') continue;
    parts.push(text.slice(from, token.start));
    from = token.end;
  }
  parts.push(text.slice(from));
  const said = parts.filter((part) => significantTokens(lexSql(part, dialect)).length > 0);
  return said.length === 0 || said.length > MAX_STATEMENTS ? [text] : said;
}

/** The database of `USE name`. */
export function readUse(sql: string): string | undefined {
  const [, quoted, plain] = /^\s*use\s+(?:(`(?:[^`]|``)+`)|([^\s;`]+))\s*;?\s*$/i.exec(sql) ?? [];
  return quoted === undefined ? plain : withoutQuotes(quoted);
}

/**
 * The query of a statement: all of it, or what INSERT, CREATE TABLE … AS, COPY (…) TO and DECLARE … CURSOR FOR read. UPDATE,
 * DELETE, MERGE and EXPLAIN are not reading: their tables are written to, or nothing is run.
 */
export function readingPartOf(text: string, dialect: DialectName): ReadingPart {
  const parsed = parseLogged(text, dialect);
  if (!parsed.ok) return { kind: 'not-sql', line: parsed.error.line, column: parsed.error.column };
  const { tree } = parsed;
  if (tree.root.type !== 'Command') return { kind: 'query', tree, isWhole: true };
  const inner = queryInside(significantTokens(tree.tokens));
  if (inner === undefined) return { kind: 'not-reading' };
  const query = parseLogged(tree.text.slice(inner.start, inner.end), dialect);
  if (!query.ok || query.tree.root.type === 'Command') return { kind: 'not-reading' };
  return { kind: 'query', tree: query.tree, isWhole: false };
}

/** Servers write `$1` for constants, also where the grammar wants a constant: `DATE $1`. */
function parseLogged(text: string, dialect: DialectName): ReturnType<typeof parse> {
  const parsed = parse(text, dialect);
  if (parsed.ok) return parsed;
  const tokens = lexSql(text, dialect);
  if (!tokens.some(({ kind }) => kind === 'parameter')) return parsed;
  const again = parse(withoutPlaceholders(text, tokens), dialect);
  return again.ok ? again : parsed;
}

const WRITING_QUERIES: ReadonlySet<string> = new Set(['INSERT', 'REPLACE', 'CREATE', 'COPY', 'DECLARE']);

/** What CREATE fills by running a query; the query of a plain view is not run, nor is the body of a function. */
const FILLED: ReadonlySet<string> = new Set(['TABLE', 'MATERIALIZED']);
const NOT_RUN: ReadonlySet<string> = new Set(['FUNCTION', 'PROCEDURE', 'TRIGGER', 'RULE', 'POLICY', 'TASK']);

/** From SELECT or WITH to the end, or to the bracket that closes around it. */
function queryInside(tokens: readonly Token[]): { readonly start: number; readonly end: number } | undefined {
  const verb = tokens[0]?.text.toUpperCase() ?? '';
  if (!WRITING_QUERIES.has(verb)) return undefined;
  let depth = 0;
  let isFilled = verb !== 'CREATE';
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    const word = token.kind === 'word' ? token.text.toUpperCase() : '';
    // WITH before AS or a bracket belongs to options: CREATE TABLE t WITH (format = 'ORC') AS SELECT …
    const isQuery = word === 'SELECT' || (word === 'WITH' && startsWith(tokens, index));
    if (NOT_RUN.has(word) && verb === 'CREATE') return undefined;
    if (FILLED.has(word)) isFilled = true;
    if (!isQuery) continue;
    if (!isFilled) return undefined;
    const end = depth === 0 ? tokens.at(-1) : closingOf(tokens, index);
    return end === undefined ? undefined : { start: token.start, end: depth === 0 ? end.end : end.start };
  }
  return undefined;
}

/** `WITH name AS (`, `WITH name (columns) AS (`, `WITH RECURSIVE …`. */
function startsWith(tokens: readonly Token[], index: number): boolean {
  const [first, second] = [tokens[index + 1], tokens[index + 2]];
  if (first?.text.toUpperCase() === 'RECURSIVE') return true;
  const isName = first?.kind === 'word' || first?.kind === 'quoted-name';
  return isName && (second?.text.toUpperCase() === 'AS' || second?.text === '(');
}

/** The bracket that closes around the token. */
function closingOf(tokens: readonly Token[], index: number): Token | undefined {
  let depth = 0;
  for (const token of tokens.slice(index)) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (depth < 0) return token;
  }
  return undefined;
}
