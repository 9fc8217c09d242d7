import { createHash } from 'node:crypto';
import type { Catalog } from './catalog/index.ts';
import type { Config } from './config/index.ts';
import { connect, type Database, guarded } from './database/index.ts';
import { CandorError } from './errors.ts';
import {
  checkSemanticSql,
  readExamples,
  readSemanticModel,
  type SemanticModel,
  type ValueIndex,
  type VerifiedPair,
} from './knowledge/index.ts';
import { type OnboardEvent, onboard } from './onboard.ts';
import { buildKnowledge, type GroundedKnowledge } from './reasoning/index.ts';
import type { DialectName } from './sql/dialect.ts';

/** Everything a question needs, opened once: configuration, database, what is known of it, the clock. */
export interface Session {
  readonly config: Config;
  /** Every query goes through the read-only guard. */
  readonly database: Database;
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly values: ValueIndex;
  /** Hash of the semantic model; a record keeps it. */
  readonly semanticsFingerprint: string;
  readonly examples: readonly VerifiedPair[];
  readonly knowledge: GroundedKnowledge;
  /** The present; a project whose data has stopped growing pins it with `today`. */
  readonly clock: () => Date;
  /** The wall clock, for when something was recorded. */
  readonly wallClock: () => Date;
}

export interface OpenOptions {
  readonly onProgress?: (progress: OnboardEvent) => void;
  readonly signal?: AbortSignal;
}

/** Opens a session; onboards the database first when it is new or has changed. */
export async function openSession(config: Config, options: OpenOptions = {}): Promise<Session> {
  const [semantics, examples] = await Promise.all([
    readSemanticModel(config.semanticsDirectory),
    readExamples(config.examplesDirectory),
  ]);
  const database = guarded(await connect(config.databaseUrl));
  try {
    const { catalog, values } = await onboard(database, {
      directory: config.derivedDirectory,
      semantics,
      ...options,
    });
    refuseUnsafeSql(semantics, catalog.dialect);
    const knowledge = buildKnowledge(catalog, semantics, values);
    const semanticsFingerprint = createHash('sha256')
      .update(JSON.stringify(semantics))
      .digest('hex')
      .slice(0, 16);
    return {
      config,
      database,
      catalog,
      semantics,
      semanticsFingerprint,
      values,
      examples,
      knowledge,
      clock: clockOf(config),
      wallClock: () => new Date(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export async function closeSession(session: Session): Promise<void> {
  await session.database.close();
}

function clockOf(config: Config): () => Date {
  const { today } = config;
  return today === undefined ? () => new Date() : () => new Date(`${today}T12:00:00Z`);
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
