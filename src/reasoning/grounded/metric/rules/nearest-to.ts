import { nearestNames } from '../../../../sql/index.ts';

/** Names that share a word come first, then those spelt alike. */
export function nearestTo(text: string, names: readonly string[]): string[] {
  const words = text.toLowerCase().split(/\s+/);
  const sharing = names.filter((name) =>
    words.some((word) => word.length > 3 && name.toLowerCase().includes(word)),
  );
  return [...new Set([...sharing, ...nearestNames(text, names, 5)])].slice(0, 5);
}
