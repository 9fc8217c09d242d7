import type { DialectName } from '../dialect.ts';
import { significantTokens, type Token } from '../lex-sql.ts';
import { checkOperatorSigns } from './check-operator-signs.ts';
import { READING } from './reading-dialects.ts';
import { type Refusal, refuse } from './verdict.ts';

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
  for (const token of tokens) {
    const refusal = checkToken(token, dialect);
    if (refusal !== undefined) return refusal;
  }
  const bySigns = READING[dialect].operators === undefined ? undefined : checkOperatorSigns(tokens);
  return bySigns ?? checkLineEnds(tokens);
}

/** Some servers end a line comment at a carriage return, others do not: what stands after it would be in doubt. */
function checkLineEnds(tokens: readonly Token[]): Refusal | undefined {
  const index = tokens.findIndex(({ text }, at) =>
    /\r(?!\n)/.test(text + (tokens[at + 1]?.text.charAt(0) ?? '')),
  );
  const token = tokens[index];
  return token && refuse('a carriage return stands without a line feed', '\\r', token);
}

function checkToken(token: Token, dialect: DialectName): Refusal | undefined {
  if (token.kind === 'parameter') return refuse(...parameterReason(token), token);
  if (token.kind === 'text' && READING[dialect].riskyText?.test(token.text)) {
    const reason = 'text with escapes of its own is not allowed; use a plain quoted text';
    return refuse(reason, token.text, token);
  }
  if (token.kind === 'quoted-name' && /^[uU]&/.test(token.text)) {
    return refuse('a name with escapes of its own is not allowed', token.text, token);
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
