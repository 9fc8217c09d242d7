import { afterAll, beforeAll, expect, it } from 'vitest';
import { outlineCatalog } from '../../src/catalog/index.ts';
import { connect, type Database } from '../../src/database/index.ts';
import { describeWithServer } from '../servers/server-of-run.ts';
import { startPostgres } from '../servers/start-postgres.ts';
import { type TestServer, toTestServer } from '../servers/test-server.ts';
import { sweepAttributes } from './sweep-attributes.ts';

describeWithServer('postgres', 'attribute notation of PostgreSQL', () => {
  let database: Database;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await startPostgres();
    stop = () => started.stop();
    const server: TestServer = toTestServer(started);
    const { url, run } = await server.createDatabase('attributes');
    await run(`CREATE TABLE t (id integer, a text);
      CREATE FUNCTION own_function(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
      CREATE TYPE place AS (street text, own_function text)`);
    database = await connect(url);
  });
  afterAll(async () => {
    await database.close();
    await stop();
  });

  it('calls no function that is on no list', async () => {
    const swept = await sweepAttributes(database, await outlineCatalog(database));
    expect(swept.functions).toBeGreaterThan(1_000);
    expect(swept.passed).toEqual([]);
  }, 300_000);

  it('knows fields of composite types, but for those that a function is called like', async () => {
    const { ownNames } = await outlineCatalog(database);
    expect(ownNames).toEqual({ fields: ['street'], types: [] });
  });
});
