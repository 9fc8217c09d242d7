import { tableIds } from '../../catalog/index.ts';
import { holdQueries } from '../../hold-queries.ts';
import type { Session } from '../../session.ts';
import { sessionForReader } from '../../session-for-reader.ts';
import { LOCAL_PERSON, type Person } from '../person.ts';

/** Views of the project that stay ready: as many people as are there on one day. */
const MOST_KEPT = 200;

/** The project as one person has it. */
export interface PersonView {
  /** What answers them; where they must approve, it runs nothing. */
  readonly session: Session;
  /** The same for what they have approved, or wrote themselves. */
  readonly approved: Session;
}

/** Each person's view of the project, made at their first request and kept while it is used. */
export class ReaderSessions {
  /** Of each session the views; the one that was used longest ago first. */
  readonly #views = new WeakMap<Session, Map<string, Promise<PersonView>>>();

  /** Other rights make another view: a changed group holds from the next request on. */
  of(person: Person, whole: Session): Promise<PersonView> {
    if (person.id === LOCAL_PERSON.id) return Promise.resolve({ session: whole, approved: whole });
    const views = this.#views.get(whole) ?? new Map<string, Promise<PersonView>>();
    this.#views.set(whole, views);
    const { tables, properties, approval } = person.rights;
    const key = JSON.stringify([person.id, tables, properties, approval]);
    const known = views.get(key);
    views.delete(key);
    const view = known ?? makeView(person, whole);
    views.set(key, view);
    const [oldest] = views.keys();
    if (views.size > MOST_KEPT && oldest !== undefined) views.delete(oldest);
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
  const approved = await sessionForReader(whole, name, mine);
  return { approved, session: approval === 'allow' ? approved : holdQueries(approved) };
}
