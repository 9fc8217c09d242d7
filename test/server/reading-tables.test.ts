/** What a restricted person is shown of tables that show rows of others: nothing, on any route, whatever is asked. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../src/answering/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { openProject } from '../../src/session/open-project.ts';
import type { Session } from '../../src/session/project/session.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { scriptedModel, textOf } from '../models/scripted-model.ts';
import { startKeyedServer } from './start-keyed-server.ts';

/** Stands in every text of the other tenant, and in every text that is masked. */
const CANARY = /qarvolin/i;
/** Tables that nobody trusts. */
const READING = ['client_search', 'mail_search', 'client_words', 'client_boxes', 'all_clients'] as const;

const STATEMENTS = `
  CREATE TABLE clients (id INTEGER PRIMARY KEY, tenant INTEGER, name TEXT, city TEXT, email TEXT);
  INSERT INTO clients VALUES (1, 1, 'Ana', 'Lyon', 'qarvolin ana'), (2, 1, 'Bob', 'Nice', 'qarvolin bob'),
    (3, 2, 'Qarvolin Works', 'Qarvolin Falls', 'qarvolin eve'), (4, 2, 'Qarvolin Sons', 'Qarvolin Falls', 'qarvolin fay');
  CREATE TABLE visits (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), reason TEXT);
  INSERT INTO visits VALUES (1, 1, 'advice'), (2, 2, 'repair'), (3, 3, 'repair');
  CREATE VIRTUAL TABLE client_search USING fts5(name, city, content='clients', content_rowid='id');
  INSERT INTO client_search (client_search) VALUES ('rebuild');
  CREATE VIRTUAL TABLE mail_search USING fts5(email);
  INSERT INTO mail_search SELECT email FROM clients;
  CREATE VIRTUAL TABLE client_words USING fts5vocab(client_search, 'row');
  CREATE VIRTUAL TABLE client_boxes USING rtree(id, low, high);
  INSERT INTO client_boxes SELECT id, tenant, tenant FROM clients;
  CREATE VIEW all_clients AS SELECT * FROM clients;
  CREATE VIRTUAL TABLE shared_search USING fts5(tenant, name, city, email, content='clients', content_rowid='id');
  INSERT INTO shared_search (shared_search) VALUES ('rebuild')`;

const MASK = {
  name: 'email',
  expression: { dialects: [{ dialect: 'ANSI_SQL', expression: 'email' }] },
  custom_extensions: [{ vendor_name: 'CANDOR', data: { mask: "'***'" } }],
};
const rules = (data: object) => [
  { vendor_name: 'CANDOR', data: { row_filter: 'tenant = :tenant', ...data } },
];
const SEMANTICS = {
  version: '0.2.0',
  semantic_model: [
    {
      name: 'shop',
      datasets: [
        { name: 'clients', source: 'clients', fields: [MASK], custom_extensions: rules({}) },
        {
          ...{ name: 'shared search', source: 'shared_search', fields: [MASK] },
          custom_extensions: rules({ trusted_view: true }),
        },
      ],
    },
  ],
};

type Request = readonly [method: string, path: string, body?: object];
const REQUESTS: readonly Request[] = [
  ...['', '?text=client', '?text=search', '?text=words', '?limit=200'].map(
    (query) => ['GET', `/v1/catalog/tables${query}`] as const,
  ),
  ...[...READING, 'clients', 'shared_search', 'client_search_data'].flatMap((id) => [
    ['GET', `/v1/catalog/tables/${id}`] as const,
    ['GET', `/v1/graph?around=table:${id}&depth=2`] as const,
  ]),
  // One letter is missing: what is found would write it whole.
  ...['qarvoln', 'qarvoln falls', 'qarvoln works', 'falls', 'eve', 'client search', 'mail'].flatMap(
    (text) => [
      ['GET', `/v1/values?text=${encodeURIComponent(text)}`] as const,
      ['GET', `/v1/search?text=${encodeURIComponent(text)}`] as const,
    ],
  ),
  ['GET', '/v1/suggestions'],
  ['GET', '/v1/areas'],
  ...[
    'how many client searches are there?',
    'show the names of all clients',
    'which client words are there?',
    'how many clients are in qarvoln falls?',
    'list the city of each client search',
    'emails of mail search',
    'the highest high of client boxes',
    'how many clients per city?',
  ].flatMap((question) => [
    ['POST', '/v1/ask', { question }] as const,
    ['POST', '/v1/explain', { question }] as const,
  ]),
  ...[
    ...READING,
    'client_search_content',
    'mail_search_content',
    'client_boxes_node',
    'shared_search',
  ].flatMap((table) =>
    [`SELECT * FROM ${table}`, `SELECT COUNT(*) FROM ${table} WHERE rowid > 0`].flatMap((sql) => [
      ['POST', '/v1/sql', { sql }] as const,
      ['POST', '/v1/review', { sql, repair: true }] as const,
      ['POST', '/v1/fix', { sql }] as const,
    ]),
  ),
];

interface Served {
  readonly session: Session;
  call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly text: string }>;
  close(): Promise<void>;
}

async function serve(settings: string, semantics: object | undefined): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-reading-tables-'));
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(STATEMENTS);
  database.close();
  const groups = 'server: { groups: { first: { session: { tenant: 1 } } } }';
  const config = ['database: sqlite:shop.db', 'search: { embedding: none }', groups, settings];
  writeFileSync(join(folder, 'candor.yml'), `${config.join('\n')}\n`);
  mkdirSync(join(folder, 'semantics'));
  if (semantics !== undefined)
    writeFileSync(join(folder, 'semantics', 'shop.yml'), JSON.stringify(semantics));
  const added = await runCandor(['users', 'add', 'nora', '--group', 'first'], folder);
  expect(added.code, added.stderr).toBe(0);
  const session = await openProject(await readConfig({ cwd: folder, env: {} }));
  const server = await startKeyedServer(session);
  return {
    session,
    call: async (method, path, body) => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${added.stdout.trim()}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    },
    close: async () => {
      await server.close();
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe.each([
  ['a catalog', ''],
  ['a lake', 'catalog: lake'],
])('over %s', (_, settings) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(settings, SEMANTICS);
  });
  afterAll(() => served.close());

  it.each(REQUESTS.map(([method, path, body]) => ({ method, path, body })))(
    '$method $path $body',
    async ({ method, path, body }) => {
      const { status, text } = await served.call(method, path, body);
      expect(status, text).toBeLessThan(500);
      expect(text).not.toMatch(CANARY);
      const asked = `${path} ${JSON.stringify(body)}`;
      for (const table of READING) if (!asked.includes(table)) expect(text).not.toContain(table);
    },
  );

  it('trusted ones are read, through their own filter and masks', async () => {
    const { text } = await served.call('POST', '/v1/sql', { sql: 'SELECT name, email FROM shared_search' });
    expect(JSON.parse(text).rows).toEqual([
      ['Ana', '***'],
      ['Bob', '***'],
    ]);
    expect((await served.call('GET', '/v1/catalog/tables')).text).toContain('shared_search');
  });

  it('a model is told nothing of them, and may not read them', async () => {
    for (const table of READING) {
      const sql = `SELECT * FROM ${table}`;
      const model = scriptedModel(({ role }) =>
        role === 'write' || role === 'fix'
          ? JSON.stringify({ query: sql, explanation: 'all', assumptions: [], tables: [], columns: [] })
          : '{"validity": "ok", "language": "en"}',
      );
      const opened = await openProject(served.session.config, { model });
      const reader = await opened.forUser('nora', { properties: { tenant: 1 } });
      const answer = await ask('who shops in which city?', reader);
      const told = model.requests.map(textOf).join('\n');
      await opened.close();
      expect(told).toContain('clients');
      expect(told).not.toMatch(CANARY);
      for (const other of READING) if (other !== table) expect(told).not.toContain(other);
      // Its text may have been mended to a table that the reader sees.
      expect(answer.kind === 'answered' ? answer.sql : '').not.toContain(table);
      expect(JSON.stringify(answer)).not.toMatch(CANARY);
    }
  });
});

describe('without any filter or mask', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve('', undefined);
  });
  afterAll(() => served.close());

  it('they are tables like any other, but for what an index keeps its rows in', async () => {
    const list = (await served.call('GET', '/v1/catalog/tables')).text;
    for (const table of READING) expect(list).toContain(table);
    expect(list).not.toContain('client_search_content');
    expect((await served.call('GET', '/v1/values?text=qarvoln')).text).toMatch(CANARY);
    expect((await served.call('POST', '/v1/sql', { sql: 'SELECT city FROM client_search' })).text).toMatch(
      CANARY,
    );
    const { text } = await served.call('POST', '/v1/sql', { sql: 'SELECT * FROM mail_search_content' });
    expect(JSON.parse(text)).toMatchObject({ kind: 'reject', reason: 'permission' });
  });
});
