import type { Session } from '../../session.ts';
import { sessionForReader } from '../../session-for-reader.ts';
import { LOCAL_PERSON, type Person } from '../person.ts';

/** Views of the project that stay ready: as many people as are there on one day. */
const MOST_KEPT = 200;

/** Each person's view of the project, made at their first request and kept while it is used. */
export class ReaderSessions {
  /** Of each session the views; the one that was used longest ago first. */
  readonly #views = new WeakMap<Session, Map<string, Promise<Session>>>();

  /** Other rights make another view: a changed group holds from the next request on. */
  of(person: Person, whole: Session): Promise<Session> {
    if (person.id === LOCAL_PERSON.id) return Promise.resolve(whole);
    const views = this.#views.get(whole) ?? new Map<string, Promise<Session>>();
    this.#views.set(whole, views);
    const { tables, properties } = person.rights;
    const key = JSON.stringify([person.id, tables, properties]);
    const known = views.get(key);
    views.delete(key);
    const session = known ?? makeView(person, whole);
    views.set(key, session);
    const [oldest] = views.keys();
    if (views.size > MOST_KEPT && oldest !== undefined) views.delete(oldest);
    session.catch(() => views.delete(key));
    return session;
  }
}

function makeView({ name, rights: { tables, properties } }: Person, whole: Session): Promise<Session> {
  const ids = new Set(whole.catalog.tables.map(({ id }) => id));
  const visible = tables?.filter((id) => ids.has(id));
  return sessionForReader(whole, name, { properties, ...(visible !== undefined && { tables: visible }) });
}
