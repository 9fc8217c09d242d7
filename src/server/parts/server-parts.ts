import type { JobQueue } from '../../jobs/index.ts';
import type { OpenAtNeed } from '../../lib/index.ts';
import type { Session } from '../../session/index.ts';
import type { People } from '../people/people.ts';
import type { Person } from '../people/person.ts';
import type { ProjectSessions } from '../sessions/project-sessions.ts';
import type { Workspace } from '../sessions/workspace.ts';
import type { ChatStore } from '../state/chat-store.ts';
import type { Admissions } from './admission.ts';
import type { Runs } from './runs.ts';

/** What routes of one workspace work with. */
export interface ServerParts {
  /** Its name; empty for the project that the server was started in. */
  readonly workspace: string;
  /** All that the server serves, this one too. */
  readonly workspaces: readonly Workspace[];
  /** The whole of the project; routes use the session of the request, which is what its person may see. */
  readonly desk: ProjectSessions;
  readonly chats: ChatStore;
  readonly runs: Runs;
  /** Of the whole server. */
  readonly admissions: Admissions;
  /** Of the whole installation; routes show those of this workspace. */
  readonly jobs: OpenAtNeed<JobQueue>;
  /** Absent: the server serves its own machine, and whoever sits there may do everything. */
  readonly people?: People;
  /** The origins by which it is reached from elsewhere, by their hosts, with ports where those are named. */
  readonly publicOrigins: ReadonlyMap<string, string>;
  /** Origins whose pages may hold the chat. */
  readonly embedOrigins: ReadonlySet<string>;
  /** It is reached over HTTPS: cookies are sent over nothing else. */
  readonly isSecure: boolean;
  /** Random, not to be guessed. */
  readonly newId: () => string;
  /** Random, 256 bits. */
  readonly newSecret: () => string;
  /** It has been told to end: proxies shall send people to other servers. */
  readonly isEnding: () => boolean;
  /** Hears of every bug, with the id that the client was told in place of it. */
  readonly onBug: (requestId: string, error: Error) => void;
}

/** Of Hono: what a request carries. */
export interface ServerEnv {
  readonly Variables: {
    readonly parts: ServerParts;
    requestId: string;
    person: Person;
    /** The person's view; where they must approve queries, it runs none. */
    session: Session;
    /** The same for what they have approved, or wrote themselves: see `mayRun`. */
    approved: Session;
  };
}
