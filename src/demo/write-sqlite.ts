import { DatabaseSync } from '@photostructure/sqlite';
import { type DemoTable, type DemoWriter, printCreateTable, type TypeNames } from './motors/table-spec.ts';

const TYPES: TypeNames = { integer: 'INTEGER', text: 'TEXT', date: 'TEXT', real: 'REAL' };

/** Opens a new SQLite file and writes rows into it in one transaction. */
export function openSqliteWriter(path: string, tables: readonly DemoTable[]): DemoWriter {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  // The file is new and renamed only when whole: no journal on disk can be of use. Locks end with the transaction:
  // the driver closes the file only when the statements are collected, long after others have begun to read it.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN');
  const inserts = new Map<string, ReturnType<InstanceType<typeof DatabaseSync>['prepare']>>();
  for (const table of tables) {
    database.exec(printCreateTable(table, TYPES));
    const places = table.columns.map(() => '?').join(', ');
    inserts.set(table.name, database.prepare(`INSERT INTO ${table.name} VALUES (${places})`));
  }
  return {
    add: (row) => {
      const insert = inserts.get(row.table);
      if (insert === undefined) throw new RangeError(`no table ${row.table}`);
      insert.run(...row.values);
    },
    finish: async () => {
      for (const table of tables) {
        for (const column of table.indexes) {
          database.exec(`CREATE INDEX ${table.name}_${column} ON ${table.name} (${column})`);
        }
      }
      database.exec('COMMIT; ANALYZE');
      const broken = database.prepare('PRAGMA foreign_key_check').all();
      database.close();
      if (broken.length > 0) throw new RangeError(`${broken.length} rows break a foreign key`);
    },
    abandon: () => database.close(),
  };
}
