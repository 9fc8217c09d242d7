/**
 * Before the run: a loopback address where test files ask for a server. The first request of a kind starts it, all
 * others share it; a run without such tests starts none. After the run, also a failed one, all are stopped.
 */
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import type { ServerKind } from './find-server.ts';
import { startMariadb } from './start-mariadb.ts';
import { startPostgres } from './start-postgres.ts';
import type { StartedServer } from './started-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `serverOfRun` asks. */
    serverDesk: string;
  }
}

const STARTS: Readonly<Record<ServerKind, () => Promise<StartedServer>>> = {
  postgres: startPostgres,
  mariadb: startMariadb,
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<StartedServer>>();
  const desk = createServer(async (request, response) => {
    const kind = (request.url ?? '').slice(1);
    if (kind !== 'postgres' && kind !== 'mariadb')
      return response.writeHead(404).end(`no server is called ${kind}`);
    try {
      const starting = started.get(kind) ?? STARTS[kind]();
      started.set(kind, starting);
      const { port, folder, adminUrl, processId } = await starting;
      return response.end(JSON.stringify({ kind, port, folder, adminUrl, processId: processId() }));
    } catch (error) {
      return response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  const address = desk.address();
  if (address === null || typeof address === 'string') throw new Error('the desk has no port');
  project.provide('serverDesk', `http://127.0.0.1:${address.port}`);
  return async () => {
    desk.close();
    desk.closeAllConnections();
    for (const starting of started.values())
      await starting.then(
        (server) => server.stop(),
        () => undefined,
      );
  };
}
