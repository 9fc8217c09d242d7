/** Texts in quotes and what they say. */
import type { Draft } from './draft.ts';
import type { Parser } from './rules.ts';

const TEXT_FLAGS = Object.freeze({ string: 'true' });

/** Texts beside each other are one in PostgreSQL, MySQL and Snowflake: `'a' 'b'`. */
export function parseText(parser: Parser): Draft {
  const { text, start } = parser.advance();
  if (/^[xX]'/.test(text)) return parser.node('HexString', start, [], text.slice(2, -1));
  if (/^[bB]'/.test(text) && !parser.grammar.dottedQuotes)
    return parser.node('BitString', start, [], text.slice(2, -1));
  const hasTriples = parser.grammar.dialect === 'bigquery';
  let value = textValue(text, hasTriples);
  // The sign that begins the escapes; they end no text.
  if (/^[uU]&/.test(text) && parser.key === 'UESCAPE' && parser.kindAhead(1) === 'text')
    parser.move(parser.at + 2);
  while (parser.grammar.textsJoin && parser.kind === 'text')
    value += textValue(parser.advance().text, hasTriples);
  return parser.node('Literal', start, [], value, TEXT_FLAGS);
}

/** What a text says, as far as its quotes go; backslashes stay as written. */
function textValue(text: string, hasTriples: boolean): string {
  if (text.charAt(0) === '$')
    return text.slice(text.indexOf('$', 1) + 1, text.lastIndexOf('$', text.length - 2));
  const open = text.search(/['"]/);
  const quote = text.charAt(open);
  const isTriple = hasTriples && text.length >= open + 6 && text.startsWith(quote.repeat(3), open);
  const inner = isTriple ? text.slice(open + 3, -3) : text.slice(open + 1, -1);
  return isTriple || !inner.includes(quote) ? inner : inner.replaceAll(quote + quote, quote);
}
