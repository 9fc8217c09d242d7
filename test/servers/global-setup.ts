/**
 * Before the run: a loopback address where test files ask for a server, and a folder for what tests write, in memory. The first request of
 * a kind of server starts it, all others share it; a run without such tests starts none. After the run, also a failed one, all are gone.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { ServerKind } from './find-server.ts';
import { isAlive } from './server-process.ts';
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

const MEMORY = '/dev/shm';
const FOLDER = /^candor-tests-(\d+)$/;
/** Databases, servers and profiles of browsers of a whole run; where there is less, they are on the disk. */
const ROOM_BYTES = 6 * 2 ** 30;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  makeFolderOfRun();
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

/**
 * One folder for all temporary files of a run. What tests write is thrown away, but the engines wait for a disk to have it: a third of the
 * time of all tests. So it is kept in memory where there is plenty of that; the environment of this process is that of its workers, and of
 * what they start.
 */
function makeFolderOfRun(): void {
  const name = `candor-tests-${process.pid}`;
  // Every project of a run is set up by itself.
  if (basename(tmpdir()) === name) return;
  const hasRoom = existsSync(MEMORY) && freeOf(MEMORY) > ROOM_BYTES && freemem() > ROOM_BYTES;
  const place = hasRoom ? MEMORY : tmpdir();
  for (const left of readdirSync(place)) {
    const [, owner] = FOLDER.exec(left) ?? [];
    // Left by a run that was killed.
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(join(place, left), { recursive: true, force: true });
  }
  const folder = join(place, name);
  mkdirSync(folder, { recursive: true });
  // The servers run under accounts of their own.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // The servers of all projects have stopped by then.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function freeOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
