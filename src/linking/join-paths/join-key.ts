/** A way to join two tables, from whoever says so. */

/** Declared by the engine, stated by people, seen in query logs, inferred from values, guessed from equal names. */
type JoinKeySource = 'declared' | 'semantic' | 'used' | 'inferred' | 'same-name';

export interface JoinKey {
  readonly leftTable: string;
  readonly rightTable: string;
  /** Column ids that are equal, pair by pair. */
  readonly on: readonly (readonly [left: string, right: string])[];
  readonly source: JoinKeySource;
  /** 100 for a sure key, more for a less sure one; a path costs what its keys cost. Whole, so that ties are exact. */
  readonly cost: number;
  /** For people: `a declared key`, `in query logs, runs: 12`. */
  readonly because: string;
}

/** Keys of one catalog, by table; the lists are made when they are asked for. A set of wanted tables must not change. */
export interface JoinKeys {
  /** Keys that somebody states or that values show, surest first. */
  stated(tableId: string): readonly JoinKey[];
  /**
   * Guesses from equal names, rarest name first: to the tables of `wanted`, and to one table of each other family that
   * may stand between two of them.
   */
  guessed(tableId: string, wanted: ReadonlySet<string>): readonly JoinKey[];
  /** The wanted tables of the same family, itself included: what joins one of them joins them all. */
  alike(tableId: string, wanted: ReadonlySet<string>): readonly string[];
}

/** The table at the other end. */
export function otherEnd({ leftTable, rightTable }: JoinKey, tableId: string): string {
  return leftTable === tableId ? rightTable : leftTable;
}
