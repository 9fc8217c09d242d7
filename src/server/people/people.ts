import type { Answer } from '../../answer.ts';
import type { ServerConfig } from '../../config/index.ts';
import type { Session } from '../../session.ts';
import { type Person, rightsOf } from '../person.ts';
import { TryCounter } from './count-tries.ts';
import type { AuditEntry, PeopleStore, User } from './people-store.ts';
import { ReaderSessions } from './reader-sessions.ts';

const MINUTE_MS = 60_000;
const MOST_WRONG_KEYS = 50;

/** Who may use the server: kept users, their views of the project, and what they did. */
export class People {
  readonly store: PeopleStore;
  readonly sessions = new ReaderSessions();
  /** By the address a request came from. */
  readonly wrongKeys = new TryCounter(MOST_WRONG_KEYS, MINUTE_MS);
  readonly #config: ServerConfig;
  readonly #clock: () => Date;
  readonly #questions = new Map<string, TryCounter>();

  constructor(store: PeopleStore, session: Session) {
    this.store = store;
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
  takeQuestions({ id, rights: { questionsPerHour } }: Person, count = 1): boolean {
    if (questionsPerHour === undefined) return true;
    const key = `${id} ${questionsPerHour}`;
    const counter = this.#questions.get(key) ?? new TryCounter(questionsPerHour, 60 * MINUTE_MS);
    this.#questions.set(key, counter);
    const now = this.now.getTime();
    if (counter.isUsedUp(id, now, count)) return false;
    counter.add(id, now, count);
    return true;
  }

  /** A question and what it came to; its rows and values are the database's. */
  auditAnswer(who: string, answer: Answer): void {
    const { kind, question, recordId } = answer;
    const ran = answer.kind === 'answered' ? { sql: answer.sql, rows: answer.rows.length } : {};
    this.audit(who, 'question', { question, outcome: kind, recordId, ...ran });
  }

  audit(who: string, what: string, detail: AuditEntry['detail']): void {
    this.store.addAudit({ at: this.now.toISOString(), who, what, detail });
  }
}
