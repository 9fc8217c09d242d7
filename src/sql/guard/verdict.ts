import type { Span } from '../dialects/span.ts';

/** Whether a statement only reads; a refusal explains itself. */
export type ReadOnlyVerdict =
  | { readonly readOnly: true }
  | {
      readonly readOnly: false;
      /** Why, in a sentence without its full stop. */
      readonly reason: string;
      /** The word, function, table or part that is not allowed. */
      readonly offending: string;
      /** Where it stands. */
      readonly span: Span;
    };

export type Refusal = Extract<ReadOnlyVerdict, { readOnly: false }>;

export function refuse(reason: string, offending: string, { start, end }: Span): Refusal {
  return { readOnly: false, reason, offending, span: { start, end } };
}
