/** What a reasoner does for the other way of linking: tables ranked by what is known of them, then columns in two tiers. */
import type { SharedColumn, SharedTable, SharedText, SharingPolicy } from '../../catalog/share/index.ts';
import type { TokenLedger } from '../../model/index.ts';

export interface RankQuestion {
  readonly text: string;
  /** Outside knowledge given with the question. */
  readonly hint: string;
  readonly notes: readonly string[];
  readonly jargon: readonly { readonly term: string; readonly meaning: string }[];
  readonly ledger: TokenLedger;
  readonly signal: AbortSignal | undefined;
}

/** What is known of a table or a family of equal tables, without its schema: LinkedIn found that it costs recall. */
export interface TableCard {
  readonly table: SharedTable;
  /** Tables it stands for; 1: itself. */
  readonly members: number;
  readonly descriptions: readonly string[];
  /** Questions and statements that use it. */
  readonly examples: readonly SharedText[];
  /** `customers on customer_id = id (used 120 times)`. */
  readonly joins: readonly string[];
  /** Tables that stand in statements with it, most runs first. */
  readonly coQueried: readonly string[];
  readonly notes: readonly string[];
  readonly isCertified: boolean;
  readonly isDeprecated: boolean;
  readonly popularity: number;
  readonly found: FoundSigns;
  /** Names of its columns, where schemas are to be seen; else empty. */
  readonly columns: readonly string[];
}

/** What retrieval says. */
export interface FoundSigns {
  /** In [0, 1], comparable within one question only; 0 where it found nothing. */
  readonly score: number;
  /** Short sentences for people, surest first. */
  readonly because: readonly SharedText[];
}

/** A table to choose columns of; a wide one comes in several parts. */
export interface TablePart {
  readonly table: SharedTable;
  readonly description: string;
  readonly columns: readonly ColumnCard[];
  /** From 1. */
  readonly part: number;
  readonly parts: number;
  /** Joins with the other tables of the question: `customer_id = customers.id`. */
  readonly joins: readonly string[];
}

export interface ColumnCard {
  readonly column: SharedColumn;
  readonly description: string;
  readonly isPartitionKey: boolean;
  /** Column ids that it refers to. */
  readonly references: readonly string[];
  /** Stored values that are like words of the question. */
  readonly values: readonly SharedText[];
  readonly popularity: number;
  readonly found: FoundSigns;
}

interface ScoredTable {
  /** As the reasoner wrote it. */
  readonly name: string;
  /** From 1 (of no use) to 10 (the question needs it). */
  readonly score: number;
  readonly because: string;
}

export interface TieredColumn {
  /** As the reasoner wrote them. */
  readonly table: string;
  readonly column: string;
  readonly tier: 'relevant' | 'maybe';
  readonly because: string;
}

/**
 * Names that are not in the schema are passed over by whoever asked, and counted. A call that gives nothing usable
 * throws `model.invalid-reply`. Source: LinkedIn, section 5.2.
 */
export interface RankReasoner {
  readonly kind: 'grounded' | 'model';
  /** What it may be shown; absent: everything. */
  readonly sharing?: SharingPolicy;
  rankTables(question: RankQuestion, cards: readonly TableCard[]): Promise<readonly ScoredTable[]>;
  /** Columns in neither tier are left out. */
  rankColumns(question: RankQuestion, parts: readonly TablePart[]): Promise<readonly TieredColumn[]>;
}
