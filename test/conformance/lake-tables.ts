/** What every engine shows of its tables to a lake; run for each that can list them without reading them all. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outlineCatalog } from '../../src/catalog/index.ts';
import { connect, type Database } from '../../src/database/index.ts';
import { databaseSource } from '../../src/knowledge/lake/lake-source.ts';
import { openLake } from '../../src/knowledge/lake/open-lake.ts';

export interface LakeDatabase {
  readonly url: string;
  run(statements: readonly string[]): Promise<unknown>;
  drop(): Promise<unknown>;
}

export interface LakeCase {
  /** An empty database. */
  make(): Promise<LakeDatabase>;
  /** Makes at least three tables in more than one schema, where the engine has schemas. */
  readonly setup: readonly string[];
  /** Changes the table of this id, and no other. */
  readonly changes: readonly (readonly [what: string, id: string, sql: string])[];
  readonly drop: readonly [id: string, sql: string];
}

export function listsTablesForLakes(name: string, engine: LakeCase): void {
  describe(`${name}: tables of a lake`, () => {
    it('are those of the whole schema, and a refresh reads what has changed', async () => {
      const made = await engine.make();
      const folder = await mkdtemp(join(tmpdir(), 'candor-lake-'));
      const database = await connect(made.url);
      const lake = await openLake(join(folder, 'lake.sqlite'), made.url);
      try {
        await made.run(engine.setup);
        const first = await refresh(database);
        const { tables } = await outlineCatalog(database);
        expect(first).toMatchObject({ listed: tables.length, added: tables.length });
        await expectSame(database);
        expect(await refresh(database)).toMatchObject({ added: 0, changed: 0, removed: 0 });
        for (const [what, id, sql] of engine.changes) {
          await made.run([sql]);
          expect(await refresh(database), what).toMatchObject({ added: 0, changed: 1, removed: 0 });
          await expectSame(database);
          expect((await lake.tables([id])).length, id).toBe(1);
        }
        const [id, sql] = engine.drop;
        await made.run([sql]);
        expect(await refresh(database)).toMatchObject({ added: 0, changed: 0, removed: 1 });
        expect(await lake.tables([id])).toEqual([]);
      } finally {
        lake.close();
        await database.close();
        await made.drop();
        await rm(folder, { recursive: true, force: true });
      }

      function refresh(of: Database) {
        return lake.refresh(databaseSource(of), { database: of.name });
      }

      async function expectSame(of: Database): Promise<void> {
        const { tables } = await outlineCatalog(of);
        const stored = await lake.tables(tables.map(({ id }) => id));
        const lasting = tables.map(({ estimatedRows: _, ...table }) => table);
        expect(stored.map(({ estimatedRows: _, ...table }) => table)).toEqual(lasting);
      }
    });
  });
}
