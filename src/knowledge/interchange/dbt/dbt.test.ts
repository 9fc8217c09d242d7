import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readReference } from './dbt-project.ts';
import { keysOf } from './dbt-tests.ts';
import { DBT } from './index.ts';
import { plainEntry } from './read-manifest.ts';
import { type FilterName, readFilter } from './semantic-layer.ts';

const load = (...names: readonly string[]) =>
  names.map((name) => ({
    path: name,
    text: readFileSync(
      fileURLToPath(new URL(`../../../../test/fixtures/interchange/dbt/${name}`, import.meta.url)),
      'utf8',
    ),
  }));
const show = (losses: readonly { kind: string; place: string; what: string }[]) =>
  losses.map(({ kind, place, what }) => `${kind} ${place}: ${what}`);
const project = (value: unknown) => [{ path: 'models/shop.yml', text: JSON.stringify(value) }];

describe('references', () => {
  it.each([
    ["ref('orders')", { name: 'orders' }],
    ['{{ ref("orders") }}', { name: 'orders' }],
    ["ref('package', 'orders')", { name: 'orders' }],
    ["ref('orders', v=2)", { name: 'orders' }],
    ["source('raw', 'orders')", { source: 'raw', name: 'orders' }],
    ["source('raw')", undefined],
    ["ref('a') or ref('b')", undefined],
    ['orders', undefined],
    [7, undefined],
  ])('reads %j', (text, read) => {
    expect(readReference(text)).toEqual(read);
  });
});

describe('keys that tests promise', () => {
  const column = (name: string, ...data_tests: unknown[]) => ({ name, data_tests });
  it.each([
    ['unique and not null', {}, [column('id', 'unique', 'not_null')], ['id'], []],
    ['unique alone', {}, [column('id', 'unique')], [], [['id']]],
    [
      'a second key',
      {},
      [column('id', 'unique', 'not_null'), column('code', 'not_null', 'unique')],
      ['id'],
      [['code']],
    ],
    [
      'tests that hold for some rows',
      {},
      [column('id', { unique: { config: { where: 'x' } } }, 'not_null')],
      [],
      [],
    ],
    ['tests that only warn', {}, [column('id', { unique: { severity: 'warn' } }, 'not_null')], [], []],
    [
      'a constraint',
      { constraints: [{ type: 'primary_key', columns: ['a', 'b'] }] },
      [column('id', 'unique')],
      ['a', 'b'],
      [['id']],
    ],
    [
      'a combination of columns that are never null',
      {
        data_tests: [
          {
            'dbt_utils.unique_combination_of_columns': { arguments: { combination_of_columns: ['a', 'b'] } },
          },
        ],
      },
      [column('a', 'not_null'), column('b', 'not_null')],
      ['a', 'b'],
      [],
    ],
  ])('reads %s', (_, properties, columns, primaryKey, uniqueKeys) => {
    expect(keysOf(properties, columns)).toEqual({ primaryKey, uniqueKeys });
  });
});

describe('filters', () => {
  const named = ({ call, name, grain }: FilterName) => ({
    ok: true as const,
    sql: `<${[call, name, grain ?? '-'].join(' ')}>`,
  });
  it.each([
    ["{{ Dimension('order__status') }} = 'x'", "<Dimension order__status -> = 'x'"],
    ['{{Dimension("a__b")}} > 1', '<Dimension a__b -> > 1'],
    ["{{ TimeDimension('a__b', 'month') }} > 1", '<TimeDimension a__b month> > 1'],
    ["{{ TimeDimension('a__b').grain('day') }} > 1", '<TimeDimension a__b day> > 1'],
    ["{{ Entity('customer') }} IS NULL", '<Entity customer -> IS NULL'],
  ])('reads %j', (text, sql) => {
    expect(readFilter(text, named)).toEqual({ ok: true, sql });
  });

  it.each([
    "{{ Dimension('a__b').descending(True) }} = 1",
    "{{ Dimension('a__b', entity_path=['x']) }} = 1",
    '{{ var("x") }} = 1',
    '{% if x %} a = 1 {% endif %}',
    "{# note #} {{ Dimension('a') }} = 1",
    "{{ Dimension('a__b') }",
  ])('refuses %j', (text) => {
    expect(readFilter(text, named).ok).toBe(false);
  });
});

describe('entries of the manifest', () => {
  it('come out as people write them', () => {
    const built = {
      name: 'm',
      unique_id: 'metric.m',
      created_at: 1,
      label: null,
      type_params: {
        measure: { name: 'a', filter: null, alias: null, join_to_timespine: false },
        window: { count: 7, granularity: 'day' },
        input_measures: [{ name: 'a' }],
        metrics: [],
      },
      filter: { where_filters: [{ where_sql_template: 'x' }, { where_sql_template: 'y' }] },
    };
    expect(plainEntry(built)).toEqual({
      name: 'm',
      type_params: { measure: 'a', window: '7 day' },
      filter: ['x', 'y'],
    });
  });
});

describe('dbt', () => {
  it('reads a manifest with its catalog', () => {
    const { models, losses, notes } = DBT.import(load('target/manifest.json', 'target/catalog.json'));
    const [orders, customers] = models[0]?.datasets ?? [];
    expect(models[0]?.name).toBe('shop');
    expect(orders?.source).toBe('warehouse.analytics.fct_orders');
    expect(orders?.fields.map(({ name }) => name)).toEqual([
      'order_id',
      'customer_id',
      'Status',
      'ordered_at',
      'amount',
    ]);
    expect(orders?.fields.find(({ name }) => name === 'amount')).toMatchObject({
      datatype: 'numeric(12,2)',
      description: 'Price in EUR',
    });
    expect(customers?.primary_key).toEqual([]);
    expect(
      models[0]?.metrics.map(
        ({
          name,
          expression: {
            dialects: [sql],
          },
        }) => [name, sql?.expression],
      ),
    ).toMatchInlineSnapshot(`
      [
        [
          "Revenue",
          "SUM(fct_orders.amount)",
        ],
        [
          "Order count",
          "COUNT(1)",
        ],
        [
          "Average order",
          "SUM(fct_orders.amount) / COUNT(1)",
        ],
        [
          "double_count",
          "(COUNT(1)) * 2",
        ],
      ]
    `);
    expect(notes.map(({ text }) => text)).toEqual(['The table `customers` is deprecated from 2026-01-31.']);
    expect(show(losses)).toMatchInlineSnapshot(`
      [
        "dropped model.shop.stg_orders: an ephemeral model has no table to ask",
        "approximated seed.shop.countries: not in the catalog; columns as documented",
        "approximated snapshot.shop.prices: not in the catalog; columns as documented",
        "kept exposures: 1 exposures are carried along; there is nothing like them here",
        "dropped model.shop.orders.gone: documented, but not in the catalog",
        "kept metric.shop.revenue_7d: metric revenue_7d takes no part in questions: it is of the type cumulative",
      ]
    `);
  });

  it('reads the YAML of a project with MetricFlow', () => {
    const { models, losses } = DBT.import(load('project/models.yml'));
    expect(models[0]?.relationships.map(({ from, to }) => [from, to])).toEqual([
      ['orders', 'customers'],
      ['payments', 'orders'],
    ]);
    expect(
      models[0]?.metrics.map(({ name, custom_extensions: [own] }) => [name, own?.data]),
    ).toMatchInlineSnapshot(`
      [
        [
          "Revenue",
          {
            "filters": [
              "orders.status = 'shipped'",
            ],
            "table": "orders",
            "time_column": "orders.ordered_at",
          },
        ],
        [
          "order_count",
          {
            "table": "orders",
            "time_column": "orders.ordered_at",
          },
        ],
        [
          "large_orders",
          {
            "filters": [
              "(case when orders.amount > 1000 then 'large' else 'small' end) = 'large'",
              "orders.ordered_at >= '2024-01-01'",
            ],
            "table": "orders",
            "time_column": "orders.ordered_at",
          },
        ],
        [
          "large_share",
          {
            "ratio": {
              "denominator": "order_count",
              "numerator": "large_orders",
            },
          },
        ],
        [
          "Average basket",
          {
            "ratio": {
              "denominator": "order_count",
              "numerator": "Revenue",
            },
          },
        ],
      ]
    `);
    expect(show(losses)).toMatchInlineSnapshot(`
      [
        "kept project/models.yml:158:1: 1 exposures are carried along; there is nothing like them here",
        "kept project/models.yml:153:1: 1 saved_queries are carried along; there is nothing like them here",
        "kept project/models.yml:56:5.country: a description that stands in a doc block; the manifest holds its text",
        "kept project/models.yml:131:5: metric revenue_last_7_days takes no part in questions: it is of the type cumulative",
        "kept project/models.yml:135:5: metric revenue_of_germany takes no part in questions: its filter names customer__country, which belongs to another table",
        "kept project/models.yml:140:5: metric visit_to_order takes no part in questions: it is of the type conversion",
        "kept project/models.yml:149:5: metric balance takes no part in questions: its measure does not add up over time",
        "kept orders.is_large: a computed dimension; questions filter and group by columns only",
      ]
    `);
  });

  it('writes the YAML that it has read', () => {
    const [file] = load('project/models.yml');
    const { models } = DBT.import(file === undefined ? [] : [file]);
    const written = DBT.export?.({ models, examples: [] }).files[0];
    expect(parse(written?.text ?? '')).toEqual(parse(file?.text ?? ''));
  });

  it('writes back any project of the forms it reads', () => {
    fc.assert(
      fc.property(arbitraryProject(), (value) => {
        const { models } = DBT.import(project(value));
        const written = DBT.export?.({ models, examples: [] }).files[0];
        expect(written?.path).toBe('models/shop.yml');
        expect(parse(written?.text ?? '')).toEqual(value);
      }),
      { numRuns: 200 },
    );
  });

  it('says which version of a manifest it does not know', () => {
    const manifest = {
      metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v7.json' },
      nodes: {},
    };
    const { losses } = DBT.import([{ path: 'target/manifest.json', text: JSON.stringify(manifest) }]);
    expect(losses[0]?.what).toContain('version 7 of the manifest; known are v9 to v12');
  });

  it('refuses a manifest without nodes and a half-written project, each with its place', () => {
    expect(() => DBT.import([{ path: 'manifest.json', text: '{\n  "nodes": 7\n}' }])).toThrow(
      'manifest.json:2:3: nodes: ',
    );
    const half = 'models:\n  - name: orders\n    columns:\n      - description: no name\n';
    expect(() => DBT.import([{ path: 'a.yml', text: half }])).toThrow(/^a\.yml:4:9: name: /);
    expect(() => DBT.import([{ path: 'a.yml', text: 'modles: []\n' }])).toThrow('did you mean `models`?');
  });

  it('survives metrics that name each other in a circle', () => {
    const derived = (name: string, other: string) => ({
      name,
      type: 'derived',
      type_params: { expr: `${other} + ${other}`, metrics: [other] },
    });
    const { models, losses } = DBT.import(project({ metrics: [derived('a', 'b'), derived('b', 'a')] }));
    expect(models[0]?.metrics).toEqual([]);
    expect(losses).toHaveLength(2);
  });

  it('bounds what metrics of metrics grow to', () => {
    const chain = Array.from({ length: 60 }, (_, index) => ({
      name: `m${index}`,
      type: index === 0 ? 'simple' : 'derived',
      type_params:
        index === 0
          ? { measure: 'total' }
          : { expr: `m${index - 1} + m${index - 1}`, metrics: [`m${index - 1}`] },
    }));
    const semantic_models = [
      { name: 's', model: "ref('t')", measures: [{ name: 'total', agg: 'sum', expr: 'a' }] },
    ];
    const { models, losses } = DBT.import(project({ semantic_models, metrics: chain }));
    expect(JSON.stringify(models).length).toBeLessThan(1_000_000);
    expect(losses.length).toBeGreaterThan(30);
  });

  it('leaves a metric out rather than write another figure', () => {
    const { models } = DBT.import(load('project/models.yml'));
    const [model] = models;
    const metric = (name: string, data: object, expression = 'SUM(orders.amount)') => ({
      name,
      expression: { dialects: [{ dialect: 'ANSI_SQL', expression }] },
      custom_extensions: [
        { vendor_name: 'CANDOR', data: { table: 'orders', time_column: 'orders.ordered_at', ...data } },
      ],
    });
    const added = [
      metric('plain', {}),
      metric('Filtered Money', { filters: ["orders.status = 'x'"] }),
      metric('of no dimension', { filters: ['orders.amount > 1'] }),
      metric('without time', { time_column: undefined }),
      metric('of two calls', {}, 'SUM(orders.amount) / COUNT(*)'),
    ];
    if (model === undefined) throw new Error('there is a model');
    const { files } = DBT.export?.({ models: [{ ...model, metrics: added }], examples: [] }) ?? { files: [] };
    const written = parse(files[0]?.text ?? '').metrics.filter(
      ({ type }: { type: string }) => type === 'simple',
    );
    expect(written.map(({ name, filter }: { name: string; filter?: string }) => [name, filter])).toEqual([
      ['plain', undefined],
      ['filtered_money', "{{ Dimension('order__order_status') }} = 'x'"],
      // Kept from the import: they were not among ours.
      ['revenue_of_germany', "{{ Dimension('customer__country') }} = 'DE'"],
      ['balance', undefined],
    ]);
  });
});

/** Projects as people write them, in the form that is written here: names first met stay in their order. */
function arbitraryProject() {
  const words = fc.constantFrom('some words', 'zwei\nZeilen', "{{ doc('x') }}", 'a: b');
  const test = fc.subarray([
    'unique',
    'not_null',
    { accepted_values: { values: ['a b', 'c'] } },
    { relationships: { to: "ref('customers')", field: 'id' } },
    { dbt_expectations: { min: 1 } },
  ]);
  const config = fc.constantFrom({ tags: ['x'] }, { meta: { owner: 'a', synonyms: ['word'] } });
  const column = fc.record(
    {
      name: fc.constantFrom('id', 'status', 'größe', 'a b'),
      description: words,
      data_type: fc.constantFrom('int', 'date'),
      data_tests: test,
      config,
    },
    { requiredKeys: ['name'] },
  );
  const columns = fc.uniqueArray(column, { minLength: 1, maxLength: 3, selector: ({ name }) => name });
  const node = { description: words, columns, config, access: fc.constant('public') };
  const nodes = (...names: string[]) =>
    fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), ...node }, { requiredKeys: ['name'] }), {
      minLength: 1,
      maxLength: 2,
      selector: ({ name }) => name,
    });
  const source = fc.record(
    {
      name: fc.constant('raw'),
      schema: fc.constant('landing'),
      description: words,
      tables: nodes('payments', 'orders'),
    },
    { requiredKeys: ['name', 'tables'] },
  );
  const dimension = fc.record(
    {
      name: fc.constantFrom('id', 'status', 'kind'),
      type: fc.constant('categorical'),
      description: words,
      label: fc.constantFrom('Kind', 'status', 'Other words'),
      expr: fc.constantFrom('status', "case when id > 1 then 'x' end"),
    },
    { requiredKeys: ['name', 'type'] },
  );
  const semantic = fc.record(
    {
      name: fc.constant('orders'),
      model: fc.constant("ref('orders')"),
      description: words,
      entities: fc.constant([{ name: 'order', type: 'primary', expr: 'id' }]),
      dimensions: fc.uniqueArray(dimension, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
      measures: fc.constant([{ name: 'total', agg: 'sum', expr: 'amount' }]),
    },
    { requiredKeys: ['name', 'model'] },
  );
  const metric = fc.record(
    {
      name: fc.constantFrom('revenue', 'share', 'odd'),
      label: fc.constantFrom('Revenue', 'odd', 'Some words'),
      description: words,
      type: fc.constantFrom('simple', 'cumulative'),
      type_params: fc.constantFrom({ measure: 'total' }, { measure: { name: 'total', fill_nulls_with: 0 } }),
      filter: fc.constantFrom("{{ Dimension('order__status') }} = 'x'", "{{ Dimension('other__x') }} = 1"),
    },
    { requiredKeys: ['name', 'type', 'type_params'] },
  );
  return (
    fc
      .record(
        {
          version: fc.constant(2),
          models: nodes('orders', 'customers'),
          seeds: nodes('countries'),
          snapshots: nodes('prices'),
          sources: fc.tuple(source),
          semantic_models: fc.tuple(semantic),
          metrics: fc.uniqueArray(metric, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
          exposures: fc.constant([{ name: 'e', type: 'dashboard' }]),
          saved_queries: fc.constant([{ name: 'q', query_params: { metrics: ['revenue'] } }]),
        },
        { requiredKeys: ['version', 'models'] },
      )
      .map((value) => withoutEmptyTests(JSON.parse(JSON.stringify(value))))
      // A semantic model without its model's own entry is not written back as it came.
      .filter(
        ({ models, semantic_models }) =>
          semantic_models === undefined || models.some(({ name }: { name: string }) => name === 'orders'),
      )
  );
}

function withoutEmptyTests<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (key, item) => (key === 'data_tests' && item.length === 0 ? undefined : item)),
  );
}
