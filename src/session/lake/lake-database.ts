/** The one door to the engine of a lake: what a statement may name is looked up in the lake, not in memory. */

import type { Catalog, Table } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import { type Database, decorate, guarded } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { Lake } from '../../knowledge/lake/index.ts';
import { accessPolicyOf, type SemanticModel } from '../../knowledge/semantic/index.ts';
import { parse } from '../../sql/index.ts';
import { writtenTables } from '../../sql/scope/index.ts';
import { impersonated } from '../project/user-databases.ts';

export interface LakeDoor {
  readonly lake: Lake;
  readonly config: Config;
  readonly semantics: SemanticModel;
  /** Those that the semantic model names: its rules may look into any of them. */
  readonly named: readonly Table[];
  /** Ids of the only tables that the caller may see; absent: all. */
  readonly visibleTables?: readonly string[];
}

/** Tables of one name: a statement that means one of more than these writes its schema, and is found by it. */
const MOST_OF_A_NAME = 200;

/**
 * The same database for what people and models write, run as whoever the configuration says asks. Every statement gets a guard that knows the tables which its
 * names may mean, and the project's policy over them; a name that the lake does not have is refused as everywhere.
 */
export function lakeDatabase(engine: Database, door: LakeDoor): Database {
  const visible = door.visibleTables && new Set(door.visibleTables);
  const guardOver = async (below: Database, sql: string): Promise<Database> => {
    const catalog = await catalogFor(sql, below, door);
    const policy = accessPolicyOf(door.semantics, catalog);
    return guarded(below, {
      ...{ kind: 'caller-queries', catalog },
      policy: {
        ...policy,
        ...(visible && {
          visibleTables: catalog.tables.flatMap(({ id }) => (visible.has(id) ? [id] : [])),
        }),
      },
      properties: door.config.sessionProperties,
      planCaps: door.config.planCaps,
      allowedCode: door.config.allowedCode,
    });
  };
  return decorate(impersonated(engine, door.config), (below) => ({
    // As above every guard: the rights are given below it.
    withholds: ['as', 'listTables'],
    readSchema: async () => {
      throw new CandorError('internal.bug', 'the schema of a lake is not read at once');
    },
    query: async (sql, limits, signal) => (await guardOver(below, sql)).query(sql, limits, signal),
    explain: async (sql, signal) => (await guardOver(below, sql)).explain(sql, signal),
  }));
}

async function catalogFor(sql: string, engine: Database, { lake, named }: LakeDoor): Promise<Catalog> {
  const parsed = parse(sql, engine.dialect);
  const tables = new Map(named.map((table) => [table.id, table]));
  // What cannot be read is refused by the guard, whatever the catalog.
  for (const name of parsed.ok ? writtenTables(parsed.tree) : [])
    for (const table of await tablesCalled(name, lake)) tables.set(table.id, table);
  return {
    ...{ database: engine.name, dialect: engine.dialect, foreignKeys: [], fingerprint: '' },
    tables: [...tables.values()],
  };
}

/** Where no table is called so, the engine's own schema may stand before a bare name: whether it does, the guard tells. */
async function tablesCalled(name: string, lake: Lake): Promise<readonly Table[]> {
  const found = await lake.named(name, MOST_OF_A_NAME);
  if (found.length > 0) return found;
  return lake.named(name.slice(name.lastIndexOf('.') + 1), MOST_OF_A_NAME);
}
