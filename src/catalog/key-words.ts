/** What names of keys and of tables are made of. */
import { nameWords } from './name-words.ts';

/** Words that end the name of a key. */
export const KEY_WORDS: ReadonlySet<string> = new Set(['id', 'key', 'code', 'no', 'nr', 'num', 'number']);
const TABLE_MARKS = new Set(['dim', 'fact', 'fct', 'tbl', 'tb', 't', 'd', 'f', 'stg', 'ref']);

/** `foldTable('dim_countries')` → `country`. */
export function foldTable(name: string): string {
  const words = nameWords(name);
  const own = words.length > 1 && TABLE_MARKS.has(words[0] ?? '') ? words.slice(1) : words;
  return singular(own.join(''));
}

export function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(name)) return name.slice(0, -2);
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name;
}
