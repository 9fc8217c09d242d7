/** Who uses what, from query logs. Table and column ids are canonical. Source: LinkedIn, section 3 (usage index). */
import type { TableAccesses } from './table-accesses.ts';

export interface TableUsage {
  readonly tableId: string;
  readonly runs: number;
  readonly users: number;
  /** log1p(distinct users) + 0.3·log1p(runs) over the window. */
  readonly popularity: number;
  /** Day of the last run, YYYY-MM-DD. */
  readonly lastAt: string;
}

export interface ColumnUsage {
  readonly columnId: string;
  readonly runs: number;
  readonly users: number;
  readonly popularity: number;
}

/** Two tables joined on equal columns, pair by pair; the lesser table id stands left. */
export interface UsedJoin {
  readonly leftTable: string;
  readonly rightTable: string;
  /** Column ids. */
  readonly on: readonly (readonly [left: string, right: string])[];
  readonly runs: number;
  readonly users: number;
}

/** Two tables that stand in one statement. */
export interface CoQueried {
  readonly leftTable: string;
  readonly rightTable: string;
  readonly runs: number;
}

/** A statement of the log that could become a verified pair. */
export interface ExampleCandidate {
  /** Key of its normalised tree: statements that mean the same are one. */
  readonly key: string;
  readonly sql: string;
  readonly tables: readonly string[];
  readonly runs: number;
  readonly users: number;
  /** Who ran it most. */
  readonly author: string;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** Of a window of days. */
export interface Usage {
  /** Days, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Most popular first. */
  readonly tables: readonly TableUsage[];
  readonly columns: readonly ColumnUsage[];
  readonly joins: readonly UsedJoin[];
  readonly coQueried: readonly CoQueried[];
  readonly accesses: TableAccesses;
  readonly examples: readonly ExampleCandidate[];
}
