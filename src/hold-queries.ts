import { type Database, decorate } from './database/index.ts';
import { deriveSession } from './derive-session.ts';
import { CandorError } from './errors.ts';
import type { Session } from './session.ts';

/**
 * The same session for somebody whose queries wait for an approval: they are written, checked and planned, and none runs, neither one
 * of an answer nor one that finds options or evidence.
 */
export function holdQueries(session: Session): Session {
  return deriveSession(session, {
    holdsQueries: true,
    databaseFor: (rights) => held(session.databaseFor(rights)),
    eachPart: async (part) => holdQueries(part),
  });
}

function held(database: Database): Database {
  return decorate(database, () => ({
    query: () =>
      Promise.reject(
        new CandorError('query.not-approved', 'Nothing is run here before a person has approved it.'),
      ),
  }));
}
