/** Onboarding of a database that lives on a server: several schemas, a refresh, a budget, opted-out columns. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { emptySemanticModel } from '../../src/knowledge/semantic/index.ts';
import {
  type OnboardEvent,
  type OnboardOptions,
  onboard,
  readEvidence,
} from '../../src/onboarding/onboard.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';

let folder: string;
let made: TestDatabase;
let database: Database;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-onboard-server-'));
  made = await (await postgresServer()).createDatabase('onboard');
  await made.run(`
    CREATE SCHEMA sales;
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
    INSERT INTO customer SELECT i, 'Customer ' || i, 'c' || i || '@example.org' FROM generate_series(1, 50) n(i);
    CREATE TABLE sales.customer (code TEXT, customer_id INTEGER, note TEXT);
    INSERT INTO sales.customer SELECT 'S-' || i, i, 'n' || i FROM generate_series(1, 40) n(i);
    CREATE TABLE sales.orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total NUMERIC(10, 2));
    INSERT INTO sales.orders SELECT i, 1 + i % 40, i * 1.5 FROM generate_series(1, 5000) n(i);
    CREATE TABLE "Odd" (id INTEGER, "Value" TEXT, value TEXT);
    INSERT INTO "Odd" VALUES (1, 'first', 'second');
    CREATE TABLE odd (id INTEGER);`);
  database = guarded(await connect(made.url), { kind: 'own-queries' });
}, 60_000);
afterEach(async () => {
  await database?.close();
  await made?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function run(options: Partial<OnboardOptions> = {}) {
  const events: OnboardEvent[] = [];
  const onboarded = await onboard(database, {
    directory: folder,
    semantics: emptySemanticModel,
    onProgress: (event) => events.push(event),
    ...options,
  });
  return {
    ...onboarded,
    notices: events.flatMap(({ message }) => message ?? []),
    tableOf: (id: string) => onboarded.catalog.tables.find((table) => table.id === id),
  };
}

describeWithServer('postgres', 'onboarding a server', () => {
  it('keeps tables of two schemas apart, and tells names that differ in case alone', async () => {
    const { catalog, tableOf, notices } = await run();
    expect(catalog.tables.map(({ id }) => id).sort()).toEqual([
      'customer',
      'odd',
      'sales.customer',
      'sales.orders',
    ]);
    expect(tableOf('sales.customer')).toMatchObject({
      name: 'customer',
      schema: 'sales',
      qualifier: ['sales'],
    });
    expect(tableOf('customer')?.qualifier).toBeUndefined();
    expect([tableOf('customer')?.rowCount, tableOf('sales.customer')?.rowCount]).toEqual([50, 40]);
    expect(tableOf('sales.orders')?.columns[1]?.id).toBe('sales.orders.customer_id');
    expect(notices).toContainEqual(expect.stringMatching(/^odd is left out: only upper and lower case/i));
    // Which of two comes first is the server's choice; that the other is told is not.
    expect(catalog.leftOut).toEqual(
      expect.arrayContaining([
        {
          name: expect.stringMatching(/^odd$/i),
          because: expect.stringMatching(/^only upper and lower case tell it from odd$/i),
        },
      ]),
    );
  });

  it('finds links across the keys that are there, with how sure it is', async () => {
    const { catalog } = await run();
    const links = catalog.foreignKeys.map(({ fromColumns, toColumns, source, confidence }) => ({
      link: `${fromColumns} → ${toColumns}`,
      source,
      confidence,
    }));
    // The customer_id of a table called customer is its own. 40 values, all contained: 0.5 for the name, 0.3 for the values, 0.1 for the type, 0.1 for the declared key.
    expect(links).toEqual([
      { link: 'sales.orders.customer_id → customer.id', source: 'inferred', confidence: 0.99 },
    ]);
    expect(catalog.keyOverlaps).toContainEqual({
      fromColumn: 'sales.orders.customer_id',
      toColumn: 'customer.id',
      share: 1,
      comparedValues: 40,
    });
  });

  it('profiles at a refresh only what has changed', async () => {
    expect((await run()).tables).toEqual({ profiled: 4, reused: 0, removed: 0 });
    expect((await run()).reused).toBe(true);
    await made.run(`INSERT INTO sales.orders VALUES (5001, 1, 9.5); DROP TABLE sales.customer;
      ALTER TABLE customer ADD COLUMN city TEXT; CREATE TABLE fresh (id INTEGER)`);
    const changed = await run({ refresh: true });
    // Orders has a row more, customer a column more, and there is a new table; the odd one is as it was.
    expect(changed.tables).toEqual({ profiled: 3, reused: 1, removed: 1 });
    expect(changed.tableOf('sales.orders')?.rowCount).toBe(5001);
    expect(changed.tableOf('sales.customer')).toBeUndefined();
    expect((await run({ refresh: true })).tables).toEqual({ profiled: 0, reused: 4, removed: 0 });
  }, 60_000);

  it('does not take an unchanged schema for unchanged rows when it is asked to look', async () => {
    await run();
    await made.run('DELETE FROM customer WHERE id > 10');
    // The stamp of a server covers its schema.
    expect((await run()).tableOf('customer')?.rowCount).toBe(50);
    expect((await run({ refresh: true })).tableOf('customer')?.rowCount).toBe(10);
  }, 60_000);

  it('samples the largest table first when it may read only so much, and reads more when it may', async () => {
    const profile = { pii: 'withhold', keep: [], skip: [] } as const;
    const small = await run({ profile: { ...profile, maxScanRows: 1000 } });
    expect(small.report.sampled.map(({ tableId }) => tableId)).toEqual(['sales.orders']);
    expect(small.tableOf('customer')?.columns[0]?.profile?.sampledBy).toBeUndefined();
    const tiny = await run({ refresh: true, profile: { ...profile, maxScanRows: 150 } });
    // What was read with a larger budget still holds.
    expect(tiny.tables.profiled).toBe(0);
    const all = await run({ refresh: true, profile });
    expect(all.tables.profiled).toBe(1);
    expect(all.report.sampled).toEqual([]);
  }, 60_000);

  it('leaves tables without a profile where nothing is left for them, and says so', async () => {
    const profile = { pii: 'withhold', keep: [], skip: [], maxScanRows: 100 } as const;
    const { report, tableOf } = await run({ profile });
    expect(report.skipped).toEqual([{ tableId: 'sales.orders', because: 'scan-budget' }]);
    expect(tableOf('sales.orders')?.columns[0]?.profile).toBeUndefined();
  });

  it('writes no personal value to the disk, and tells which columns those are', async () => {
    const { report, values } = await run();
    expect(report.pii).toEqual([
      { columnId: 'customer.email', kind: 'email', because: 'its name says email', isWithheld: true },
    ]);
    expect(values.lookup('c7@example.org')).toEqual([]);
    expect(await readFile(join(folder, 'tables.jsonl'), 'utf8')).not.toContain('@example.org');
  });

  it('keeps what is allowed, does not read what is opted out, and names columns that are not there', async () => {
    const profile = {
      pii: 'withhold',
      keep: ['Customer.Email'],
      skip: ['customer.name', 'customer.nam'],
    } as const;
    const { values, notices, tableOf } = await run({ profile });
    expect(values.lookup('c7@example.org')).toHaveLength(1);
    expect(values.lookup('Customer 7')).toEqual([]);
    expect(tableOf('customer')?.columns[1]?.profile).toBeUndefined();
    expect(notices).toContain('the settings name a column that is not there: customer.nam');
    expect(notices.join()).not.toContain('customer.name');
    // Other settings make other profiles.
    expect((await run()).reused).toBe(false);
  }, 60_000);

  it('gives the statistics of one table from the store, which the catalog leaves there', async () => {
    const { tableOf } = await run();
    expect(tableOf('sales.orders')?.columns[2]?.profile?.statistics).toBeUndefined();
    const stored = await readEvidence(folder, 'sales.orders');
    // 1.5, 3, …, 7500.
    expect(stored?.columns[2]?.profile?.statistics).toMatchObject({ quartiles: ['1875', '3750', '5625'] });
    expect(await readEvidence(folder, 'sales.nothing')).toBeUndefined();
  });
});
