/** What Candor knows of a database: schema, keys, profiles. Derived, JSON, rebuilt by `candor onboard`. */
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { Home, OwnNames } from '../../sql/scope/index.ts';

/** The five families that typing, mentions and checks work with. */
export type TypeFamily = 'text' | 'number' | 'time' | 'boolean' | 'other';

export interface Catalog<Profile extends ColumnProfile = ColumnProfile> {
  readonly database: string;
  readonly dialect: DialectName;
  readonly tables: readonly Table<Profile>[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Hash of the schema: tables, columns, types, keys. */
  readonly fingerprint: string;
  /** Enum types and fields of composite types, where the engine is PostgreSQL. */
  readonly ownNames?: OwnNames;
  /** Where the tables stand that do not say it themselves. */
  readonly home?: Home;
  /** Tables and columns that are in the database and not in here, each with the reason. */
  readonly leftOut?: readonly LeftOut[];
  /** How far the values of one key are those of another, for the pairs that were compared. */
  readonly keyOverlaps?: readonly KeyOverlap[];
}

export interface LeftOut {
  /** As the engine spells it, with its schema where that is needed. */
  readonly name: string;
  readonly because: string;
}

export interface Table<Profile extends ColumnProfile = ColumnProfile> {
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
  /** As `SchemaTable` has it: absent where rows may be those of other tables. */
  readonly ownsRows?: true;
  readonly comment?: string;
  readonly columns: readonly Column<Profile>[];
  /** Canonical column ids. */
  readonly primaryKey: readonly string[];
  /** Column ids; a filter on them saves reading. */
  readonly partitionKey?: readonly string[];
  /** Counted when the table was profiled; 0 before, and where it was skipped and the engine has no estimate. */
  readonly rowCount: number;
  /** The row count is the engine's estimate: to count so many rows would take minutes, or nothing of it was read. */
  readonly isRowCountEstimated?: true;
  /** From the engine's statistics; may be old. */
  readonly estimatedRows?: number;
  /** Why its columns have no profile: nothing of it might be read, or reading it failed. */
  readonly skippedBecause?: 'scan-budget' | 'read-error';
}

export interface Column<Profile extends ColumnProfile = ColumnProfile> {
  /** Canonical: the table's id, a dot and the name in lower case. */
  readonly id: string;
  readonly tableId: string;
  readonly name: string;
  readonly type: string;
  readonly family: TypeFamily;
  readonly isNullable: boolean;
  readonly comment?: string;
  readonly profile?: Profile;
}

/** What a column is for, coarsely (evidence level L1). */
export type SemanticClass =
  | 'key'
  | 'temporal'
  | 'measure'
  | 'category'
  | 'boolean'
  | 'text'
  | 'identifier_like_text'
  | 'geo'
  | 'semi_structured'
  | 'other';

export type PiiKind =
  | 'email'
  | 'phone'
  | 'national-id'
  | 'bank-account'
  | 'payment-card'
  | 'secret'
  | 'ip-address'
  | 'birth-date'
  | 'postal-address'
  | 'person-name';

export interface Pii {
  readonly kind: PiiKind;
  /** What gave it away: `its name says email`, `98 % of the values look like an IBAN`. */
  readonly because: string;
  /** Examples, extremes and values of the column are kept nowhere. */
  readonly isWithheld: boolean;
}

/** How rows were chosen where not all were looked at. */
export type SampleMethod = 'random blocks' | 'random rows' | 'first rows';

/** Facts of evidence levels L1 and L2; figures are of the rows looked at, never extrapolated. */
export interface ColumnProfile {
  /** Rows that distinct count, examples and statistics are of. */
  readonly scannedRows: number;
  /** How those rows were chosen; absent: all rows. */
  readonly sampledBy?: SampleMethod;
  /** Rows that the null count and the extremes are of. */
  readonly countedRows?: number;
  readonly nullCount: number;
  readonly distinctCount: number;
  /** Distinct values of the whole table as the sample lets expect (Haas and Stokes, Duj1); only beside a sample. */
  readonly distinctEstimate?: number;
  /** Smallest and largest value as text; numbers compare as numbers. */
  readonly min?: string;
  readonly max?: string;
  /** Most frequent values, best first, at most 10. */
  readonly examples: readonly string[];
  /** All values in order, where all rows were looked at and these are more than the examples and at most 30. */
  readonly allValues?: readonly string[];
  /** Every non-null text value looks like this. */
  readonly pattern?: 'iso-date' | 'iso-timestamp' | 'number' | 'code';
  /** The form most values have, `AAA-999`: only where the values themselves may not be shown. */
  readonly form?: string;
  readonly semanticClass?: SemanticClass;
  /** The values are about persons or secret. */
  readonly pii?: Pii;
  /** Level L3; a loaded catalog leaves it in the store, from where one table at a time is read. */
  readonly statistics?: ColumnStatistics;
}

/** Evidence level L3. What an engine or a type does not yield is absent. */
export interface ColumnStatistics {
  /** Of the counted rows. */
  readonly mean?: number;
  /** 11 bounds of 10 bins with about equally many values each, smallest first: numbers and times. */
  readonly histogram?: readonly string[];
  /** First quartile, median, third quartile: values that occur. */
  readonly quartiles?: readonly [string, string, string];
  /** Most frequent values with the rows that hold them, at most 20. */
  readonly topValues?: readonly { readonly value: string; readonly count: number }[];
  /** Characters of the shortest, the average and the longest text. */
  readonly lengths?: { readonly min: number; readonly mean: number; readonly max: number };
  /** The commonest form of the texts, `AAA-999`, and the share of the seen values that have it. */
  readonly shape?: { readonly form: string; readonly share: number };
}

/** The share of the sampled distinct values of one column that the other holds. */
export interface KeyOverlap {
  readonly fromColumn: string;
  readonly toColumn: string;
  readonly share: number;
  /** Distinct values compared. */
  readonly comparedValues: number;
}

export interface ForeignKey {
  readonly fromTable: string;
  readonly fromColumns: readonly string[];
  readonly toTable: string;
  readonly toColumns: readonly string[];
  /** `declared` by the engine, stated in the `semantic` model, or `inferred` from names, types and values. */
  readonly source: 'declared' | 'semantic' | 'inferred';
  /** How sure an inferred link is, in [0, 1]; absent for the others. */
  readonly confidence?: number;
  /** The business name of this link, where two links join the same tables. */
  readonly role?: string;
}
