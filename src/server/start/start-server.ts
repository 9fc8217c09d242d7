import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type ServerType, serve } from '@hono/node-server';
import { CandorError } from '../../errors.ts';
import { JobQueue } from '../../jobs/index.ts';
import { isLoopback, OpenAtNeed } from '../../lib/index.ts';
import {
  type DecisionRecord,
  parseRecord,
  type RecordPage,
  type RecordStore,
  type Session,
  type WantedRecords,
} from '../../session/index.ts';
import { Admission, type Admissions } from '../parts/admission.ts';
import type { ServerParts } from '../parts/server-parts.ts';
import { type KnownPeople, knownPeople, People } from '../people/people.ts';
import { RunHub } from '../runs/run-hub.ts';
import type { Reopen, Workspace } from '../sessions/project-sessions.ts';
import { ProjectSessions } from '../sessions/project-sessions.ts';
import type { SharedWorkspace } from '../shared/shared-workspace.ts';
import { ChatStore } from '../state/chat-store.ts';
import type { ServerState } from '../state/open-server-state.ts';
import { openServerState } from '../state/open-server-state.ts';
import { joinApps } from './join-apps.ts';
import { Member } from './member.ts';

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
  /** How long runs in work may go on once it is; 10 s where others have the same state, else they are cancelled. */
  readonly runGraceMs?: number;
  /** The state, where it is open already; absent: as the configuration says, and closed with the server. */
  readonly state?: ServerState;
  /** Files and derived data of the project, where several servers have them in common. */
  readonly shared?: SharedWorkspace;
}

export interface RunningServer {
  /** `http://127.0.0.1:8713` */
  readonly url: string;
  /** Takes no more requests, lets the runs in work end or cancels them, and ends the connections; the session stays open. */
  close(): Promise<void>;
}

/** Longer than that nobody looks at a page on which nothing happens. */
const MOST_WAIT_MS = 10_000;
const GRACE_MS = 5_000;
const SHARED_RUN_GRACE_MS = 10_000;
/** For so long a server that ends still takes turns while `/ready` says no: proxies that ask each second have moved on by then. */
const LINGER_MS = 2_000;
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
  const state = settings.state ?? (await openServerState(session.config));
  const closeState = async (): Promise<void> => {
    if (settings.state === undefined) await state.close();
  };
  const jobs = new OpenAtNeed(() => JobQueue.open(session.config.server.state));
  let member: Member | undefined;
  try {
    const people = needsSignIn ? await openPeople(state, session) : undefined;
    const onTrouble = (error: Error): void => settings.onBug('shared state', error);
    if (state.shared !== undefined) member = await Member.join(state, state.shared, onTrouble);
    const ending = new AbortController();
    const served = partsOfEach(session, settings, { state, jobs, people, member, ending: ending.signal });
    const { server, url } = await listen(joinApps(served), host, port);
    const runGraceMs = settings.runGraceMs ?? (member === undefined ? 0 : SHARED_RUN_GRACE_MS);
    return {
      url,
      async close() {
        ending.abort();
        if (member !== undefined) await wait(LINGER_MS);
        // Whoever reads events of a run in work, or gets the last ones, still can.
        if (runGraceMs > 0) await Promise.all(served.map(({ runs }) => runs.close(runGraceMs)));
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        await Promise.all(served.map(({ runs }) => runs.close()));
        const timer = setTimeout(
          () => 'closeAllConnections' in server && server.closeAllConnections(),
          graceMs,
        );
        if ('closeIdleConnections' in server) server.closeIdleConnections();
        await closed;
        clearTimeout(timer);
        await member?.close();
        await Promise.all(served.map(({ projectSessions }) => projectSessions.close()));
        await jobs.close();
        await closeState();
      },
    };
  } catch (error) {
    await member?.close();
    await closeState();
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
interface OfServer {
  readonly state: ServerState;
  readonly jobs: OpenAtNeed<JobQueue>;
  readonly people: KnownPeople | undefined;
  readonly member: Member | undefined;
  readonly ending: AbortSignal;
}

/** What each workspace works with; the first is of the project itself. */
function partsOfEach(
  session: Session,
  settings: ServerSettings,
  { state, jobs, people, member, ending }: OfServer,
): readonly [ServerParts, ...ServerParts[]] {
  const { publicUrls = [], newId, newSecret = newId, onBug, workspaces: others = [] } = settings;
  const { reopen, shared } = settings;
  const admissions = admissionsOf(session, people !== undefined);
  const home = { name: '', session, ...(reopen && { reopen }), ...(shared && { shared }) };
  const workspaces = [home, ...others].map((each) =>
    state.shared === undefined ? each : withSharedRecords(each, state),
  );
  const partsOf = (workspace: Workspace): ServerParts => {
    const projectSessions = new ProjectSessions(workspace.session, workspace);
    return {
      ...{ workspace: workspace.name, workspaces, newId, newSecret, onBug, projectSessions, admissions },
      chats: new ChatStore(state, workspace.name),
      runs: member?.runsOf(workspace.name, projectSessions) ?? new RunHub(),
      jobs,
      ...(people !== undefined && { people: new People(people, workspace, state) }),
      publicOrigins: new Map(publicUrls.map((url) => [new URL(url).host, new URL(url).origin])),
      embedOrigins: new Set(session.config.server.embedOrigins),
      isSecure: publicUrls.some((url) => url.startsWith('https:')),
      isEnding: () => ending.aborted,
    };
  };
  const [first = home, ...rest] = workspaces;
  return [partsOf(first), ...rest.map(partsOf)];
}

/**
 * A question of the built-in engine keeps the processor busy, and more of them at once make each slower; one of a model waits for the model.
 */
function admissionsOf({ config: { server }, models }: Session, isOfMany: boolean): Admissions {
  const usual = models === undefined ? Math.max(4, 2 * availableParallelism()) : 32;
  const mostAtOnce = server.questionsAtOnce ?? usual;
  const mostOfOne = isOfMany ? Math.max(1, mostAtOnce - 1) : mostAtOnce;
  const settings = { mostAtOnce, mostOfOne, mostWaitMs: server.mostWaitMs ?? MOST_WAIT_MS };
  return { question: new Admission(settings), sql: new Admission(settings) };
}

/** What one server has answered, all of them can explain. */
function withSharedRecords({ session, reopen, ...rest }: Workspace, state: ServerState): Workspace {
  const records = new SharedRecords(state, rest.name);
  const keeping = (each: Session): Session => each.withRecords(records);
  const opened = reopen && (async () => keeping(await reopen()));
  return { ...rest, session: keeping(session), ...(opened && { reopen: opened }) };
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

/** Records of one workspace in the state that servers share: what one has answered, each of them can explain. */
export class SharedRecords implements RecordStore {
  readonly #state: ServerState;
  readonly #workspace: string;

  constructor(state: ServerState, workspace: string) {
    this.#state = state;
    this.#workspace = workspace;
  }

  async write(record: DecisionRecord): Promise<void> {
    await this.#state.run(
      'INSERT INTO candor.records (workspace, id, reader, kind, record) VALUES ($1, $2, $3, $4, $5)',
      [this.#workspace, record.id, record.reader ?? null, record.kind, JSON.stringify(record)],
    );
  }

  async read(id: string): Promise<DecisionRecord> {
    const whole = await this.#state.run(
      'SELECT id, record FROM candor.records WHERE workspace = $1 AND id = $2',
      [this.#workspace, id],
    );
    const [row, second] = whole.length > 0 || !/^[\w-]+$/.test(id) ? whole : await this.#readByPart(id);
    if (row === undefined) throw new CandorError('record.not-found', `There is no record “${id}”.`);
    if (second !== undefined)
      throw new CandorError('record.not-found', `“${id}” fits several records; give more of the id.`);
    return parseRecord(String(row.record), String(row.id));
  }

  async page({ most, before, reader, kind }: WantedRecords): Promise<RecordPage> {
    const rows = await this.#state.run(
      `SELECT id, record FROM candor.records
       WHERE workspace = $1 AND (CAST($2 AS text) IS NULL OR id < $2) AND (CAST($3 AS text) IS NULL OR reader = $3)
         AND (CAST($4 AS text) IS NULL OR kind = $4)
       ORDER BY id DESC LIMIT $5`,
      [this.#workspace, before ?? null, reader ?? null, kind ?? null, most + 1],
    );
    const shown = rows.slice(0, most);
    const last = shown.at(-1);
    const records = shown.map((row) => parseRecord(String(row.record), String(row.id)));
    return { records, ...(rows.length > most && last !== undefined && { next: String(last.id) }) };
  }

  #readByPart(id: string) {
    return this.#state.run(
      `SELECT id, record FROM candor.records
       WHERE workspace = $1 AND (starts_with(id, $2) OR right(id, length($2) + 1) = '-' || $2) LIMIT 2`,
      [this.#workspace, id],
    );
  }
}
