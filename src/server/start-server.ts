import { type ServerType, serve } from '@hono/node-server';
import { CandorError } from '../errors.ts';
import { JobQueue } from '../jobs/index.ts';
import { isLoopback } from '../loopback.ts';
import type { Session } from '../session.ts';
import { OpenAtNeed } from '../store/index.ts';
import { joinApps } from './join-apps.ts';
import { type KnownPeople, knownPeople, People } from './people/people.ts';
import { RunHub } from './runs/run-hub.ts';
import type { ServerParts } from './server-parts.ts';
import { type Reopen, SessionDesk } from './session-desk.ts';
import { ChatStore } from './state/chat-store.ts';
import { openServerState } from './state/open-server-state.ts';
import type { ServerState } from './state/server-state.ts';
import type { Workspace } from './workspace.ts';

export interface ServerSettings {
  /** 127.0.0.1, ::1 or localhost; anything else needs `publicUrls` and users. */
  readonly host: string;
  /** Where people reach it from elsewhere: `https://candor.example`, as a proxy passes it on. */
  readonly publicUrls?: readonly string[];
  /** Whoever asks must be signed in, at this machine as well. Always so off loopback. */
  readonly needsSignIn?: boolean;
  /** 0: one that is free. */
  readonly port: number;
  /** Random ids, not to be guessed. */
  readonly newId: () => string;
  /** Random, 256 bits. */
  readonly newSecret?: () => string;
  /** Hears of every bug, with the id that the client was told in place of it. */
  readonly onBug: (requestId: string, error: Error) => void;
  /** Opens the project anew once its files have changed; absent: they are read at the start alone. */
  readonly reopen?: Reopen;
  /** Other projects that are served at `/w/<name>/`. */
  readonly workspaces?: readonly Workspace[];
  /** How long connections may take to end once the server is closed. */
  readonly graceMs?: number;
}

export interface RunningServer {
  /** `http://127.0.0.1:8713` */
  readonly url: string;
  /** Opens a workspace anew: what is derived of its database has changed. Throws as opening a project does. */
  reload(workspace: string): Promise<void>;
  /** Takes no more requests, cancels the runs in work and ends the connections; the session stays open. */
  close(): Promise<void>;
}

const GRACE_MS = 5_000;
/** Longer than proxies keep an idle connection (60 s as a rule), so that none sends into one that we have just closed. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Serves a session, to this machine or to people who sign in. Throws `server.not-loopback`, `server.no-users`,
 * `server.port-unusable`, `store.unusable`, and as connecting to the database of `server.state` does.
 */
export async function startServer(session: Session, settings: ServerSettings): Promise<RunningServer> {
  const { host, port, publicUrls = [], graceMs = GRACE_MS } = settings;
  const needsSignIn = settings.needsSignIn === true || !isLoopback(host) || publicUrls.length > 0;
  if (!isLoopback(host) && publicUrls.length === 0) {
    const message = `Who opens ${JSON.stringify(host.slice(0, 100))} from elsewhere names an address that is not known here.`;
    throw new CandorError('server.not-loopback', message);
  }
  const state = await openServerState(session.config);
  const jobs = new OpenAtNeed(() => JobQueue.open(session.config.server.state));
  try {
    const people = needsSignIn ? await openPeople(state, session) : undefined;
    const served = partsOfEach(session, settings, { state, jobs, people });
    const { server, url } = await listen(joinApps(served), host, port);
    return {
      url,
      async reload(name) {
        await served.find(({ workspace }) => workspace === name)?.desk.reload();
      },
      async close() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        await Promise.all(served.map(({ runs }) => runs.close()));
        const timer = setTimeout(
          () => 'closeAllConnections' in server && server.closeAllConnections(),
          graceMs,
        );
        if ('closeIdleConnections' in server) server.closeIdleConnections();
        await closed;
        clearTimeout(timer);
        await Promise.all(served.map(({ desk }) => desk.close()));
        await jobs.close();
        await state.close();
      },
    };
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** Throws `server.no-users` where nobody could sign in. */
async function openPeople(state: ServerState, { config }: Session): Promise<KnownPeople> {
  const people = knownPeople(state, config.server.oidc);
  if (people.oidc !== undefined || (await people.store.canAnybodySignIn())) return people;
  throw new CandorError('server.no-users', 'Nobody could sign in: there is no user with a key.');
}

/** What all workspaces have in common. */
interface Shared {
  readonly state: ServerState;
  readonly jobs: OpenAtNeed<JobQueue>;
  readonly people: KnownPeople | undefined;
}

/** What each workspace works with; the first is of the project itself. */
function partsOfEach(
  session: Session,
  { publicUrls = [], newId, newSecret = newId, onBug, reopen, workspaces: others = [] }: ServerSettings,
  { state, jobs, people }: Shared,
): readonly [ServerParts, ...ServerParts[]] {
  const home: Workspace = { name: '', session, ...(reopen !== undefined && { reopen }) };
  const workspaces = [home, ...others];
  const partsOf = (workspace: Workspace): ServerParts => ({
    ...{ workspace: workspace.name, workspaces, newId, newSecret, onBug },
    desk: new SessionDesk(workspace.session, workspace.reopen),
    chats: new ChatStore(state, workspace.name),
    runs: new RunHub(),
    jobs,
    ...(people !== undefined && { people: new People(people, workspace) }),
    publicOrigins: new Map(publicUrls.map((url) => [new URL(url).host, new URL(url).origin])),
    embedOrigins: new Set(session.config.server.embedOrigins),
    isSecure: publicUrls.some((url) => url.startsWith('https:')),
  });
  return [partsOf(home), ...others.map(partsOf)];
}

interface Listening {
  readonly server: ServerType;
  readonly url: string;
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], host: string, port: number): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const bound = { fetch, hostname: host, port, serverOptions: { keepAliveTimeout: KEEP_ALIVE_MS } };
    const server = serve(bound, ({ address, family, port: taken }) => {
      const name = family === 'IPv6' ? `[${address}]` : address;
      resolve({ server, url: `http://${name}:${taken}` });
    });
    server.once('error', (cause: Error) => {
      const message = `Nothing can be served on ${host}, port ${port}: ${cause.message}.`;
      reject(new CandorError('server.port-unusable', message, { cause }));
    });
  });
}
