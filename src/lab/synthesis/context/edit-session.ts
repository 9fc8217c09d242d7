import { createHash } from 'node:crypto';
import type { Config } from '../../../config/index.ts';
import type { Database } from '../../../database/index.ts';
import { accessPolicyOf, type ValueIndex } from '../../../knowledge/index.ts';
import { buildKnowledge } from '../../../reasoning/index.ts';
import { lazyScoring, type Session, type UserRights, userDatabases } from '../../../session/index.ts';
import type { ContextEdit } from '../items/bench-item.ts';
import { type EditedContext, editContext } from './edit-context.ts';
import { withTables } from './with-tables.ts';

/**
 * A session as if the project had been so from the start: catalog, values, semantic model and database of the edited
 * context. It shares engine and search index with the session it came from, which alone is to be closed.
 */
export function editSession(session: Session, engine: Database, edits: readonly ContextEdit[]): Session {
  if (edits.length === 0) return session;
  const context = editContext(session, edits);
  const { catalog, semantics, hidden, moved } = context;
  const values = movedValues(
    session.values.without(new Set([...hidden].filter((id) => !moved.has(id)))),
    moved,
  );
  const { config, hiddenTables, authored, examples } = session;
  const known = { catalog, semantics, values, hiddenTables, authored, examples };
  return session.over({
    ...known,
    databaseFor: (rights) => editDatabase(engine, context, { config, rights }),
    semanticsFingerprint: createHash('sha256').update(JSON.stringify(semantics)).digest('hex').slice(0, 16),
    knowledge: buildKnowledge(catalog, semantics, values, session.knowledge.rating),
    scoring: lazyScoring(known, config),
  });
}

/** The index, in which what is stored in one column counts as stored in another. */
function movedValues(values: ValueIndex, moved: ReadonlyMap<string, string>): ValueIndex {
  if (moved.size === 0) return values;
  const renamed = <Hit extends { readonly columnId: string }>(hits: readonly Hit[]): Hit[] =>
    hits.map((hit) => ({ ...hit, columnId: moved.get(hit.columnId) ?? hit.columnId }));
  return {
    lookup: (text, scope) => renamed(values.lookup(text, scope)),
    lookupLiteral: (text, scope) => renamed(values.lookupLiteral(text, scope)),
    similar: (text, options) => renamed(values.similar(text, options)),
    containing: (word, options) => renamed(values.containing(word, options)),
    words: () => values.words(),
    size: values.size,
    maxWords: values.maxWords,
    columns: () => new Map([...values.columns()].map(([id, column]) => [moved.get(id) ?? id, column])),
    without: (columnIds) =>
      movedValues(
        values.without(new Set([...moved].flatMap(([from, to]) => (columnIds.has(to) ? [from] : [])))),
        moved,
      ),
  };
}

interface ForWhom {
  readonly config: Config;
  readonly rights?: UserRights;
}

/** The database as an edited context shows it, through the guard; `engine` is the same database without one. */
export function editDatabase(
  engine: Database,
  { catalog, semantics, whole, queries }: EditedContext,
  { config, rights = { properties: {} } }: ForWhom,
): Database {
  const edited = withTables(engine, queries, whole);
  const policy = accessPolicyOf(semantics, catalog);
  return userDatabases(edited, { config, catalog, policy }).databaseFor(rights);
}
