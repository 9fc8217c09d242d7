/** What a rule may ask and say while a statement is translated. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { Span } from '../../dialects/span.ts';
import type { PrintableNode } from '../../print/printable.ts';
import type { SqlNode, SqlTree } from '../../tree/node.ts';
import type { BareColumn } from './bare-columns.ts';
import type { ValueKind } from './value-kind.ts';

export interface TranspileOptions {
  /** The kind of a column's values, where a catalog knows it; saves casts and diagnostics. */
  readonly kindOf?: (column: SqlNode) => ValueKind | undefined;
  /** SQLite: a name in double quotes that is no column, and so a text. */
  readonly isText?: (column: SqlNode) => boolean;
  /** Where nothing says it, NULL stands where the target puts it: for a query whose engine is only guessed. */
  readonly nullsAsTarget?: boolean;
}

export interface Translation {
  readonly tree: SqlTree;
  readonly from: DialectName;
  readonly to: DialectName;
  readonly options: TranspileOptions;
  /** The words of a node that the tree does not record, in upper case, but for those without weight. */
  readonly unrecorded: ReadonlyMap<SqlNode, readonly string[]>;
  /** Columns of a grouped query that are neither grouped nor inside of an aggregate. */
  readonly bareColumns: ReadonlyMap<SqlNode, BareColumn>;
  /** Kinds of values found so far. */
  readonly kinds: Map<SqlNode, ValueKind | undefined>;
  /** Parts of long chains that have been translated. */
  readonly chained: Map<SqlNode, PrintableNode>;
  /** The node as the target says it, in its own role. */
  readonly translate: (node: SqlNode) => PrintableNode;
  /** The target cannot say it: the text has a gap here. */
  readonly unsupported: Report;
  /** The target says it, but a result may differ. */
  readonly changed: Report;
}

type Report = (rule: DiagnosticRule, at: SqlNode, message: string) => void;

/** Translates the nodes of its type; `undefined` leaves the node to the phrases and to plain copying. */
type Rule = (node: SqlNode, translation: Translation) => PrintableNode | undefined;

export type Rules = Readonly<Record<string, Rule>>;

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
