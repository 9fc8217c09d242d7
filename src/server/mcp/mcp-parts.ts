import type { Answer } from '../../answer.ts';
import type { Session } from '../../session.ts';
import type { ServerParts } from '../server-parts.ts';

/** What tools and resources work with: one person's view of the database, and where bugs are told. */
export interface McpParts extends Pick<ServerParts, 'newId' | 'onBug'> {
  readonly session: Session;
  /** SQL of their own; the tool is not there for others. */
  readonly mayRunSql: boolean;
  /** Counts a question; throws `server.quota`. */
  readonly onQuestion: () => void;
  readonly onAnswer: (answer: Answer) => void;
}

/** Whoever starts the program may do with it what it can. */
export const OWN_MACHINE = {
  mayRunSql: true,
  onQuestion: () => undefined,
  onAnswer: () => undefined,
} satisfies Partial<McpParts>;
