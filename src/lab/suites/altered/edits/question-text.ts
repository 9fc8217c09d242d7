/** Finding and changing words of a question. */
import type { Span } from '../../../../sql/dialects/index.ts';

/** Where a phrase stands as whole words, whatever its case: `placesOf('In India, in', 'in')` → two spans. */
export function placesOf(question: string, phrase: string): readonly Span[] {
  if (phrase.trim() === '') return [];
  const pattern = phrase.trim().split(/\s+/).map(escapePattern).join('\\s+');
  const found = question.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, 'giu'));
  return [...found].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** The one place of a phrase; undefined where there is none, or more than one. */
export function onlyPlaceOf(question: string, phrase: string): Span | undefined {
  const places = placesOf(question, phrase);
  return places.length === 1 ? places[0] : undefined;
}

/** Which of the phrases stand in the question, and where; those inside longer ones found are left out. */
export function phrasesIn<T extends { readonly phrase: string }>(
  question: string,
  rows: readonly T[],
): readonly { readonly row: T; readonly span: Span }[] {
  const found = rows.flatMap((row) => placesOf(question, row.phrase).map((span) => ({ row, span })));
  return found.filter(
    ({ span }) =>
      !found.some(
        ({ span: other }) =>
          other.start <= span.start && other.end >= span.end && lengthOf(other) > lengthOf(span),
      ),
  );
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

export function replaceAt(question: string, { start, end }: Span, text: string): string {
  return question.slice(0, start) + text + question.slice(end);
}

/** The word right before a place, in lower case; empty where punctuation or nothing stands there. */
export function wordBefore(question: string, at: number): string {
  return /([\p{L}\p{N}'’]+)\s+$/u.exec(question.slice(0, at))?.[1]?.toLowerCase() ?? '';
}

export function wordAfter(question: string, at: number): string {
  return /^\s+([\p{L}\p{N}'’]+)/u.exec(question.slice(at))?.[1]?.toLowerCase() ?? '';
}

/** The question without the signs that end it, and those signs. */
export function splitEnd(question: string): readonly [body: string, end: string] {
  const end = /[\s?.!]*$/.exec(question)?.[0] ?? '';
  return [question.slice(0, question.length - end.length), end];
}

/** For words in front of a question: a first word that is an ordinary one begins small. */
export function asContinued(question: string): string {
  const [first = ''] = /^[\p{L}'’]+/u.exec(question) ?? [];
  return /^\p{Lu}\p{Ll}+$/u.test(first) && OPENERS.test(first)
    ? first.toLowerCase() + question.slice(first.length)
    : question;
}

const OPENERS =
  /^(?:what|which|who|whose|how|when|where|list|show|find|give|return|count|display|tell|get|for|in|the|a|an|is|are|do|does|did|please|compute|report|select|name|all|each|of|on|at|from)$/i;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
