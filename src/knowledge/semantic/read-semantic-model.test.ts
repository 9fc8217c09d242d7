import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { emptySemanticModel, readSemanticModel } from './read-semantic-model.ts';

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/semantics', import.meta.url));
const INVALID = z
  .array(z.strictObject({ name: z.string(), text: z.string(), message: z.string() }))
  .parse(parse(await readFile(join(FIXTURES, 'invalid', 'cases.yml'), 'utf8')));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-semantics-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('readSemanticModel', () => {
  it('reads datasets under their physical table, in lower case', async () => {
    const { datasets } = await readSemanticModel(join(FIXTURES, 'shop'));
    expect(datasets[0]).toEqual({
      name: 'Sales',
      table: 'orders',
      source: 'warehouse.public.orders',
      synonyms: ['purchases'],
      primaryKey: ['orders.id'],
      defaultFilter: { sql: 'orders.deleted = 0', text: 'without deleted orders' },
      timeColumn: 'orders.day',
    });
  });

  it('makes a dimension of each field that is one', async () => {
    const { dimensions } = await readSemanticModel(join(FIXTURES, 'shop'));
    expect(dimensions.map(({ name, column, isTime }) => [name, column, isTime])).toEqual([
      ['status', 'orders.status', false],
      ['day', 'orders.day', true],
      ['country', 'customers.country', false],
    ]);
    expect(dimensions[2]).toMatchObject({
      synonyms: ['nation'],
      parent: 'status',
      via: { orders: 'sales_customer' },
    });
  });

  it('reads metrics with all that makes them complete', async () => {
    const { metrics } = await readSemanticModel(join(FIXTURES, 'shop'));
    expect(metrics).toEqual([
      {
        name: 'order count',
        synonyms: [],
        table: 'orders',
        expression: 'COUNT(*)',
        filters: [],
        mandatoryDimensions: [],
        conditionalFilters: [],
      },
      {
        name: 'revenue',
        synonyms: ['turnover'],
        table: 'orders',
        expression: 'SUM(orders.amount)',
        filters: ['orders.paid = 1'],
        mandatoryDimensions: ['country'],
        timeColumn: 'orders.day',
        conditionalFilters: [
          // biome-ignore lint/suspicious/noThenProperty: the word of the model; the object is never awaited.
          { whenDimensions: ['country'], then: 'orders.level = 1', otherwise: 'orders.level = 0' },
        ],
        unit: 'EUR',
      },
      {
        name: 'revenue per order',
        synonyms: [],
        ratio: { numerator: 'revenue', denominator: 'order count' },
        filters: [],
        mandatoryDimensions: [],
        conditionalFilters: [],
      },
    ]);
  });

  it('reads links, words and rules', async () => {
    const model = await readSemanticModel(join(FIXTURES, 'shop'));
    expect(model.relationships).toEqual([
      {
        name: 'sales_customer',
        from: 'orders',
        to: 'customers',
        fromColumns: ['orders.customer_id'],
        toColumns: ['customers.id'],
        role: 'buyer',
        synonyms: [],
      },
    ]);
    expect(model.timeRules).toEqual({
      defaultWindow: 'current-year',
      excludesToday: false,
      fiscalYearStartMonth: 7,
      weekStart: 'monday',
      isWritten: true,
    });
    expect(model.valueMappings).toEqual([
      { column: 'orders.status', value: 3, surface: ['sent', 'shipped'] },
    ]);
    expect(model.jargon).toEqual([{ term: 'AOV', meaning: 'revenue per order' }]);
    expect(model.outOfScope).toEqual([{ term: 'profit', why: 'there are no costs' }]);
    expect(model.vagueTerms).toEqual([
      { term: 'lately', gap: 'time', ask: 'Which period?', options: ['this month', 'this year'] },
    ]);
  });

  it('reads the whole file that the guide shows', async () => {
    const guide = await readFile(
      fileURLToPath(new URL('../../../docs/guides/semantic-model.md', import.meta.url)),
      'utf8',
    );
    const directory = join(folder, 'guide');
    await mkdir(directory);
    await writeFile(join(directory, 'shop.yml'), /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '');
    const model = await readSemanticModel(directory);
    expect(model.metrics.map(({ name, filters }) => [name, filters])).toEqual([
      ['revenue', ['orders.is_paid = 1']],
    ]);
    expect(model.vagueTerms[0]?.options).toEqual(['in the last 7 days', 'this year']);
  });

  it('joins all files of a folder', async () => {
    const model = await readSemanticModel(join(FIXTURES, 'split'));
    expect(model.name).toBe('first');
    expect(model.datasets.map(({ table }) => table)).toEqual(['orders', 'customers']);
    expect(model.timeRules.weekStart).toBe('sunday');
  });

  it('refuses time rules that stand in two models', async () => {
    const directory = join(folder, 'rules');
    await mkdir(directory);
    const rules = '{time_rules: {default_window: all}}';
    const model = `semantic_model: [{name: m, datasets: [], custom_extensions: [{vendor_name: CANDOR, data: ${rules}}]}]`;
    await writeFile(join(directory, 'a.yml'), model);
    await writeFile(join(directory, 'b.yml'), model);
    await expect(readSemanticModel(directory)).rejects.toThrow(/time_rules stand in 2 models/);
  });

  it('gives the empty model for a missing folder and for one without files', async () => {
    expect(await readSemanticModel(join(folder, 'missing'))).toBe(emptySemanticModel);
    const directory = join(folder, 'empty');
    await mkdir(directory);
    expect(await readSemanticModel(directory)).toBe(emptySemanticModel);
  });

  it.each(INVALID)('says where the fault is: $name', async ({ name, text, message }) => {
    const directory = join(folder, name, 'semantics');
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'model.yml'), text);
    const error = await readSemanticModel(directory).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CandorError);
    expect(error).toMatchObject({
      code: 'semantics.invalid',
      message: expect.stringMatching(new RegExp(message)),
    });
  });
});

describe('what semantic files say is kept', () => {
  const MODEL = `version: 0.1.1
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: shop.orders
        primary_key: [id]
`;
  const KEPT = 'semantics.json';

  async function makeProject() {
    const root = await mkdtemp(join(folder, 'kept-'));
    const [semantics, derived] = [join(root, 'semantics'), join(root, '.candor')];
    await mkdir(semantics);
    await mkdir(derived, { mode: 0o700 });
    const file = join(semantics, 'shop.yml');
    await writeFile(file, MODEL);
    return { file, kept: join(derived, KEPT), read: () => readSemanticModel(semantics, derived) };
  }

  /** What is kept in the place of the text of the model. */
  async function change(kept: string, edit: (text: string) => string): Promise<void> {
    const before = await readFile(kept, 'utf8');
    expect(edit(before)).not.toBe(before);
    await writeFile(kept, edit(before));
  }

  it('and read in the place of the same text', async () => {
    const { kept, read } = await makeProject();
    const first = await read();
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    await change(kept, (text) => text.replaceAll('"name":"orders"', '"name":"sales"'));
    expect(first.datasets.map(({ name }) => name)).toEqual(['orders']);
    expect((await read()).datasets.map(({ name }) => name)).toEqual(['sales']);
  });

  it('but passes the checks of a text that was just parsed', async () => {
    const { kept, read } = await makeProject();
    await read();
    await change(kept, (text) => text.replace('"primary_key":["id"]', '"primary_keys":["id"]'));
    await expect(read()).rejects.toThrow(/unknown key `primary_keys`; did you mean `primary_key`/);
  });

  const UNUSED: readonly (readonly [what: string, spoil: (kept: string) => Promise<void>])[] = [
    ['damaged', (kept) => change(kept, (text) => text.slice(0, -9))],
    ['of another format', (kept) => change(kept, (text) => text.replace('candor-yaml', 'yaml'))],
    ['written by whoever likes', (kept) => chmod(kept, 0o666)],
  ];
  it.each(UNUSED)('but not what is %s', async (_, spoil) => {
    const { kept, read } = await makeProject();
    await read();
    await change(kept, (text) => text.replaceAll('"name":"orders"', '"name":"sales"'));
    await spoil(kept);
    expect((await read()).datasets.map(({ name }) => name)).toEqual(['orders']);
  });

  it('until the text changes, with the places of its faults', async () => {
    const { file, read } = await makeProject();
    await read();
    await writeFile(file, MODEL.replace('name: orders', 'name: bills'));
    expect((await read()).datasets.map(({ name }) => name)).toEqual(['bills']);
    await writeFile(file, MODEL.replace('primary_key', 'primary_keys'));
    await expect(read()).rejects.toThrow(/shop\.yml:7:9: unknown key/);
  });
});
