/** The formal side of a statement as SQL: what people write beside SQL is put into its words. */
import type { HintNames } from './hint-names.ts';
import { outside } from './split-hint.ts';

const CALL = /([A-Za-z_]+)\s*\(/y;

/**
 * `SUM(a where b = 1)` → `SUM(CASE WHEN b = 1 THEN a END)`; names of several words are quoted. A `where` outside all
 * brackets is left to the caller.
 */
export function formalText(text: string, names: HintNames): string {
  // A text is subtracted from nothing: the sign was meant to be the other one.
  const equal = doubleQuotes(text).replace(/([\w)])\s*-\s*(?=')/g, '$1 = ');
  return conditionsInside(quoteNames(equal, names));
}

/** The text before and behind each `where` that stands in no brackets and no quotes. */
export function splitWhere(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { at, depth } of outside(text)) {
    if (depth > 0 || !/^where\b/i.test(text.slice(at, at + 6)) || /\w/.test(text[at - 1] ?? '')) continue;
    parts.push(text.slice(start, at));
    start = at + 5;
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

/** `'Women's Soccer'` → `'Women''s Soccer'`. */
function doubleQuotes(text: string): string {
  return text.replace(
    /'((?:[^']|(?<=\p{L})'(?=\p{L}))*)'/gu,
    (_all, inner: string) => `'${inner.replaceAll("'", "''")}'`,
  );
}

function conditionsInside(text: string): string {
  let written = '';
  for (let at = 0; at < text.length; ) {
    CALL.lastIndex = at;
    const call = CALL.exec(text);
    const isWordStart = !/\w/.test(text[at - 1] ?? '');
    const end = call === null || !isWordStart ? undefined : closingBracket(text, CALL.lastIndex - 1);
    if (call === null || end === undefined) {
      written += text[at];
      at += 1;
      continue;
    }
    const inner = conditionsInside(text.slice(CALL.lastIndex, end));
    written += `${call[1]}(${splitArguments(inner).map(asCase).join(', ')})`;
    at = end + 1;
  }
  return written;
}

/** The arguments of a call. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { at, character, depth } of outside(text)) {
    if (character !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

function asCase(text: string): string {
  const [value, ...conditions] = splitWhere(text);
  return conditions.length === 0 ? text : `CASE WHEN ${conditions.join(' AND ')} THEN ${value} END`;
}

function closingBracket(text: string, open: number): number | undefined {
  for (const { at, character, depth } of outside(text.slice(open)))
    if (character === ')' && depth === 0) return open + at;
  return undefined;
}

const MAX_NAME_WORDS = 4;

/** `first name` → `"first_name"` where the catalog has one. */
function quoteNames(text: string, names: HintNames): string {
  const plain = text.split(/('(?:[^']|'')*'|"[^"]*"|`[^`]*`)/);
  return plain.map((part, index) => (index % 2 === 1 ? part : quoteWithin(part, names))).join('');
}

function quoteWithin(text: string, names: HintNames): string {
  const words = [...text.matchAll(/[\p{L}_][\p{L}\p{N}_#-]*/gu)];
  let written = '';
  let from = 0;
  for (let i = 0; i < words.length; ) {
    const length = nameLength(text, words, i, names);
    const [first, last] = [words[i], words[i + length - 1]];
    if (first === undefined || last === undefined) break;
    const end = last.index + last[0].length;
    const name = text.slice(first.index, end);
    const column = length === 1 && /^\w+$/.test(name) ? undefined : names.columns(name)[0];
    written += text.slice(from, first.index) + (column === undefined ? name : `"${column.name}"`);
    from = end;
    i += length;
  }
  return written + text.slice(from);
}

function nameLength(text: string, words: readonly RegExpExecArray[], at: number, names: HintNames): number {
  for (let length = MAX_NAME_WORDS; length > 1; length -= 1) {
    const [first, last] = [words[at], words[at + length - 1]];
    if (first === undefined || last === undefined) continue;
    const name = text.slice(first.index, last.index + last[0].length);
    if (/^[^\s,.()=<>]+(?: [^\s,.()=<>]+)+$/.test(name) && names.columns(name).length > 0) return length;
  }
  return 1;
}
