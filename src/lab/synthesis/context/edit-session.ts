import { createHash } from 'node:crypto';
import type { Catalog } from '../../../catalog/index.ts';
import type { Config } from '../../../config/index.ts';
import { type Database, decorate } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { accessPolicyOf } from '../../../knowledge/semantic/index.ts';
import type { ValueIndex } from '../../../knowledge/values/index.ts';
import { buildKnowledge } from '../../../reasoning/grounded/index.ts';
import { lazyScoring, type Session, type UserRights, userDatabases } from '../../../session/index.ts';
import { parse, replaceTables } from '../../../sql/index.ts';
import type { TableQueries } from '../../../sql/rewrite/index.ts';
import type { ContextEdit } from '../items/bench-item.ts';
import { type EditedContext, editContext } from './edit-context.ts';

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

/**
 * The same database, in which some tables are queries over themselves: a merged table that nobody had to create.
 * `whole` has every column that the queries read or show. Throws `sql.parse-failed`, `database.not-restrictable`.
 */
export function withTables(database: Database, queries: TableQueries, whole: Catalog): Database {
  if (queries.size === 0) return database;
  const rewrite = (sql: string): string => {
    const parsed = parse(sql, database.dialect);
    if (!parsed.ok) throw new CandorError('sql.parse-failed', parsed.error.message);
    const replaced = replaceTables(parsed.tree, queries, whole);
    if (!replaced.ok) throw new CandorError('database.not-restrictable', replaced.reason);
    return replaced.tree.text;
  };
  return decorate(database, (below) => ({
    query: async (sql, limits, signal) => below.query(rewrite(sql), limits, signal),
    explain: async (sql, signal) => below.explain(rewrite(sql), signal),
  }));
}
