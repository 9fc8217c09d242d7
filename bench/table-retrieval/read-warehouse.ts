/** The 75 databases of Spider2-Snow as one catalog, with the questions and the tables they need. */
import type { Catalog } from '../../src/catalog/index.ts';
import { readSnowDatabases, type SnowQuestion } from '../../src/lab/linking/sets/read-snow-databases.ts';

export type WarehouseQuestion = SnowQuestion;

export interface Warehouse {
  readonly catalog: Catalog;
  readonly questions: readonly WarehouseQuestion[];
  /** Ids of the tables of each database. */
  readonly tablesOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly documentsFolder: string;
}

/** Databases whose names are given, or all. */
export async function readWarehouse(dataDirectory: string, only?: ReadonlySet<string>): Promise<Warehouse> {
  const { catalogs, questions, documentsFolder } = await readSnowDatabases(dataDirectory, only);
  const tables = [...catalogs.values()].flatMap((catalog) => catalog.tables);
  return {
    catalog: {
      database: 'warehouse',
      dialect: 'snowflake',
      tables,
      foreignKeys: [],
      fingerprint: 'spider2-snow',
    },
    questions,
    tablesOf: new Map(
      [...catalogs].map(([name, catalog]) => [name, new Set(catalog.tables.map(({ id }) => id))]),
    ),
    documentsFolder,
  };
}
