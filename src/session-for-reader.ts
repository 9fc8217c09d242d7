import { type KnownData, readAuthored, restrictKnowledge, type SemanticModel } from './knowledge/index.ts';
import { LazyKnowledge, openKnowledgeBase } from './knowledge-base.ts';
import { overEach } from './lake-reach.ts';
import { lazyScoring } from './open-scoring.ts';
import type { ReaderRights } from './reader-databases.ts';
import { buildKnowledge } from './reasoning/index.ts';
import type { Session } from './session.ts';

/**
 * The session as one reader has it: tables beyond the rights are not there for reading, linking, writing, checking, searching
 * and running, and row filters hold with the reader's properties. Close the session it was made of, not this one. Throws
 * `knowledge.invalid`.
 */
export async function sessionForReader(
  session: Session,
  reader: string,
  given: ReaderRights,
): Promise<Session> {
  const rights = await withinEngine(session, { user: reader, ...given });
  const config = {
    ...session.config,
    user: reader,
    sessionProperties: { ...session.config.sessionProperties, ...rights.properties },
  };
  const known = await knownTo(session, rights);
  const { catalog, semantics, values } = known;
  const { lake } = session;
  const visible = rights.tables && new Set(rights.tables);
  const isVisible = (id: string): boolean => visible?.has(id) ?? true;
  return {
    ...session,
    ...known,
    config,
    reader,
    ...(lake && {
      lake: {
        ...overEach(lake, (part) => sessionForReader(part, reader, rights), isVisible),
        tablesFor: async (question: string) => (await lake.tablesFor(question, reader)).filter(isVisible),
      },
    }),
    database: session.databaseFor(rights),
    knowledge: buildKnowledge(catalog, semantics, values, session.knowledge.rating),
    scoring: lazyScoring(known, config),
    base: new LazyKnowledge(async () =>
      openKnowledgeBase(config, known, {
        now: session.clock(),
        useVectors: false,
        over: await session.base.open(),
      }),
    ),
  };
}

/** Where the engine knows the person, its rights bound ours: what it hides from them is not there for them either. */
async function withinEngine(session: Session, rights: ReaderRights): Promise<ReaderRights> {
  const seen = await session.tablesSeenBy?.(rights);
  if (seen === undefined) return rights;
  const isSeen = new Set(seen);
  const shown = rights.tables ?? session.catalog.tables.map(({ id }) => id);
  return { ...rights, tables: shown.filter((id) => isSeen.has(id)) };
}

async function knownTo(session: Session, { tables }: ReaderRights) {
  const { semantics, examples, hiddenTables } = session;
  const all: KnownData = session;
  const { catalog, values } = tables === undefined ? all : restrictKnowledge(all, { visibleTables: tables });
  const visible = new Set(catalog.tables.map(({ id }) => id));
  const hidden = all.catalog.tables.flatMap(({ id }) => (visible.has(id) ? [] : [id]));
  return {
    catalog,
    values,
    examples,
    hiddenTables: new Set([...hiddenTables, ...hidden]),
    semantics: hidden.length === 0 ? semantics : withoutTables(semantics, new Set(hidden)),
    // Names are looked up among all tables: a note about a hidden one must be known as such.
    authored: await readAuthored(session.config.knowledgeDirectory, all.catalog),
  };
}

/** The semantic model without what is defined on hidden tables: even the names of figures tell of them. */
function withoutTables(semantics: SemanticModel, hidden: ReadonlySet<string>): SemanticModel {
  const isHidden = (table: string | undefined): boolean => table !== undefined && hidden.has(table);
  const metrics = semantics.metrics.filter(({ table }) => !isHidden(table));
  const names = new Set(metrics.map(({ name }) => name));
  const isWhole = ({ ratio }: (typeof metrics)[number]): boolean =>
    ratio === undefined || (names.has(ratio.numerator) && names.has(ratio.denominator));
  return {
    ...semantics,
    datasets: semantics.datasets.filter(({ table }) => !isHidden(table)),
    relationships: semantics.relationships.filter(({ from, to }) => !isHidden(from) && !isHidden(to)),
    metrics: metrics.filter(isWhole),
    dimensions: semantics.dimensions.filter(({ table }) => !isHidden(table)),
  };
}
