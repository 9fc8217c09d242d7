import type { Session } from '../session.ts';
import type { Person } from './person.ts';
import type { RunHub } from './runs/run-hub.ts';
import type { ChatStore } from './state/chat-store.ts';

/** What routes work with. */
export interface ServerParts {
  /** The whole of the project; routes use the one of the request, which is what its person may see. */
  readonly session: Session;
  readonly chats: ChatStore;
  readonly runs: RunHub;
  /** Random, not to be guessed. */
  readonly newId: () => string;
  /** Hears of every bug, with the id that the client was told in place of it. */
  readonly onBug: (requestId: string, error: Error) => void;
}

/** Of Hono: what a request carries. */
export interface ServerEnv {
  readonly Variables: {
    readonly parts: ServerParts;
    requestId: string;
    person: Person;
    session: Session;
  };
}
