/** Opens a session over a lake: its tables lie in a file, and each question brings up those that it may need. */
import type { Table } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import type { Database } from '../../database/index.ts';
import { readExamples, type VerifiedPair } from '../../knowledge/authored/index.ts';
import type { Lake } from '../../knowledge/lake/index.ts';
import { readSemanticModel, type SemanticModel } from '../../knowledge/semantic/index.ts';
import { connectProject, openLakeOf, refreshLake } from '../../onboarding/index.ts';
import { parse } from '../../sql/index.ts';
import { writtenTables } from '../../sql/scope/index.ts';
import { closeFolder } from '../../store/index.ts';
import type { OpenOptions } from '../project/open-session.ts';
import { Session } from '../project/session.ts';
import { LakeSessions } from './lake-sessions.ts';

/** Tables that a session shows before anything was asked, where nothing says which. */
const FIRST_TABLES = 20;
const MOST_OF_A_NAME = 20;

export async function openLakeSession(config: Config, options: OpenOptions): Promise<Session> {
  await closeFolder(config.derivedDirectory);
  const [semantics, pairs] = await Promise.all([
    readSemanticModel(config.semanticsDirectory, config.derivedDirectory),
    readExamples(config.examplesDirectory),
  ]);
  const engine = await connectProject(config);
  const lake = await openLakeOf(config);
  try {
    if ((await lake.stats()).tables === 0) await refreshLake(lake, engine, options);
    const named = await tablesWritten(lake, engine, { semantics, pairs });
    const desk = await LakeSessions.make({ config, options, engine, lake, semantics, pairs, named });
    const first = named.length > 0 ? named.map(({ id }) => id) : await lake.firstIds(FIRST_TABLES);
    return new Session({ ...(await desk.within(first.slice(0, FIRST_TABLES))), lake: desk });
  } catch (error) {
    lake.close();
    await engine.close();
    throw error;
  }
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
