import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { closeFolder } from '../../store/index.ts';
import { FileState } from './file-state.ts';
import { PostgresState } from './postgres-state.ts';
import type { ServerState } from './server-state.ts';

/** People, conversations, feedback and the audit, beside what is derived from the database. */
const STATE_FILE = 'server.db';

/** `close` it. Throws `store.unusable`, and as connecting to a database does. */
export async function openServerState({
  derivedDirectory,
  server,
}: Pick<Config, 'derivedDirectory' | 'server'>): Promise<ServerState> {
  await closeFolder(derivedDirectory);
  return server?.state === undefined
    ? FileState.open(join(derivedDirectory, STATE_FILE))
    : PostgresState.open(server.state);
}
