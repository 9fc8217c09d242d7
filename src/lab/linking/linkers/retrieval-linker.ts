/** Linking by retrieval alone, the baseline of the others: tables by words and names, their columns that were found. */
import type { Catalog } from '../../../catalog/index.ts';
import { expandFamilies } from '../../../knowledge/retrieve/index.ts';
import type { CaseLinker, LinkedIds } from './case-linker.ts';
import { openRetrieval } from './open-retrieval.ts';

export interface RetrievalLinkerOptions {
  /** Entries that are kept, a family of equal tables counting once. */
  readonly entries?: number;
  /** Tables that are kept once families are expanded. */
  readonly tables?: number;
}

/** `entries` and `tables` are LinkedIn's 7 of 20 (section 5.2). Keys of the kept tables are always kept. */
export function retrievalLinker({ entries = 7, tables = 20 }: RetrievalLinkerOptions = {}): CaseLinker {
  return {
    mode: 'retrieval',
    open: async ({ catalog }) => {
      const retrieval = await openRetrieval(catalog);
      return {
        link: async (asked, signal): Promise<LinkedIds> => {
          const found = await retrieval.find(asked, { signal });
          const chosen = expandFamilies(found.tables.slice(0, entries), { limit: tables, perFamily: 10 });
          return chooseFields(
            new Set(chosen),
            new Set(found.columns.map(({ item }) => item.columnId)),
            catalog,
          );
        },
        close: retrieval.close,
      };
    },
  };
}

function chooseFields(tables: ReadonlySet<string>, found: ReadonlySet<string>, catalog: Catalog): LinkedIds {
  const keys = new Set([
    ...catalog.tables.flatMap(({ primaryKey }) => primaryKey),
    ...catalog.foreignKeys.flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]),
  ]);
  const fields = catalog.tables
    .filter(({ id }) => tables.has(id))
    .flatMap(({ columns }) => columns.map(({ id }) => id))
    .filter((id) => found.has(id) || keys.has(id));
  return { tables, fields: new Set(fields), tokens: 0 };
}
