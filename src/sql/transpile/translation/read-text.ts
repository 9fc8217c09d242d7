/** What a text literal says, its escapes undone by the rules of its dialect. */
import type { DialectName } from '../../dialects/dialect.ts';
import { ownTokens } from '../../print/own-words.ts';
import type { SqlNode, SqlTree } from '../../tree/node.ts';

/** The text, or `undefined` for literals of bytes and others that are no plain text. */
export function readText(node: SqlNode, tree: SqlTree): string | undefined {
  let text = '';
  for (const token of ownTokens(tree, node, [])) {
    const part = readToken(token.text, tree.dialect);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

function readToken(text: string, dialect: DialectName): string | undefined {
  if (text.startsWith('$'))
    return text.slice(text.indexOf('$', 1) + 1, text.lastIndexOf('$', text.length - 2));
  const open = text.search(/['"]/);
  const prefix = text.slice(0, open).toLowerCase();
  if (!PLAIN_PREFIX.test(prefix)) return undefined;
  const quote = text.charAt(open);
  const isTriple =
    dialect === 'bigquery' && text.length >= open + 6 && text.startsWith(quote.repeat(3), open);
  const inner = isTriple ? text.slice(open + 3, -3) : text.slice(open + 1, -1);
  if (prefix === 'r') return inner;
  const escapes = prefix === 'e' ? ESCAPES.postgres : ESCAPES[dialect];
  const doubled = dialect === 'bigquery' ? '' : quote + quote;
  if (escapes === undefined || (prefix !== 'e' && PREFIXED.has(dialect)))
    return inner.replaceAll(doubled, quote);
  return withoutEscapes(inner, { doubled, escapes });
}

/** What may stand before the quotes of a text; others make bytes, or characters by a rule of their own. */
const PLAIN_PREFIX = /^(?:[enr]|_utf8(?:mb[34])?)?$/;

/** Dialects whose texts have escapes behind an E alone. */
const PREFIXED: ReadonlySet<DialectName> = new Set(['postgres', 'duckdb']);

interface Escapes {
  /** What a sign behind a backslash means, where it is not the sign itself. */
  readonly signs: Readonly<Record<string, string>>;
  /** Codes behind a backslash, one group for the digits of each base. */
  readonly codes: RegExp;
  /** A code names a byte and not a character: above 127 it is part of one. */
  readonly codesAreBytes: boolean;
}

const C_SIGNS = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const ESCAPES: Readonly<Partial<Record<DialectName, Escapes>>> = {
  postgres: {
    signs: C_SIGNS,
    codes: /^\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))$/,
    codesAreBytes: true,
  },
  // The backslash stays before the signs of LIKE.
  mysql: {
    signs: { b: '\b', n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\x1a', '%': '\\%', _: '\\_' },
    codes: /^(?!)/,
    codesAreBytes: false,
  },
  snowflake: {
    signs: C_SIGNS,
    codes: /^\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|u([0-9a-fA-F]{4}))$/,
    codesAreBytes: false,
  },
  bigquery: {
    signs: { ...C_SIGNS, a: '\x07', v: '\v' },
    codes: /^\\(?:[xX]([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))$/,
    codesAreBytes: false,
  },
};

interface EscapeRules {
  /** A quote written twice; empty where that is not one. */
  readonly doubled: string;
  readonly escapes: Escapes;
}

const ESCAPE = /\\(?:[xX][0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[\s\S])|''|""/g;

/** One pass from the left, as the engines read: a quote behind a backslash is not the first of two. */
function withoutEscapes(inner: string, { doubled, escapes }: EscapeRules): string | undefined {
  let isKnown = true;
  const text = inner.replace(ESCAPE, (found) => {
    if (!found.startsWith('\\')) return found === doubled ? found.charAt(0) : found;
    const code = codeOf(found, escapes);
    if (code === undefined) return signOf(found.charAt(1), escapes) + found.slice(2);
    const isByte = escapes.codesAreBytes && !/^\\u/i.test(found);
    if (code > 0x10ffff || (isByte && (code > 127 || code === 0))) isKnown = false;
    return code > 0x10ffff ? '' : String.fromCodePoint(code);
  });
  return isKnown ? text : undefined;
}

function codeOf(written: string, { codes }: Escapes): number | undefined {
  const [, hex, octal, short, long] = codes.exec(written) ?? [];
  const digits = hex ?? short ?? long;
  if (digits !== undefined) return Number.parseInt(digits, 16);
  return octal === undefined ? undefined : Number.parseInt(octal, 8);
}

function signOf(sign: string, { signs }: Escapes): string {
  return Object.hasOwn(signs, sign) ? (signs[sign] ?? '') : sign;
}
