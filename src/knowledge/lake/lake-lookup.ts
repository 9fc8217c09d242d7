import type { Catalog, Table } from '../../catalog/index.ts';
import { Recent } from '../usage/statements/recent.ts';
import type { TableLookup } from '../usage/statements/table-lookup.ts';

/** Tables of one name: a log that means one of more than these writes its schema, and finds it by that. */
const MOST_OF_A_NAME = 200;
const MOST_NAMES = 20_000;
const MOST_CHARACTERS = 5_000_000;

/**
 * The tables of a lake for logs: each statement gets a catalog of those that its names may mean. `named` gives the tables
 * of one name, at most so many.
 */
export function lakeLookup(
  { dialect, database }: Pick<Catalog, 'dialect' | 'database'>,
  named: (name: string, limit: number) => readonly Table[],
): TableLookup {
  const known = new Recent<readonly Table[]>(MOST_NAMES, MOST_CHARACTERS);
  const find = (name: string): readonly Table[] => {
    const found = known.get(name) ?? byEnd(name, named);
    known.set(name, found);
    return found;
  };
  return {
    ...{ dialect, database },
    catalogFor: (names) => {
      const tables = new Map([...names].flatMap(find).map((table) => [table.id, table]));
      return { ...{ database, dialect, foreignKeys: [], fingerprint: '' }, tables: [...tables.values()] };
    },
  };
}

/** Logs write the database before names that the lake knows without it: what stands before is left out until one fits. */
function byEnd(name: string, named: (name: string, limit: number) => readonly Table[]): readonly Table[] {
  const found = named(name, MOST_OF_A_NAME);
  const dot = name.indexOf('.');
  return found.length > 0 || dot < 0 ? found : byEnd(name.slice(dot + 1), named);
}
