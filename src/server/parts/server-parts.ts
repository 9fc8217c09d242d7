import type { JobQueue } from '../../jobs/index.ts';
import type { OpenAtNeed } from '../../lib/index.ts';
import type { Session } from '../../session/index.ts';
import type { People } from '../people/people.ts';
import type { Person } from '../people/person.ts';
import type { ProjectSessions, Workspace } from '../sessions/project-sessions.ts';
import type { ChatStore } from '../state/chat-store.ts';
import type { RunState } from '../state/open-server-state.ts';
import type { Admissions } from './admission.ts';

/** One thing that happened in a run: a name and its data as JSON text, in one order. */
export interface RunEvent {
  /** 1, 2, 3, …: what a reader names to go on behind it. */
  readonly id: number;
  readonly name: string;
  readonly data: string;
}

/** A run as the work in it knows it. */
export interface RunInWork {
  readonly id: string;
  /** What the work is about. */
  readonly subject: string;
  readonly signal: AbortSignal;
  emit(name: string, data: unknown): void;
  /** The last event, told once `write` has kept what it tells of; `within` a transaction where the state is shared. */
  finish(write: (within?: RunState) => Promise<void>, name: string, data: unknown): Promise<void>;
}

/** A run as its readers know it, whichever server it is in work on. */
export interface FollowedRun {
  readonly id: string;
  /** What the work is about. */
  readonly subject: string;
  /** Events behind the one with the id, those to come as well; ends with the run, or when `signal` is aborted. */
  read(after: number, signal: AbortSignal): AsyncGenerator<RunEvent>;
  cancel(): void | Promise<void>;
}

/** The runs of one workspace. */
export interface Runs {
  /** Of this server, in work. */
  readonly running: number;
  readonly isClosing: boolean;
  /**
   * One run at a time for each `subject`; one that is known under the id is given back, and one whose server is gone is worked on
   * here. `work` never rejects: it emits what went wrong. Throws `server.busy`, `server.overloaded`, `server.closing`,
   * `server.invalid-request`, and as the state does where it is shared.
   */
  start(
    id: string,
    subject: string,
    work: (run: RunInWork) => Promise<void>,
  ): FollowedRun | Promise<FollowedRun>;
  /** In work, or ended not long ago. */
  find(id: string): FollowedRun | undefined | Promise<FollowedRun | undefined>;
  /** Takes no more runs, lets those in work go on for so long, then cancels them and waits for them. */
  close(graceMs?: number): Promise<void>;
}

/** What routes of one workspace work with. */
export interface ServerParts {
  /** Its name; empty for the project that the server was started in. */
  readonly workspace: string;
  /** All that the server serves, this one too. */
  readonly workspaces: readonly Workspace[];
  /** The whole of the project; routes use the session of the request, which is what its person may see. */
  readonly projectSessions: ProjectSessions;
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
