import { singularOf } from '../../language/index.ts';

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
  return singularOf(foldValue(text.replace(/['’]s?\s*$/u, '')));
}

/** The key of a name that is stored with its halves exchanged: `turnedKey('Oxygen, dissolved')` → `dissolvedoxygen`; empty for others. */
export function turnedKey(text: string): string {
  const [, head = '', rest = ''] = /^([^,]+), ?([^,]+)$/.exec(text) ?? [];
  return foldValue(rest + head);
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

const NUMBER = /^[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$/;
const DATE = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00(?::?00)?)?)?$/;

/**
 * What a number or a date is looked up by, however it is written: `literalKey('1,250.0')` → `1250`,
 * `literalKey('2024/3/5')` and `literalKey('2024-03-05 00:00:00')` → `2024-03-05`.
 */
export function literalKey(text: string): string {
  const plain = text.trim();
  if (/\d/.test(plain) && NUMBER.test(plain)) {
    const digits = plain.replaceAll(',', '');
    const number = Number(digits);
    // Beyond 15 digits two different numbers would be one.
    return digits.replace(/\D/g, '').length <= 15 ? String(number) : digits;
  }
  const date = DATE.exec(plain);
  if (date === null) return plain.toLowerCase();
  const [, year = '', month = '', day = ''] = date;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
