/** What people look up over HTTP: tables, words, values, the graph, product areas; each as far as their rights go. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import type { RunningServer } from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { writeStoredClusters } from '../fixtures/stored-clusters.ts';
import { startKeyedServer } from './start-keyed-server.ts';

const GROUPS = `
server:
  groups:
    workshop: { tables: [service_visits, dealers, areas, provinces], showSql: false, runSql: false }
    curators: { tables: [orders, dealers], editKnowledge: true }
`;
/** One row filter and one mask on top of the model. */
const RULES = `version: "0.2.0"
semantic_model:
  - name: rules
    datasets:
      - name: staff
        source: employees
        fields:
          - name: hired
            expression: {dialects: [{dialect: ANSI_SQL, expression: hired_on}]}
            custom_extensions: [{vendor_name: CANDOR, data: {mask: "NULL"}}]
      - name: tests
        source: test_drives
        custom_extensions:
          - vendor_name: CANDOR
            data: {row_filter: "test_drives.status <> 'no_show'"}
`;
const NOTES = `# Workshop

- Visits of \`service_visits\` are counted by dealer.
- Visits of \`service_visits\` follow \`orders\` by two years.
- Only I call \`service_visits\` the bench. <!-- candor: {user: zoe} -->
`;
const AREAS = `# Kept by hand.
areas:
  aftersales:
    name: Aftersales   # the workshop
    members: [zoe]
    include_tables: [service_visits, orders]
`;
const LOG = [
  ...Array.from({ length: 30 }, (_, at) => ({
    sql: 'SELECT d.dealer_name FROM orders o JOIN dealers d ON d.dealer_id = o.dealer_id',
    user: `u${at % 3}`,
    at: '2024-12-01',
  })),
  ...Array.from({ length: 6 }, () => ({
    sql: 'SELECT count(*) FROM service_visits v JOIN dealers d ON d.dealer_id = v.dealer_id',
    user: 'zoe',
    at: '2024-12-02',
  })),
];

let folder: string;
let session: Session;
let server: RunningServer;
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = await makeMotorsProject('catalog');
  appendFileSync(join(folder, 'candor.yml'), GROUPS);
  writeFileSync(join(folder, 'semantics', 'rules.yml'), RULES);
  writeFileSync(join(folder, 'knowledge', 'workshop.md'), NOTES);
  writeFileSync(join(folder, 'knowledge', 'areas.yml'), AREAS);
  writeFileSync(
    join(folder, 'knowledge', 'status.yml'),
    'tables:\n  orders: {status: certified, by: ann, at: 2024-11-05, why: checked}\n',
  );
  writeFileSync(join(folder, 'log.jsonl'), LOG.map((line) => JSON.stringify(line)).join('\n'));
  const ran = await runCandor(['usage', 'ingest', 'log.jsonl'], folder);
  expect(ran.code, ran.stderr).toBe(0);
  for (const [name, ...rest] of [
    ['ann', '--admin'],
    ['wendy', '--group', 'workshop'],
    ['carl', '--group', 'curators'],
  ] as const)
    keys[name] = (await runCandor(['users', 'add', name, ...rest], folder)).stdout.trim();
  const config = await readConfig({ cwd: folder });
  await writeStoredClusters(
    config.derivedDirectory,
    {
      settings: { minTotal: 20, minUsers: 3, minTablesPerUser: 2, size: 20, seed: 1 },
      clusters: [
        {
          id: 1,
          tables: [
            { tableId: 'orders', score: 3 },
            { tableId: 'dealers', score: 2 },
            { tableId: 'parts', score: 1 },
          ],
        },
      ],
      users: [{ user: 'zoe', clusters: [{ id: 1, weight: 6 }] }],
      at: '2024-12-02',
    },
    { from: '2024-10-03', to: '2024-12-31', catalogFingerprint: 'any' },
  );
  session = await openSession(config);
  server = await startKeyedServer(session, { publicUrls: [], reopen: () => openSession(config) });
}, 120_000);
afterAll(async () => {
  await server.close();
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(who: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: {
      authorization: `Bearer ${keys[who]}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}
const get = async (who: string, path: string) => {
  const reply = await call(who, path);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe('tables', () => {
  it('are listed by their reads, page by page, each once', async () => {
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const page = await get('ann', `/v1/catalog/tables?limit=4${after}`);
      expect(page.total).toBe(session.catalog.tables.length);
      seen.push(...idsOf(page.tables));
      if (page.next === undefined) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    expect(seen.slice(0, 3)).toEqual(['dealers', 'orders', 'service_visits']);
    expect([...seen].sort()).toEqual(idsOf(session.catalog.tables).sort());
    const { tables } = await get('ann', '/v1/catalog/tables?text=order');
    expect(tables[0]).toMatchObject({ id: 'orders', tags: ['certified'], monthlyReads: 10 });
  });

  it('are those of an area, and those that words find', async () => {
    const { tables } = await get('ann', '/v1/catalog/tables?area=aftersales');
    expect(idsOf(tables).sort()).toEqual(['dealers', 'orders', 'service_visits']);
    expect((await get('ann', '/v1/catalog/tables?text=towns')).tables[0].id).toBe('areas');
    expect((await call('ann', '/v1/catalog/tables?area=nowhere')).body.error.code).toBe(
      'catalog.unknown-name',
    );
    expect((await call('ann', '/v1/catalog/tables?after=gone')).status).toBe(400);
  });

  it('are told with all that is known', async () => {
    const page = await get('ann', '/v1/catalog/tables/Orders');
    expect(page).toMatchObject({ id: 'orders', status: { status: 'certified', by: 'ann', why: 'checked' } });
    const dealer = page.columns.find(({ name }: { name: string }) => name === 'dealer_id');
    expect(dealer).toMatchObject({ references: ['dealers.dealer_id'], profile: { nullShare: 0 } });
    const join = page.joins.find(({ table }: { table: string }) => table === 'dealers');
    expect(join.on).toEqual([{ own: 'orders.dealer_id', other: 'dealers.dealer_id' }]);
    expect(join.said.map(({ by }: { by: string }) => by)).toContain('declared');
    expect(join.said).toContainEqual({ by: 'used', runs: 30, users: 3 });
    expect(page.usage).toMatchObject({ runs: 30, users: 3, lastAt: '2024-12-01' });
    expect(page.usage.readWith).toContainEqual({ table: 'dealers', runs: 30 });
    expect(page.metrics.map(({ name }: { name: string }) => name)).toContain('orders');
    expect(page.examples[0].sql).toMatch(/select/i);
    expect(page.areas).toEqual([{ id: 'aftersales', name: 'Aftersales' }]);
    const rest = await get('ann', '/v1/catalog/tables/orders?limit=2');
    expect([rest.columns.length, rest.nextColumn]).toEqual([2, 2]);
    const { columns } = await get('ann', '/v1/catalog/tables/orders?limit=2&from=2');
    expect(columns[0].id).toBe(page.columns[2].id);
  });

  it('show bars of their values, and none of masked columns and filtered rows', async () => {
    const { columns } = await get('ann', '/v1/catalog/tables/service_visits');
    expect(columns.some(({ profile }: { profile: { topValues: [] } }) => profile.topValues.length > 1)).toBe(
      true,
    );
    const staff = await get('ann', '/v1/catalog/tables/employees');
    const hired = staff.columns.find(({ name }: { name: string }) => name === 'hired_on');
    expect([hired.isMasked, hired.profile]).toEqual([true, undefined]);
    const drives = await get('ann', '/v1/catalog/tables/test_drives');
    expect([drives.hasRowFilter, drives.rowCount]).toEqual([true, undefined]);
    expect(drives.columns.every(({ profile }: { profile?: object }) => profile === undefined)).toBe(true);
  });

  it('that are hidden are nowhere', async () => {
    const { tables } = await get('wendy', '/v1/catalog/tables');
    expect(idsOf(tables).sort()).toEqual(['areas', 'dealers', 'provinces', 'service_visits']);
    const hidden = await call('wendy', '/v1/catalog/tables/orders');
    const missing = await call('wendy', '/v1/catalog/tables/unicorns');
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    const page = await call('wendy', '/v1/catalog/tables/dealers');
    expect(page.text).not.toMatch(/orders|amount/);
    const visits = await get('wendy', '/v1/catalog/tables/service_visits');
    expect(visits.notes.map(({ text }: { text: string }) => text)).toEqual([
      'Visits of `service_visits` are counted by dealer.',
    ]);
    expect(visits.examples.length).toBeGreaterThan(0);
    expect(JSON.stringify(visits.examples)).not.toMatch(/select/i);
  });
});

describe('what is found by words', () => {
  it('is of the kinds that are asked for, with the reason', async () => {
    const { hits } = await get(
      'ann',
      '/v1/search?text=revenue%20by%20city&kinds=table,metric,example&limit=3',
    );
    expect(new Set(hits.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['table', 'metric', 'example']),
    );
    expect(hits.find(({ kind }: { kind: string }) => kind === 'metric')).toMatchObject({ id: 'revenue' });
    expect(hits.every(({ because }: { because: string }) => because !== '')).toBe(true);
    expect((await call('ann', '/v1/search?text=x&kinds=tables')).status).toBe(400);
    expect((await call('ann', '/v1/search?text=%20')).status).toBe(400);
  });

  it('is never of hidden tables, and without SQL for those who see none', async () => {
    const found = await call(
      'wendy',
      '/v1/search?text=orders%20revenue%20of%20service%20visits%20by%20dealer',
    );
    expect(found.status).toBe(200);
    expect(found.text).not.toMatch(/"orders|orders\.|order_value|SELECT/);
    expect(found.text).toContain('service_visits');
  });
});

describe('values', () => {
  it('are found as people spell them', async () => {
    const { values } = await get('ann', '/v1/values?text=kestrell');
    expect(values[0]).toMatchObject({ value: 'Kestrel', match: 'similar' });
    expect(values[0].column.startsWith(`${values[0].table}.`)).toBe(true);
    const exact = await get('ann', '/v1/values?text=Kestrel&limit=1');
    expect([exact.values.length, exact.values[0].match]).toEqual([1, 'exact']);
  });

  it('of hidden tables are not', async () => {
    const found = await get('wendy', '/v1/values?text=Kestrel');
    expect(found.values.map(({ value }: { value: string }) => value)).not.toContain('Kestrel');
  });
});

describe('the graph', () => {
  it('is what is around a thing', async () => {
    const { nodes, edges, leftOut } = await get('ann', '/v1/graph?around=orders&limit=200');
    expect(leftOut).toBe(0);
    expect(nodes[0]).toEqual({ id: 'table:orders', kind: 'table', label: 'orders', steps: 0 });
    const kinds = new Set(nodes.map(({ kind }: { kind: string }) => kind));
    for (const kind of ['table', 'metric', 'example', 'area', 'cluster', 'note'])
      expect(kinds).toContain(kind);
    expect(edges).toContainEqual(
      expect.objectContaining({ from: 'table:dealers', to: 'table:orders', kind: 'join' }),
    );
    const ids = new Set(idsOf(nodes));
    for (const { from, to } of edges) expect(ids.has(from) && ids.has(to)).toBe(true);
    const far = await get('ann', '/v1/graph?around=metric:orders&depth=2&limit=10');
    expect([far.nodes.length, far.leftOut > 0]).toEqual([10, true]);
  });

  it('of a reader has no hidden things', async () => {
    const found = await call('wendy', '/v1/graph?around=dealers&depth=2&limit=200');
    expect(found.text).not.toMatch(/table:orders|metric:orders|two years|bench/);
    expect((await call('wendy', '/v1/graph?around=table:orders')).status).toBe(404);
  });
});

describe('product areas', () => {
  it('are told with their tables, and clusters with theirs', async () => {
    const { areas, clusters, mayEdit } = await get('ann', '/v1/areas');
    expect(mayEdit).toBe(true);
    expect(areas[0]).toMatchObject({ id: 'aftersales', members: ['zoe'], tableCount: 3 });
    expect(areas[0].tables).toContainEqual({ table: 'dealers', because: 'cluster', cluster: 1, score: 2 });
    expect(clusters[0]).toMatchObject({
      id: 1,
      userCount: 1,
      tables: [{ table: 'orders' }, { table: 'dealers' }],
    });
    const seen = await call('wendy', '/v1/areas');
    expect(seen.body.areas[0].includeTables).toEqual(['service_visits']);
    expect(seen.text).not.toMatch(/orders|zoe/);
  });

  it('are changed in the file of the project, whose comments stay', async () => {
    const change = { name: 'Workshop', excludeTables: ['dealers'] };
    const { body } = await call('ann', '/v1/areas/aftersales', change);
    expect(body).toMatchObject({ name: 'Workshop', excludeTables: ['dealers'], tableCount: 2 });
    const text = readFileSync(join(folder, 'knowledge', 'areas.yml'), 'utf8');
    expect(text).toContain('# Kept by hand.');
    expect(text).toContain('# the workshop');
    expect(text).toContain('members: [zoe]');
    const { areas } = await get('ann', '/v1/areas');
    expect(areas[0].name).toBe('Workshop');
    expect((await get('ann', '/v1/catalog/tables?area=aftersales')).total).toBe(2);
  });

  it('are made of a cluster', async () => {
    const made = await call('ann', '/v1/areas/sales', {
      name: 'Sales',
      includeTables: ['Orders', 'dealers'],
    });
    expect(made.body).toMatchObject({ id: 'sales', includeTables: ['orders', 'dealers'], memberCount: 0 });
    const { stdout } = await runCandor(
      ['knowledge', 'clusters', '--area', 'sales', '--output', 'json'],
      folder,
    );
    expect(stdout).toContain('because');
  });

  it('keep hidden tables of whoever changes them, and say nothing of these', async () => {
    const { body, text } = await call('carl', '/v1/areas/aftersales', {
      includeTables: ['dealers', 'orders'],
    });
    expect(body.includeTables).toEqual(['dealers', 'orders']);
    expect(text).not.toContain('service_visits');
    const { areas } = await get('ann', '/v1/areas');
    expect(areas[0].includeTables.toSorted()).toEqual(['dealers', 'orders', 'service_visits']);
  });

  it('stay as they were where the project does not open with the change', async () => {
    const faulty = join(folder, 'semantics', 'faulty.yml');
    const before = readFileSync(join(folder, 'knowledge', 'areas.yml'), 'utf8');
    writeFileSync(faulty, 'semantic_model: [1]\n');
    const reply = await call('ann', '/v1/areas/sales', { name: 'Other' });
    rmSync(faulty);
    expect(reply.body.error.code).toBe('semantics.invalid');
    expect(readFileSync(join(folder, 'knowledge', 'areas.yml'), 'utf8')).toBe(before);
  });

  it.each([
    ['nobody without the right', 'wendy', 'sales', { name: 'x' }, 403, 'server.no-right'],
    ['no hidden table', 'carl', 'sales', { includeTables: ['employees'] }, 400, 'catalog.unknown-name'],
    ['no table that is none', 'ann', 'sales', { includeTables: ['unicorns'] }, 400, 'catalog.unknown-name'],
    ['no id with signs', 'ann', '../x', { name: 'x' }, 400, 'knowledge.refused'],
    ['no unknown field', 'ann', 'sales', { title: 'x' }, 400, 'server.invalid-request'],
  ])('are changed by %s', async (_, who, id, change, status, code) => {
    const before = readFileSync(join(folder, 'knowledge', 'areas.yml'), 'utf8');
    const reply = await call(who, `/v1/areas/${encodeURIComponent(id)}`, change);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect(readFileSync(join(folder, 'knowledge', 'areas.yml'), 'utf8')).toBe(before);
  });
});
