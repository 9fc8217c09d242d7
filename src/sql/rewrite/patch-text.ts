import type { Span } from '../span.ts';

/** Text that takes the place of a span; an empty span is a place to insert at. */
export interface Patch {
  readonly span: Span;
  readonly text: string;
}

/**
 * Applies patches that do not overlap: `patchText('a b', [{span: {start: 2, end: 3}, text: 'c'}])` → `a c`. All that
 * is not patched stays as it was written, comments and white space included.
 */
export function patchText(text: string, patches: readonly Patch[]): string {
  const ordered = [...patches].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let at = 0;
  let result = '';
  for (const { span, text: replacement } of ordered) {
    if (span.start < at) throw new Error(`patches overlap at ${span.start}`);
    result += text.slice(at, span.start) + replacement;
    at = span.end;
  }
  return result + text.slice(at);
}
