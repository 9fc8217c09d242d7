import { z } from 'zod';
import type { Answer } from '../../answer.ts';
import { tableIds } from '../../catalog/index.ts';
import type { OidcConfig, ServerConfig } from '../../config/index.ts';
import { BoundedMap } from '../../lib/index.ts';
import type { Session } from '../../session/index.ts';
import type { Workspace } from '../sessions/project-sessions.ts';
import type { ServerState } from '../state/open-server-state.ts';
import { type AuditEntry, AuditLog } from './audit-log.ts';
import { OidcClient, type OidcFlow } from './oidc-client.ts';
import { hashSecret, PeopleStore, type User } from './people-store.ts';
import { LOCAL_PERSON, type Person, rightsOf } from './person.ts';

const MINUTE_MS = 60_000;
const MOST_WRONG_KEYS = 50;

/** What all workspaces of a server have in common: who there is, how they sign in, and what they did. */
export interface KnownPeople {
  readonly store: PeopleStore;
  readonly log: AuditLog;
  /** Undefined: people sign in with keys alone. */
  readonly oidc:
    | { readonly settings: OidcConfig; readonly client: OidcClient; readonly flows: FlowStore }
    | undefined;
  /** By the address a request came from. */
  readonly wrongKeys: TryCounter;
}

export function knownPeople(state: ServerState, oidc: OidcConfig | undefined): KnownPeople {
  return {
    store: new PeopleStore(state),
    log: new AuditLog(state),
    wrongKeys: new TryCounter(MOST_WRONG_KEYS, MINUTE_MS),
    oidc: oidc && { settings: oidc, client: new OidcClient(oidc), flows: new FlowStore(state) },
  };
}

/** Who may use a workspace: what its groups give to whom, their views of its project, and what they did. */
export class People implements KnownPeople {
  readonly store: PeopleStore;
  readonly log: AuditLog;
  readonly oidc: KnownPeople['oidc'];
  readonly wrongKeys: TryCounter;
  readonly sessions = new ReaderSessions();
  readonly #workspace: string;
  readonly #config: ServerConfig;
  readonly #clock: () => Date;
  readonly #questions: QuestionCounter;

  constructor(
    known: KnownPeople,
    { name, session }: Pick<Workspace, 'name' | 'session'>,
    state: ServerState,
  ) {
    this.#questions = new QuestionCounter(state, name);
    this.store = known.store;
    this.log = known.log;
    this.oidc = known.oidc;
    this.wrongKeys = known.wrongKeys;
    this.#workspace = name;
    this.#config = session.config.server;
    this.#clock = session.wallClock;
  }

  get now(): Date {
    return this.#clock();
  }

  personOf({ id, name, isAdmin, groups }: User): Person {
    return { id, name, isAdmin, groups, rights: rightsOf({ isAdmin, groups }, this.#config.groups) };
  }

  /** Takes all of them, or none and gives false: where they are more than the person's groups leave of this hour. */
  async takeQuestions({ id, rights: { questionsPerHour } }: Person, count = 1): Promise<boolean> {
    if (questionsPerHour === undefined) return true;
    return this.#questions.take(id, questionsPerHour, { now: this.now, count });
  }

  /** Of this hour; undefined: as many as they like. */
  async questionsLeft({ id, rights }: Person): Promise<{ perHour: number; left: number } | undefined> {
    const { questionsPerHour: perHour } = rights;
    if (perHour === undefined) return undefined;
    return { perHour, left: await this.#questions.left(id, perHour, this.now) };
  }

  /** A question and what it came to; its rows and values are the database's. */
  auditAnswer(who: string, answer: Answer): Promise<void> {
    const { kind, question, recordId } = answer;
    const ran = answer.kind === 'answered' ? { sql: answer.sql, rows: answer.rows.length } : {};
    return this.audit(who, 'question', { question, outcome: kind, recordId, ...ran });
  }

  audit(who: string, what: string, detail: AuditEntry['detail']): Promise<void> {
    const where = this.#workspace === '' ? {} : { workspace: this.#workspace };
    return this.log.add({ at: this.now.toISOString(), who, what, detail: { ...where, ...detail } });
  }
}

/** How often something went wrong lately, for each of many: who has used up their tries waits. */
export class TryCounter {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #tries = new Map<string, { count: number; endsAt: number }>();

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Whether so many more are too many. `now` in milliseconds, of any clock that only grows. */
  isUsedUp(who: string, now: number, more = 1): boolean {
    return this.#countOf(who, now) + more > this.#most;
  }

  add(who: string, now: number, more = 1): void {
    const tries = this.#tries.get(who);
    if (tries !== undefined && tries.endsAt > now) tries.count += more;
    else this.#tries.set(who, { count: more, endsAt: now + this.#windowMs });
    if (this.#tries.size > 10_000) this.#forget(now);
  }

  #countOf(who: string, now: number): number {
    const tries = this.#tries.get(who);
    return tries !== undefined && tries.endsAt > now ? tries.count : 0;
  }

  #forget(now: number): void {
    for (const [who, { endsAt }] of this.#tries) if (endsAt <= now) this.#tries.delete(who);
  }
}

const HOUR_MS = 3_600_000;

/** How many questions people of one workspace have asked in their hour, which begins with the first of it; over all servers. */
export class QuestionCounter {
  readonly #state: ServerState;
  readonly #workspace: string;

  constructor(state: ServerState, workspace: string) {
    this.#state = state;
    this.#workspace = workspace;
  }

  /** Takes all of them, or none and gives false where they are more than are left. Who is given another quota counts anew. */
  async take(who: string, perHour: number, { now, count }: { now: Date; count: number }): Promise<boolean> {
    if (count > perHour) return false;
    const rows = await this.#state.run(
      `INSERT INTO candor.quotas (workspace, who, per_hour, count, ends_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace, who, per_hour) DO UPDATE SET
         count = CASE WHEN quotas.ends_at > $6 THEN quotas.count + excluded.count ELSE excluded.count END,
         ends_at = CASE WHEN quotas.ends_at > $6 THEN quotas.ends_at ELSE excluded.ends_at END
       WHERE quotas.ends_at <= $6 OR quotas.count + excluded.count <= $3
       RETURNING count`,
      [
        this.#workspace,
        who,
        perHour,
        count,
        new Date(now.getTime() + HOUR_MS).toISOString(),
        now.toISOString(),
      ],
    );
    return rows.length > 0;
  }

  /** How many there may still be. */
  async left(who: string, perHour: number, now: Date): Promise<number> {
    const [row] = await this.#state.run(
      'SELECT count FROM candor.quotas WHERE workspace = $1 AND who = $2 AND per_hour = $3 AND ends_at > $4',
      [this.#workspace, who, perHour, now.toISOString()],
    );
    return Math.max(0, perHour - Number(row?.count ?? 0));
  }
}

/** Views of the project that stay ready: as many people as are there on one day. */
const MOST_KEPT = 200;

/** The project as one person has it. */
interface PersonView {
  /** What answers them; where they must approve, it runs nothing. */
  readonly session: Session;
  /** The same for what they have approved, or wrote themselves. */
  readonly approved: Session;
}

/** Each person's view of the project, made at their first request and kept while it is used. */
class ReaderSessions {
  /** Of each session the views; the one that was used longest ago first. */
  readonly #views = new WeakMap<Session, BoundedMap<string, Promise<PersonView>>>();

  /** Other rights make another view: a changed group holds from the next request on. */
  of(person: Person, whole: Session): Promise<PersonView> {
    if (person.id === LOCAL_PERSON.id) return Promise.resolve({ session: whole, approved: whole });
    const views = this.#views.get(whole) ?? new BoundedMap<string, Promise<PersonView>>(MOST_KEPT);
    this.#views.set(whole, views);
    const { tables, properties, approval } = person.rights;
    const key = JSON.stringify([person.id, tables, properties, approval]);
    const known = views.refresh(key);
    if (known !== undefined) return known;
    const view = makeView(person, whole);
    views.set(key, view);
    view.catch(() => views.delete(key));
    return view;
  }
}

async function makeView({ name, rights }: Person, whole: Session): Promise<PersonView> {
  const { tables, properties, approval } = rights;
  const ids = tableIds(whole.catalog);
  // What a lake has is looked up when it is asked for.
  const visible = whole.lake === undefined ? tables?.filter((id) => ids.has(id)) : tables;
  const mine = { properties, ...(visible !== undefined && { tables: visible }) };
  const approved = await whole.forUser(name, mine);
  return { approved, session: approval === 'allow' ? approved : approved.withoutExecution() };
}

const ROW = z.object({ nonce: z.string(), verifier: z.string(), workspace: z.string() });

/** Sign-ins that went to the issuer and are not back yet; each is taken once. */
class FlowStore {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  async add(
    { state, nonce, verifier, workspace }: OidcFlow,
    { at, until }: { at: string; until: string },
  ): Promise<void> {
    await this.#state.run('DELETE FROM candor.oidc_flows WHERE expires_at <= $1', [at]);
    await this.#state.run(
      `INSERT INTO candor.oidc_flows (hash, nonce, verifier, workspace, expires_at) VALUES ($1, $2, $3, $4, $5)`,
      [hashSecret(state).toString('hex'), nonce, verifier, workspace, until],
    );
  }

  /** Undefined for one that is unknown, over, or was taken before. */
  async take(state: string, at: string): Promise<OidcFlow | undefined> {
    const [row] = await this.#state.run(
      'DELETE FROM candor.oidc_flows WHERE hash = $1 AND expires_at > $2 RETURNING nonce, verifier, workspace',
      [hashSecret(state).toString('hex'), at],
    );
    return row === undefined ? undefined : { state, ...ROW.parse(row) };
  }
}
