/** Which tables own their rows, as each engine tells it: what is made of others, or read elsewhere, does not. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoTrino } from '../../scripts/trino.ts';
import { connect, tableLister } from '../../src/database/index.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';
import { READER } from '../servers/started-server.ts';
import { TrinoFixture } from './trino-fixture.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-owns-rows-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** By the names of all tables that the catalog has. */
type Owned = Readonly<Record<string, boolean>>;

async function ownedIn(url: string): Promise<Owned> {
  const database = await connect(url);
  try {
    const { tables } = await database.readSchema();
    const listed = await tableLister(database)?.read(tables.map(({ name }) => name.toLowerCase()));
    const owned = (all: typeof tables): Owned =>
      Object.fromEntries(all.map(({ name, ownsRows }) => [name, ownsRows === true]));
    // A lake reads tables in its own way, which must tell the same.
    if (listed !== undefined) expect(owned(listed.schema.tables)).toEqual(owned(tables));
    return owned(tables);
  } finally {
    await database.close();
  }
}

describe('SQLite', () => {
  it('tells virtual tables from tables, and leaves out those that virtual tables keep their rows in', async () => {
    const path = join(folder, 'kinds.sqlite');
    const database = new DatabaseSync(path);
    database.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE people_strict (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE VIEW names AS SELECT name FROM people;
      CREATE VIRTUAL TABLE found USING fts5(name, content='people', content_rowid='id');
      CREATE VIRTUAL TABLE own USING fts5(name);
      CREATE VIRTUAL TABLE bare USING fts5(name, content='');
      CREATE VIRTUAL TABLE words USING fts5vocab(found, 'row');
      CREATE VIRTUAL TABLE older USING fts4(name);
      CREATE VIRTUAL TABLE terms USING fts4aux(older);
      CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
      CREATE VIRTUAL TABLE shapes USING geopoly(name);
      CREATE VIRTUAL TABLE pages USING dbstat`);
    database.close();
    expect(await ownedIn(`sqlite:${path}`)).toEqual({
      ...{ people: true, people_strict: true, pairs: true },
      ...{ names: false, found: false, own: false, bare: false, words: false, older: false },
      ...{ terms: false, boxes: false, shapes: false, pages: false },
    });
  });

  it('trusts nothing that may be the shadow of a virtual table whose module is not here', async () => {
    const path = join(folder, 'unknown-module.sqlite');
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE spelling (a); CREATE VIRTUAL TABLE Spell USING fts5(a)');
    database.close();
    const bytes = readFileSync(path);
    bytes.write('zzz5', bytes.indexOf('Spell USING fts5') + 'Spell USING '.length);
    writeFileSync(path, bytes);
    const { spelling, ...shadows } = await ownedIn(`sqlite:${path}`);
    expect(spelling).toBe(true);
    expect(Object.keys(shadows)).toContain('Spell_content');
    expect(Object.values(shadows)).not.toContain(true);
  });
});

describe('DuckDB', () => {
  it('tells views from tables, and leaves out what a full-text index is made of', async () => {
    const path = join(folder, 'kinds.duckdb');
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    // What `PRAGMA create_fts_index('people', 'id', 'name')` makes, whose extension is not part of DuckDB.
    const index = ['stats (num_docs BIGINT)', 'fields (fieldid BIGINT)', 'stopwords (sw VARCHAR)'];
    index.push('docs (docid BIGINT, name VARCHAR)', 'terms (docid BIGINT)', 'dict (term VARCHAR)');
    for (const sql of [
      'CREATE TABLE people (id INTEGER, name VARCHAR)',
      'CREATE VIEW names AS SELECT name FROM people',
      'CREATE SCHEMA fts_main_people',
      ...index.map((table) => `CREATE TABLE fts_main_people.${table}`),
      'CREATE SCHEMA fts_main_nothing',
      'CREATE TABLE fts_main_nothing.dict (term VARCHAR)',
    ])
      await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    // A schema of such a name without such a table is somebody's own.
    expect(await ownedIn(`duckdb:${path}`)).toEqual({ people: true, names: false, dict: true });
  });
});

describeWithServer('postgres', 'PostgreSQL', () => {
  it('tells foreign tables, materialised views, inheritance and foreign partitions from tables', async () => {
    const server = await postgresServer();
    const made = await server.createDatabase('kinds');
    await made.run(`
      CREATE EXTENSION postgres_fdw; CREATE EXTENSION file_fdw;
      CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '127.0.0.1', port '${server.port}', dbname '${made.name}');
      CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
      CREATE USER MAPPING FOR ${READER.user} SERVER here OPTIONS (user '${READER.user}', password '${READER.password}');
      CREATE TABLE people (id integer, name text);
      CREATE VIEW names AS SELECT name FROM people;
      CREATE MATERIALIZED VIEW kept AS SELECT * FROM people;
      CREATE FOREIGN TABLE remote (id integer, name text) SERVER here OPTIONS (table_name 'people');
      CREATE FOREIGN TABLE lines (line text) SERVER files OPTIONS (filename '/dev/null');
      CREATE TABLE parent (id integer); CREATE TABLE child () INHERITS (parent);
      CREATE TABLE halves (id integer) PARTITION BY RANGE (id);
      CREATE TABLE half PARTITION OF halves FOR VALUES FROM (0) TO (10);
      CREATE TABLE parts (id integer) PARTITION BY RANGE (id);
      CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10) PARTITION BY RANGE (id);
      CREATE FOREIGN TABLE elsewhere PARTITION OF part FOR VALUES FROM (0) TO (5)
        SERVER here OPTIONS (table_name 'people')`);
    expect(await ownedIn(made.url)).toEqual({
      ...{ people: true, halves: true, names: false, kept: false, remote: false, lines: false },
      ...{ parent: false, child: false, parts: false },
    });
    const open = await connect(made.url);
    const stamp = await open.stamp();
    await made.run('ALTER TABLE child NO INHERIT parent');
    // What was known is read again.
    expect(await open.stamp()).not.toBe(stamp);
    expect((await ownedIn(made.url)).parent).toBe(true);
    await open.close();
    await made.drop();
  });
});

describeWithServer('mariadb', 'MariaDB', () => {
  it('tells engines that keep rows from those that read other tables', async () => {
    const server = await mariadbServer();
    const made = await server.createDatabase('kinds');
    await made.run(`
      CREATE TABLE people (id int, name varchar(9)) ENGINE = MyISAM;
      CREATE TABLE stored (id int); CREATE TABLE in_aria (id int) ENGINE = Aria;
      CREATE TABLE in_memory (id int) ENGINE = MEMORY; CREATE TABLE in_csv (id int NOT NULL) ENGINE = CSV;
      CREATE TABLE past (id int) WITH SYSTEM VERSIONING;
      CREATE VIEW names AS SELECT name FROM people;
      CREATE TABLE merged (id int, name varchar(9)) ENGINE = MRG_MyISAM UNION = (people)`);
    expect(await ownedIn(made.url)).toEqual({
      ...{ people: true, stored: true, in_aria: true, in_memory: true, in_csv: true, past: true },
      ...{ names: false, merged: false },
    });
    const open = await connect(made.url);
    const stamp = await open.stamp();
    await made.run('ALTER TABLE stored ENGINE = Aria');
    expect(await open.stamp()).not.toBe(stamp);
    await open.close();
    await made.drop();
  });
});

const missing = await whyNoTrino();
const trino = new TrinoFixture();
describe.skipIf(missing !== null)(missing === null ? 'Trino 476' : `Trino, skipped: ${missing}`, () => {
  beforeAll(async () => {
    await trino.start({
      plugins: ['iceberg'],
      catalogs: {
        ice: [
          'connector.name=iceberg',
          'iceberg.catalog.type=TESTING_FILE_METASTORE',
          `hive.metastore.catalog.dir=local:///candor`,
          'fs.native-local.enabled=true',
          `local.location=${folder}`,
          // Where rows of materialised views are tables that anybody may name.
          'iceberg.materialized-views.hide-storage-table=false',
        ],
      },
    });
  }, 200_000);
  afterAll(() => trino.stop(), 20_000);

  it('tells views and materialised views from tables', async () => {
    const made = await trino.make([
      'CREATE TABLE people (id integer)',
      'CREATE VIEW names AS SELECT * FROM people',
    ]);
    expect(await ownedIn(made.url)).toEqual({ people: true, names: false });
    await trino.run('CREATE SCHEMA ice.shop');
    await trino.run('CREATE TABLE ice.shop.people (id integer)');
    await trino.run('CREATE MATERIALIZED VIEW ice.shop.kept AS SELECT * FROM ice.shop.people');
    const { people, kept, ...storage } = await ownedIn(`${trino.server.url}/ice/shop`);
    expect({ people, kept }).toEqual({ people: true, kept: false });
    expect(Object.values(storage)).toEqual([false]);
  });
});
