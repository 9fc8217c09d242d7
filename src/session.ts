import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { IsBeyond } from './boundary/index.ts';
import { type Catalog, outlineCatalog } from './catalog/index.ts';
import type { Config } from './config/index.ts';
import { connectProject } from './connect-project.ts';
import { type Database, guarded } from './database/index.ts';
import { CandorError } from './errors.ts';
import {
  accessPolicyOf,
  addSemanticKeys,
  checkSemanticSql,
  readExamples,
  readSemanticModel,
  type SemanticModel,
  type ValueIndex,
} from './knowledge/index.ts';
import { LazyKnowledge, openKnowledgeBase } from './knowledge-base.ts';
import { type KnownSchema, restrictSchema } from './known-facts.ts';
import type { LakeReach } from './lake-reach.ts';
import type { LanguageModel } from './model/index.ts';
import { type OnboardEvent, onboard, readOnboarded } from './onboard.ts';
import { openLearnedBoundary } from './open-learned-boundary.ts';
import { lazyModels, type SessionModels } from './open-models.ts';
import { lazyScoring, type Scoring } from './open-scoring.ts';
import { guardedFor, type ReaderRights, readerDatabases } from './reader-databases.ts';
import {
  buildKnowledge,
  type GroundedKnowledge,
  openRatingModels,
  PROJECT_RATING_FILE,
} from './reasoning/index.ts';
import { type RecordStore, recordFiles } from './record-store.ts';
import type { DialectName } from './sql/dialect.ts';
import { closeFolder } from './store/index.ts';

/** A database that may be read under the rules of its project, without what questions need. */
export interface Reader {
  readonly config: Config;
  /** Every query goes through the guard. */
  readonly database: Database;
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
}

/**
 * What a session has that no copy spread by hand has, since TypeScript leaves private members out of a spread: a session
 * of another is made by `deriveSession`, which hands on every right.
 */
declare abstract class WithRights {
  private readonly hasAllRights: true;
}

/** Everything a question needs, opened once: configuration, database, what is known of it, the clock. */
export interface Session extends Reader, KnownSchema, WithRights {
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
  readonly databaseFor: (rights: ReaderRights) => Database;
  /** Ids of the tables that the engine shows this person; absent: the engine takes everybody for the same account. */
  readonly tablesSeenBy?: (rights: ReaderRights) => Promise<readonly string[]>;
  /** Where the tables of a lake are found; absent: the catalog is all there is. */
  readonly lake?: LakeReach<Session>;
  /** Whom the session is for, where several people share a project: records keep it. */
  readonly reader?: string;
  /** True: queries are written, checked and planned, and none runs, see `holdQueries`. */
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

/** What a session is made of, before somebody has said that no right is missing. */
export type SessionMembers = Pick<Session, keyof Session>;

/** For `openSession`, `openLakeSession` and `deriveSession` alone: they see to every right. */
export function wholeSession(members: SessionMembers): Session {
  return members as Session;
}

export interface OpenOptions {
  /** Answers in place of the model that the configuration names; the caller closes it. */
  readonly model?: LanguageModel;
  /** No cell of the database may be told to a model. */
  readonly isPrivate?: boolean;
  readonly onProgress?: (progress: OnboardEvent) => void;
  readonly signal?: AbortSignal;
  /** A part of a database that is open already; its caller closes it. */
  readonly part?: SessionPart;
  /** The trained models are not opened: for those who train them. */
  readonly isUntrained?: boolean;
}

export interface SessionPart {
  readonly engine: Database;
  /** Where what is derived of its tables goes. */
  readonly directory: string;
}

/** Opens a session over a whole catalog; onboards the database first when it is new or has changed. */
export async function openSession(config: Config, options: OpenOptions = {}): Promise<Session> {
  const [semantics, examples] = await Promise.all([
    readSemanticModel(config.semanticsDirectory),
    readExamples(config.examplesDirectory),
  ]);
  const { part } = options;
  await closeFolder(config.derivedDirectory);
  const engine = part?.engine ?? (await connectProject(config));
  const derivedDirectory = part?.directory ?? config.derivedDirectory;
  try {
    const onboarded = await onboard(
      guarded(engine, { kind: 'own-queries', allowedCode: config.allowedCode }),
      {
        directory: derivedDirectory,
        semantics,
        profile: config.profile,
        values: config.values,
        ...options,
      },
    );
    const policy = accessPolicyOf(semantics, onboarded.catalog);
    const { databaseFor, tablesSeenBy } = readerDatabases(engine, {
      config,
      catalog: onboarded.catalog,
      policy,
    });
    const database = databaseFor({ properties: {} });
    const known = await restrictSchema(onboarded, config, { semantics, examples });
    refuseUnsafeSql(semantics, known.catalog.dialect);
    const rating =
      options.isUntrained === true
        ? undefined
        : await openRatingModels(join(config.derivedDirectory, PROJECT_RATING_FILE));
    const knowledge = buildKnowledge(known.catalog, semantics, known.values, rating);
    const isBeyond = options.isUntrained === true ? undefined : await openLearnedBoundary(config);
    const clock = clockOf(config);
    const onNotice = (message: string): void =>
      options.onProgress?.({ stage: 'notice', done: 0, total: 0, message });
    return wholeSession({
      ...known,
      config,
      database,
      databaseFor,
      ...(tablesSeenBy && { tablesSeenBy }),
      semanticsFingerprint: fingerprintOf(semantics),
      knowledge,
      scoring: lazyScoring(known, config),
      ...(isBeyond && { isBeyond }),
      base: new LazyKnowledge(() =>
        openKnowledgeBase({ ...config, derivedDirectory }, known, {
          now: clock(),
          useVectors: false,
          onNotice,
        }),
      ),
      records: recordFiles(config.derivedDirectory),
      ...lazyModels(config, known, { ...options, onNotice, random: Math.random }),
      clock,
      wallClock: () => new Date(),
      nonce: randomUUID,
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function fingerprintOf(semantics: SemanticModel): string {
  return createHash('sha256').update(JSON.stringify(semantics)).digest('hex').slice(0, 16);
}

/** Opens a database for SQL: its catalog is that of the last onboarding or, without one, its schema alone. */
export async function openReader(
  config: Config,
  { signal }: Pick<OpenOptions, 'signal'> = {},
): Promise<Reader> {
  const semantics = await readSemanticModel(config.semanticsDirectory);
  const engine = await connectProject(config);
  try {
    const known = await readOnboarded(config.derivedDirectory, engine);
    const outline = known?.catalog ?? (await outlineCatalog(engine, signal));
    const catalog = addSemanticKeys(outline, semantics);
    const policy = accessPolicyOf(semantics, catalog);
    return { config, database: guardedFor(engine, { config, catalog, policy }), semantics, catalog };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

export async function closeReader(reader: Reader): Promise<void> {
  await reader.database.close();
}

/** What the last onboarding stored. Throws `catalog.stale` when there is none or the database has changed since. */
export async function readKnown(config: Config): Promise<{ catalog: Catalog; values: ValueIndex }> {
  const database = await connectProject(config);
  try {
    const known = await readOnboarded(config.derivedDirectory, database);
    if (known !== undefined) return known;
    throw new CandorError('catalog.stale', `Nothing up to date lies in ${config.derivedDirectory}.`);
  } finally {
    await database.close();
  }
}

export async function closeSession(session: Session): Promise<void> {
  await session.lake?.close();
  await session.closeModels?.();
  await session.base.close();
  await session.database.close();
}

function clockOf(config: Config): () => Date {
  return () => presentOf(config);
}

/** The present of a project: its pinned day, or now. */
export function presentOf({ today }: Pick<Config, 'today'>): Date {
  return today === undefined ? new Date() : new Date(`${today}T12:00:00Z`);
}

/** SQL of the semantic model goes into queries as it stands, so it is checked before the first question. */
function refuseUnsafeSql(semantics: SemanticModel, dialect: DialectName): void {
  const [first, ...others] = checkSemanticSql(semantics, dialect);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new CandorError('semantics.invalid', `The semantic model: ${first}${more}.`, {
    data: { problems: [first, ...others] },
  });
}
