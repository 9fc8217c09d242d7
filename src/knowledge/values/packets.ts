/** Parts of a keyword that may be a stored value by themselves (CHESS, as thoth.md section 7 describes it). */

/** A longer keyword is cut: no stored value that is kept is near as long. */
export const MAX_KEYWORD_CHARS = 200;
/** A whole sentence would be looked up a hundred times. */
const MAX_PACKETS = 24;

/**
 * The keyword, what stands left and right of every space, and the right side of `column = value`:
 * `packets('Fresno County Office')` → itself, `Fresno`, `County Office`, `Fresno County`, `Office`.
 */
export function packets(keyword: string): string[] {
  const whole = keyword.slice(0, MAX_KEYWORD_CHARS).trim();
  if (whole === '') return [];
  const found = new Set([whole]);
  const value = valueSide(whole);
  if (value !== undefined) found.add(value);
  for (let at = whole.indexOf(' '); at >= 0 && found.size < MAX_PACKETS; at = whole.indexOf(' ', at + 1)) {
    for (const part of [whole.slice(0, at).trim(), whole.slice(at + 1).trim()])
      if (part !== '') found.add(part);
  }
  return [...found];
}

/** `valueSide("status = 'open'")` → `open`. */
function valueSide(text: string): string | undefined {
  const at = text.indexOf('=');
  if (at < 0) return undefined;
  const value = text
    .slice(at + 1)
    .replace(/^=/, '')
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
    .trim();
  return value === '' ? undefined : value;
}
