/** Every word that a database or its project knows: what is none of them is really unknown. */

import type { QueryLimits } from '../../../../database/index.ts';
import { nameWords } from '../../../../language/index.ts';
import type { Session } from '../../../../session/index.ts';
import { writeName } from '../../../../sql/dialects/index.ts';

export interface KnownWords {
  /** Whether a word of the text, or one with the same stem, is a word of a name, a comment, a value or of what people wrote. */
  readonly knows: (text: string) => boolean;
  /** Why it is not known whether a word is known; absent: it is known. */
  readonly unreadBecause?: string;
}

const LIMITS: QueryLimits = { rows: 300_000, bytes: 60_000_000, timeoutMs: 30_000 };

/** Reads all texts of the database once. */
export async function readKnownWords(session: Session, signal: AbortSignal): Promise<KnownWords> {
  const { catalog, database, semantics, authored, examples } = session;
  const texts = [semantics, authored, examples].map((written) => JSON.stringify(written));
  let unreadBecause: string | undefined;
  for (const table of catalog.tables) {
    texts.push(table.name, table.comment ?? '');
    for (const column of table.columns) {
      texts.push(column.name, column.comment ?? '');
      if (column.family !== 'text') continue;
      const [of, name] = [tableText(table, catalog.dialect), writeName(column.name, catalog.dialect)];
      const stored = await database.query(`SELECT DISTINCT ${name} FROM ${of}`, LIMITS, signal);
      if (stored.truncatedBy !== null) unreadBecause = `${column.id} has too many values to be read`;
      for (const [cell] of stored.rows) if (typeof cell === 'string') texts.push(cell);
    }
  }
  return { ...knownWords(texts), ...(unreadBecause !== undefined && { unreadBecause }) };
}

export function tableText(
  { name, schema, qualifier }: Session['catalog']['tables'][number],
  dialect: Session['catalog']['dialect'],
): string {
  const path = qualifier ?? (schema === undefined ? [] : [schema]);
  return [...path, name].map((part) => writeName(part, dialect)).join('.');
}

const SHORTEST_STEM = 4;
const LONGEST_ENDING = 3;

/** `knownWords(['shipped orders']).knows('shipping')` → true: they share all but an ending. */
export function knownWords(texts: Iterable<string>): KnownWords {
  const words = new Set<string>();
  const stems = new Set<string>();
  for (const text of texts) {
    for (const word of [...nameWords(text), ...plainWords(text)]) {
      words.add(word);
      for (let cut = 0; cut <= LONGEST_ENDING; cut += 1)
        if (word.length - cut >= SHORTEST_STEM) stems.add(word.slice(0, word.length - cut));
    }
  }
  const isKnown = (word: string): boolean => {
    if (words.has(word)) return true;
    return (
      word.length > SHORTEST_STEM &&
      stems.has(word.slice(0, Math.max(SHORTEST_STEM, word.length - LONGEST_ENDING)))
    );
  };
  return { knows: (text) => plainWords(text).some(isKnown) };
}

export function plainWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
