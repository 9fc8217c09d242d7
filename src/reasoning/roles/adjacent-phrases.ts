import type { Span } from '../../sql/dialects/index.ts';

/** What spans of a question say, those with nothing but blanks between them as one phrase: “Taylor Swift”. */
export function adjacentPhrases(
  parts: readonly { readonly span: Span }[],
  question: string,
): readonly string[] {
  const spans: { start: number; end: number }[] = [];
  for (const { span } of parts) {
    const last = spans.at(-1);
    if (last !== undefined && /^\s+$/.test(question.slice(last.end, span.start))) last.end = span.end;
    else spans.push({ ...span });
  }
  return spans.map(({ start, end }) => question.slice(start, end));
}
