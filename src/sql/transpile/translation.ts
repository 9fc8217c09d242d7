/** What a rule may ask and say while a statement is translated. */
import type { DialectName } from '../dialect.ts';
import type { PrintableNode } from '../print/printable.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import type { BareColumn } from './bare-columns.ts';
import type { DiagnosticRule } from './diagnostic.ts';
import type { ValueKind } from './value-kind.ts';

export interface TranspileOptions {
  /** The kind of a column's values, where a catalog knows it; saves casts and diagnostics. */
  readonly kindOf?: (column: SqlNode) => ValueKind | undefined;
  /** SQLite: a name in double quotes that is no column, and so a text. */
  readonly isText?: (column: SqlNode) => boolean;
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
export type Rule = (node: SqlNode, translation: Translation) => PrintableNode | undefined;

export type Rules = Readonly<Record<string, Rule>>;
