import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnOfPath, readDatasetUrn, readFieldUrn, writeDatasetUrn } from './aspects.ts';
import { DATAHUB } from './index.ts';

const load = (name: string) => ({
  path: name,
  text: readFileSync(
    fileURLToPath(new URL(`../../../../test/fixtures/interchange/datahub/${name}`, import.meta.url)),
    'utf8',
  ),
});
const show = (losses: readonly { kind: string; place: string; what: string }[]) =>
  losses.map(({ kind, place, what }) => `${kind} ${place}: ${what}`);
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)';

describe('URNs', () => {
  it.each([
    [ORDERS, { platform: 'postgres', name: 'shop.public.orders', origin: 'PROD' }],
    [
      'urn:li:dataset:(urn:li:dataPlatform:s3,a%2Cb%28c%29,DEV)',
      { platform: 's3', name: 'a,b(c)', origin: 'DEV' },
    ],
    ['urn:li:dataset:(urn:li:dataPlatform:postgres,shop,PROD', undefined],
    ['urn:li:dataset:(urn:li:dataPlatform:postgres,,PROD)', undefined],
    ['urn:li:dataset:(postgres,shop,PROD)', undefined],
    ['urn:li:dataset:(urn:li:dataPlatform:x,a%ZZ,PROD)', undefined],
    ['urn:li:dataset:(urn:li:dataPlatform:x,a..b,PROD)', undefined],
    [`${ORDERS} `, undefined],
  ])('reads %s strictly', (urn, read) => {
    expect(readDatasetUrn(urn)).toEqual(read);
  });

  it('reads the field of a dataset', () => {
    expect(readFieldUrn(`urn:li:schemaField:(${ORDERS},status)`)).toEqual({
      dataset: ORDERS,
      path: 'status',
    });
  });

  it('reads back every name that it writes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z%(),é ]+(\.[A-Z_]+)?$/), (name) => {
        fc.pre(name.trim() === name);
        expect(readDatasetUrn(writeDatasetUrn({ platform: 'x', name, origin: 'PROD' }))?.name).toBe(name);
      }),
    );
  });

  it.each([
    ['status', 'status'],
    ['[version=2.0].[type=string].status', 'status'],
    ['[version=2.0].[type=struct].[type=address].address.[type=string].city', undefined],
  ])('takes from the path %s the column %s', (path, column) => {
    expect(columnOfPath(path)).toBe(column);
  });
});

describe('DataHub files', () => {
  it('reads words, keys and links, and reports what has no effect', () => {
    const { models, losses, notes } = DATAHUB.import([load('shop.json')]);
    const [orders] = models[0]?.datasets ?? [];
    expect(orders?.description).toBe('One row for each order that was placed');
    expect(orders?.fields.find(({ name }) => name === 'status')?.description).toBe('Where the order stands');
    expect(orders?.primary_key).toEqual(['order_id']);
    expect(models[0]?.relationships.map(({ from, to }) => [from, to])).toEqual([['orders', 'customers']]);
    expect(notes.map(({ text }) => text)).toMatchInlineSnapshot(`
      [
        "Purchase: An order that was paid",
        "OrderState: The step an order has reached",
        "The table \`shop.public.customers\` is deprecated: use people",
      ]
    `);
    expect(show(losses)).toMatchInlineSnapshot(`
      [
        "kept shop.json:2:3: 1 fields inside others are no columns",
        "kept ownership: of 1 datasets; carried along without effect",
        "kept domains: of 1 datasets; carried along without effect",
        "kept shop.json:2:3: a foreign key to a dataset that is not here, or with unlike fields",
      ]
    `);
  });

  it('reads change events, and counts what describes no table', () => {
    const { models, losses } = DATAHUB.import([load('events.json')]);
    expect(models[0]?.datasets.map(({ source }) => source)).toEqual(['shop.public.orders']);
    expect(show(losses)).toMatchInlineSnapshot(`
      [
        "kept events.json:2:3: 1 fields inside others are no columns",
        "dropped dashboard: 1 entities that describe no table",
        "kept events.json:2:3: a foreign key to a dataset that is not here, or with unlike fields",
        "kept events.json:2:3: a foreign key to a dataset that is not here, or with unlike fields",
      ]
    `);
  });

  it('writes the proposals that it has read', () => {
    const file = load('shop.json');
    const { models } = DATAHUB.import([file]);
    const written = DATAHUB.export?.({ models, examples: [] }).files[0];
    expect(written?.path).toBe('shop.json');
    expect(byAspect(written?.text ?? '')).toEqual(byAspect(file.text));
  });

  it('writes back any proposals of the forms it reads', () => {
    fc.assert(
      fc.property(arbitraryProposals(), (proposals) => {
        const text = JSON.stringify(proposals);
        const { models } = DATAHUB.import([{ path: 'x.json', text }]);
        const written = DATAHUB.export?.({ models, examples: [] }).files[0]?.text ?? '';
        expect(byAspect(written)).toEqual(byAspect(text));
      }),
    );
  });

  it('takes the last word on an aspect, and says so', () => {
    const proposal = (description: string) => ({
      entityUrn: ORDERS,
      aspectName: 'editableDatasetProperties',
      aspect: { value: JSON.stringify({ description }), contentType: 'application/json' },
    });
    const text = JSON.stringify([proposal('old'), proposal('new')]);
    const { models, losses } = DATAHUB.import([{ path: 'x.json', text }]);
    expect(models[0]?.datasets[0]?.description).toBe('new');
    expect(losses[0]?.what).toContain('stands twice');
  });
});

/** The aspects by entity and name; the order of proposals and of what is said of fields means nothing. */
function byAspect(text: string): Record<string, unknown> {
  const proposals: { entityUrn: string; aspectName: string; aspect: { json: Record<string, unknown> } }[] =
    JSON.parse(text);
  return Object.fromEntries(
    proposals.map(({ entityUrn, aspectName, aspect: { json } }) => [
      `${entityUrn} ${aspectName}`,
      { ...json, ...sorted(json, 'fields'), ...sorted(json, 'editableSchemaFieldInfo') },
    ]),
  );
}

function sorted(json: Record<string, unknown>, key: string): Record<string, unknown> {
  const list = json[key];
  const path = (item: { fieldPath: string }): string => item.fieldPath;
  return Array.isArray(list) ? { [key]: [...list].sort((a, b) => path(a).localeCompare(path(b))) } : {};
}

function arbitraryProposals() {
  const words = fc.option(fc.constantFrom('some words', 'zwei\nZeilen', 'a "b"'), { nil: undefined });
  const field = fc.record(
    {
      fieldPath: fc.constantFrom('a', 'b', 'a.c', '[version=2.0].[type=int].d', 'größe'),
      nullable: fc.boolean(),
      nativeDataType: fc.constantFrom('INTEGER', 'DATE'),
      description: words,
      label: words,
      isPartOfKey: fc.boolean(),
    },
    { requiredKeys: ['fieldPath', 'nativeDataType'] },
  );
  const fields = fc.uniqueArray(field, {
    minLength: 1,
    maxLength: 4,
    selector: ({ fieldPath }) => fieldPath,
  });
  const info = fc.record({
    fieldPath: fc.constantFrom('a', 'b', 'z'),
    description: fc.constantFrom('said', 'x'),
  });
  const infos = fc.uniqueArray(info, { minLength: 1, selector: ({ fieldPath }) => fieldPath });
  const dataset = fc.record(
    {
      datasetProperties: fc.record(
        { name: fc.constantFrom('orders', 'Orders of today'), description: words },
        { requiredKeys: ['name'] },
      ),
      editableDatasetProperties: fc.record({ description: fc.constantFrom('edited', 'x') }),
      schemaMetadata: fc.record({ schemaName: fc.constant('x'), fields }),
      editableSchemaMetadata: fc.record({ editableSchemaFieldInfo: infos }),
      ownership: fc.record({ owners: fc.constantFrom([], [{ owner: 'urn:li:corpuser:a' }]) }),
    },
    { requiredKeys: ['datasetProperties'] },
  );
  return fc.array(dataset, { minLength: 1, maxLength: 2 }).map((datasets) =>
    JSON.parse(
      JSON.stringify(
        datasets.flatMap((aspects, index) =>
          Object.entries(aspects).map(([aspectName, json]) => ({
            entityUrn: ORDERS.replace('orders', `t${index}`),
            aspectName,
            aspect: { json },
          })),
        ),
      ),
    ),
  );
}
