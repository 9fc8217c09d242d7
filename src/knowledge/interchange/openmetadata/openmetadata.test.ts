import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPENMETADATA } from './index.ts';
import { readFqn, writeFqn } from './read-entities.ts';

const load = (...names: readonly string[]) =>
  names.map((name) => ({
    path: name,
    text: readFileSync(
      fileURLToPath(new URL(`../../../../test/fixtures/interchange/openmetadata/${name}`, import.meta.url)),
      'utf8',
    ),
  }));
const show = (losses: readonly { kind: string; place: string; what: string }[]) =>
  losses.map(({ kind, place, what }) => `${kind} ${place}: ${what}`);
const SHOP = ['shop/tables.json', 'shop/metrics.json', 'shop/glossaryTerms.json'];

describe('fully qualified names', () => {
  it.each([
    ['prod.shop.public.orders', ['prod', 'shop', 'public', 'orders']],
    ['prod."my.db".t', ['prod', 'my.db', 't']],
    ['"a""b"', ['a"b']],
    ['', undefined],
    ['a..b', undefined],
    ['a.', undefined],
    ['"open', undefined],
  ])('reads %j', (text, parts) => {
    expect(readFqn(text)).toEqual(parts);
  });

  it('reads back every name that it writes', () => {
    const part = fc.stringMatching(/^[a-z."é]+$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        expect(readFqn(writeFqn(parts))).toEqual(parts);
      }),
    );
  });
});

describe('OpenMetadata', () => {
  it('reads tables, metrics and terms, and reports what has no effect', () => {
    const { models, losses, notes } = OPENMETADATA.import(load(...SHOP));
    const [orders, customers] = models[0]?.datasets ?? [];
    expect(orders?.primary_key).toEqual(['order_id']);
    expect(customers?.unique_keys).toEqual([['email']]);
    expect(orders?.fields.find(({ name }) => name === 'status')?.ai_context).toEqual({
      synonyms: ['Order state', 'OrderState', 'stage'],
    });
    expect(models[0]?.metrics.map(({ name, custom_extensions: [own] }) => [name, own?.data])).toEqual([
      ['revenue', { table: 'orders', filters: ["orders.status = 'shipped'"], unit: 'dollars' }],
      ['order_count', { table: 'orders' }],
    ]);
    expect(notes).toHaveLength(1);
    expect(show(losses)).toMatchInlineSnapshot(`
      [
        "kept shop/metrics.json:15:5: metric spread takes no part in questions: its expression is in Python",
        "kept tableType of a table: 1 times; carried along without effect",
        "kept owners of a table: 1 times; carried along without effect",
        "kept tags of a table: 1 times; carried along without effect",
        "kept joins of a table: 1 times; carried along without effect",
        "kept tags of a column: 2 times; carried along without effect",
        "kept fields inside a column: 1 times; carried along without effect",
      ]
    `);
  });

  it('reads the CSV exports of a table and of a glossary', () => {
    const { models, notes } = OPENMETADATA.import(load('columns.csv', 'glossary.csv'));
    expect(models[0]?.datasets.map(({ source, fields }) => [source, fields.map(({ name }) => name)])).toEqual(
      [['shop.public.orders', ['order_id', 'status']]],
    );
    expect(notes.map(({ text }) => text)).toEqual([
      'Purchase: An order that was paid',
      'Return: Sent back,\nwithin 30 days',
    ]);
  });

  it('reads the CSV export of a schema, row by row of what it is', () => {
    const text = [
      'name*,displayName,description,entityType*,fullyQualifiedName,column.dataTypeDisplay',
      'orders,Purchases,One row each,table,p.d.s.orders,',
      'status,State,Where it stands,column,p.d.s.orders.status,varchar',
      'job,,,storedProcedure,p.d.s.job,',
    ].join('\n');
    const { models, losses } = OPENMETADATA.import([{ path: 'schema.csv', text }]);
    expect(models[0]?.datasets[0]?.fields[0]).toMatchObject({
      name: 'status',
      description: 'Where it stands',
    });
    expect(show(losses)).toEqual([
      'dropped schema.csv: 1 entities that are neither table, glossary term nor metric',
    ]);
  });

  it('keeps no rows of data and nothing that a server adds', () => {
    const table = {
      name: 't',
      columns: [{ name: 'a', profile: { max: 'Ada' } }],
      sampleData: { rows: [['Ada']] },
      id: '1',
    };
    const { models, losses } = OPENMETADATA.import([{ path: 't.json', text: JSON.stringify(table) }]);
    expect(JSON.stringify(models)).not.toContain('Ada');
    expect(show(losses)).toEqual(['dropped tables: what the server adds to 1 tables, sample rows among it']);
  });

  it('writes the pages that it has read', () => {
    const files = load(...SHOP);
    const { models } = OPENMETADATA.import(files);
    const written = OPENMETADATA.export?.({ models, examples: [] }).files ?? [];
    expect(written.map(({ path, text }) => [path, JSON.parse(text)])).toEqual(
      files.map(({ path, text }) => [path, JSON.parse(text)]),
    );
  });

  it('writes back any tables of the forms it reads', () => {
    fc.assert(
      fc.property(arbitraryTables(), (data) => {
        const file = { path: 'shop/tables.json', text: JSON.stringify({ data }) };
        const { models } = OPENMETADATA.import([file]);
        const written = OPENMETADATA.export?.({ models, examples: [] }).files[0];
        expect(JSON.parse(written?.text ?? '')).toEqual(JSON.parse(file.text));
      }),
    );
  });

  it('keeps a metric that is no aggregate of one table', () => {
    const metric = (code: string) => ({ name: 'm', metricExpression: { language: 'SQL', code } });
    for (const code of [
      'SELECT 1; DROP TABLE t',
      'SUM(t.a) / SUM(u.b)',
      'a + 1',
      'SELECT SUM(a) FROM gone',
    ]) {
      const files = [
        {
          path: 't.json',
          text: JSON.stringify([
            { name: 't', columns: [] },
            { name: 'u', columns: [] },
          ]),
        },
        { path: 'm.json', text: JSON.stringify(metric(code)) },
      ];
      const { models, losses } = OPENMETADATA.import(files);
      expect(models[0]?.metrics, code).toEqual([]);
      expect(losses.map(({ kind }) => kind)).toEqual(['kept']);
    }
  });
});

function arbitraryTables() {
  const words = fc.constantFrom('some words', 'zwei\nZeilen', 'a "b"');
  const column = fc.record(
    {
      name: fc.constantFrom('a', 'b.c', 'größe', 'x y', '__proto__'),
      dataType: fc.constantFrom('INT', 'DATE', 'VARCHAR'),
      dataTypeDisplay: fc.constantFrom('INT', 'varchar(3)'),
      displayName: words,
      description: words,
      constraint: fc.constantFrom('PRIMARY_KEY', 'NOT_NULL', 'UNIQUE'),
      tags: fc.constantFrom(
        [],
        [{ tagFQN: 'PII.None', source: 'Classification' }],
        [{ tagFQN: 'G.T', source: 'Glossary' }],
      ),
    },
    { requiredKeys: ['name', 'dataType'] },
  );
  const table = fc.record(
    {
      name: fc.constantFrom('orders', 'Big Table'),
      displayName: words,
      description: words,
      columns: fc.uniqueArray(column, { maxLength: 4, selector: ({ name }) => name }),
      tableConstraints: fc.constantFrom([{ constraintType: 'PRIMARY_KEY', columns: ['a'] }]),
      domains: fc.constantFrom([{ name: 'sales' }]),
    },
    { requiredKeys: ['name', 'columns'] },
  );
  return fc
    .uniqueArray(table, { minLength: 1, maxLength: 2, selector: ({ name }) => name })
    .map((tables) =>
      tables.map((item) => ({ ...item, fullyQualifiedName: writeFqn(['p', 'd', 's', item.name]) })),
    );
}
