import type { Catalog } from '../../../catalog/index.ts';
import type { SqlTree } from '../../../sql/index.ts';
import { writtenTables } from '../../../sql/index.ts';
import type { LogInput } from '../logs/lines/log-entry.ts';
import type { StatementContext } from './statement-reading.ts';

/** Where the names of logged statements are looked up when there are too many tables for a catalog of all. */
export interface TableLookup extends Pick<Catalog, 'dialect' | 'database'> {
  /** A catalog with every table that one of the names may mean: bare, or with what stands before it, in any case. */
  catalogFor(names: ReadonlySet<string>): Catalog;
}

export interface NamingStatement {
  readonly tree?: SqlTree;
  readonly inputs?: readonly LogInput[];
  readonly context?: StatementContext;
}

/** The tables that a statement may mean: all there are, or those that its names lead to. */
export function tablesMeant(
  tables: Catalog | TableLookup,
  { tree, inputs = [], context = {} }: NamingStatement,
): Catalog {
  if (!('catalogFor' in tables)) return tables;
  const names = new Set(inputs.map(({ path }) => path.join('.')));
  for (const name of tree === undefined ? [] : writtenTables(tree)) {
    names.add(name);
    // Of many tables of one name the one in the schema of the log is meant.
    if (!name.includes('.') && context.schema !== undefined) names.add(`${context.schema}.${name}`);
  }
  return tables.catalogFor(names);
}
