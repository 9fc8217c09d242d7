/** Text of foreign origin made safe for where people read it: a terminal, a client that prints what it gets, a prompt. */

// Terminal commands (C0, C1, DEL) and marks that reorder text: data must not be able to move the cursor, set the
// title or show a line that reads other than it is.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes a text of foreign origin safe to print on one line: `a<ESC>[2Jb` → `a\x1b[2Jb`. */
export function escapeControl(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT[character] ?? escapeOf(character));
}

/** The same for text of several lines, such as SQL: line breaks and tabs stay. */
export function escapeControlKeepingLines(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t' ? character : escapeOf(character),
  );
}

function escapeOf(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** A text on one line, in words alone: what would end the line, turn it around or command a terminal becomes a blank. */
export function onOneLine(text: string): string {
  return text.replace(BREAKS, ' ').trim();
}

/** Order by code units: the same on every machine, unlike that of a locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
