/** Questions with the tables and columns their gold SQL uses. */
import type { Catalog } from '../../../catalog/index.ts';
import type { GoldSet } from '../score/best-gold.ts';

export interface LinkCase {
  readonly id: string;
  /** Key of `LinkSet.databases`. */
  readonly database: string;
  readonly question: string;
  /** Outside knowledge given with the question; a document for warehouses. */
  readonly hint: string;
  /** Absent where only the gold items are known. */
  readonly goldSql?: string;
  /** Canonical table ids; never empty. */
  readonly goldTables: ReadonlySet<string>;
  /** Canonical column ids; null where no gold SQL tells. */
  readonly goldFields: ReadonlySet<string> | null;
  /** Of other right queries: the one nearest to what was linked counts. */
  readonly otherGolds?: readonly GoldSet[];
}

export interface LinkDatabase {
  readonly name: string;
  readonly catalog: Catalog;
  /** Opens with rows: SQLite file behind it, where the set has one. */
  readonly databaseUrl?: string;
}

export interface LinkSet {
  readonly name: string;
  readonly databases: ReadonlyMap<string, LinkDatabase>;
  readonly cases: readonly LinkCase[];
  /** Questions without any gold item, or whose gold SQL does not resolve: left out, said in the report. */
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
  /** Cases whose gold is doubtful, with the reason: measured all the same. */
  readonly flagged: readonly { readonly id: string; readonly because: string }[];
}

export const LINK_SET_NAMES = ['bird', 'spider', 'snow', 'ambidb'] as const;
export type LinkSetName = (typeof LINK_SET_NAMES)[number];
