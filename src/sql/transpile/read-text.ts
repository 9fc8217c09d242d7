/** What a text literal says, its escapes undone by the rules of its dialect. */
import type { DialectName } from '../dialect.ts';
import { ownTokens } from '../print/own-words.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';

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

const BACKSLASH: ReadonlySet<DialectName> = new Set(['mysql', 'snowflake', 'bigquery']);

function readToken(text: string, dialect: DialectName): string | undefined {
  if (text.startsWith('$'))
    return text.slice(text.indexOf('$', 1) + 1, text.lastIndexOf('$', text.length - 2));
  const open = text.search(/['"]/);
  const prefix = text.slice(0, open).toLowerCase();
  if (prefix.includes('b') || prefix === 'x' || prefix === 'u&') return undefined;
  const quote = text.charAt(open);
  const isTriple = text.length >= open + 6 && text.startsWith(quote.repeat(3), open);
  const inner = isTriple ? text.slice(open + 3, -3) : text.slice(open + 1, -1);
  if (prefix === 'r') return inner;
  const hasEscapes = BACKSLASH.has(dialect) || prefix === 'e';
  const isDoubled = !isTriple && dialect !== 'bigquery';
  return withoutEscapes(inner, { quote: isDoubled ? quote : '', hasEscapes, dialect });
}

const PLAIN_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
};

interface EscapeRules {
  readonly quote: string;
  readonly hasEscapes: boolean;
  readonly dialect: DialectName;
}

function withoutEscapes(inner: string, { quote, hasEscapes, dialect }: EscapeRules): string {
  const single = quote === '' ? inner : inner.replaceAll(quote + quote, quote);
  if (!hasEscapes || !single.includes('\\')) return single;
  return single.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (whole, hex?: string, short?: string, long?: string, octal?: string, plain?: string) => {
      if (dialect === 'mysql') return mysqlEscape(whole.charAt(1), whole.slice(2));
      const code = hex ?? short ?? long;
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return PLAIN_ESCAPES[plain ?? ''] ?? plain ?? '';
    },
  );
}

/** MySQL knows few escapes, and keeps the backslash before the signs of LIKE. */
function mysqlEscape(sign: string, rest: string): string {
  if (sign === '%' || sign === '_') return `\\${sign}${rest}`;
  if (sign === '0') return `\0${rest}`;
  if (sign === 'Z') return `\x1a${rest}`;
  return ('nrtb'.includes(sign) ? (PLAIN_ESCAPES[sign] ?? '') : sign) + rest;
}
