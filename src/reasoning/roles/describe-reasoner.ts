/** What a reasoner says of tables, columns and codes that nobody has described. */
import type { SharedText } from '../../catalog/share/index.ts';
import type { TokenLedger } from '../../model/index.ts';

/** A table, or a part of a wide one. */
export interface TableToDescribe {
  /** As the schema writes it. */
  readonly table: string;
  /** The table itself is to be described, and not only columns of it. */
  readonly isTable: boolean;
  /** Names of columns, as the catalog spells them. */
  readonly columns: readonly string[];
  readonly codes: readonly { readonly column: string; readonly values: readonly SharedText[] }[];
  /** The table and its neighbours, as the writer of SQL sees them. */
  readonly schema: SharedText;
  /** What people wrote about them. */
  readonly notes: readonly string[];
  /** Queries that people ran on it. */
  readonly queries: readonly SharedText[];
}

export interface DescribeOptions {
  readonly ledger: TokenLedger;
  readonly signal?: AbortSignal | undefined;
}

/** What a thing is, in a sentence. */
export interface Statement {
  readonly text: string;
  readonly sure: 'high' | 'medium' | 'low';
  /** What shows it; empty where nothing was said. */
  readonly because: string;
}

/** Only of what was asked about; what the reasoner does not know is in none of them. */
export interface TableDescription {
  readonly table: Statement | undefined;
  /** By name of the column. */
  readonly columns: ReadonlyMap<string, Statement>;
  readonly codes: readonly {
    readonly column: string;
    readonly value: string;
    readonly statement: Statement;
  }[];
  /** Statements about names and values that were not asked about, or do not exist. */
  readonly dropped: number;
}
