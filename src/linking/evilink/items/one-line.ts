import { onOneLine } from '../../../lib/index.ts';

/** One line of at most so many characters: what others wrote must not break the format it stands in. */
export function oneLine(text: string, most: number): string {
  // Runs of spaces shrink, so somewhat more is read than is kept; the rest of a huge text is never looked at.
  const line = onOneLine(text.slice(0, 4 * most));
  return line.length <= most && text.length <= 4 * most ? line : `${cut(line, most - 1)}…`;
}

/** The first lines of a text, with a last one that says what was cut. */
export function cutLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = '\n… cut: ask for less';
  const kept = text.slice(0, most - note.length);
  const end = kept.lastIndexOf('\n');
  return (end > 0 ? kept.slice(0, end) : cut(kept, kept.length)) + note;
}

/** Never half of a character that takes two units. */
function cut(text: string, most: number): string {
  const kept = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}
