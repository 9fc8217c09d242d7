import type { Answer } from '../../../answer.ts';
import type { SqlOutcome } from '../../../answering/index.ts';
import type { Session } from '../../../session/index.ts';
import type { Admissions } from '../../parts/admission.ts';
import type { ServerParts } from '../../parts/server-parts.ts';

/** What tools and resources work with: one person's view of the database, and where bugs are told. */
export interface McpParts extends Pick<ServerParts, 'newId' | 'onBug'> {
  readonly session: Session;
  /** SQL of their own; the tool is not there for others. */
  readonly mayRunSql: boolean;
  /** Waits until a tool may do its work, and gives what must be called at its end. Throws `server.overloaded`. */
  readonly enter: (line: keyof Admissions) => Promise<() => void>;
  /** Counts a question; throws `server.quota`. */
  readonly onQuestion: () => Promise<void>;
  /** The session for what the person has approved; throws `server.no-right` where nothing runs for them. */
  readonly mayRun: (session: Session) => Promise<Session> | Session;
  /** Hears of SQL that ran. */
  readonly onSql: (sql: string, outcome: SqlOutcome) => Promise<void> | void;
  readonly onAnswer: (answer: Answer) => Promise<void> | void;
}

/** Whoever starts the program may do with it what it can. */
export const OWN_MACHINE = {
  mayRunSql: true,
  enter: async () => () => undefined,
  onQuestion: async () => undefined,
  mayRun: (session: Session) => session,
  onSql: () => undefined,
  onAnswer: () => undefined,
} satisfies Partial<McpParts>;
