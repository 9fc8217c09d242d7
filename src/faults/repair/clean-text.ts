/** The query in a text that a model wrote: without fences, prose around it, second statements and open brackets. */
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { inQuotes } from '../../sql/dialects/index.ts';
import { parse } from '../../sql/index.ts';

/** No text of a query is longer; each reading of it is parsed once. */
const LONGEST = 100_000;

/** The first reading of the text that parses and begins as a query; undefined where none does, and of what writes. */
export function cleanText(text: string, dialect: DialectName): string | undefined {
  // What writes is no query with something around it, also where a query stands inside.
  if (text.length > LONGEST || WRITES.test(text)) return undefined;
  const seen = new Set([text]);
  for (const reading of readings(text)) {
    const written = withoutEnd(reading.trim());
    if (written === '' || seen.has(written)) continue;
    seen.add(written);
    if (STARTS.test(written) && parse(written, dialect).ok) return written;
  }
  return undefined;
}

/**
 * Quotes that a word processor made, and a comma before FROM: mistakes of the hand, the rest stays letter by letter.
 * Undefined where there are none, or the text does not parse without them.
 */
export function tidyText(text: string, dialect: DialectName): string | undefined {
  if (text.length > LONGEST) return undefined;
  const tidied = text.replace(OUTSIDE_TEXTS, (whole, said: string | undefined, comma: string | undefined) => {
    if (said !== undefined) return inQuotes(said.slice(1, -1), "'");
    return comma ?? whole;
  });
  return tidied !== text && parse(tidied, dialect).ok ? tidied : undefined;
}

/** Texts and names in quotes are passed over; then what a word processor put in quotes, and a comma before FROM. */
const OUTSIDE_TEXTS =
  /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|([‘‚’][^‘’\n]{0,200}[’‘]|[“„”][^“”\n]{0,200}[”“])|,(\s{1,200}from\b)/gi;

// A run of spaces is looked at once: line breaks are not among them.
const WRITES =
  /(?:^|[;\n`])[^\S\n]*(?:insert|update|delete|merge|replace|drop|alter|create|truncate|grant|revoke|attach|detach|copy|call|exec(?:ute)?|pragma|set|vacuum|load|install)\b(?!\s*\()/i;
const STARTS = /^\s*(?:\(\s*)*(?:select|with|values)\b/i;

function* readings(text: string): Generator<string> {
  const [, inside, ...after] = text.split('```');
  const fenced = after.length === 0 ? undefined : inside?.replace(/^[a-z]+/i, '');
  for (const part of [fenced, text.replace(/```[a-z]*/gi, ' '), text]) {
    if (part === undefined) continue;
    yield part;
    const from = /\b(?:select|with)\b[\s\S]*/i.exec(part)?.[0] ?? part;
    for (const whole of [part, from]) {
      yield balanced(whole);
      // What follows a statement, an empty line or a comment that is never closed is talk, or another try.
      for (const end of [/;/, /\n\s*\n/, /```/, /\/\*/, /--/, /\s\|\s|[?]/]) {
        const cut = whole.split(end)[0] ?? '';
        yield cut;
        yield balanced(cut);
      }
    }
  }
}

/** Closes brackets that are open at the end, and leaves out those that close nothing. */
function balanced(text: string): string {
  let open = 0;
  let kept = '';
  let quote: string | undefined;
  for (const letter of text) {
    if (quote !== undefined) quote = letter === quote ? undefined : quote;
    else if (letter === "'" || letter === '"' || letter === '`') quote = letter;
    else if (letter === '(') open += 1;
    else if (letter === ')') {
      if (open === 0) continue;
      open -= 1;
    }
    kept += letter;
  }
  return `${withoutEnd(kept)}${quote ?? ''}${')'.repeat(open)}`;
}

/** Without semicolons and white space at its end; an expression would look at every run of spaces within. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && END.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

const END: ReadonlySet<string> = new Set([';', ' ', '\n', '\r', '\t']);
