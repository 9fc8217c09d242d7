/** What Candor knows of a database: schema, keys, profiles. Derived, JSON, rebuilt by `candor onboard`. */
import type { DialectName } from '../sql/dialect.ts';

/** The five families that typing, mentions and checks work with. */
export type TypeFamily = 'text' | 'number' | 'time' | 'boolean' | 'other';

export interface Catalog {
  readonly database: string;
  readonly dialect: DialectName;
  readonly tables: readonly Table[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Hash of the schema: tables, columns, types, keys. */
  readonly fingerprint: string;
}

export interface Table {
  /** Canonical: lower case. */
  readonly id: string;
  /** As the engine spells it. */
  readonly name: string;
  /** The schema it stands in, for engines that have schemas. */
  readonly schema?: string;
  /** The database or catalog around the schema, for engines that read several at once. */
  readonly catalog?: string;
  /** Names to write before its own, outermost first; absent where its name alone reaches it. */
  readonly qualifier?: readonly string[];
  readonly kind: 'table' | 'view';
  readonly comment?: string;
  readonly columns: readonly Column[];
  /** Canonical column ids. */
  readonly primaryKey: readonly string[];
  readonly rowCount: number;
}

export interface Column {
  /** Canonical: `table.column`, lower case. */
  readonly id: string;
  readonly tableId: string;
  readonly name: string;
  readonly type: string;
  readonly family: TypeFamily;
  readonly isNullable: boolean;
  readonly comment?: string;
  readonly profile?: ColumnProfile;
}

export interface ColumnProfile {
  /** Rows looked at; below the table's row count the figures are of a sample. */
  readonly scannedRows: number;
  readonly nullCount: number;
  readonly distinctCount: number;
  /** Smallest and largest value as text; numbers compare as numbers. */
  readonly min?: string;
  readonly max?: string;
  /** Most frequent values, best first, at most 10. */
  readonly examples: readonly string[];
  /** Every non-null text value looks like this. */
  readonly pattern?: 'iso-date' | 'iso-timestamp' | 'number' | 'code';
}

export interface ForeignKey {
  readonly fromTable: string;
  readonly fromColumns: readonly string[];
  readonly toTable: string;
  readonly toColumns: readonly string[];
  /** `declared` by the engine, stated in the `semantic` model, or `inferred` from names. */
  readonly source: 'declared' | 'semantic' | 'inferred';
  /** The business name of this link, where two links join the same tables. */
  readonly role?: string;
}
