import type { Database } from './database.ts';

/** Rights that a database may be handed on without, each said by name where somebody means it. */
type Withheld = 'as' | 'listTables';

/** What a decorated database does in another way; what is not named goes to the database below. */
export interface DatabaseChanges
  extends Partial<Pick<Database, 'stamp' | 'readSchema' | 'query' | 'explain' | 'describe' | 'close'>> {
  /** What the decorated database does not offer, because it is decided below or must not be told. */
  readonly withholds?: readonly Withheld[];
}

/** Every member has a line here: one that joins `Database` and is forgotten below is a type error. */
type Whole = { readonly [Member in keyof Required<Database>]: Database[Member] };

/**
 * The same database with something done in another way. It is the only way to make one database of another: what is not
 * changed is passed on, and whoever it is taken for, the changes hold, since they are made anew over that one.
 */
export function decorate(database: Database, changesOf: (below: Database) => DatabaseChanges): Database {
  const { withholds = [], ...changes } = changesOf(database);
  const { as, listTables } = database;
  const passedOn: Whole = {
    dialect: database.dialect,
    name: database.name,
    url: database.url,
    stamp: (signal) => database.stamp(signal),
    readSchema: (signal) => database.readSchema(signal),
    query: (sql, limits, signal) => database.query(sql, limits, signal),
    readOwnCode: (signal) => database.readOwnCode(signal),
    explain: (sql, signal) => database.explain(sql, signal),
    describe: (signal) => database.describe(signal),
    as:
      as === undefined || withholds.includes('as')
        ? undefined
        : (identity) => decorate(as.call(database, identity), changesOf),
    listTables:
      listTables === undefined || withholds.includes('listTables')
        ? undefined
        : (signal) => listTables.call(database, signal),
    close: () => database.close(),
  };
  return { ...passedOn, ...changes };
}
