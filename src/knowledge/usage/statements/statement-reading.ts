/** What a statement of a log says about the database. */
import type { UsedJoin } from '../usage.ts';

export type ReadJoin = Pick<UsedJoin, 'leftTable' | 'rightTable' | 'on'>;

/** Ids are canonical, in order and without repeats. */
export interface ReadStatement {
  readonly kind: 'read';
  /** The same for statements that differ in their constants only. */
  readonly shapeKey: string;
  /** The same for statements that mean the same. */
  readonly key: string;
  /** As the log has it; with signs for all constants where one of them may be personal. */
  readonly sql: string;
  readonly tables: readonly string[];
  readonly columns: readonly string[];
  readonly joins: readonly ReadJoin[];
  /** Tables that the catalog does not have, as written. */
  readonly unknownTables: readonly string[];
  /** It is one query, and every name in it is known: others could learn from it. */
  readonly isExample: boolean;
}

export type StatementReading =
  | ReadStatement
  /** It changes, defines or sets something and reads nothing we count. */
  | { readonly kind: 'not-reading' }
  /** It reads none of the user's tables: `SELECT 1`, tables of the engine. */
  | { readonly kind: 'no-tables' }
  | { readonly kind: 'not-sql'; readonly line: number; readonly column: number };

/** Where the names of a statement are looked up. */
export interface StatementContext {
  readonly database?: string;
  readonly schema?: string;
}
