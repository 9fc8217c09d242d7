/** Opens a session over a lake: its tables lie in a file, and each question brings up those that it may need. */
import { join } from 'node:path';
import type { Table } from './catalog/index.ts';
import type { Config } from './config/index.ts';
import { connectProject } from './connect-project.ts';
import { type Database, redactUrl } from './database/index.ts';
import { CandorError } from './errors.ts';
import {
  databaseSource,
  type Lake,
  type LakeCounts,
  openLake,
  readExamples,
  readSemanticModel,
  type SemanticModel,
  type VerifiedPair,
} from './knowledge/index.ts';
import { LakeDesk } from './lake-desk.ts';
import { type OpenOptions, type Session, wholeSession } from './session.ts';
import { parse, writtenTables } from './sql/index.ts';
import { closeFolder } from './store/index.ts';

export const LAKE_FILE = 'lake.sqlite';
/** Raised when tables are kept or found in another way. */
const LAKE_VERSION = 2;
/** Tables that a session shows before anything was asked, where nothing says which. */
const FIRST_TABLES = 20;
const MOST_OF_A_NAME = 20;

export async function openLakeSession(config: Config, options: OpenOptions): Promise<Session> {
  const [semantics, pairs] = await Promise.all([
    readSemanticModel(config.semanticsDirectory),
    readExamples(config.examplesDirectory),
  ]);
  await closeFolder(config.derivedDirectory);
  const engine = await connectProject(config);
  const lake = await openLakeOf(config);
  try {
    if ((await lake.stats()).tables === 0) await refreshLake(lake, engine, options);
    const named = await tablesWritten(lake, engine, { semantics, pairs });
    const desk = await LakeDesk.make({ config, options, engine, lake, semantics, pairs, named });
    const first = named.length > 0 ? named.map(({ id }) => id) : await lake.firstIds(FIRST_TABLES);
    return wholeSession({ ...(await desk.within(first.slice(0, FIRST_TABLES))), lake: desk });
  } catch (error) {
    lake.close();
    await engine.close();
    throw error;
  }
}

/** The lake file of a project; of another database, or of another version of Candor's, it is begun anew. */
export function openLakeOf(config: Config): Promise<Lake> {
  const origin = `${LAKE_VERSION} ${redactUrl(config.databaseUrl)}`;
  return openLake(join(config.derivedDirectory, LAKE_FILE), origin);
}

/** The same for who reads no database: throws `catalog.stale` where nothing was read yet. */
export async function openKnownLake(config: Config): Promise<Lake> {
  const lake = await openLakeOf(config);
  if ((await lake.stats()).tables > 0) return lake;
  lake.close();
  throw new CandorError('catalog.stale', `No table of ${redactUrl(config.databaseUrl)} was read yet.`);
}

/** Brings the lake to what the database has; `database.empty-schema` where that is nothing. */
export async function refreshLake(
  lake: Lake,
  engine: Database,
  { onProgress, signal }: Pick<OpenOptions, 'onProgress' | 'signal'>,
): Promise<LakeCounts> {
  const counts = await lake.refresh(databaseSource(engine), {
    database: engine.name,
    signal,
    onProgress: ({ listed }) => onProgress?.({ stage: 'schema', done: listed, total: 0 }),
  });
  if (counts.listed > 0) return counts;
  throw new CandorError('database.empty-schema', `the database ${engine.name} has no tables or views`, {
    data: { url: engine.url },
  });
}

/** The tables that people have written of: datasets of the semantic model, and what verified pairs read. */
async function tablesWritten(
  lake: Lake,
  engine: Database,
  { semantics, pairs }: { readonly semantics: SemanticModel; readonly pairs: readonly VerifiedPair[] },
): Promise<readonly Table[]> {
  const names = new Set(semantics.datasets.map(({ table, source }) => source ?? table));
  for (const { sql } of pairs) {
    const parsed = parse(sql, engine.dialect);
    for (const name of parsed.ok ? writtenTables(parsed.tree) : []) names.add(name);
  }
  const tables = new Map<string, Table>();
  for (const name of names)
    for (const table of await lake.named(name, MOST_OF_A_NAME)) tables.set(table.id, table);
  return [...tables.values()];
}
