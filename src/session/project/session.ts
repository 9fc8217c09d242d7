import type { IsBeyond } from '../../boundary/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import { type Database, decorate } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { VerifiedPair } from '../../knowledge/authored/index.ts';
import { withProposedSynonyms } from '../../knowledge/authored/index.ts';
import {
  type KnownData,
  type KnownSchema,
  LazyKnowledge,
  openKnowledgeBase,
  readableExamples,
  readVisibleAuthored,
  restrictKnowledge,
} from '../../knowledge/base/index.ts';
import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import { nearestNames } from '../../language/index.ts';
import { BoundedMap } from '../../lib/index.ts';
import { buildKnowledge, type GroundedKnowledge } from '../../reasoning/grounded/index.ts';
import type { RecordStore } from '../records/record.ts';
import type { SessionModels } from './open-models.ts';
import { lazyScoring, type Scoring } from './open-scoring.ts';
import { eachOpened, onlyVisible, type TableProvider } from './table-provider.ts';
import { narrowRights, type UserRights } from './user-databases.ts';

/** A database that may be read under the rules of its project, without what questions need. */
export interface Reader {
  readonly config: Config;
  /** Every query goes through the guard. */
  readonly database: Database;
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
}

/** What a session consists of: configuration, database, what is known of it, the clock. */
export interface SessionMembers extends Reader, KnownSchema {
  /** Hash of the semantic model; a record keeps it. */
  readonly semanticsFingerprint: string;
  /** Opened at the first call, closed with the session. */
  readonly base: LazyKnowledge;
  readonly knowledge: GroundedKnowledge;
  /** What queries are assessed with, opened at the first call. */
  readonly scoring: () => Promise<Scoring>;
  /** Who answers in place of the built-in engine, opened at the first call; absent: nobody. */
  readonly models?: () => Promise<SessionModels>;
  readonly closeModels?: () => Promise<void>;
  /** The same database under other rights, through the same guard; closed with the session. */
  readonly databaseFor: (rights: UserRights) => Database;
  /** Ids of the tables that the engine shows this person; absent: the engine takes everybody for the same account. */
  readonly tablesSeenBy?: (rights: UserRights) => Promise<readonly string[]>;
  /** Where the tables of a lake are found; absent: the catalog is all there is. */
  readonly lake?: TableProvider<Session>;
  /** Whom the session is for, where several people share a project: records keep it. */
  readonly reader?: string;
  /** True: queries are written, checked and planned, and none runs, see `withoutExecution`. */
  readonly holdsQueries?: boolean;
  /** Tells questions that labelled ones say have no answer here; absent: the project has learned nothing. */
  readonly isBeyond?: IsBeyond;
  readonly records: RecordStore;
  /** The present; a project whose data has stopped growing pins it with `today`. */
  readonly clock: () => Date;
  /** The wall clock, for when something was recorded. */
  readonly wallClock: () => Date;
  /** Random: two who ask the same in the same moment get records of their own. */
  readonly nonce: () => string;
}

/** Members that say what somebody may do; they are narrowed by the operations below and never set by a change. */
type RightOfSession = 'database' | 'databaseFor' | 'tablesSeenBy' | 'lake' | 'reader' | 'holdsQueries';

interface Changes extends Partial<Omit<SessionMembers, RightOfSession>> {
  /** The database under given rights; `database` follows from it. */
  readonly databaseFor?: (rights: UserRights) => Database;
  /** The session is for somebody: they and no others, nor with more rights than these, by whatever way it is asked. */
  readonly boundTo?: UserRights;
  readonly reader?: string;
  /** Queries wait for an approval from here on; nothing takes that back. */
  readonly holdsQueries?: true;
  /** The same change for each session that the lake opens; nobody may forget that there may be a lake. */
  readonly eachPart: (part: Session) => Promise<Session>;
  /** What else is done to the lake. */
  readonly lake?: (lake: TableProvider<Session>) => TableProvider<Session>;
  /** The session takes the place of the one it was made of, whose lake is closed with it. */
  readonly closesLake?: boolean;
}

/** Other data for a session, see `over`. */
export type OtherData = Pick<Changes, 'databaseFor'> &
  Partial<Pick<SessionMembers, keyof KnownSchema | 'config' | 'semanticsFingerprint' | 'knowledge'>> &
  Partial<Pick<SessionMembers, 'scoring' | 'models' | 'closeModels' | 'records'>>;

interface EngineRights {
  readonly given: UserRights;
  /** Ids of the tables that the engine shows them; absent: it takes everybody for the same account. */
  readonly seen: ReadonlySet<string> | undefined;
}

/** Choices of tables that are kept ready for one session. */
const MOST_KEPT = 20;

/** The base of the class has no members of its own: whatever joins `SessionMembers` is a member of every session. */
const Members = class {
  constructor(members: SessionMembers) {
    Object.assign(this, members);
  }
} as new (
  members: SessionMembers,
) => SessionMembers;

/**
 * Everything a question needs, opened once by `openProject`. A session for somebody, or over less, is made by its own
 * operations: what they do not change is passed on, and rights are only ever narrowed. Close the session that was opened, not
 * one that was made of it.
 */
export class Session extends Members {
  /** Those of `restrictTo`; the one that was made longest ago first. A private field also keeps copies from passing for sessions. */
  readonly #restricted = new BoundedMap<string, Session>(MOST_KEPT);

  /**
   * The session as if these tables were all there is: what reads, links, writes and checks a query sees no others. Throws
   * `catalog.unknown-name` for an id that the catalog does not have.
   */
  restrictTo(tables: readonly string[]): Session {
    const ids = [...new Set(tables)].sort();
    const key = JSON.stringify(ids);
    return this.#restricted.getOrMake(key, () => this.#restrictedTo(ids));
  }

  /**
   * The session as one person has it: tables beyond the rights are not there for reading, linking, writing, checking,
   * searching and running, and row filters hold with the person's properties. Where the engine knows the person, its rights
   * bound ours: what it hides from them is not there for them either. Throws `knowledge.invalid`.
   */
  async forUser(user: string, rights: UserRights): Promise<Session> {
    const given = { user, ...rights };
    const seen = await this.tablesSeenBy?.(given);
    return this.#forUserOf(user, { given, seen: seen && new Set(seen) });
  }

  /**
   * The session for somebody whose queries wait for an approval: they are written, checked and planned, and none runs,
   * neither one of an answer nor one that finds options or evidence.
   */
  withoutExecution(): Session {
    return this.#derive({
      holdsQueries: true,
      databaseFor: (rights) => refusingQueries(this.databaseFor(rights)),
      eachPart: async (part) => part.withoutExecution(),
    });
  }

  /** The session with its models changed, where it has any. */
  withModels(change: (models: SessionModels) => SessionModels): Session {
    const { models } = this;
    if (models === undefined) return this;
    return this.#derive({
      models: async () => change(await models()),
      eachPart: async (part) => part.withModels(change),
    });
  }

  /** The session with its records kept elsewhere. It takes the place of this one, and is closed in its place. */
  withRecords(records: RecordStore): Session {
    return this.#derive({
      records,
      closesLake: true,
      eachPart: async (part) => part.withRecords(records),
    });
  }

  /** The session with what people have written down since it was opened. Throws `knowledge.invalid`. */
  async withKnowledgeNow(): Promise<Session> {
    const { config } = this;
    const authored = await readVisibleAuthored(config, this.catalog, this);
    const semantics = withProposedSynonyms(this.semantics, authored.notes, config.user);
    return this.#derive({
      authored,
      semantics,
      eachPart: (part) => part.withKnowledgeNow(),
      base: this.#baseFor(config, { ...this.#known(), authored, semantics }),
    });
  }

  /** The session as if people had verified these pairs and no others: for who asks a pair without telling its query. */
  withPairs(examples: readonly VerifiedPair[]): Session {
    const base = this.#baseFor(this.config, { ...this.#known(), examples });
    return this.#derive({ examples, base, eachPart: async (part) => part.withPairs(examples) });
  }

  /** The session over other data, of which there are no parts: tables of a lake, or an edited context. */
  over(data: OtherData): Session {
    return this.#derive({ ...data, eachPart: async (part) => part });
  }

  async close(): Promise<void> {
    await this.lake?.close();
    await this.closeModels?.();
    await this.base.close();
    await this.database.close();
  }

  #restrictedTo(ids: readonly string[]): Session {
    const all = this.catalog.tables.map(({ id }) => id);
    const scope = new Set(ids);
    for (const id of scope) if (!all.includes(id)) throw unknownTable(id, all);
    const { catalog, values } = restrictKnowledge(this, { visibleTables: ids });
    return this.#derive({
      // A part of a lake is such a session already, of its own tables.
      eachPart: async (part) => part,
      catalog,
      values,
      knowledge: buildKnowledge(catalog, this.semantics, values, this.knowledge.rating),
      base: new LazyKnowledge(async () => {
        const base = await this.base.open();
        return {
          ...base,
          scope: { tables: scope, because: `${scope.size} tables were chosen` },
          retrieve: (request) => base.retrieve({ ...request, scope }),
        };
      }),
    });
  }

  /** All parts of a lake take what the engine showed once: to list its tables anew for each would cost too much. */
  async #forUserOf(user: string, engine: EngineRights): Promise<Session> {
    const rights = boundRights(this, engine);
    const config = {
      ...this.config,
      user,
      sessionProperties: { ...this.config.sessionProperties, ...rights.properties },
    };
    const known = await knownToUser(this, user, rights);
    const { catalog, semantics, values } = known;
    const visible = rights.tables && new Set(rights.tables);
    return this.#derive({
      ...known,
      config,
      reader: user,
      boundTo: rights,
      eachPart: (part) => part.#forUserOf(user, engine),
      lake: (lake) => onlyVisible(lake, user, (id) => visible?.has(id) ?? true),
      knowledge: buildKnowledge(catalog, semantics, values, this.knowledge.rating),
      scoring: lazyScoring(known, config),
      base: this.#baseFor(config, known),
    });
  }

  /** What another person, or the same one later, finds through the index and the encoder that this session has open. */
  #baseFor(config: Config, known: KnownSchema): LazyKnowledge {
    return new LazyKnowledge(async () =>
      openKnowledgeBase(config, known, {
        now: this.clock(),
        useVectors: false,
        over: await this.base.open(),
      }),
    );
  }

  #known(): KnownSchema {
    const { catalog, hiddenTables, semantics, authored, examples, values } = this;
    return { catalog, hiddenTables, semantics, authored, examples, values };
  }

  /** The one place that makes a session of another, so that no operation can forget a right. */
  #derive(changes: Changes): Session {
    const { databaseFor, boundTo, reader, holdsQueries, eachPart, lake, closesLake, ...others } = changes;
    const given = databaseFor ?? this.databaseFor;
    const { tablesSeenBy } = this;
    const narrowed = (rights: UserRights): Database => given(narrowRights(rights, boundTo));
    const isSameDatabase = databaseFor === undefined && boundTo === undefined;
    const rights: Pick<SessionMembers, RightOfSession> = {
      databaseFor: narrowed,
      database: isSameDatabase ? this.database : narrowed({ properties: {} }),
      tablesSeenBy: tablesSeenBy && ((rights) => tablesSeenBy(narrowRights(rights, boundTo))),
      reader: reader ?? this.reader,
      holdsQueries: holdsQueries ?? this.holdsQueries,
      lake: this.lake && lakeOf(this.lake, { eachPart, lake, closesLake }),
    };
    return new Session({ ...this, ...others, ...rights });
  }
}

function lakeOf(
  whole: TableProvider<Session>,
  { eachPart, lake = (same) => same, closesLake = false }: Pick<Changes, 'eachPart' | 'lake' | 'closesLake'>,
): TableProvider<Session> {
  const changed = lake(eachOpened(whole, eachPart));
  return closesLake ? { ...changed, close: () => whole.close() } : changed;
}

function boundRights({ catalog, lake }: SessionMembers, { given, seen }: EngineRights): UserRights {
  if (seen === undefined) return given;
  // What a lake has is not in memory: there all that the engine shows is in reach.
  const shown = given.tables ?? (lake === undefined ? catalog.tables.map(({ id }) => id) : [...seen]);
  return { ...given, tables: shown.filter((id) => seen.has(id)) };
}

function unknownTable(id: string, all: readonly string[]): CandorError {
  const near = nearestNames(id, all, 3);
  const hint = near.length === 0 ? '' : `; there is ${near.join(', ')}`;
  return new CandorError('catalog.unknown-name', `there is no table ${id}${hint}`);
}

/** The same database for somebody whose queries wait for an approval: it plans them, and runs none. */
function refusingQueries(database: Database): Database {
  return decorate(database, () => ({
    query: () =>
      Promise.reject(
        new CandorError('query.not-approved', 'Nothing is run here before a person has approved it.'),
      ),
  }));
}

/** What a session knows without the tables that the rights leave out, and without what tells of them. Throws `knowledge.invalid`. */
async function knownToUser(
  session: KnownSchema & { readonly config: Config },
  user: string,
  { tables }: UserRights,
): Promise<KnownSchema> {
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
      user,
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
