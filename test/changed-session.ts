import { Session, type SessionMembers } from '../src/session/project/session.ts';

/** For tests alone: the session with members of a test's own. What ships makes one of another by the operations of `Session`. */
export function changedSession(session: Session, changes: Partial<SessionMembers>): Session {
  return new Session({ ...session, ...changes });
}
