/**
 * Tables that show rows of other tables, of every kind that an engine has: most stand for what an owner who wrote the policy
 * has forgotten, and must be refused; some are trusted under a filter and masks of their own, and must hold those.
 */
import { READER } from '../servers/started-server.ts';
import type { Traits } from './queries/writing.ts';
import type { MadeTable, TenantColumn, TenantTable } from './two-tenants.ts';

/** Where the database is, for tables that read it from outside. Files have none of it. */
export interface MadePlace {
  readonly database: string;
  readonly port: number;
  /** The server may write here. */
  readonly folder: string;
}

const NOWHERE: MadePlace = { database: '', port: 0, folder: '' };

const text = (name: string): TenantColumn => ({ name, kind: 'text' });
const number = (name: string): TenantColumn => ({ name, kind: 'number' });

/** `base` are the tables of rows of their own. */
export function readingTables(
  dialect: Traits['dialect'],
  base: readonly TenantTable[],
  place: MadePlace = NOWHERE,
): readonly TenantTable[] {
  const customers = base.find(({ name }) => name === 'customers');
  if (customers === undefined) throw new Error('there are no customers');
  return MAKERS[dialect](customers, place);
}

type Maker = (customers: TenantTable, place: MadePlace) => readonly TenantTable[];

/** One that nobody trusts: nothing restricts it. */
function made(
  kind: string,
  name: string,
  columns: readonly TenantColumn[],
  create: readonly string[],
  more: Partial<MadeTable> = {},
): TenantTable {
  return { name, columns, rows: [], made: { kind, create, ...more } };
}

/** The same columns without what restricts them. */
function plain({ columns }: TenantTable): readonly TenantColumn[] {
  return columns.map(({ name, kind }) => ({ name, kind }));
}

/** Trusted: shows customers under the filter and the masks that these have. */
function shared(kind: string, name: string, customers: TenantTable, create: readonly string[]): TenantTable {
  return { ...customers, name, rows: [], made: { kind: `trusted ${kind}`, create, isTrusted: true } };
}

const internal = { isInternal: true } as const;

const VIEWS: Maker = (customers) => [
  made('view', 'customers_view', plain(customers), ['CREATE VIEW customers_view AS SELECT * FROM customers']),
  made(
    'view of a view',
    'names_view',
    [text('name'), text('email')],
    ['CREATE VIEW names_view AS SELECT name, email FROM customers_view'],
  ),
  shared('view', 'shared_view', customers, ['CREATE VIEW shared_view AS SELECT * FROM customers']),
];

const sqlite: Maker = (customers, place) => [
  ...VIEWS(customers, place),
  made(
    'FTS5 over another table',
    'customers_fts',
    [text('name'), text('email')],
    [
      "CREATE VIRTUAL TABLE customers_fts USING fts5(name, email, content='customers', content_rowid='id')",
      "INSERT INTO customers_fts (customers_fts) VALUES ('rebuild')",
    ],
  ),
  made(
    'FTS5 of its own content',
    'notes_fts',
    [text('day'), text('note')],
    [
      'CREATE VIRTUAL TABLE notes_fts USING fts5(day, note)',
      'INSERT INTO notes_fts SELECT day, note FROM orders',
    ],
  ),
  made(
    'FTS5 without content',
    'mails_fts',
    [text('email')],
    [
      "CREATE VIRTUAL TABLE mails_fts USING fts5(email, content='')",
      'INSERT INTO mails_fts (rowid, email) SELECT id, email FROM customers',
    ],
  ),
  made('shadow table', 'notes_fts_content', [number('id'), text('c0'), text('c1')], [], internal),
  made('shadow table', 'customers_fts_docsize', [number('id')], [], internal),
  made(
    'fts5vocab',
    'customers_words',
    [text('term'), number('doc'), number('cnt')],
    ["CREATE VIRTUAL TABLE customers_words USING fts5vocab('customers_fts', 'row')"],
  ),
  made(
    'FTS4 over another table',
    'letters_fts',
    [text('name'), text('email')],
    [
      'CREATE VIRTUAL TABLE letters_fts USING fts4(content="customers", name, email)',
      "INSERT INTO letters_fts (letters_fts) VALUES ('rebuild')",
    ],
  ),
  made(
    'fts4aux',
    'letters_words',
    [text('term'), number('documents'), number('occurrences')],
    ['CREATE VIRTUAL TABLE letters_words USING fts4aux(letters_fts)'],
  ),
  made(
    'FTS3',
    'days_fts',
    [text('day')],
    ['CREATE VIRTUAL TABLE days_fts USING fts3(day)', 'INSERT INTO days_fts SELECT day FROM orders'],
  ),
  made(
    'R-tree',
    'amounts_tree',
    [number('id'), number('low'), number('high')],
    [
      'CREATE VIRTUAL TABLE amounts_tree USING rtree(id, low, high)',
      'INSERT INTO amounts_tree SELECT id, amount, amount FROM orders',
    ],
  ),
  made('shadow table', 'amounts_tree_rowid', [number('rowid'), number('nodeno')], [], internal),
  made(
    'dbstat',
    'pages',
    [text('name'), number('ncell'), number('unused')],
    ['CREATE VIRTUAL TABLE pages USING dbstat'],
  ),
  shared('FTS5 over another table', 'shared_fts', customers, [
    `CREATE VIRTUAL TABLE shared_fts
       USING fts5(id, tenant, name, email, region, score, content='customers', content_rowid='id')`,
    "INSERT INTO shared_fts (shared_fts) VALUES ('rebuild')",
  ]),
];

const postgres: Maker = (customers, { database, port, folder }) => {
  const columns =
    'id integer, tenant integer, name varchar(60), email varchar(60), region varchar(60), score integer';
  const file = `${folder}/${database}-customers.csv`;
  const remote = "SERVER here OPTIONS (table_name 'customers')";
  return [
    ...VIEWS(customers, { database, port, folder }),
    made('foreign table of the same database', 'customers_remote', plain(customers), [
      'CREATE EXTENSION postgres_fdw',
      `CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw
         OPTIONS (host '127.0.0.1', port '${port}', dbname '${database}')`,
      `CREATE USER MAPPING FOR PUBLIC SERVER here
         OPTIONS (user '${READER.user}', password '${READER.password}')`,
      `CREATE FOREIGN TABLE customers_remote (${columns}) ${remote}`,
    ]),
    made('foreign table of a file', 'customers_file', plain(customers), [
      'CREATE EXTENSION file_fdw',
      `COPY customers TO '${file}' (FORMAT csv)`,
      'CREATE SERVER files FOREIGN DATA WRAPPER file_fdw',
      `CREATE FOREIGN TABLE customers_file (${columns}) SERVER files OPTIONS (filename '${file}', format 'csv')`,
    ]),
    made('materialised view', 'customers_kept', plain(customers), [
      'CREATE MATERIALIZED VIEW customers_kept AS SELECT * FROM customers',
    ]),
    made('table with a foreign partition', 'customers_parts', plain(customers), [
      `CREATE TABLE customers_parts (${columns}) PARTITION BY RANGE (id)`,
      `CREATE FOREIGN TABLE customers_part PARTITION OF customers_parts FOR VALUES FROM (0) TO (1000) ${remote}`,
    ]),
    made('partition', 'customers_part', plain(customers), [], internal),
    made('parent of a table', 'people', plain(customers), [
      `CREATE TABLE people (${columns})`,
      'CREATE TABLE people_now () INHERITS (people)',
      'INSERT INTO people_now SELECT * FROM customers',
    ]),
    // The filter of the parent is none of the child's, and the other way round.
    { ...customers, name: 'people_now', rows: [], made: { kind: 'child of a table', create: [] } },
    shared('foreign table', 'shared_remote', customers, [
      `CREATE FOREIGN TABLE shared_remote (${columns}) ${remote}`,
    ]),
    shared('materialised view', 'shared_kept', customers, [
      'CREATE MATERIALIZED VIEW shared_kept AS SELECT * FROM customers',
    ]),
  ];
};

const mysql: Maker = (customers, place) => {
  const merge = (name: string): string[] => [
    `CREATE TABLE ${name} LIKE customers`,
    `ALTER TABLE ${name} ENGINE = MRG_MyISAM UNION = (customers)`,
  ];
  const { port, database } = place;
  const url = `mysql://${READER.user}:${READER.password}@127.0.0.1:${port}/${database}/customers`;
  return [
    ...VIEWS(customers, place),
    made('MERGE', 'customers_merge', plain(customers), [
      'ALTER TABLE customers ENGINE = MyISAM',
      ...merge('customers_merge'),
    ]),
    made('FEDERATED', 'customers_federated', plain(customers), [
      "INSTALL PLUGIN IF NOT EXISTS federated SONAME 'ha_federatedx'",
      `CREATE TABLE customers_federated (id INTEGER, tenant INTEGER, name VARCHAR(60), email VARCHAR(60),
         region VARCHAR(60), score INTEGER) ENGINE = FEDERATED CONNECTION = '${url}'`,
    ]),
    made('SEQUENCE', 'seq_1_to_9', [number('seq')], [], internal),
    shared('MERGE', 'shared_merge', customers, merge('shared_merge')),
  ];
};

const MAKERS: Readonly<Record<Traits['dialect'], Maker>> = { sqlite, duckdb: VIEWS, postgres, mysql };
