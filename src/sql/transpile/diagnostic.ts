import type { Span } from '../span.ts';
import type { SqlNode } from '../tree/node.ts';

/** What the target dialect cannot say, or says differently. No diagnostic means: the same result, as far as we know. */
export interface Diagnostic {
  /** `unsupported`: the text has a gap here and must not be run. `changed`: it runs, but a result may differ. */
  readonly kind: 'unsupported' | 'changed';
  /** What the trouble is about, to count and filter by; the message is for people. */
  readonly rule: DiagnosticRule;
  readonly node: SqlNode;
  readonly span: Span;
  readonly message: string;
}

export type DiagnosticRule =
  /** A function the target does not have, or whose meaning there is not known. */
  | 'function'
  /** A clause or operator the target does not have. */
  | 'syntax'
  /** Words of the source that the tree does not record. */
  | 'unread'
  | 'type'
  | 'month-end'
  | 'name'
  | 'text-case'
  | 'format'
  | 'pattern'
  | 'division'
  | 'rounding'
  | 'grouping'
  | 'nulls'
  | 'lock'
  /** The result does not parse in the target dialect. */
  | 'result';
