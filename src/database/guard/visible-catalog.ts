/** The tables that the guard resolves names against; the catalog that `candor onboard` reads is one. */
import type { Home, NamedTable, OwnNames } from '../../sql/index.ts';

export interface VisibleTable extends NamedTable {
  /** Absent where its rows may be those of other tables, which the engine then reads whole; see `SchemaTable`. */
  readonly ownsRows?: true;
}

export interface VisibleCatalog {
  readonly tables: readonly VisibleTable[];
  readonly ownNames?: OwnNames;
  readonly home?: Home;
}
