import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { isCompanion } from './conversion/companion.ts';
import { withoutUndefined } from './conversion/vendor-block.ts';
import type { ForeignFile, InterchangeFormat } from './foreign/conversion.ts';
import { openForeign } from './foreign/foreign-document.ts';
import { completeModel, type LeanModel, leanModel } from './foreign/lean-model.ts';
import { diffTrees } from './foreign/tree-changes.ts';
import { writeYaml } from './foreign/write-yaml.ts';
import { findFormat } from './formats.ts';
import { exportKnowledge, importKnowledge } from './import-knowledge.ts';

const EXPORTED = ['osi', 'cortex', 'cube'].map(findFormat);
const RUNS = { numRuns: 40 };

const word = fc.constantFrom(
  'order',
  'status',
  'net amount',
  'Größe',
  'total',
  'a_b',
  'a b',
  'city',
  '2nd',
  '订单',
  'x',
);
const words = fc.uniqueArray(word, { maxLength: 2, selector: (item) => item.toLowerCase() });
const text = fc.constantFrom('Plain text', 'two: lines\nand # more', "it's “quoted”", '{CUBE}.x');
const column = fc.constantFrom('id', 'amount', 'status', 'city', 'created_at');
const foreignBlock = fc.record({
  vendor_name: fc.constantFrom('ACME', 'DBT', 'SNOWFLAKE', 'CUBE', 'OSI'),
  data: fc.oneof(
    fc
      .dictionary(fc.constantFrom('tags', 'owner', 'name', 'expr', 'title', 'meta'), fc.jsonValue(), {
        maxKeys: 2,
      })
      // A key that would reach the prototype is refused by every reader, so that no model has one.
      .filter((block) => !JSON.stringify(block).includes('"__proto__"')),
    fc.constantFrom('{"a":1}', '{ "spaced": true }', 'no json'),
  ),
});
const extensions = fc.uniqueArray(foreignBlock, { maxLength: 2, selector: ({ vendor_name }) => vendor_name });
const context = fc.option(
  words.map((synonyms) => ({ synonyms })),
  { nil: undefined },
);

const field = fc.record({
  name: word,
  column,
  isDimension: fc.boolean(),
  isTime: fc.boolean(),
  datatype: fc.option(fc.constantFrom('String', 'Integer', 'Date', 'Opaque'), { nil: undefined }),
  description: fc.option(text, { nil: undefined }),
  context,
  extensions,
});
const dataset = fc.record({
  name: word,
  fields: fc.uniqueArray(field, { maxLength: 4, selector: ({ name }) => name }),
  key: fc.option(column, { nil: undefined }),
  filter: fc.boolean(),
  rowFilter: fc.option(fc.constantFrom('status = :tenant', 'amount > 5'), { nil: undefined }),
  context,
  extensions,
});
const metric = fc.record({
  name: word,
  table: fc.nat(1),
  shape: fc.constantFrom(
    'COUNT(*)',
    'SUM(T.amount)',
    'COUNT(DISTINCT T.id)',
    'SUM(T.amount) / COUNT(*)',
    'MAX(T.amount) - MIN(T.amount)',
  ),
  filters: fc.uniqueArray(fc.constantFrom("T.status = 'x'", 'T.amount > 5 OR T.city IS NULL'), {
    maxLength: 2,
  }),
  isRatio: fc.boolean(),
  context,
  extensions,
});

/** A native model that our own reader would take: names within their lists are unique. */
const model: fc.Arbitrary<LeanModel> = fc
  .record({
    name: word,
    datasets: fc.uniqueArray(dataset, {
      minLength: 1,
      maxLength: 2,
      selector: ({ name }) => name.toLowerCase(),
    }),
    metrics: fc.uniqueArray(metric, { maxLength: 4, selector: ({ name }) => name }),
    isLinked: fc.boolean(),
    isMapped: fc.boolean(),
    instructions: fc.option(text, { nil: undefined }),
    extensions,
  })
  .map((drawn): LeanModel => {
    const tableOf = (index: number) => `t${index % drawn.datasets.length}`;
    const plain = drawn.metrics.filter(({ isRatio }) => !isRatio);
    const lean: LeanModel = {
      name: drawn.name,
      ai_context: drawn.instructions === undefined ? undefined : { instructions: drawn.instructions },
      datasets: drawn.datasets.map((item, index) => ({
        name: item.name,
        source: index === 0 ? `db.main.${tableOf(index)}` : tableOf(index),
        primary_key: item.key === undefined ? undefined : [item.key],
        ai_context: item.context,
        fields: item.fields.map((part) => ({
          name: part.name,
          expression: { dialects: [{ dialect: 'ANSI_SQL', expression: part.column }] },
          dimension: part.isDimension ? { is_time: part.isTime } : undefined,
          description: part.description,
          datatype: part.datatype,
          ai_context: part.context,
          custom_extensions: part.extensions,
        })),
        custom_extensions: [
          {
            vendor_name: 'CANDOR',
            data: withoutUndefined({
              default_filter: item.filter
                ? { sql: `${tableOf(index)}.status <> 'gone'`, text: 'no gone' }
                : undefined,
              row_filter: item.rowFilter,
            }),
          },
          ...item.extensions,
        ],
      })),
      relationships:
        drawn.isLinked && drawn.datasets.length === 2
          ? [
              {
                name: 'a link',
                from: drawn.datasets[0]!.name,
                to: drawn.datasets[1]!.name,
                from_columns: ['id'],
                to_columns: ['id'],
              },
            ]
          : undefined,
      metrics: drawn.metrics.map((item) => {
        const table = tableOf(item.table);
        const [above, below] = plain;
        const isRatio = item.isRatio && above !== undefined && below !== undefined;
        const ours = isRatio
          ? { ratio: { numerator: above.name, denominator: below.name } }
          : { table, filters: item.filters.map((sql) => sql.replaceAll('T.', `${table}.`)) };
        return {
          name: item.name,
          expression: {
            dialects: [{ dialect: 'ANSI_SQL', expression: item.shape.replaceAll('T.', `${table}.`) }],
          },
          ai_context: item.context,
          custom_extensions: [{ vendor_name: 'CANDOR', data: ours }, ...item.extensions],
        };
      }),
      custom_extensions: [
        {
          vendor_name: 'CANDOR',
          data: drawn.isMapped
            ? { value_mappings: [{ column: 't0.status', value: 'x', surface: ['open ones', 'y'] }] }
            : {},
        },
        ...drawn.extensions,
      ],
    };
    // As JSON has it: no key is undefined.
    return JSON.parse(JSON.stringify(lean));
  });

const native = model.map((lean) => completeModel(lean, 'generated'));

describe.each(EXPORTED.map((format) => [format.name, format] as const))('%s', (_, format) => {
  it('gives every native model back, foreign blocks included', () => {
    fc.assert(
      fc.property(native, (source) => {
        const { files } = exportKnowledge(format, { models: [source], examples: [] });
        const back = importKnowledge(format, files);
        expect(back.models.map(leanModel)).toEqual([leanModel(source)]);
      }),
      RUNS,
    );
  });

  it('reports every difference that its files alone would make', () => {
    fc.assert(
      fc.property(native, (source) => {
        const { files, losses } = exportKnowledge(format, { models: [source], examples: [] });
        const own = files.filter(({ path }) => !isCompanion(path));
        const [alone] = format.import(own.toSorted((a, b) => (a.path < b.path ? -1 : 1))).models;
        const changes = diffTrees(alone && leanModel(alone), leanModel(source)).filter(
          ({ order }) => order === undefined,
        );
        const reported = losses.filter(({ what }) => what.includes('.candor.yml'));
        expect(reported).toHaveLength(changes.length);
      }),
      RUNS,
    );
  });

  it('writes what it reads: its own documents come back as they were', () => {
    fc.assert(
      fc.property(native, (source) => {
        const files = documentsOf(format, source);
        const again = documentsOf(format, importKnowledge(format, files).models[0]!);
        expect(valuesOf(again)).toEqual(valuesOf(files));
      }),
      RUNS,
    );
  });
});

it('a key that other tools read as a merge is written as a name', () => {
  const text = writeYaml({ tags: [{ '<<': false }] });
  expect(openForeign({ path: 'a.yml', text }).value).toEqual({ tags: [{ '<<': false }] });
});

describe('comes back from Cube as it was:', () => {
  const own = { custom_extensions: [{ vendor_name: 'CANDOR', data: {} }] };
  const named = { ai_context: { synonyms: ['a b'] } };
  const KEY = { expression: { dialects: [{ dialect: 'ANSI_SQL', expression: 'b' }] } };
  const dataset = (name: string, more: object = {}) => ({
    ...{ name, source: 'db.main.t0', primary_key: [], unique_keys: [], fields: [], metrics: [], ...own },
    ...more,
  });
  const field = (name: string, more: object = {}) => ({
    ...{ name, expression: { dialects: [{ dialect: 'ANSI_SQL', expression: 'id' }] }, custom_extensions: [] },
    ...more,
  });
  it.each([
    [
      'a field whose plain name is taken and whose synonym is its own name',
      [dataset('order', { fields: [field('a_b'), field('a b', named)] })],
    ],
    ['a dataset of such a name', [dataset('a_b'), dataset('a b', { source: 't1', ...named })]],
    [
      'a key behind a field',
      [dataset('order', { primary_key: ['b'], fields: [field('order'), field('b', KEY)] })],
    ],
  ])('%s', (_, datasets) => {
    const lean = { name: 'order', relationships: [], metrics: [], ...own };
    const source = completeModel({ ...lean, datasets } as never, 'generated');
    const cube = EXPORTED.find(({ name }) => name === 'cube')!;
    const files = documentsOf(cube, source);
    expect(valuesOf(documentsOf(cube, importKnowledge(cube, files).models[0]!))).toEqual(valuesOf(files));
  });
});

/** The format's own files, which are canonical by being written by it. */
function documentsOf(format: InterchangeFormat, source: Parameters<typeof leanModel>[0]): ForeignFile[] {
  return [...(format.export?.({ models: [source], examples: [] }).files ?? [])];
}

function valuesOf(files: readonly ForeignFile[]): unknown {
  return Object.fromEntries(
    files.map(({ path, text: content }) => [path, openForeign({ path, text: content }).value]),
  );
}

describe('names that stand in several tables', () => {
  const cubes = fc
    .uniqueArray(fc.constantFrom('orders', 'customers', 'visits'), { minLength: 2, maxLength: 3 })
    .map((names) => ({
      cubes: names.map((name) => ({
        name,
        sql_table: name,
        dimensions: [{ name: 'country', title: 'Country of it', sql: '{CUBE}.country', type: 'string' }],
        measures: [
          { name: 'count', type: 'count' },
          { name: 'size', title: 'how much', type: 'sum', sql: '{CUBE}.size' },
          { name: 'mean', type: 'number', sql: `{${name}.size} / NULLIF({${name}.count}, 0)` },
        ],
      })),
    }));

  it('are told apart, and are what they were on export', () => {
    fc.assert(
      fc.property(cubes, (content) => {
        const file = { path: 'all.yml', text: stringify(content) };
        const { models } = importKnowledge(findFormat('cube'), [file]);
        const [read] = models;
        const names = read!.metrics.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        const { files, losses } = exportKnowledge(findFormat('cube'), { models, examples: [] });
        expect(losses).toEqual([]);
        expect(valuesOf(files)).toEqual({ 'all.yml': content });
      }),
      RUNS,
    );
  });
});
