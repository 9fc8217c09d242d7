import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import type { Catalog, ForeignKey } from '../../catalog/index.ts';
import type { KnowledgeGraph } from '../../knowledge/graph/index.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import { type JoinKeyOptions, joinKeys } from './join-keys.ts';
import { joinPaths } from './join-paths.ts';

/** `a.b_id=b.id`, with `?0.7` behind it for an inferred key. */
function keyOf(written: string): ForeignKey {
  const [pair = '', confidence] = written.split('?');
  const [from = '', to = ''] = pair.split('=');
  const tableOf = (id: string): string => id.slice(0, id.lastIndexOf('.'));
  const ends = { fromTable: tableOf(from), toTable: tableOf(to), fromColumns: [from], toColumns: [to] };
  return confidence === undefined
    ? { ...ends, source: 'declared' }
    : { ...ends, source: 'inferred', confidence: Number(confidence) };
}

function catalogOf(tables: Readonly<Record<string, string>>, keys: readonly string[]): Catalog {
  const columns = Object.entries(tables).map(([name, text]) => [name, text.split(' ')] as const);
  return { ...smallCatalog(Object.fromEntries(columns)), foreignKeys: keys.map(keyOf) };
}

function find(
  catalog: Catalog,
  wanted: readonly string[],
  options: JoinKeyOptions & { maxHops?: number } = {},
) {
  const { keys, items, groups } = joinPaths(joinKeys(indexTables(catalog), options), wanted, options);
  return {
    tables: items.filter(({ kind }) => kind === 'table').map(({ id }) => id),
    fields: items.filter(({ kind }) => kind === 'field').map(({ id }) => id),
    sources: keys.map(({ source }) => source),
    groups,
    items,
  };
}

const SHOP = catalogOf(
  {
    ...{
      orders: 'id customer_id bill_to ship_to',
      customers: 'id city_id',
      cities: 'id region_id',
      regions: 'id',
    },
    ...{ addresses: 'id', lines: 'order_id product_id', products: 'id', lonely: 'x' },
  },
  [
    ...['orders.customer_id=customers.id', 'customers.city_id=cities.id', 'cities.region_id=regions.id'],
    ...['orders.bill_to=addresses.id', 'orders.ship_to=addresses.id'],
    ...['lines.order_id=orders.id', 'lines.product_id=products.id'],
  ],
);

describe('paths over stated keys', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['one table needs no key', ['orders'], [], []],
    ['neighbours need their key only', ['orders', 'customers'], [], ['customers.id', 'orders.customer_id']],
    [
      'a bridge is added with both of its keys',
      ['orders', 'products'],
      ['lines'],
      ['lines.order_id', 'lines.product_id', 'orders.id', 'products.id'],
    ],
    [
      'parallel keys are both kept',
      ['orders', 'addresses'],
      [],
      ['addresses.id', 'orders.bill_to', 'orders.ship_to'],
    ],
    [
      'three joins lead to it',
      ['orders', 'regions'],
      ['cities', 'customers'],
      [
        'cities.id',
        'cities.region_id',
        'customers.city_id',
        'customers.id',
        'orders.customer_id',
        'regions.id',
      ],
    ],
    ['four joins are too many', ['lines', 'regions'], [], []],
    ['nothing leads to it', ['orders', 'lonely'], [], []],
    ['unknown tables are left out', ['orders', 'nowhere'], [], []],
  ])('%s', (_, wanted, tables, fields) => {
    const found = find(SHOP, wanted);
    expect([found.tables, found.fields]).toEqual([tables, fields]);
  });

  it('a table in the middle that is asked for anyway lengthens the reach', () =>
    expect(find(SHOP, ['lines', 'regions', 'customers'])).toMatchObject({
      tables: ['cities', 'orders'],
      groups: [['customers', 'regions', 'lines']],
    }));

  it('says which tables stay apart', () =>
    expect(find(SHOP, ['lines', 'regions', 'products']).groups.map((group) => [...group].sort())).toEqual([
      ['lines', 'products'],
      ['regions'],
    ]));

  it('gives every item its reason, and marks it as added', () => {
    const { items } = find(SHOP, ['orders', 'products']);
    expect(items.every(({ isAuto, because }) => isAuto && because.length > 0)).toBe(true);
    expect(items.find(({ id }) => id === 'lines')?.because).toEqual([
      { kind: 'join-path', text: 'it stands between orders and products' },
    ]);
    expect(items.find(({ id }) => id === 'products.id')?.because).toEqual([
      { kind: 'join-path', text: 'it joins: lines.product_id = products.id, a declared key' },
    ]);
  });

  it('prefers two sure joins to one doubtful one, and one sure to two', () => {
    const tables = { a: 'b c', b: 'id', c: 'id b' };
    expect(find(catalogOf(tables, ['a.b=b.id?0.5', 'a.c=c.id', 'c.b=b.id']), ['a', 'b']).tables).toEqual([]);
    const doubtful = catalogOf({ ...tables, d: 'id' }, [
      'a.c=d.id?0.1',
      'd.id=b.id?0.1',
      'a.c=c.id',
      'c.b=b.id',
    ]);
    expect(find(doubtful, ['a', 'b']).tables).toEqual(['c']);
  });

  it('shares a bridge between three tables', () => {
    const star = catalogOf({ fact: 'a_id b_id c_id', a: 'id', b: 'id', c: 'id', other: 'a_id b_id' }, [
      'fact.a_id=a.id',
      'fact.b_id=b.id',
      'fact.c_id=c.id',
      'other.a_id=a.id',
      'other.b_id=b.id',
    ]);
    expect(find(star, ['a', 'b', 'c']).tables).toContain('fact');
    expect(find(star, ['a', 'b', 'c']).groups).toHaveLength(1);
  });

  it('takes joins that people run, where both tables are in view', () => {
    const joins = (leftTable: string, rightTable: string, left: string, right: string) => ({
      ...{ leftTable, rightTable, on: [[left, right]] as const },
      said: [
        {
          value: { leftTable, rightTable, on: [[left, right]] as const, runs: 12, users: 2 },
          from: { source: 'usage' as const },
        },
      ],
    });
    const edges = [joins('a', 'b', 'a.x', 'b.y'), joins('a', 'gone', 'a.x', 'gone.z')];
    const graph: Pick<KnowledgeGraph, 'joins'> = {
      joins: (id) => edges.filter((edge) => [edge.leftTable, edge.rightTable].includes(id)),
    };
    const found = find(catalogOf({ a: 'x', b: 'y' }, []), ['a', 'b', 'gone'], { graph });
    expect(found.fields).toEqual(['a.x', 'b.y']);
    expect(found.items[0]?.because[0]?.text).toBe('it joins: a.x = b.y, in query logs, runs: 12');
  });
});

describe('guesses from equal names', () => {
  const BARE = catalogOf(
    {
      users: 'id user_id name',
      events: 'userId kind',
      likes: 'user_id product_id',
      products: 'productid name',
    },
    [],
  );
  it.each<[string, readonly string[], JoinKeyOptions, readonly string[], readonly string[]]>([
    ['join tables without keys', ['users', 'events'], {}, [], ['events.userid', 'users.user_id']],
    [
      'lead over a table between',
      ['products', 'users'],
      {},
      ['likes'],
      ['likes.product_id', 'likes.user_id', 'products.productid', 'users.user_id'],
    ],
    ['can be switched off', ['users', 'events'], { sameNames: 'never' }, [], []],
  ])('%s', (_, wanted, options, tables, fields) => {
    // `productid` is one word, `product_id` two: the same letters.
    const found = find(BARE, wanted, options);
    expect([found.tables, found.fields]).toEqual([tables, fields]);
  });

  it('read patent_id as the id of patents', () => {
    const catalog = catalogOf(
      { patents: 'id title', claims: 'patent_id text', companies: 'id', jobs: 'company_id' },
      [],
    );
    expect(find(catalog, ['patents', 'claims']).fields).toEqual(['claims.patent_id', 'patents.id']);
    expect(find(catalog, ['companies', 'jobs']).fields).toEqual(['companies.id', 'jobs.company_id']);
  });

  it('do not join by an id of their own, nor by a name', () =>
    expect(find(catalogOf({ a: 'id name', b: 'id name' }, []), ['a', 'b']).fields).toEqual([]));

  it('do not replace the keys of tables that have some, unless asked to', () => {
    const mixed = catalogOf({ a: 'x_id b_id', b: 'id', c: 'x_id d_id', d: 'id' }, [
      'a.b_id=b.id',
      'c.d_id=d.id',
    ]);
    expect(find(mixed, ['a', 'c']).fields).toEqual([]);
    expect(find(mixed, ['a', 'c'], { sameNames: 'always' }).fields).toEqual(['a.x_id', 'c.x_id']);
  });

  it('are not made where a name is everywhere', () => {
    const many = Object.fromEntries(
      [...'abcdefghijk'].flatMap((x) => [...'abcdefghijk'].map((y) => [`t${x}${y}`, `u_id ${x}${y}`])),
    );
    expect(find(catalogOf(many, []), ['taa', 'tbb']).fields).toEqual([]);
    const fewer = Object.fromEntries(Object.entries(many).slice(0, 100));
    expect(find(catalogOf(fewer, []), ['taa', 'tbb']).fields).toEqual(['taa.u_id', 'tbb.u_id']);
  });

  it('count a family once, and stand for each of its wanted tables', () => {
    const days = Object.fromEntries(
      [...Array(300).keys()].map((day) => [`visits_2024${day}`, 'visitor_id page']),
    );
    const catalog = catalogOf({ ...days, visitors: 'visitor_id city' }, []);
    expect(find(catalog, ['visits_20245', 'visits_20247', 'visitors']).fields).toEqual([
      'visitors.visitor_id',
      'visits_20245.visitor_id',
      'visits_20247.visitor_id',
    ]);
    expect(find(catalog, ['visits_20245', 'visits_20247']).fields).toEqual([]);
  });
});

describe('for any keys', () => {
  const names = [...'abcdefgh'];
  const anyPair = fc.tuple(
    fc.constantFrom(...names),
    fc.constantFrom(...names),
    fc.integer({ min: 0, max: 9 }),
  );
  const anyCase = fc.record({
    pairs: fc.array(anyPair, { maxLength: 14 }),
    wanted: fc.subarray(names, { minLength: 2 }),
  });
  const made = (pairs: readonly (readonly [string, string, number])[]) =>
    catalogOf(
      Object.fromEntries(names.map((name) => [name, `id ${names.map((other) => `to_${other}`).join(' ')}`])),
      pairs.map(([a, b, sure]) => `${a}.to_${b}=${b}.id${sure === 9 ? '' : `?0.${sure}`}`),
    );

  it('the order of keys and tables changes nothing', () =>
    fc.assert(
      fc.property(anyCase, ({ pairs, wanted }) => {
        const { items } = find(made(pairs), wanted, { sameNames: 'never' });
        const turned = find(made(pairs.toReversed()), wanted.toReversed(), { sameNames: 'never' });
        expect(turned.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
      }),
    ));

  it('nor does it where keys are guessed', () =>
    fc.assert(
      fc.property(
        fc.array(fc.subarray(['u_id', 'v_id', 'w_id', 'x_id']), { minLength: 8, maxLength: 8 }),
        fc.subarray(names, { minLength: 2 }),
        (columns, wanted) => {
          const entries = names.map(
            (name, at) => [name, ['id', name, ...(columns[at] ?? [])].join(' ')] as const,
          );
          const { items } = find(catalogOf(Object.fromEntries(entries), []), wanted);
          const turned = catalogOf(Object.fromEntries(entries.toReversed()), []);
          expect(find(turned, wanted.toReversed()).items.map(({ id }) => id)).toEqual(
            items.map(({ id }) => id),
          );
        },
      ),
    ));

  it('a group is joined by the keys that are returned, and tables apart are more than three joins apart', () =>
    fc.assert(
      fc.property(anyCase, ({ pairs, wanted }) => {
        const catalog = made(pairs);
        const { keys, groups, items } = joinPaths(
          joinKeys(indexTables(catalog), { sameNames: 'never' }),
          wanted,
        );
        const ends = keys.map(({ leftTable, rightTable }) => [leftTable, rightTable] as const);
        for (const group of groups)
          for (const table of group) expect(distances(group[0]!, ends).has(table)).toBe(true);
        const all = catalog.foreignKeys.map((key) => [key.fromTable, key.toTable] as const);
        for (const [at, group] of groups.entries())
          for (const other of groups.slice(at + 1).flat())
            for (const table of group) expect(distances(table, all).get(other) ?? 99).toBeGreaterThan(3);
        expect(groups.flat().sort()).toEqual([...wanted].sort());
        for (const { id, kind } of items) if (kind === 'table') expect(wanted).not.toContain(id);
      }),
    ));
});

it('looks at each table a few times, however many of them there are', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const ids = [...letters].flatMap((one) => [...letters].map((other) => `t${one}${other}`));
  const links = ids.slice(1).map((id, at) => `${ids[at]}.other=${id}.main`);
  const catalog = catalogOf(Object.fromEntries(ids.map((id) => [id, 'main other'])), links);
  const keys = joinKeys(indexTables(catalog));
  let looks = 0;
  const stated: typeof keys.stated = (id) => {
    looks += 1;
    return keys.stated(id);
  };
  expect(joinPaths({ ...keys, stated }, ids).groups).toEqual([ids]);
  expect(looks).toBeLessThan(30 * ids.length);
});

it('takes a path over a calendar last', () => {
  const tables = {
    orders: 'id day model_id',
    models: 'id series_id',
    series: 'id brand_id',
    brands: 'id',
    campaigns: 'day brand_id',
    calendar: 'day',
  };
  const keys = [
    'orders.model_id=models.id',
    'models.series_id=series.id',
    'series.brand_id=brands.id',
    'orders.day=calendar.day',
    'campaigns.day=calendar.day',
    'campaigns.brand_id=brands.id',
  ];
  const plain = catalogOf(tables, keys);
  const dated = plain.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) =>
      column.name === 'day' ? { ...column, family: 'time' as const } : column,
    ),
  }));
  expect(find({ ...plain, tables: dated }, ['orders', 'brands']).tables).toEqual(['models', 'series']);
  expect(find({ ...plain, tables: dated }, ['orders', 'campaigns']).tables).toEqual(['calendar']);
});

function distances(
  start: string,
  edges: readonly (readonly [string, string])[],
): ReadonlyMap<string, number> {
  const known = new Map([[start, 0]]);
  for (const [table, distance] of known)
    for (const edge of edges) {
      if (!edge.includes(table)) continue;
      const other = edge[0] === table ? edge[1] : edge[0];
      if (!known.has(other)) known.set(other, distance + 1);
    }
  return known;
}
