/** A hint to its statements: text outside quotes and brackets, cut at semicolons and ends of sentences. */

const OPENING = '([{';
const CLOSING = ')]}';
/** Longer hints are cut: nobody explains a question in more. */
const MAX_CHARACTERS = 4_000;
/** A comma parts statements only where one follows: "label = '+' means yes, label = '-' means no". */
const STATEMENT_AHEAD =
  /^\s*[\w. ]{1,60}?(?:\s(?:refers? to|means?|(?:is|are) (?:the|an?))\s|\s*=\s*['"][^'"]*['"]\s+(?:refers? to|means?)\s)/i;

/** `'a refers to x; b means y = 1.'` → `['a refers to x', 'b means y = 1']`. */
export function splitHint(hint: string): string[] {
  const text = normaliseSigns(hint.slice(0, MAX_CHARACTERS));
  const parts: string[] = [];
  let start = 0;
  for (const { at, character, depth } of outside(text)) {
    const rest = text.slice(at + 1);
    const isEnd =
      character === ';' ||
      character === '\n' ||
      (character === '.' && depth === 0 && /^(?:\s|$)/.test(rest)) ||
      (character === ',' && depth === 0 && STATEMENT_AHEAD.test(rest));
    if (!isEnd) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** Signs that keyboards and word processors put in place of plain ones, and operators typed with a gap. */
function normaliseSigns(text: string): string {
  return text
    .replace(/[；]/g, ';')
    .replace(/[，]/g, ',')
    .replace(/[（]/g, '(')
    .replace(/[）]/g, ')')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/([<>!])\s+=/g, '$1=');
}

/** The characters that stand in no quotes, with how many brackets are open around them. */
export function* outside(text: string): Generator<{ at: number; character: string; depth: number }> {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const end = closingQuote(text, at);
    if (end !== undefined) {
      at = end;
      continue;
    }
    if (OPENING.includes(character)) depth += 1;
    if (CLOSING.includes(character)) depth = Math.max(0, depth - 1);
    yield { at, character, depth };
  }
}

/** Where the quotes that open here close; an apostrophe within or behind a word opens none. */
function closingQuote(text: string, at: number): number | undefined {
  const quote = text[at];
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
  if (quote === "'" && /[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return undefined;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] !== quote) continue;
    // `'Women's Soccer'`: a quote before a letter goes on.
    if (quote === "'" && /[\p{L}\p{N}]/u.test(text[end + 1] ?? '')) continue;
    return end;
  }
  return undefined;
}
