import type { Answer } from '../../answer.ts';
import type { OidcConfig, ServerConfig } from '../../config/index.ts';
import { FlowStore } from '../oidc/flow-store.ts';
import { OidcClient } from '../oidc/oidc-client.ts';
import { type Person, rightsOf } from '../person.ts';
import type { ServerState } from '../state/server-state.ts';
import type { Workspace } from '../workspace.ts';
import { type AuditEntry, AuditLog } from './audit-log.ts';
import { TryCounter } from './count-tries.ts';
import { PeopleStore, type User } from './people-store.ts';
import { QuestionCounter } from './question-counter.ts';
import { ReaderSessions } from './reader-sessions.ts';

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
