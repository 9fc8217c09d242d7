import { deriveSession } from './derive-session.ts';
import { CandorError } from './errors.ts';
import { restrictKnowledge } from './knowledge/index.ts';
import { LazyKnowledge } from './knowledge-base.ts';
import { buildKnowledge } from './reasoning/index.ts';
import type { Session } from './session.ts';
import { nearestNames } from './sql/index.ts';

/** Choices of tables that are kept ready for one session. */
const MOST_KEPT = 20;
const KEPT = new WeakMap<Session, Map<string, Session>>();

/**
 * The session as if these tables were all there is: what reads, links, writes and checks a query sees no others. Close
 * the session it was made of, not this one. Throws `catalog.unknown-name` for an id that the catalog does not have.
 */
export function withinTables(session: Session, tables: readonly string[]): Session {
  const kept = KEPT.get(session) ?? new Map<string, Session>();
  KEPT.set(session, kept);
  const ids = [...new Set(tables)].sort();
  const key = JSON.stringify(ids);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = restricted(session, ids);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, made);
  return made;
}

function restricted(session: Session, ids: readonly string[]): Session {
  const all = session.catalog.tables.map(({ id }) => id);
  const scope = new Set(ids);
  for (const id of scope) if (!all.includes(id)) throw unknownTable(id, all);
  const { catalog, values } = restrictKnowledge(session, { visibleTables: ids });
  const { semantics, knowledge } = session;
  return deriveSession(session, {
    // A part of a lake is such a session already, of its own tables.
    eachPart: async (part) => part,
    catalog,
    values,
    knowledge: buildKnowledge(catalog, semantics, values, knowledge.rating),
    base: new LazyKnowledge(async () => {
      const base = await session.base.open();
      return {
        ...base,
        scope: { tables: scope, because: `${scope.size} tables were chosen` },
        retrieve: (request) => base.retrieve({ ...request, scope }),
      };
    }),
  });
}

function unknownTable(id: string, all: readonly string[]): CandorError {
  const near = nearestNames(id, all, 3);
  const hint = near.length === 0 ? '' : `; there is ${near.join(', ')}`;
  return new CandorError('catalog.unknown-name', `there is no table ${id}${hint}`);
}
