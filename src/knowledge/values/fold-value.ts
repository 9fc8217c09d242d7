/** The forms under which a stored value is found although it was typed otherwise. */

/** Letters and digits only, lower case, without accents: `foldValue('AC/DC – Déjà')` → `acdcdeja`. */
export function foldValue(text: string): string {
  // Most values are plain; normalising them all would cost ten times as much.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The fold with the last word in the singular: `Italians'` → `italian`, `North countries` → `northcountry`. */
export function stemValue(text: string): string {
  const fold = /['’]s?\s*$/u.test(text) ? foldValue(text.replace(/['’]s?\s*$/u, '')) : foldValue(text);
  if (fold.length <= 3 || !fold.endsWith('s') || /(ss|us|is)$/.test(fold)) return fold;
  if (fold.endsWith('ies') && fold.length > 4) return `${fold.slice(0, -3)}y`;
  if (/(x|z|ch|sh|ss)es$/.test(fold)) return fold.slice(0, -2);
  return fold.slice(0, -1);
}

/** Words of a text without case and accents: `foldedWords("Guns N' Rosés")` → guns, n, roses. */
export function foldedWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Words of a text, runs of letters and digits: `countWords("Guns N' Roses")` → 3. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** What a value is looked up by: its fold, or itself where it is all punctuation: `valueKey(' = ')` → `=`. */
export function valueKey(text: string): string {
  return foldValue(text) || text.trim();
}
