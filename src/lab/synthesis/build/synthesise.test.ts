/** Items of a small car dealer group, made and checked on a real SQLite database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carShopSemantics, makeCarShop } from '../../../../test/fixtures/synthesis/make-car-shop.ts';
import { readConfig } from '../../../config/index.ts';
import { connect, type Database } from '../../../database/index.ts';
import { openSession } from '../../../session/project/open-session.ts';
import type { Session } from '../../../session/project/session.ts';
import { editContext, editInventory } from '../context/edit-context.ts';
import { editSession } from '../context/edit-session.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { BENCH_ITEM, type BenchItem, CATEGORIES, type ContextEdit } from '../items/bench-item.ts';
import { makeDice } from '../items/seeded-random.ts';
import { collectKnownWords, MUTATIONS } from '../mutations/index.ts';
import { makeSeed, type Seed } from '../seeds/make-seed.ts';
import type { Template } from '../templates/make-templates.ts';
import { makeTemplates } from '../templates/make-templates.ts';
import { checkTrace } from '../traces/write-trace.ts';
import { type SynthesisOptions, splitOf, synthesise } from './synthesise.ts';

interface Opened {
  readonly folder: string;
  readonly session: Session;
  readonly engine: Database;
  readonly inventory: Inventory;
}

const opened: Opened[] = [];

async function openShop(semantics?: string): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-synthesis-'));
  makeCarShop(folder, semantics);
  const config = await readConfig({ cwd: folder });
  const session = await openSession(config);
  const engine = await connect(config.databaseUrl, { baseDirectory: folder });
  const inventory = await readInventory({ ...session, now: '2024-12-31' });
  const shop = { folder, session, engine, inventory };
  opened.push(shop);
  return shop;
}

let shop: Opened;
let items: BenchItem[];
beforeAll(async () => {
  shop = await openShop();
  items = await collect({ perCategory: 6 });
});
afterAll(async () => {
  for (const { session, engine, folder } of opened) {
    await engine.close();
    await session.close();
    rmSync(folder, { recursive: true });
  }
});

async function collect(options: Partial<SynthesisOptions>, from = shop): Promise<BenchItem[]> {
  const { inventory, engine, session } = from;
  const made: BenchItem[] = [];
  const source = { inventory, engine, database: session.database, seed: 5, split: 'train' as const };
  for await (const item of synthesise({ ...source, perCategory: 4, ...options })) made.push(item);
  return made;
}

const LIMITS = { rows: 1_000, bytes: 1_000_000, timeoutMs: 5_000 };

describe('synthesise', () => {
  it('fills all eight categories with items that keep their form', () => {
    for (const category of CATEGORIES)
      expect(
        items.filter((item) => item.category === category),
        category,
      ).toHaveLength(6);
    for (const item of items) expect(BENCH_ITEM.parse(JSON.parse(JSON.stringify(item)))).toEqual(item);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  it('has gold that gives rows in the item’s own context', async () => {
    const { session, engine } = shop;
    for (const { id, gold, goldKind, edits, otherGolds = [] } of items) {
      if (goldKind === 'nl') continue;
      const { database } = editSession(session, engine, edits);
      for (const sql of [gold, ...otherGolds])
        expect((await database.query(sql, LIMITS)).rows.length, id).toBeGreaterThan(0);
    }
  });

  it('keeps the true words of the engine for queries that fail', async () => {
    const broken = items.filter(({ category }) => category === 'reflection');
    for (const { errorSql = '', errorMessage = '' } of broken) {
      const said = await shop.engine.explain(errorSql).then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(said).toContain(errorMessage);
    }
  });

  it('gives the same items again, and others for another seed', async () => {
    expect(await collect({ perCategory: 6 })).toEqual(items);
    expect((await collect({ seed: 6 })).map(({ question }) => question)).not.toEqual(
      items.map(({ question }) => question),
    );
  });

  it('goes on behind a run that stopped, without an item twice', async () => {
    const done = items.slice(0, 20);
    const rest = await collect({ perCategory: 6, done });
    const all = [...done, ...rest];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all).toHaveLength(items.length);
  });

  it('shares no template and no combination of values between the splits', async () => {
    const test = await collect({ split: 'test', perCategory: 3 });
    const templates = new Set(items.map(({ templateId }) => templateId));
    const combinations = new Set(
      items.flatMap(({ entities }) => (entities.length > 0 ? [entities.join()] : [])),
    );
    expect(test.length).toBeGreaterThan(10);
    for (const { templateId, entities } of test) {
      expect(templates.has(templateId)).toBe(false);
      expect(combinations.has(entities.join())).toBe(false);
    }
  });

  it('cites nothing that the context lacks', () => {
    for (const item of items) {
      const metric = item.templateId.split('|')[1] ?? '';
      const context = editInventory(shop.inventory, item.edits, metric);
      expect(
        checkTrace(item, item.category, { ...context, metrics: shop.inventory.metrics }),
        item.id,
      ).toBeUndefined();
    }
    const hidden = editInventory(
      shop.inventory,
      [{ kind: 'hide-columns', columns: ['areas.city_name'] }],
      'deals',
    );
    const think = 'word '.repeat(40).trim();
    const citing = (ref: string) => ({ think, citations: [{ store: 'schema' as const, ref }] });
    expect(checkTrace(citing('areas.city_name'), 'standard', hidden)).toContain('not there');
    expect(checkTrace(citing('areas.province_id'), 'standard', hidden)).toBeUndefined();
    expect(checkTrace({ think, citations: [] }, 'standard', hidden)).toBe('it cites nothing');
    expect(checkTrace({ ...citing('*'), think: 'too short' }, 'standard', hidden)).toBe('it has 2 words');
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(collect({ signal: controller.signal })).rejects.toThrow();
  });
});

describe('a seed', () => {
  it('is dropped where the model counts rows twice', async () => {
    // A link that is many to many, declared as many to one: every deal meets every visit of its dealer.
    const wrong = `      - {name: dealer_visits, from: dealers, to: visits, from_columns: [dealer_id], to_columns: [dealer_id]}\n`;
    const other = await openShop(carShopSemantics(wrong));
    const { inventory, session } = other;
    const template: Template = {
      id: 'by-group|revenue|-|visit kind',
      ...{ shape: 'by-group', metric: 'revenue', filters: [], groups: ['visit kind'] },
    };
    const source = { inventory, database: session.database, seed: 1 };
    expect(await makeSeed(template, 1, source)).toBe('disagreement');
  });

  it('has templates that satisfy what the metric demands, and none that repeats a hierarchy', () => {
    const templates = makeTemplates(shop.inventory);
    expect(templates.length).toBeGreaterThan(500);
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
    for (const { metric, filters, groups } of templates) {
      if (metric === 'brokerage') expect([...filters, ...groups]).toContain('dealer');
      expect(filters.includes('city') && filters.includes('province')).toBe(false);
      expect(filters.includes('city') && groups.includes('province')).toBe(false);
    }
  });
});

/** A mutation, a seed that it can change, and one that lacks what it needs. */
interface MutationCase {
  readonly kind: string;
  readonly fits: readonly [shape: Template['shape'], metric: string, filters: string[], groups: string[]];
  readonly not: MutationCase['fits'];
}

const MUTATION_CASES: readonly MutationCase[] = [
  {
    kind: 'stripped',
    fits: ['figure', 'brokerage', ['dealer'], []],
    not: ['figure', 'revenue', ['dealer'], []],
  },
  { kind: 'demanded', fits: ['figure', 'revenue', [], []], not: ['figure', 'brokerage', ['dealer'], []] },
  {
    kind: 'moved-dimension',
    fits: ['by-group', 'revenue', [], ['city']],
    not: ['figure', 'revenue', [], []],
  },
  {
    kind: 'hidden-column',
    fits: ['by-group', 'revenue', [], ['city']],
    not: ['figure', 'revenue', [], []],
  },
  { kind: 'unreachable', fits: ['by-group', 'revenue', [], ['city']], not: ['figure', 'revenue', [], []] },
  { kind: 'foreign-group', fits: ['by-group', 'revenue', [], ['city']], not: ['figure', 'revenue', [], []] },
  { kind: 'foreign-filter', fits: ['figure', 'revenue', ['city'], []], not: ['growth', 'revenue', [], []] },
  { kind: 'foreign-metric', fits: ['figure', 'revenue', [], []], not: ['growth', 'revenue', [], []] },
  { kind: 'modified-metric', fits: ['figure', 'deals', [], []], not: ['growth', 'revenue', [], []] },
  { kind: 'vague-time', fits: ['figure', 'deals', ['city'], []], not: ['figure', 'outlets', [], []] },
  { kind: 'vague-metric', fits: ['by-group', 'deals', [], ['city']], not: ['growth', 'deals', [], []] },
  { kind: 'broad-intent', fits: ['figure', 'deals', ['city'], []], not: ['by-group', 'deals', [], ['city']] },
  {
    kind: 'vague-ranking',
    fits: ['ranking', 'deals', [], ['dealer']],
    not: ['by-group', 'deals', [], ['city']],
  },
  { kind: 'shared-word', fits: ['by-group', 'deals', [], ['city']], not: ['figure', 'deals', [], []] },
  {
    kind: 'open-route',
    fits: ['by-group', 'outlets', [], ['dealer type']],
    not: ['by-group', 'deals', [], ['city']],
  },
  { kind: 'misspelt-keyword', fits: ['by-group', 'deals', [], ['city']], not: ['figure', 'outlets', [], []] },
  { kind: 'ambiguous-column', fits: ['by-group', 'deals', [], ['city']], not: ['figure', 'deals', [], []] },
  { kind: 'bad-group-by', fits: ['by-group', 'deals', [], ['city']], not: ['figure', 'deals', [], []] },
  // SQLite answers NULL, and reads a word as 0: no fault here.
  { kind: 'division-by-zero', fits: ['figure', 'deals', [], []], not: ['figure', 'deals', [], []] },
  { kind: 'type-conversion', fits: ['figure', 'deals', [], []], not: ['figure', 'deals', [], []] },
];

describe('a mutation', () => {
  const seedOf = async ([shape, metric, filters, groups]: MutationCase['fits']): Promise<Seed> => {
    const { inventory, session } = shop;
    const id = [shape, metric, filters.join('+') || '-', groups.join('+') || '-'].join('|');
    for (let draw = 1; draw < 60; draw++) {
      const source = { inventory, database: session.database, seed: 3 };
      const seed = await makeSeed({ id, shape, metric, filters, groups }, draw, source);
      if (typeof seed !== 'string' && (seed.structure.period !== undefined || metric === 'outlets'))
        return seed;
    }
    throw new Error(`no seed of ${id}`);
  };
  const mutate = async (kind: string, seed: Seed) => {
    const { inventory, session, engine } = shop;
    const mutation = MUTATIONS.find((each) => each.kind === kind);
    const known = collectKnownWords(inventory);
    const source = { inventory, engine, database: session.database, known, dice: makeDice(1, kind) };
    return mutation?.mutate(seed, source);
  };
  const silent = ['division-by-zero', 'type-conversion'];

  it.each(MUTATION_CASES)('$kind', async ({ kind, fits, not }) => {
    const changed = await mutate(kind, await seedOf(fits));
    if (silent.includes(kind)) expect(changed).toBeUndefined();
    else expect(changed).toMatchObject({ question: expect.any(String), gold: expect.any(String) });
    if (kind === 'misspelt-keyword') return;
    expect(await mutate(kind, await seedOf(not))).toBeUndefined();
  });
});

describe('editContext', () => {
  it('hides a column with everything said of it', () => {
    const { semantics, catalog, hidden } = editContext(shop.session, [
      { kind: 'hide-columns', columns: ['models.energy'] },
    ]);
    expect(semantics.dimensions.some(({ name }) => name === 'energy')).toBe(false);
    expect(semantics.valueMappings).toEqual([]);
    expect(JSON.stringify(catalog)).not.toContain('models.energy');
    expect([...hidden]).toEqual(['models.energy']);
  });

  it.each<[ContextEdit, string]>([
    [{ kind: 'hide-columns', columns: ['models.nothing'] }, 'no column models.nothing'],
    [{ kind: 'demand', metric: 'nothing', dimension: 'city' }, 'no metric nothing'],
    [
      { kind: 'move-dimension', dimension: 'nothing', table: 'deals', column: 'x', sql: '' },
      'no dimension nothing',
    ],
  ])('refuses an edit of what is not there: %j', (edit, message) => {
    expect(() => editContext(shop.session, [edit])).toThrow(message);
  });
});

it('puts a filled template in the split of its template and its values, or in none', () => {
  const entity = { dimension: 'city', column: 'areas.city_name', value: 'Ahus', surface: 'Ahus' };
  const splits = Array.from({ length: 300 }, (_, at) =>
    splitOf({ templateId: `t${at}`, metric: 'deals', filters: [entity], groups: [] }),
  );
  const kinds = new Set(splits);
  // One combination belongs to one split, whatever the templates are.
  expect([...kinds].filter((split) => split !== undefined)).toHaveLength(1);
  expect(kinds.has(undefined)).toBe(true);
});
