import { join } from 'node:path';
import { type ServerType, serve } from '@hono/node-server';
import { CandorError } from '../errors.ts';
import { isLoopback } from '../loopback.ts';
import type { Session } from '../session.ts';
import { buildApp } from './build-app.ts';
import { RunHub } from './runs/run-hub.ts';
import { ChatStore } from './state/chat-store.ts';

export interface ServerSettings {
  /** 127.0.0.1, ::1 or localhost; anything else is refused. */
  readonly host: string;
  /** 0: one that is free. */
  readonly port: number;
  /** Random ids, not to be guessed. */
  readonly newId: () => string;
  /** Hears of every bug, with the id that the client was told in place of it. */
  readonly onBug: (requestId: string, error: Error) => void;
  /** How long connections may take to end once the server is closed. */
  readonly graceMs?: number;
}

export interface RunningServer {
  /** `http://127.0.0.1:8713` */
  readonly url: string;
  /** Takes no more requests, cancels the runs in work and ends the connections; the session stays open. */
  close(): Promise<void>;
}

const GRACE_MS = 5_000;
/** Conversations and feedback, beside what is derived from the database. */
const STATE_FILE = 'server.db';

/** Serves a session to this machine. Throws `server.not-loopback`, `server.port-unusable` and `store.unusable`. */
export async function startServer(session: Session, settings: ServerSettings): Promise<RunningServer> {
  const { host, port, newId, onBug, graceMs = GRACE_MS } = settings;
  if (!isLoopback(host)) {
    const message = `Candor serves this machine alone, not ${JSON.stringify(host.slice(0, 100))}.`;
    throw new CandorError('server.not-loopback', message);
  }
  const chats = await ChatStore.open(join(session.config.derivedDirectory, STATE_FILE));
  const runs = new RunHub();
  try {
    const app = buildApp({ session, chats, runs, newId, onBug });
    const { server, url } = await listen(app.fetch, host, port);
    return {
      url,
      async close() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        await runs.close();
        const timer = setTimeout(
          () => 'closeAllConnections' in server && server.closeAllConnections(),
          graceMs,
        );
        if ('closeIdleConnections' in server) server.closeIdleConnections();
        await closed;
        clearTimeout(timer);
        chats.close();
      },
    };
  } catch (error) {
    chats.close();
    throw error;
  }
}

interface Listening {
  readonly server: ServerType;
  readonly url: string;
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], host: string, port: number): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: host, port }, ({ address, family, port: bound }) => {
      const name = family === 'IPv6' ? `[${address}]` : address;
      resolve({ server, url: `http://${name}:${bound}` });
    });
    server.once('error', (cause: Error) => {
      const message = `Nothing can be served on ${host}, port ${port}: ${cause.message}.`;
      reject(new CandorError('server.port-unusable', message, { cause }));
    });
  });
}
