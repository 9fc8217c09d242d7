import type { DialectName } from '../dialects/dialect.ts';
import { significantTokens, type Token } from '../dialects/lex-sql.ts';
import type { Span } from '../dialects/span.ts';
import { READING } from './reading-dialects.ts';

const FIRST_WORDS = new Set(['select', 'with', 'values', 'from', '(', 'table', 'pivot', 'unpivot']);

/** The part of the verdict that needs no tree, so that PRAGMA or COPY get a better answer than a parse error. */
export function checkTokens(tokens: readonly Token[], dialect: DialectName): Refusal | undefined {
  const significant = significantTokens(tokens);
  const first = significant.find((token) => token.text !== '(');
  if (first?.kind === 'word' && !FIRST_WORDS.has(first.text.toLowerCase())) {
    return refuse(`a statement that begins with ${first.text} is not a query`, first.text, first);
  }
  const end = significant.findIndex((token) => token.kind === 'operator' && token.text === ';');
  const next = end === -1 ? undefined : significant.slice(end).find((token) => token.text !== ';');
  if (next) return refuse('there is more than one statement', next.text, next);
  const quantifiers = PATTERN_DIALECTS.has(dialect) ? quantifiersIn(significant) : NO_TOKENS;
  for (const token of tokens) {
    const refusal = quantifiers.has(token) ? undefined : checkToken(token, dialect);
    if (refusal !== undefined) return refusal;
  }
  const bySigns = READING[dialect].operators === undefined ? undefined : checkOperatorSigns(tokens);
  return (
    bySigns ??
    checkLineEnds(tokens) ??
    checkContinuedEscapes(significant, dialect) ??
    checkInvisible(tokens, dialect)
  );
}

const PATTERN_DIALECTS: ReadonlySet<DialectName> = new Set(['trino', 'snowflake']);
const NO_TOKENS: ReadonlySet<Token> = new Set();

/**
 * The `?` of `PATTERN (A? B*?)`, which repeat a row and stand for no value. One that is an expression all the same is
 * refused in the tree.
 */
function quantifiersIn(significant: readonly Token[]): ReadonlySet<Token> {
  const found = new Set<Token>();
  let depth = 0;
  for (const [at, token] of significant.entries()) {
    if (token.text === '(') {
      const isPattern = /^pattern$/i.test(significant[at - 1]?.text ?? '');
      if (depth > 0 || isPattern) depth += 1;
    } else if (token.text === ')' && depth > 0) depth -= 1;
    else if (token.kind === 'parameter' && token.text === '?' && depth > 0) found.add(token);
  }
  return found;
}

/**
 * Some servers end a line comment at a carriage return alone, others do not: what stands after it would be in doubt.
 * Inside of quotes it is a character like others, and `\r\n` is the end of a line everywhere.
 */
function checkLineEnds(tokens: readonly Token[]): Refusal | undefined {
  const token = tokens.find(({ kind, text }, at) => {
    if (kind === 'text' || kind === 'quoted-name') return false;
    const isSplit = text.endsWith('\r') && tokens[at + 1]?.text.startsWith('\n') === true;
    return /\r(?!\n)/.test(isSplit ? text.slice(0, -1) : text);
  });
  return token && refuse('a carriage return stands without a line feed', '\\r', token);
}

/**
 * PostgreSQL and DuckDB read a text behind `E'…'` and a line break as its continuation, with escapes too, while every
 * other text has none: it would end at another place than we think.
 */
function checkContinuedEscapes(significant: readonly Token[], dialect: DialectName): Refusal | undefined {
  if (READING[dialect].continuesEscapes !== true) return undefined;
  const token = significant.find(
    ({ kind, text }, at) =>
      kind === 'text' && text.startsWith("'") && /^[eE]'/.test(significant[at - 1]?.text ?? ''),
  );
  return (
    token && refuse("a text behind E'…' would go on with its escapes; join them with ||", token.text, token)
  );
}

/** White space beyond ASCII, marks without width, and their like. */
const INVISIBLE = /[\u0085\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/;
/** Of these, what DuckDB turns into a space before it reads, where its look at quotes is as good as ours. */
const DUCKDB_SPACES = /^[\t\n\f\r \u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff]*$/;
/** What DuckDB's first look at quotes does not know: escapes, other quotes, comments over several lines. */
const BLINDS_DUCKDB = /^(?:[eE]'|\$|\/\*)/;

/**
 * To one engine such a character is white space, to the next a letter of a name: `a<U+200B>UNION<U+200B>SELECT` is one
 * name to most and three words to DuckDB. Inside of quotes and comments it does no harm; a mark before the first word
 * tells the encoding of a file.
 */
function checkInvisible(tokens: readonly Token[], dialect: DialectName): Refusal | undefined {
  const turnsToSpace = dialect === 'duckdb';
  const isBlind = turnsToSpace && tokens.some(({ text }) => BLINDS_DUCKDB.test(text));
  const token = tokens.find(({ kind, text, start }) => {
    const held = start === 0 ? text.replace(/^\ufeff/, '') : text;
    if (!INVISIBLE.test(held)) return false;
    // DuckDB would change the character inside of quotes too.
    if (isBlind) return true;
    if (kind === 'text' || kind === 'quoted-name' || kind === 'comment') return false;
    return !(turnsToSpace && kind === 'space' && DUCKDB_SPACES.test(held));
  });
  const character = token && (INVISIBLE.exec(token.text)?.[0] ?? '');
  const code = character?.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return (
    token &&
    refuse(`it holds the invisible character U+${code}, which engines read in two ways`, `U+${code}`, token)
  );
}

function checkToken(token: Token, dialect: DialectName): Refusal | undefined {
  // `$1` of Snowflake is a column by its place; a variable has a name.
  const isPlace = dialect === 'snowflake' && /^\$\d+$/.test(token.text);
  if (token.kind === 'parameter' && !isPlace) return refuse(...parameterReason(token), token);
  if (token.kind === 'text' && READING[dialect].riskyText?.test(token.text)) {
    const reason = 'text with escapes of its own is not allowed; use a plain quoted text';
    return refuse(reason, token.text, token);
  }
  if (token.kind === 'comment' && READING[dialect].refusedComment?.test(token.text)) {
    return refuse('a hint to the server may change its limits', token.text, token);
  }
  // The engines stop reading at NUL, the parser does not.
  if (token.text.includes('\0')) return refuse('the text holds a NUL character', '\\0', token);
  return undefined;
}

function parameterReason({ text }: Token): readonly [reason: string, offending: string] {
  if (text.startsWith('@@')) return ['a setting of the server is not data', text];
  if (text.startsWith('@')) return ['a variable or place outside the tables is not data', text];
  return ['a parameter has no value here', text];
}

/** The characters PostgreSQL makes operators of; anybody may make an operator of several of them. */
const SIGN = /^[-+*/<>=~!@#%^&|`?]+$/;
/** The longest name that an operator of PostgreSQL may have. */
const MOST_SIGNS = 63;
/** Only a sign with one of these may end in `+` or `-`. */
const MAY_END_IN_SIGN = /[~!@#%^&|`?]/;

/**
 * PostgreSQL reads as many characters as it can into one operator: `a %- 1` calls the operator `%-`, which somebody may
 * have made, where another reader sees a remainder of a negative number. Refuses signs that are read in two ways.
 */
function checkOperatorSigns(tokens: readonly Token[]): Refusal | undefined {
  for (let at = 0; at < tokens.length; ) {
    let end = at;
    while (end < tokens.length && isSign(tokens[end])) end += 1;
    const refusal = end - at > 1 ? checkRun(tokens.slice(at, end)) : undefined;
    if (refusal !== undefined) return refusal;
    at = Math.max(end, at + 1);
  }
  return undefined;
}

function isSign(token: Token | undefined): boolean {
  return token?.kind === 'operator' && SIGN.test(token.text);
}

/** Signs that stand together without space between them. */
function checkRun(run: readonly Token[]): Refusal | undefined {
  const [first] = run;
  if (first !== undefined && run.length > MOST_SIGNS)
    return refuse('so many signs stand together that no engine reads them', first.text, first);
  let rest = run.map(({ text }) => text).join('');
  for (const token of run) {
    const sign = firstOperator(rest);
    if (sign !== token.text) {
      const reason = `the engine would read ${sign} as one operator; put spaces between the signs`;
      return refuse(reason, sign, token);
    }
    rest = rest.slice(sign.length);
  }
  return undefined;
}

/** The lexical rule of PostgreSQL 4.1.3. */
function firstOperator(signs: string): string {
  let length = signs.length;
  while (length > 1 && /[+-]/.test(signs.charAt(length - 1))) {
    if (MAY_END_IN_SIGN.test(signs.slice(0, length - 1))) break;
    length -= 1;
  }
  return signs.slice(0, length);
}

/** Whether a statement only reads; a refusal explains itself. */
export type ReadOnlyVerdict =
  | { readonly readOnly: true }
  | {
      readonly readOnly: false;
      /** Why, in a sentence without its full stop. */
      readonly reason: string;
      /** The word, function, table or part that is not allowed. */
      readonly offending: string;
      /** Where it stands. */
      readonly span: Span;
    };

export type Refusal = Extract<ReadOnlyVerdict, { readOnly: false }>;

export function refuse(reason: string, offending: string, { start, end }: Span): Refusal {
  return { readOnly: false, reason, offending, span: { start, end } };
}
