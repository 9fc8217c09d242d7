import { deriveSession } from './derive-session.ts';
import { CandorError } from './errors.ts';
import {
  type KnownData,
  restrictKnowledge,
  type SemanticModel,
  withProposedSynonyms,
} from './knowledge/index.ts';
import { LazyKnowledge, openKnowledgeBase } from './knowledge-base.ts';
import { readableExamples, readVisibleAuthored } from './known-facts.ts';
import type { LakeReach } from './lake-reach.ts';
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
  return readerSession(session, reader, await rightsInEngine(session, { user: reader, ...given }));
}

/** The same session with what people have written down since it was opened. Close the one it was made of. Throws `knowledge.invalid`. */
export async function withKnowledgeNow(session: Session): Promise<Session> {
  const { config, semantics } = session;
  const authored = await readVisibleAuthored(config, session.catalog, session);
  const known = {
    ...session,
    authored,
    semantics: withProposedSynonyms(semantics, authored.notes, config.user),
  };
  return deriveSession(session, {
    authored,
    semantics: known.semantics,
    eachPart: withKnowledgeNow,
    base: new LazyKnowledge(async () =>
      openKnowledgeBase(config, known, {
        now: session.clock(),
        useVectors: false,
        over: await session.base.open(),
      }),
    ),
  });
}

interface EngineRights {
  readonly given: ReaderRights;
  /** Ids of the tables that the engine shows them; absent: it takes everybody for the same account. */
  readonly seen?: ReadonlySet<string>;
}

/** Where the engine knows the person, its rights bound ours: what it hides from them is not there for them either. */
async function rightsInEngine(session: Session, given: ReaderRights): Promise<EngineRights> {
  const seen = await session.tablesSeenBy?.(given);
  return { given, ...(seen && { seen: new Set(seen) }) };
}

/** All parts of a lake take what the engine showed once: to list its tables anew for each would cost too much. */
async function readerSession(session: Session, reader: string, engine: EngineRights): Promise<Session> {
  const rights = boundRights(session, engine);
  const config = {
    ...session.config,
    user: reader,
    sessionProperties: { ...session.config.sessionProperties, ...rights.properties },
  };
  const known = await knownTo(session, reader, rights);
  const { catalog, semantics, values } = known;
  const visible = rights.tables && new Set(rights.tables);
  const isVisible = (id: string): boolean => visible?.has(id) ?? true;
  return deriveSession(session, {
    ...known,
    config,
    reader,
    boundTo: rights,
    eachPart: (part) => readerSession(part, reader, engine),
    lake: (reach) => withinVisible(reach, reader, isVisible),
    knowledge: buildKnowledge(catalog, semantics, values, session.knowledge.rating),
    scoring: lazyScoring(known, config),
    base: new LazyKnowledge(async () =>
      openKnowledgeBase(config, known, {
        now: session.clock(),
        useVectors: false,
        over: await session.base.open(),
      }),
    ),
  });
}

function boundRights({ catalog, lake }: Session, { given, seen }: EngineRights): ReaderRights {
  if (seen === undefined) return given;
  // What a lake has is not in memory: there all that the engine shows is in reach.
  const shown = given.tables ?? (lake === undefined ? catalog.tables.map(({ id }) => id) : [...seen]);
  return { ...given, tables: shown.filter((id) => seen.has(id)) };
}

function withinVisible(
  reach: LakeReach<Session>,
  reader: string,
  isVisible: (tableId: string) => boolean,
): LakeReach<Session> {
  return {
    ...reach,
    tablesFor: async (question) => (await reach.tablesFor(question, reader)).filter(isVisible),
    within: async (tables) => {
      const hidden = tables.find((id) => !isVisible(id));
      if (hidden !== undefined) throw new CandorError('catalog.unknown-name', `there is no table ${hidden}`);
      return reach.within(tables);
    },
  };
}

async function knownTo(session: Session, reader: string, { tables }: ReaderRights) {
  const { semantics, examples, hiddenTables } = session;
  const all: KnownData = session;
  const { catalog, values } = tables === undefined ? all : restrictKnowledge(all, { visibleTables: tables });
  const visible = new Set(catalog.tables.map(({ id }) => id));
  // Names are looked up among all tables: a note about a hidden one must be known as such.
  const hidden = all.catalog.tables.flatMap(({ id }) => (visible.has(id) ? [] : [id]));
  const allHidden = new Set([...hiddenTables, ...hidden]);
  const sight = { catalog, hiddenTables: allHidden };
  const authored = await readVisibleAuthored(session.config, all.catalog, sight);
  return {
    catalog,
    values,
    examples: readableExamples(examples, catalog, allHidden),
    hiddenTables: allHidden,
    semantics: withProposedSynonyms(
      hidden.length === 0 ? semantics : withoutTables(semantics, new Set(hidden)),
      authored.notes,
      reader,
    ),
    authored,
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
