/** What a schema text shows, before a style writes it: names as SQL writes them, texts on one line. */

export interface SchemaText {
  readonly database: string;
  readonly tables: readonly TableText[];
  /** Keys of which at least one pair of columns is shown at both ends. */
  readonly keys: readonly KeyText[];
}

export interface TableText {
  /** With what stands before it, in quotes where the dialect needs them. */
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly ColumnText[];
  /** Every part of its primary key is shown. */
  readonly isKeyWhole: boolean;
}

export interface ColumnText {
  readonly name: string;
  /** In upper case; empty where the engine has none. */
  readonly type: string;
  readonly comment: string;
  readonly isPrimaryKey: boolean;
  readonly isNullable: boolean;
  readonly examples: readonly string[];
  /** What the values look like, where they are not shown: `AAA-999`; else empty. */
  readonly form: string;
}

export interface KeyText {
  readonly fromTable: string;
  readonly toTable: string;
  readonly pairs: readonly (readonly [from: string, to: string])[];
}
