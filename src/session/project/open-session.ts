/** Opens what a question needs, over a whole catalog, or what SQL alone needs. */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { LEARNED_BOUNDARY_FILE, readLearnedBoundary, scoreBy } from '../../boundary/index.ts';
import { type Config, presentOf } from '../../config/index.ts';
import { type Database, guarded } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { readExamples } from '../../knowledge/authored/index.ts';
import { LazyKnowledge, openKnowledgeBase, restrictSchema } from '../../knowledge/base/index.ts';
import {
  accessPolicyOf,
  checkSemanticSql,
  readSemanticModel,
  type SemanticModel,
} from '../../knowledge/semantic/index.ts';
import type { LanguageModel } from '../../model/index.ts';
import { connectProject, type OnboardEvent, onboard, readCatalog } from '../../onboarding/index.ts';
import { buildKnowledge } from '../../reasoning/grounded/index.ts';
import { openRatingModels, PROJECT_RATING_FILE } from '../../reasoning/grounded/rate/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { closeFolder, readIfThere } from '../../store/index.ts';
import { recordFiles } from '../records/record.ts';
import { lazyModels } from './open-models.ts';
import { lazyScoring } from './open-scoring.ts';
import { type Reader, Session } from './session.ts';
import { guardedFor, userDatabases } from './user-databases.ts';

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
  await closeFolder(config.derivedDirectory);
  const [semantics, examples] = await Promise.all([
    readSemanticModel(config.semanticsDirectory, config.derivedDirectory),
    readExamples(config.examplesDirectory),
  ]);
  const { part } = options;
  const engine = part?.engine ?? (await connectProject(config, options));
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
    const { databaseFor, tablesSeenBy } = userDatabases(engine, {
      config,
      catalog: onboarded.catalog,
      policy,
    });
    const database = databaseFor({ properties: {} });
    const known = await restrictSchema(onboarded, config, { semantics, examples });
    refuseUnsafeSql(semantics, known.catalog.dialect);
    const isTrained = options.isUntrained !== true;
    const ratingFile = join(config.derivedDirectory, PROJECT_RATING_FILE);
    const rating = isTrained ? await openRatingModels(ratingFile) : undefined;
    const isBeyond = isTrained ? await openLearnedBoundary(config) : undefined;
    const clock = (): Date => presentOf(config);
    const onNotice = (message: string): void =>
      options.onProgress?.({ stage: 'notice', done: 0, total: 0, message });
    return new Session({
      ...known,
      config,
      database,
      databaseFor,
      tablesSeenBy,
      semanticsFingerprint: fingerprintOf(semantics),
      knowledge: buildKnowledge(known.catalog, semantics, known.values, rating),
      scoring: lazyScoring(known, config),
      isBeyond,
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
  const semantics = await readSemanticModel(config.semanticsDirectory, config.derivedDirectory);
  const engine = await connectProject(config);
  try {
    const catalog = await readCatalog(engine, config, semantics, signal);
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

/** SQL of the semantic model goes into queries as it stands, so it is checked before the first question. */
function refuseUnsafeSql(semantics: SemanticModel, dialect: DialectName): void {
  const [first, ...others] = checkSemanticSql(semantics, dialect);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new CandorError('semantics.invalid', `The semantic model: ${first}${more}.`, {
    data: { problems: [first, ...others] },
  });
}

// What a project has learned from its labelled questions, where it has.

/** Tells questions beyond what can be answered; undefined where nothing was learned. Throws `boundary.model-invalid`. */
async function openLearnedBoundary({
  derivedDirectory,
}: Pick<Config, 'derivedDirectory'>): Promise<((question: string) => boolean) | undefined> {
  const path = join(derivedDirectory, LEARNED_BOUNDARY_FILE);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const learned = readLearnedBoundary(text, path);
  const score = scoreBy(learned);
  return (question) => score(question) >= learned.threshold;
}
