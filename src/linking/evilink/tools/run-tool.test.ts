import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../../test/fixtures/code-of.ts';
import { call } from '../../../../test/reasoners/scripted-reasoner.ts';
import type { Catalog, Column } from '../../../catalog/index.ts';
import { readCatalog } from '../../../catalog/read-catalog.ts';
import {
  type SharedColumn,
  type SharedStatistics,
  shareCatalog,
  shareStatistics,
} from '../../../catalog/share/index.ts';
import { connect, type Database, guarded } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { indexTables } from '../../../knowledge/retrieve/index.ts';
import { seededRandom } from '../../../lib/seeded-random.ts';
import { EVILINK_DEFAULTS } from '../items/evilink-settings.ts';
import type { EvilinkSources } from '../items/evilink-sources.ts';
import { indexItems } from '../items/link-items.ts';
import { resolveNames } from '../items/resolve-names.ts';
import { viewScope } from '../items/schema-scope.ts';
import { bucketOf, type LinkState, startState } from '../state/link-state.ts';
import { checkInvariants } from '../state/linked-items.ts';
import { bucketVotes, countVotes } from '../state/votes.ts';
import { runTool } from './run-tool.ts';
import type { ToolContext } from './tool-context.ts';

const DAYS = Array.from({ length: 30 }, (_, at) => `hits_201706${String(at + 1).padStart(2, '0')}`);
const STATEMENTS = [
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, total REAL, note TEXT)',
  `INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
   SELECT i, CASE i % 2 WHEN 0 THEN 'Bonn' ELSE 'Köln' END, i * 1.5, 'two' || char(10) || 'lines ' || hex(zeroblob(200)) FROM n`,
  'CREATE TABLE shops (id INTEGER PRIMARY KEY, city TEXT)',
  'CREATE TABLE staff (id INTEGER PRIMARY KEY, salary REAL)',
  ...DAYS.map((name) => `CREATE TABLE ${name} (page TEXT, visitor TEXT)`),
];

let folder: string;
let database: Database;
/** As loaded: statistics are in the store. */
let catalog: Catalog;
const stored = new Map<string, SharedStatistics>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-tools-'));
  const file = new DatabaseSync(join(folder, 'shop.db'));
  for (const sql of STATEMENTS) file.exec(sql);
  file.close();
  const opened = await connect(`sqlite:${join(folder, 'shop.db')}`);
  catalog = withoutStatistics(await readCatalog(opened));
  database = guarded(opened, { kind: 'caller-queries', catalog, policy: {} });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

function withoutStatistics(full: Catalog): Catalog {
  const stripped = (column: Column): Column => {
    const { profile } = column;
    if (profile?.statistics === undefined) return column;
    stored.set(column.id, shareStatistics(profile.statistics, profile, 'all'));
    return { ...column, profile: { ...profile, statistics: undefined } };
  };
  return {
    ...full,
    tables: full.tables.map((table) => ({ ...table, columns: table.columns.map(stripped) })),
  };
}

interface World {
  readonly state: LinkState;
  readonly context: ToolContext;
}

/** Four paths: all take orders, some take more; the last two take all days of hits. */
function world(more: Partial<EvilinkSources> = {}, signal?: AbortSignal): World {
  const tables = indexTables(shareCatalog(catalog, 'all'));
  const items = indexItems(tables);
  const sources: EvilinkSources = {
    tables,
    notes: new Map(),
    membersOf: (id) => (id.startsWith('hits') ? DAYS : []),
    statisticsOf: async (id) => stored.get(id),
    probe: (sql, limits, stop) => database.query(sql, limits, stop),
    ...more,
  };
  const chosen = [
    ['orders', 'orders.id', 'orders.city', 'orders.total'],
    ['orders', 'orders.id', 'orders.city'],
    ['orders', 'orders.id', 'shops', 'shops.city', ...DAYS, ...DAYS.map((day) => `${day}.page`)],
    ['orders', 'orders.id', 'shops', ...DAYS, ...DAYS.map((day) => `${day}.page`)],
  ];
  const paths = chosen.map((ids, index) => ({
    hypothesis: `h${index + 1}`,
    tables: new Map(ids.filter((id) => !id.includes('.')).map((id) => [id, ''])),
    fields: new Map(ids.filter((id) => id.includes('.')).map((id) => [id, ''])),
  }));
  const votes = countVotes(paths);
  return {
    state: startState(items, bucketVotes(votes, 70, items.tableOf)),
    context: {
      sources,
      settings: EVILINK_DEFAULTS,
      items,
      names: resolveNames(tables, items),
      scope: viewScope(sources, items, 200),
      votes,
      near: new Set(catalog.tables.map(({ id }) => id)),
      signal,
      used: { probes: 0, statistics: new Set() },
    },
  };
}

const run = (tool: string, args: unknown, { state, context }: World = world()) =>
  runTool(call(tool, args), state, context);
const textOf = async (tool: string, args: unknown, at?: World) => (await run(tool, args, at)).text;
const REASON = 'shops are the places of sale, and the question asks of orders';

describe('calls that are wrong', () => {
  it.each<[string, string, unknown, RegExp]>([
    ['an unknown tool', 'drop_table', {}, /no tool drop_table; the tools are list_tables, /],
    ['a name of objects', '__proto__', {}, /there is no tool __proto__/],
    ['a name of control characters', 'a\u001b[2J\n'.repeat(100), {}, /^error: there is no tool a \[2J /],
    ['no JSON', 'keep', '{"items": [', /the arguments are not JSON; nothing was done/],
    ['another type', 'keep', 'null', /expected object.*nothing was done/],
    ['no items', 'keep', { items: [] }, /items: .*nothing was done/],
    ['a bare text', 'keep', { items: 'orders' }, /items: .*expected array/],
    ['too many items', 'keep', { items: Array.from({ length: 501 }, () => 'shops') }, /items: Too big/],
    ['no reason', 'discard', { items: ['shops'] }, /reason: .*nothing was done/],
    [
      'fewer reasons than items',
      'discard',
      { items: ['shops', 'orders.city'], reason: [REASON] },
      /one reason/,
    ],
    [
      'eleven fields',
      'get_field_stats',
      { fields: Array.from({ length: 11 }, () => 'orders.city') },
      /Too big/,
    ],
    ['a level that is asked for elsewhere', 'list_columns', { table: 'orders', level: 'L3' }, /level: /],
    ['a limit beyond the most', 'list_tables', { limit: 1_000 }, /limit: Too big/],
    ['an unknown bucket', 'list_tables', { bucket: 'X' }, /bucket: /],
    ['SQL of no length', 'probe_sql', { sql: ' ', purpose: 'x' }, /sql: /],
    ['a probe without a purpose', 'probe_sql', { sql: 'SELECT 1' }, /purpose: /],
  ])('%s: an error text, and nothing changed', async (_, tool, args, message) => {
    const at = world();
    const { state, text } = await run(tool, args, at);
    expect(text).toMatch(message);
    expect(text.length).toBeLessThanOrEqual(400);
    expect(state).toBe(at.state);
  });
});

describe('list_tables', () => {
  it('shows bucket and columns, and tables of a family as one', async () => {
    expect(await textOf('list_tables', {})).toBe(
      [
        '4 of 4, from 0',
        'orders · required · 4 columns',
        'shops · undecided · 2 columns',
        'staff · candidate · 2 columns',
        'hits_20170601 · undecided · 2 columns · 30 tables of the family hits_#, columns alike',
      ].join('\n'),
    );
  });

  it.each([
    [{ pattern: 'S' }, ['orders', 'shops', 'staff', 'hits_20170601']],
    [{ pattern: 's*f' }, ['staff']],
    [{ pattern: 'hits%29' }, ['hits_20170629']],
    [{ bucket: 'R' }, ['orders']],
    [{ bucket: 'candidate' }, ['staff']],
    [{ limit: 1, offset: 2 }, ['staff']],
  ])('%j', async (args, ids) => {
    const lines = (await textOf('list_tables', args)).split('\n').slice(1);
    expect(lines.map((line) => line.split(' · ')[0])).toEqual(ids);
  });

  it('says when there is nothing', async () => {
    expect(await textOf('list_tables', { pattern: 'xyz' })).toBe('no table matches');
    expect(await textOf('list_tables', { offset: 10 })).toBe('no more tables');
  });
});

describe('list_columns', () => {
  it('shows types and classes, and more of undecided columns when asked', async () => {
    const plain = (await textOf('list_columns', { table: '"Orders"' })).split('\n');
    expect(plain.slice(0, 3)).toEqual([
      'orders: 4 of 4 columns, from 0',
      'id · required · type: INTEGER · class: key',
      'city · undecided · type: TEXT · class: category',
    ]);
    const rich = (await textOf('list_columns', { table: 'orders', level: 'L2' })).split('\n');
    expect(rich[1]).toBe('id · required · type: INTEGER · class: key');
    expect(rich[2]).toMatch(/values: Bonn \| Köln/);
    expect(await textOf('list_columns', { table: 'orders', limit: 1, offset: 3 })).toMatch(
      /\nnote · candidate/,
    );
  });

  it('says what is not there', async () => {
    expect(await textOf('list_columns', { table: 'order\nx' })).toBe('error: there is no table order x');
    expect(await textOf('list_columns', { table: 'orders', offset: 4 })).toBe('orders has 4 columns');
  });
});

describe('get_field_stats', () => {
  it('shows level L3 and remembers what was seen', async () => {
    const at = world();
    const text = await textOf('get_field_stats', { fields: ['orders.total', 'orders.nothing'] }, at);
    expect(text.split('\n')).toEqual(
      expect.arrayContaining(['orders.total', 'smallest: 1.5', 'largest: 75', 'mean: 38.25']),
    );
    expect(text).toMatch(/orders\.nothing\nerror: there is no such column$/);
    expect([...at.context.used.statistics]).toEqual(['orders.total']);
  });

  it('is not available where it is switched off, nothing was profiled, or the store fails', async () => {
    const { state, context } = world();
    const off = { state, context: { ...context, settings: { ...EVILINK_DEFAULTS, useStatistics: false } } };
    const args = { fields: ['orders.total'] };
    expect(await textOf('get_field_stats', args, off)).toBe('statistics: not available');
    const bare = (column: Column): SharedColumn => ({ ...column, profile: undefined });
    const tables = indexTables({
      ...catalog,
      tables: catalog.tables.map((table) => ({ ...table, columns: table.columns.map(bare) })),
    });
    const items = indexItems(tables);
    const unprofiled = { ...context, items, names: resolveNames(tables, items) };
    expect(await textOf('get_field_stats', args, { state, context: unprofiled })).toBe(
      'orders.total\nstatistics: not available',
    );
    const failing = async () => {
      throw new CandorError('store.unusable', 'the disk\nis gone');
    };
    expect(await textOf('get_field_stats', args, world({ statisticsOf: failing }))).toBe(
      'error: store.unusable: the disk is gone',
    );
  });
});

describe('probe_sql', () => {
  const probe = (sql: string, at?: World) => textOf('probe_sql', { sql, purpose: 'to see values' }, at);

  it('shows at most 20 rows of one line each', async () => {
    const lines = (await probe('SELECT id, note FROM orders ORDER BY id')).split('\n');
    expect(lines.slice(0, 2)).toEqual(['the first 20 rows', 'id | note']);
    expect(await probe('SELECT id FROM orders')).toMatch(/^the first 20 rows\nid(?:\n\d+){20}$/);
    expect(lines[2]).toMatch(/^1 \| two lines 0+…?$/);
    expect(lines[2]?.length).toBeLessThanOrEqual(204);
  });

  it('shows what there is', async () => {
    expect(
      await probe("SELECT city, COUNT(*) AS n, NULL AS x FROM orders WHERE city = 'Bonn' GROUP BY city"),
    ).toBe('1 row\ncity | n | x\nBonn | 25 | NULL');
  });

  it.each([
    ['DROP TABLE orders', /^error: the SQL is refused|^error: the SQL cannot be read/],
    ['SELECT 1; SELECT 2', /cannot be read at line 1/],
    ['SELECT', /cannot be read at line 1/],
    ['EXPLAIN SELECT 1', /refused|cannot be read/],
    ['PRAGMA table_info(orders)', /refused|cannot be read/],
    ["SELECT load_extension('x')", /^error: the SQL is refused: /],
  ])('refuses %s, which is no probe', async (sql, message) => {
    const at = world();
    expect(await probe(sql, at)).toMatch(message);
    expect(at.context.used.probes).toBe(0);
  });

  it('tells the error of the engine in 400 characters', async () => {
    const text = await probe(`SELECT ${'x'.repeat(1_000)} FROM orders`);
    expect(text).toMatch(/^error: database\.not-visible: /);
    expect(text.length).toBeLessThanOrEqual(400);
  });

  it('runs ten times for one question', async () => {
    const at = world();
    for (let time = 1; time <= 10; time += 1)
      expect(await probe('SELECT 1 AS one', at)).toBe('1 row\none\n1');
    expect(await probe('SELECT 1 AS one', at)).toBe('error: all 10 probes of this question are used');
  });

  it('is not available without a database', async () => {
    expect(await probe('SELECT 1', world({ probe: undefined }))).toMatch(/^rows: not available/);
  });

  it('ends linking when it is stopped, or when it meets a bug of ours', async () => {
    const stop = new AbortController();
    const stopping = () => {
      stop.abort();
      throw new CandorError('database.cancelled', 'stopped');
    };
    expect(await codeOf(probe('SELECT 1', world({ probe: stopping }, stop.signal)))).toBe(
      'linking.cancelled',
    );
    const broken = () => {
      throw new TypeError('a bug');
    };
    await expect(probe('SELECT 1', world({ probe: broken }))).rejects.toThrow(TypeError);
  });
});

describe('keep and discard', () => {
  it('decide each item on its own', async () => {
    const at = world();
    const { state, text } = await run(
      'keep',
      { items: ['ORDERS.CITY', 'orders', 'x.y', 'staff.salary'] },
      at,
    );
    expect(text).toBe(
      [
        'kept orders.city',
        'refused orders: it is required and cannot be touched',
        'refused x.y: there is no such table or column',
        'kept staff.salary, with staff',
      ].join('\n'),
    );
    expect(['orders.city', 'staff.salary', 'staff'].map((id) => bucketOf(state, id))).toEqual([
      'kept',
      'kept',
      'kept',
    ]);
  });

  it('take one reason for all or one each', async () => {
    const { state, text } = await run('discard', {
      items: ['orders.total', 'shops'],
      reason: ['sums are not asked for, only counts', 'low support'],
    });
    expect(text).toMatch(/^discarded orders\.total\nrefused shops: /);
    expect([...state.discarded]).toEqual([['orders.total', 'sums are not asked for, only counts']]);
    const both = await run('discard', { items: ['orders.total', 'shops'], reason: REASON });
    expect(both.state.discarded.get('shops.city')).toBe('parent discarded');
  });

  it('decide tables of a family that paths chose alike as one', async () => {
    const { state, text } = await run('discard', {
      items: ['hits_20170601'],
      reason: 'page views, not orders',
    });
    expect(text).toBe('discarded hits_20170601, with hits_20170601.page (and 29 alike)');
    for (const day of DAYS)
      expect([bucketOf(state, day), bucketOf(state, `${day}.page`)]).toEqual(['discarded', 'discarded']);
    const single = await run('keep', { items: ['hits_20170605.page'] });
    expect(single.text).toBe('kept hits_20170605.page, with hits_20170605');
  });

  it('bring back the members of a family that nobody chose', async () => {
    const { state, context } = world({ membersOf: () => DAYS.slice(0, 2) });
    const nothing = { ...state, required: new Set<string>(), uncertain: new Set<string>() };
    const kept = await run('keep', { items: ['hits_20170601.visitor'] }, { state: nothing, context });
    expect([...kept.state.kept.keys()]).toEqual([
      'hits_20170601.visitor',
      'hits_20170601',
      'hits_20170602.visitor',
      'hits_20170602',
    ]);
  });

  it('cut what they answer at 4,000 characters', async () => {
    const items = Array.from({ length: 500 }, (_, at) => `no.such.column_${at}`);
    const text = await textOf('keep', { items });
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text).toMatch(/\n… cut: ask for less$/);
  });
});

describe('any sequence of calls', () => {
  it('keeps the laws, and reading changes nothing: 10,000 of them', { timeout: 180_000 }, async () => {
    const { state: start, context } = world();
    const random = seededRandom(6);
    const broken: string[] = [];
    for (let time = 0; time < 10_000; time += 1) {
      let state = start;
      for (let left = Math.floor(random() * 8); left > 0; left -= 1) {
        const [tool, args] = randomCall(random);
        const before = state;
        state = (await runTool(call(tool, args), before, context)).state;
        broken.push(...checkInvariants(state));
        if (state !== before && tool !== 'keep' && tool !== 'discard')
          broken.push(`${tool} has changed the state`);
        if (state.required !== start.required) broken.push(`${tool} has changed what is required`);
      }
    }
    expect(broken).toEqual([]);
  });

  const ids = [
    ...[
      'orders',
      'orders.id',
      'orders.city',
      'orders.total',
      'orders.note',
      'shops',
      'shops.id',
      'shops.city',
    ],
    ...['staff', 'staff.salary', 'hits_20170601', 'hits_20170602.page', 'nothing', '__proto__', ''],
  ];

  /** Mostly decisions, some of them without reason or wrong in form. */
  function randomCall(random: () => number): readonly [string, unknown] {
    const one = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
    const items = Array.from({ length: 1 + Math.floor(random() * 3) }, () => one(ids));
    const decision = { items, reason: one(['', 'low support of it', REASON, REASON]) };
    return one<readonly [string, unknown]>([
      ['keep', decision],
      ['keep', JSON.stringify(decision)],
      ['discard', decision],
      ['discard', decision],
      ['discard', { items, reason: items.map(() => REASON) }],
      [
        one(['keep', 'discard', 'list_tables', 'probe_sql', 'x']),
        one<unknown>([null, 7, '{', [], { items: {} }]),
      ],
      ['list_tables', { bucket: one(['R', 'U', 'C', 'K', 'D']) }],
      ['list_columns', { table: one(ids), level: 'L2' }],
      ['get_field_stats', { fields: items }],
      ['probe_sql', { sql: 'DELETE FROM orders', purpose: 'to see what happens' }],
    ]);
  }
});
