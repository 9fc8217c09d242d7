import { makeKey, type RunningServer, startServer } from '../../src/server/index.ts';
import type { Session } from '../../src/session/project/session.ts';

type Settings = Parameters<typeof startServer>[1];

/** A server for people with keys, whose ids and secrets are the same in every run; a bug of it ends the test. */
export function startKeyedServer(session: Session, changed: Partial<Settings> = {}): Promise<RunningServer> {
  let ids = 0;
  return startServer(session, {
    host: '127.0.0.1',
    port: 0,
    needsSignIn: true,
    newId: () => `id-${++ids}`,
    newSecret: () => makeKey((bytes) => Buffer.alloc(bytes, ++ids)),
    onBug: (id, error) => {
      throw new Error(`${id}: ${error.stack}`);
    },
    ...changed,
  });
}
