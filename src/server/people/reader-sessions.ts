import type { Session } from '../../session.ts';
import { sessionForReader } from '../../session-for-reader.ts';
import { LOCAL_PERSON, type Person } from '../person.ts';

/** Views of the project that stay ready: as many people as are there on one day. */
const MOST_KEPT = 200;

/** Each person's view of the project, made at their first request and kept while it is used. */
export class ReaderSessions {
  readonly #session: Session;
  /** The one that was used longest ago first. */
  readonly #kept = new Map<string, Promise<Session>>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Other rights make another view: a changed group holds from the next request on. */
  of(person: Person): Promise<Session> {
    if (person.id === LOCAL_PERSON.id) return Promise.resolve(this.#session);
    const { tables, properties } = person.rights;
    const key = JSON.stringify([person.id, tables, properties]);
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const session = known ?? this.#make(person);
    this.#kept.set(key, session);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    session.catch(() => this.#kept.delete(key));
    return session;
  }

  #make({ name, rights: { tables, properties } }: Person): Promise<Session> {
    const ids = new Set(this.#session.catalog.tables.map(({ id }) => id));
    const visible = tables?.filter((id) => ids.has(id));
    return sessionForReader(this.#session, name, {
      properties,
      ...(visible !== undefined && { tables: visible }),
    });
  }
}
