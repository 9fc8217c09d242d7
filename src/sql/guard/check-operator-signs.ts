import type { Token } from '../lex-sql.ts';
import { type Refusal, refuse } from './verdict.ts';

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
export function checkOperatorSigns(tokens: readonly Token[]): Refusal | undefined {
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
