import type { JargonTerm } from '../authored/authored.ts';

/** An abbreviation as short as this is jargon in capitals only: `IT`, not `it`. */
const SHORT = 3;

/**
 * Terms that stand in the question as whole words, the longest first; what a longer term has taken, a shorter one does
 * not take again. Meanings are cut to `characters`. Source: LinkedIn, sections 5.1 and 13.
 */
export function findJargon(
  question: string,
  terms: readonly JargonTerm[],
  { most, characters }: { readonly most: number; readonly characters: number },
): readonly JargonTerm[] {
  const taken: { readonly start: number; readonly end: number }[] = [];
  const found: JargonTerm[] = [];
  const byLength = [...terms].sort((a, b) => b.term.length - a.term.length || (a.term < b.term ? -1 : 1));
  for (const term of byLength) {
    const places = placesOf(question, term.term).filter(
      ({ start, end }) => !taken.some((other) => start < other.end && other.start < end),
    );
    if (places.length === 0) continue;
    taken.push(...places);
    found.push({ ...term, meaning: cut(term.meaning, characters) });
  }
  return found.slice(0, most);
}

function placesOf(question: string, term: string): { readonly start: number; readonly end: number }[] {
  const name = term.trim();
  if (name === '') return [];
  const isCased = name.length <= SHORT && name === name.toUpperCase();
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const found = question.matchAll(
    new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, isCased ? 'gu' : 'giu'),
  );
  return [...found].map(({ 0: text, index }) => ({ start: index, end: index + text.length }));
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
}
