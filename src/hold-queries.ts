import type { AskOptions } from './ask-options.ts';
import type { Database } from './database/index.ts';
import { CandorError } from './errors.ts';
import { overEach } from './lake-reach.ts';
import type { Session } from './session.ts';

/**
 * The same session for somebody whose queries wait for an approval: they are written, checked and planned, and none runs, neither one
 * of an answer nor one that finds options or evidence.
 */
export function holdQueries(session: Session): Session {
  const { lake } = session;
  return {
    ...session,
    holdsQueries: true,
    ...(lake && { lake: overEach(lake, async (part) => holdQueries(part)) }),
    database: held(session.database),
    databaseFor: (rights) => held(session.databaseFor(rights)),
  };
}

function held(database: Database): Database {
  return {
    dialect: database.dialect,
    name: database.name,
    url: database.url,
    stamp: (signal) => database.stamp(signal),
    readSchema: (signal) => database.readSchema(signal),
    explain: (sql, signal) => database.explain(sql, signal),
    describe: (signal) => database.describe(signal),
    close: () => database.close(),
    query: () =>
      Promise.reject(
        new CandorError('query.not-approved', 'Nothing is run here before a person has approved it.'),
      ),
  };
}

/** What `ask` may do in this session: nothing runs where queries are held, nor in the mode that says so. */
export function heldOptions<Options extends AskOptions>(
  options: Options,
  { holdsQueries }: Session,
): Options {
  const isHeld = holdsQueries === true || options.mode === 'no-execution';
  return isHeld ? { ...options, execute: false } : options;
}
