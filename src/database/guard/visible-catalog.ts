/** The tables that the guard resolves names against; the catalog that `candor onboard` reads is one. */
import type { NamedTable, OwnNames } from '../../sql/index.ts';

export interface VisibleTable extends NamedTable {
  readonly kind: 'table' | 'view';
}

export interface VisibleCatalog {
  readonly tables: readonly VisibleTable[];
  readonly ownNames?: OwnNames;
}
