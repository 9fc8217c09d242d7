import { createHash } from 'node:crypto';
import type { Database } from '../../../database/index.ts';
import { deriveSession } from '../../../derive-session.ts';
import type { ValueIndex } from '../../../knowledge/index.ts';
import { lazyScoring } from '../../../open-scoring.ts';
import { buildKnowledge } from '../../../reasoning/index.ts';
import type { Session } from '../../../session.ts';
import type { ContextEdit } from './context-edit.ts';
import { editContext } from './edit-context.ts';
import { editDatabase } from './edit-database.ts';

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
  return deriveSession(session, {
    ...known,
    databaseFor: (rights) => editDatabase(engine, context, { config, rights }),
    // Edits are of a catalog; a lake has none.
    eachPart: async (part) => part,
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
