/** Text of others inside a schema text: it stays on its line and cannot look like a heading. */

const MOST_CHARACTERS = 200;
/** Control characters, and what else ends a line somewhere; directions that could turn the text around. */
const BREAKING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Texts that need no quotes in a list: the comma between them is the only one. */
const PLAIN = /^(?!.*--)[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} _.:/%+#@&*'’-]*[\p{L}\p{M}\p{N}.%])?$/u;

/** A description with its blanks and line breaks collapsed, cut at `most` characters: the cut is shown. */
export function schemaLine(text: string, most = MOST_CHARACTERS): string {
  const flat = text
    // No more than is needed is looked at: a comment may be a book.
    .slice(0, 20 * most)
    .replace(BREAKING, ' ')
    .replaceAll('【', '[')
    .replaceAll('】', ']')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...flat];
  return characters.length <= most && text.length <= 20 * most
    ? flat
    : `${characters.slice(0, most).join('').trimEnd()}…`;
}

/** A name as it is, but for characters that would end the line: they are written as `\u000a`. */
export function schemaName(name: string): string {
  return name.replace(BREAKING, escaped);
}

/** A stored value in a list: as it is, or as a JSON text where it could be taken for something else. */
export function listedValue(value: string): string {
  if (PLAIN.test(value)) return value;
  return JSON.stringify(value)
    .replace(BREAKING, escaped)
    .replace(/[【】]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
