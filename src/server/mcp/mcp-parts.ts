import type { Session } from '../../session.ts';
import type { ServerParts } from '../server-parts.ts';

/** What tools and resources work with: one person's view of the database, and where bugs are told. */
export interface McpParts extends Pick<ServerParts, 'newId' | 'onBug'> {
  readonly session: Session;
}
