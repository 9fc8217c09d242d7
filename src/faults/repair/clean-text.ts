/** The query in a text that a model wrote: without fences, prose around it, second statements and open brackets. */
import type { DialectName } from '../../sql/dialect.ts';
import { parse } from '../../sql/index.ts';

/** No text of a query is longer; each reading of it is parsed once. */
const LONGEST = 100_000;

/** The first reading of the text that parses and begins as a query; undefined where none does. */
export function cleanText(text: string, dialect: DialectName): string | undefined {
  if (text.length > LONGEST || WRITES.test(text)) return undefined;
  const seen = new Set([text]);
  for (const reading of readings(text)) {
    const written = reading.trim().replace(/[;\s]+$/, '');
    if (written === '' || seen.has(written)) continue;
    seen.add(written);
    if (STARTS.test(written) && parse(written, dialect).ok) return written;
  }
  return undefined;
}

/** A text that also changes data is no query with talk around it: nothing is made of a part of it. */
const WRITES =
  /(?:^|[;\n`])\s*(?:insert|update|delete|merge|replace|drop|alter|create|truncate|grant|revoke|attach|detach|copy|call|exec(?:ute)?|pragma|set|vacuum|load|install)\b(?!\s*\()/i;

const STARTS = /^\s*(?:\(\s*)*(?:select|with|values)\b/i;

function* readings(text: string): Generator<string> {
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(text)?.[1];
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
  return `${kept.replace(/[;\s]+$/, '')}${quote ?? ''}${')'.repeat(open)}`;
}
