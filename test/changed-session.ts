import { type Session, wholeSession } from '../src/session.ts';

/** For tests alone: the session with members of a test's own. What ships makes one of another by `deriveSession`. */
export function changedSession(session: Session, changes: Partial<Session>): Session {
  return wholeSession({ ...session, ...changes });
}
