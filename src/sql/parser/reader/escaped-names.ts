/** PostgreSQL's `U&"d\0061ta"`, with the sign of its escapes behind it or not, as the name that it spells. */
import type { Token } from '../../dialects/lex-sql.ts';
import { SyntaxFault } from './token-reader.ts';

const ESCAPED = /^[uU]&"/;
/** One sign that the server takes for the beginning of an escape; fewer than it would take. */
const SIGN = /^'([!-~])'$/;
const NO_SIGN = /[0-9a-fA-F+'"]/;
/** What such a name may spell: nothing that hides, and no quotes. */
const PLAIN = /^[\p{L}\p{N}_ $-]+$/u;
/** The server cuts longer ones, and then they are others. */
const MOST_BYTES = 63;

/** The significant tokens of a statement, each such name as one quoted name over all of its text. */
export function joinEscapedNames(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(isEscapedName)) return tokens;
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (!isEscapedName(token)) {
      joined.push(token);
      continue;
    }
    const word = tokens[at + 1];
    const hasSign = word?.kind === 'word' && word.text.toUpperCase() === 'UESCAPE';
    const sign = hasSign ? readSign(tokens, at + 2) : '\\';
    if (hasSign) at += 2;
    const name = decode(token, sign);
    joined.push({ ...token, text: `"${name}"`, end: tokens[at]?.end ?? token.end });
  }
  return joined;
}

export function isEscapedName({ kind, text }: Token): boolean {
  return kind === 'quoted-name' && ESCAPED.test(text);
}

function readSign(tokens: readonly Token[], at: number): string {
  const [token, next] = [tokens[at], tokens[at + 1]];
  const sign = SIGN.exec(token?.text ?? '')?.[1];
  // A text that goes on would be another sign.
  if (token === undefined || sign === undefined || NO_SIGN.test(sign) || next?.kind === 'text')
    throw new SyntaxFault('UESCAPE takes one sign in quotes', token?.start ?? tokens.at(-1)?.start ?? 0);
  return sign;
}

/** `\0061` and `\+000061` are `a`, a doubled sign is itself; halves of characters are no escapes here. */
function decode({ text, start }: Token, sign: string): string {
  const inner = text.slice(3, -1);
  let name = '';
  for (let at = 0; at < inner.length; ) {
    if (inner[at] !== sign) {
      name += inner[at];
      at += 1;
    } else if (inner[at + 1] === sign) {
      name += sign;
      at += 2;
    } else {
      const digits = /^(?:([0-9a-fA-F]{4})|\+([0-9a-fA-F]{6}))/.exec(inner.slice(at + 1, at + 8));
      const code = Number.parseInt(digits?.[1] ?? digits?.[2] ?? '', 16);
      // NaN is in no range.
      if (!(code > 0 && code <= 0x10_ff_ff))
        throw new SyntaxFault(`the name ${text} has an escape that is none`, start);
      name += String.fromCodePoint(code);
      at += 1 + (digits?.[0].length ?? 0);
    }
  }
  if (!PLAIN.test(name) || Buffer.byteLength(name) > MOST_BYTES)
    throw new SyntaxFault('a name with escapes spells more than letters, digits and spaces', start);
  return name;
}
