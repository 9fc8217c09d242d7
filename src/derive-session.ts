/** A session made of another: the one place that hands rights on, so that no copy can forget one. */
import type { Database } from './database/index.ts';
import { type LakeReach, overEach } from './lake-reach.ts';
import type { ReaderRights } from './reader-databases.ts';
import { type Session, type SessionMembers, wholeSession } from './session.ts';

/** Members that say what somebody may do; they are never taken over from a change as they stand. */
type Right = 'database' | 'databaseFor' | 'tablesSeenBy' | 'lake' | 'reader' | 'holdsQueries';

export interface SessionChanges extends Partial<Omit<SessionMembers, Right>> {
  /** The database under given rights; `database` follows from it. */
  readonly databaseFor?: (rights: ReaderRights) => Database;
  /** The session is for somebody: they and no others, nor with more rights than these, by whatever way it is asked. */
  readonly boundTo?: ReaderRights;
  readonly reader?: string;
  /** Queries wait for an approval from here on; nothing takes that back. */
  readonly holdsQueries?: true;
  /** The same change for each session that the lake opens; nobody may forget that there may be a lake. */
  readonly eachPart: (part: Session) => Promise<Session>;
  /** What else is done to the reach of the lake. */
  readonly lake?: (reach: LakeReach<Session>) => LakeReach<Session>;
  /** The session takes the place of the one it was made of, whose lake is closed with it. */
  readonly closesLake?: boolean;
}

/** The same session with changes; every right of it that is not narrowed is passed on. */
export function deriveSession(session: SessionMembers, changes: SessionChanges): Session {
  const {
    databaseFor: changed,
    boundTo,
    reader,
    holdsQueries,
    eachPart,
    lake,
    closesLake,
    ...others
  } = changes;
  const given = changed ?? session.databaseFor;
  const databaseFor = (rights: ReaderRights): Database => given(narrowed(rights, boundTo));
  const { tablesSeenBy } = session;
  const rights: Pick<Session, Right> = {
    databaseFor,
    database:
      changed === undefined && boundTo === undefined ? session.database : databaseFor({ properties: {} }),
    tablesSeenBy: tablesSeenBy && ((rights) => tablesSeenBy(narrowed(rights, boundTo))),
    reader: reader ?? session.reader,
    holdsQueries: holdsQueries ?? session.holdsQueries,
    lake: session.lake && reachOf(session.lake, { eachPart, lake, closesLake }),
  };
  return wholeSession({ ...session, ...others, ...rights });
}

function reachOf(
  reach: LakeReach<Session>,
  {
    eachPart,
    lake = (same) => same,
    closesLake = false,
  }: Pick<SessionChanges, 'eachPart' | 'lake' | 'closesLake'>,
): LakeReach<Session> {
  const changed = lake(overEach(reach, eachPart));
  return closesLake ? { ...changed, close: () => reach.close() } : changed;
}

/** What somebody asks for within what they have: tables of both, and no other person, nor property, than the bound says. */
function narrowed(rights: ReaderRights, bound: ReaderRights | undefined): ReaderRights {
  if (bound === undefined) return rights;
  const { tables } = rights;
  const user = bound.user ?? rights.user;
  const within = bound.tables && new Set(bound.tables);
  const both = within && tables ? tables.filter((id) => within.has(id)) : (tables ?? bound.tables);
  return {
    properties: { ...rights.properties, ...bound.properties },
    ...(both !== undefined && { tables: both }),
    ...(user !== undefined && { user }),
  };
}
