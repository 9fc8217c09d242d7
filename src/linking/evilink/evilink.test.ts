/** A toy warehouse on a real engine, and a reasoner that follows a script (evilink.md §17.8). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import {
  call,
  hypothesis,
  type LinkScript,
  scriptedReasoner,
} from '../../../test/reasoners/scripted-reasoner.ts';
import type { Catalog } from '../../catalog/index.ts';
import { readCatalog } from '../../catalog/read-catalog.ts';
import { authoredText, shareCatalog } from '../../catalog/share/index.ts';
import { connect, type Database, guarded } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import { TokenLedger } from '../../model/index.ts';
import type { LinkQuestion, RefineView } from '../../reasoning/roles/link-reasoner.ts';
import { evilink } from './evilink.ts';
import { EVILINK_ABLATIONS, EVILINK_DEFAULTS, type EvilinkSettings } from './items/evilink-settings.ts';
import type { EvilinkProgress, EvilinkSources } from './items/evilink-sources.ts';

let folder: string;
let database: Database;
let catalog: Catalog;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-evilink-'));
  const file = new DatabaseSync(join(folder, 'shop.db'));
  file.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, ordered_on TEXT, loaded_on TEXT, total REAL);
    CREATE TABLE order_tags (order_id INTEGER, tag_id INTEGER);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE staff (id INTEGER PRIMARY KEY, salary REAL);
    INSERT INTO customers VALUES (1, 'Bonn'), (2, 'Köln');
    INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      SELECT i, 1 + i % 2, date('2024-01-01', i || ' days'), '2025-06-01', i * 2.5 FROM n;
    INSERT INTO order_tags VALUES (1, 1), (2, 1);
    INSERT INTO tags VALUES (1, 'gift');`);
  file.close();
  const opened = await connect(`sqlite:${join(folder, 'shop.db')}`);
  catalog = await readCatalog(opened);
  database = guarded(opened, { kind: 'caller-queries', catalog, policy: {} });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const CORE = ['orders', 'customers'];
const CORE_FIELDS = ['orders.customer_id', 'orders.ordered_on', 'customers.id', 'customers.city'];
/** Four readings; only the second goes over the bridge, two fall for the date of loading. */
const SCRIPT: LinkScript = {
  hypotheses: [
    hypothesis('h1', ['orders', 'customers']),
    hypothesis('h2', ['orders', 'order_tags', 'tags'], { differsBy: ['join_route'] }),
    hypothesis('h3', ['orders', 'customers'], { time: 'date of loading' }),
    hypothesis('h4', ['orders', 'customers'], { aggregations: [{ function: 'sum', field: 'orders.total' }] }),
  ],
  tables: { h1: CORE, h2: [...CORE, 'ORDER_TAGS: joins orders and tags', 'tags'], h3: CORE, h4: CORE },
  fields: {
    h1: [...CORE_FIELDS, 'orders.loaded_on'],
    h2: [...CORE_FIELDS, 'order_tags.order_id: joins orders', 'order_tags.tag_id', 'tags.id', 'tags.label'],
    h3: [...CORE_FIELDS, 'orders.loaded_on: when it was loaded'],
    h4: [...CORE_FIELDS, 'orders.total'],
  },
  turns: [
    [
      call('get_field_stats', { fields: ['orders.loaded_on'] }),
      call('probe_sql', { sql: 'SELECT COUNT(*) AS n FROM order_tags', purpose: 'are there tags?' }),
    ],
    [
      call('discard', {
        items: ['orders.loaded_on'],
        reason: 'one day for all rows: when the file was loaded, not when somebody ordered',
      }),
      call('keep', {
        items: ['order_tags', 'order_tags.order_id', 'order_tags.tag_id'],
        reason: 'the bridge to tags',
      }),
      call('keep', { items: ['orders.id'], reason: 'the key that the bridge needs' }),
    ],
  ],
};

interface Run {
  readonly script?: Partial<LinkScript>;
  readonly settings?: Partial<EvilinkSettings>;
  readonly sources?: Partial<EvilinkSources>;
  readonly signal?: AbortSignal;
}

async function link({ script, settings, sources, signal }: Run = {}) {
  const tables = indexTables(shareCatalog(catalog, 'all'));
  const reasoner = scriptedReasoner({ ...SCRIPT, ...script });
  const question: LinkQuestion = {
    text: 'Orders with the tag gift per city in 2024',
    knowledge: [],
    ledger: new TokenLedger(),
    ...(signal === undefined ? {} : { signal }),
  };
  const result = await evilink(
    question,
    reasoner,
    {
      tables,
      notes: new Map([['tags.label', [{ kind: 'value', text: authoredText('the value “gift” occurs') }]]]),
      membersOf: (id) => [id],
      statisticsOf: async (id) => tables.column(id)?.profile?.statistics,
      probe: (sql, limits, stop) => database.query(sql, limits, stop),
      ...sources,
    },
    { ...EVILINK_DEFAULTS, ...settings },
  );
  return { ...result, ledger: question.ledger, seen: reasoner.seen };
}

const inBucket = ({ items, discarded }: Awaited<ReturnType<typeof link>>, bucket: string) =>
  [...items, ...discarded].filter(({ votes }) => votes?.bucket === bucket).map(({ id }) => id);

describe('a question over the toy warehouse', () => {
  it('locks what all paths chose, keeps the bridge, discards the decoy', async () => {
    const result = await link();
    expect(inBucket(result, 'required')).toEqual(
      expect.arrayContaining(['customers', 'customers.city', 'orders', 'orders.ordered_on']),
    );
    expect(inBucket(result, 'kept')).toEqual(
      ['order_tags', 'order_tags.order_id', 'order_tags.tag_id', 'orders.id'].sort(
        (a, b) => order(a) - order(b),
      ),
    );
    expect(inBucket(result, 'uncertain').sort()).toEqual(['orders.total', 'tags', 'tags.id', 'tags.label']);
    expect(inBucket(result, 'discarded')).toEqual(['orders.loaded_on']);
    expect(result.items.map(({ id }) => id)).not.toContain('orders.loaded_on');
    expect(result.items.map(({ id }) => id)).not.toContain('staff');
    expect([result.warnings, result.leftOut, result.keyFieldsOnly]).toEqual([[], [], []]);
    expect(result.statisticsSeen).toEqual(['orders.loaded_on']);
  });

  it('says why each item is there', async () => {
    const { items, discarded } = await link();
    const reasons = (id: string) =>
      [...items, ...discarded]
        .find((item) => item.id === id)
        ?.because.map(({ kind, text }) => `${kind}: ${text}`);
    expect(reasons('order_tags')).toEqual([
      'hypothesis: h2: joins orders and tags',
      'refinement: kept: the bridge to tags',
    ]);
    expect(reasons('tags.label')).toEqual(['hypothesis: chosen under h2', 'value: the value “gift” occurs']);
    expect(reasons('orders.id')).toEqual(['refinement: kept: the key that the bridge needs']);
    expect(reasons('orders.loaded_on')?.at(-1)).toMatch(/^refinement: discarded: one day for all rows/);
    expect(items.find(({ id }) => id === 'order_tags')).toMatchObject({
      kind: 'table',
      tier: 'relevant',
      isAuto: false,
      score: 2 / 6,
      votes: { support: 1, paths: 4, bucket: 'kept' },
    });
    expect(items.find(({ id }) => id === 'tags')?.tier).toBe('maybe');
  });

  it('shows each turn what is left, with evidence, and keeps the transcript', async () => {
    const { seen, turns } = await link();
    const views = seen.flatMap(({ role, view }) => (role === 'refine' && 'turn' in view ? [view] : []));
    expect(views.map(({ turn, turnsLeft, turns: earlier }) => [turn, turnsLeft, earlier.length])).toEqual([
      [1, 7, 0],
      [2, 6, 1],
      [3, 5, 2],
    ]);
    const decoy = views[0]?.uncertain.find(({ id }) => id === 'orders.loaded_on');
    expect(decoy).toMatchObject({ kind: 'field', support: 2, paths: 4, credibility: 0.5 });
    expect(decoy?.evidence).toContainEqual({ name: 'values', value: '2025-06-01' });
    expect(views[0]?.uncertain.find(({ id }) => id === 'tags.label')?.notes).toEqual([
      'the value “gift” occurs',
    ]);
    expect(views[0]?.required).toContain('orders.ordered_on');
    expect(views[2]?.uncertain.map(({ id }) => id)).not.toContain('orders.loaded_on');
    expect(turns.map((turn) => turn.map(({ text }) => text))).toEqual([
      [expect.stringMatching(/distinct values: 1\n/), '1 row\nn\n2'],
      [
        'discarded orders.loaded_on',
        'kept order_tags\nkept order_tags.order_id\nkept order_tags.tag_id',
        'kept orders.id',
      ],
    ]);
  });

  it('adds up its calls: the ledger is their sum', async () => {
    const { calls, ledger, seen } = await link();
    // One for hypotheses, tables and fields of four paths, three turns.
    expect(seen.length).toBe(1 + 4 + 4 + 3);
    expect(calls.map(({ role }) => role)).toEqual(seen.map(({ role }) => role));
    expect(
      calls.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0),
    ).toBe(ledger.total);
    expect(ledger.total).toBe(12 * 110);
  });

  it('is the same each time', async () => {
    const [one, two] = [await link(), await link()];
    expect(two.items).toEqual(one.items);
    expect(two.turns).toEqual(one.turns);
  });

  it('tells how far it is', async () => {
    const told: EvilinkProgress[] = [];
    await link({ sources: { onProgress: (progress) => told.push(progress) } });
    expect(told.map(({ stage, done, total }) => `${stage} ${done}/${total}`)).toEqual([
      'hypotheses 1/1',
      'paths 1/4',
      'paths 2/4',
      'paths 3/4',
      'paths 4/4',
      'refinement 1/8',
      'refinement 2/8',
    ]);
  });

  function order(id: string): number {
    return catalog.tables
      .flatMap((table) => [table.id, ...table.columns.map((column) => column.id)])
      .indexOf(id);
  }
});

describe('refinement ends', () => {
  const look = () => [call('list_tables', {})];

  it('after eight turns, and what is undecided is kept', async () => {
    const result = await link({ script: { turns: look } });
    expect(result.turns.length).toBe(8);
    expect(inBucket(result, 'uncertain')).toContain('orders.loaded_on');
    expect(result.discarded).toEqual([]);
  });

  it('when nothing is undecided', async () => {
    const turns = ({ uncertain }: RefineView) => [call('keep', { items: uncertain.map(({ id }) => id) })];
    const result = await link({ script: { turns } });
    expect(result.turns.length).toBe(1);
    expect(inBucket(result, 'uncertain')).toEqual([]);
  });

  it('before it begins, when all paths agree', async () => {
    const same = { h1: CORE, h2: CORE, h3: CORE, h4: CORE };
    const { seen, turns } = await link({ script: { tables: same, fields: {} } });
    expect(turns).toEqual([]);
    expect(seen.map(({ role }) => role)).not.toContain('refine');
  });

  it('when its call fails, which is said', async () => {
    const failure = new CandorError('model.bad-reply', 'no JSON');
    const result = await link({ script: { turns: [look(), failure] } });
    expect(result.turns.length).toBe(1);
    expect(result.warnings).toEqual(['refinement ended in turn 2, model.bad-reply: no JSON']);
    expect(inBucket(result, 'uncertain')).toContain('orders.loaded_on');
  });

  it('with a warning when it left nothing', async () => {
    const turns = ({ uncertain }: RefineView) => [
      call('discard', {
        items: uncertain.map(({ id }) => id),
        reason: 'sales, and the question is about staff',
      }),
    ];
    const result = await link({ settings: { kmax: 1 }, script: { turns } });
    expect(result.items).toEqual([]);
    expect(result.warnings).toContain('refinement put everything aside: no table is left');
  });

  it('runs 64 calls of a turn', async () => {
    const many = Array.from({ length: 70 }, () => call('list_tables', {}));
    const { turns } = await link({ script: { turns: [many] } });
    expect(turns[0]?.filter(({ text }) => text === 'error: only 64 calls of a turn are run').length).toBe(6);
  });
});

describe('switches', () => {
  it('one hypothesis locks nothing', async () => {
    const result = await link({ settings: { ...EVILINK_ABLATIONS['no multi'], turns: 0 } });
    expect(result.hypotheses.map(({ id }) => id)).toEqual(['h1']);
    expect(inBucket(result, 'required')).toEqual([]);
    expect(inBucket(result, 'uncertain')).toEqual(result.items.map(({ id }) => id));
  });

  it('without refinement everything that was chosen is returned', async () => {
    const result = await link({ settings: EVILINK_ABLATIONS['no refine'] });
    expect(result.items.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['orders.loaded_on', 'tags.label', 'orders.ordered_on']),
    );
    expect(result.seen.map(({ role }) => role)).not.toContain('refine');
  });

  it.each(['L0', 'L1', 'L2', 'L3'] as const)('static %s shows that level everywhere', async (level) => {
    const { seen, turns } = await link({ settings: EVILINK_ABLATIONS[`static ${level}`] });
    const levels = seen.flatMap(({ role, view }) =>
      'level' in view && role !== 'hypothesise' ? [view.level] : [],
    );
    expect(new Set(levels)).toEqual(new Set([level]));
    expect(turns[0]?.[0]?.text).toBe('statistics: not available');
  });

  it('shows statistics of undecided items where refinement sees L3', async () => {
    const { seen } = await link({ settings: { refineLevel: 'L3' } });
    const view = seen.find(({ role }) => role === 'refine')?.view;
    const item =
      view !== undefined && 'turn' in view
        ? view.uncertain.find(({ id }) => id === 'orders.total')
        : undefined;
    expect(item?.evidence).toContainEqual({ name: 'mean', value: '51.25' });
  });

  it('are checked first', async () => {
    expect(await codeOf(link({ settings: { tau: 101 } }))).toBe('linking.invalid-settings');
  });
});

describe('when things go wrong', () => {
  it('hypotheses that cannot be had are replaced by the question, which is said', async () => {
    const failure = new CandorError('model.bad-reply', 'no JSON');
    const result = await link({ script: { hypotheses: failure } });
    expect(result.hypotheses).toMatchObject([
      { id: 'h1', summary: 'Orders with the tag gift per city in 2024' },
    ]);
    expect(result.warnings).toEqual([
      'no hypotheses, model.bad-reply: no JSON',
      'no usable hypothesis: linked by the question alone',
    ]);
  });

  it('a dropped path makes K smaller', async () => {
    const failure = new CandorError('model.bad-reply', 'no JSON');
    const result = await link({ script: { fields: { ...SCRIPT.fields, h2: failure } } });
    expect(result.warnings).toEqual(['h2 was dropped, model.bad-reply: no JSON']);
    expect(result.items.find(({ id }) => id === 'orders')?.votes).toEqual({
      support: 3,
      paths: 3,
      bucket: 'required',
    });
  });

  it('paths that choose nothing leave tables near to the words of the question, undecided', async () => {
    const result = await link({ script: { tables: {}, fields: {} } });
    expect(result.items.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['orders', 'orders.id', 'tags.label']),
    );
    expect(inBucket(result, 'uncertain')).toEqual(result.items.map(({ id }) => id));
    expect(result.warnings.at(-1)).toMatch(/^no hypothesis chose a table: \d found by their names$/);
    expect(result.seen.map(({ role }) => role)).not.toContain('refine');
  });

  it('… those that retrieval ranked first, where it did', async () => {
    const result = await link({ script: { tables: {}, fields: {} }, sources: { ranking: ['staff'] } });
    expect(result.items.map(({ id }) => id)).toEqual(['staff', 'staff.id', 'staff.salary']);
    expect(result.warnings.at(-1)).toBe('no hypothesis chose a table: 1 found by the ranking of retrieval');
  });

  it('a catalog without tables is an error', async () => {
    expect(await codeOf(link({ sources: { tables: indexTables(smallCatalog({})) } }))).toBe(
      'database.empty-schema',
    );
  });

  it('all paths failing is an error', async () => {
    const failure = new CandorError('model.unreachable', 'no route');
    const tables = { h1: failure, h2: failure, h3: failure, h4: failure };
    expect(await codeOf(link({ script: { tables } }))).toBe('linking.no-path');
  });

  it.each(['hypothesise', 'select tables', 'select fields', 'refine'])(
    'a stop during %s is heeded before the next call',
    async (role) => {
      const stop = new AbortController();
      const roles: string[] = [];
      const before = (each: string) => {
        roles.push(each);
        if (each === role) stop.abort();
      };
      expect(await codeOf(link({ script: { before }, signal: stop.signal }))).toBe('linking.cancelled');
      expect(roles.at(-1)).toBe(role);
    },
  );
});
