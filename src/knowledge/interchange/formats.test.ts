import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readExamples } from '../authored/examples.ts';
import { readSemanticModel } from '../semantic/read-semantic-model.ts';
import type { FileModel } from '../semantic/semantic-file.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import type { Imported } from './foreign/conversion.ts';
import { openForeign } from './foreign/foreign-document.ts';
import { leanModel } from './foreign/lean-model.ts';
import { findFormat } from './formats.ts';
import { exportKnowledge, importKnowledge, readModelFiles } from './import-knowledge.ts';
import { readForeignFiles } from './read-foreign-files.ts';

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/interchange/', import.meta.url));
const MOTORS = fileURLToPath(new URL('../../../examples/motors/', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-formats-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What our own reader makes of models: that they are read at all is the first test. */
async function semanticsOf(models: readonly FileModel[]): Promise<SemanticModel> {
  await writeFile(join(folder, 'model.yml'), stringify({ semantic_model: models.map(leanModel) }));
  return readSemanticModel(folder);
}

async function importFixture(name: string): Promise<Imported> {
  const format = findFormat(name);
  return importKnowledge(format, await readForeignFiles(format, [join(FIXTURES, name)], FIXTURES));
}

const losses = ({ losses: all }: Pick<Imported, 'losses'>) =>
  all.map(({ kind, place, what }) => `${kind} ${place} ${what}`);

describe('fixtures of every format', () => {
  it.each(['osi', 'cortex', 'cube'])('%s: importing and exporting gives the files back', async (name) => {
    const format = findFormat(name);
    const files = await readForeignFiles(format, [join(FIXTURES, name)], FIXTURES);
    const { models, examples } = importKnowledge(format, files);
    await semanticsOf(models);
    const pairs = examples.map((example) => ({ ...example, file: '' }));
    const exported = exportKnowledge(format, { models, examples: pairs });
    expect(exported.losses).toEqual([]);
    const valuesOf = (list: typeof files) =>
      new Map(list.map((file) => [file.path, openForeign(file).value]));
    const canonical = (path: string) => path.replace(/\.ya?ml$/, '');
    const [was, is] = [valuesOf(files), valuesOf([...exported.files])];
    expect([...is.keys()].map(canonical)).toEqual([...was.keys()].map(canonical));
    for (const [path, value] of was)
      expect([...is].find(([other]) => canonical(other) === canonical(path))?.[1], path).toEqual(value);
  });

  it('OSI: what is set aside is said', async () => {
    expect(losses(await importFixture('osi'))).toMatchInlineSnapshot(`
      [
        "kept store.yml:26:13 dimension order_month is computed (DATE_TRUNC('month', ordered_at)); it documents a column and takes no part in questions",
        "kept store.yml:49:9 dataset recent_orders reads a query, not a table; make it a view to ask about it",
        "kept store.yml:56:9 relationship recent_customer names recent_orders, which is no dataset of a table here",
        "kept store.yml:71:9 metric share of wallet: it needs orders, customers at once and is no ratio of two metrics of one table each",
        "kept store.yml:73:9 metric growth: it has no expression in SQL",
      ]
    `);
  });

  it('Cortex: what is set aside is said', async () => {
    expect(losses(await importFixture('cortex'))).toMatchInlineSnapshot(`
      [
        "kept retail.yaml:15:9 \`sample_values\` has no effect here",
        "kept retail.yaml:16:9 \`is_enum\` has no effect here",
        "kept retail.yaml:18:9 dimension is_large is computed (QTY >= 10); it documents a column and takes no part in questions",
        "kept retail.yaml:23:9 \`access_modifier\` has no effect here",
        "kept retail.yaml:29:9 \`unique\` has no effect here",
        "kept retail.yaml:51:9 filter large_sales is more than a name of one value; it has no effect here",
        "kept retail.yaml:62:9 \`cortex_search_service\` has no effect here",
        "kept retail.yaml:67:5 table weekly is no plain table of the database; make it a view to ask about it",
        "kept retail.yaml:89:5 metric mixed: it needs fct_sales, dim_store at once and is no ratio of two metrics of one table each",
        "kept retail.yaml:76:5 relationship sales_to_weekly names a table that is not there",
        "approximated retail.yaml:4:5 fct_sales.sale_dt is the only time dimension of sales, so "when" means it",
      ]
    `);
  });

  it('Cube: what is set aside is said', async () => {
    expect(losses(await importFixture('cube'))).toMatchInlineSnapshot(`
      [
        "kept views/overview.yml:2:5 view overview has no effect here: questions are asked of the cubes",
        "kept cubes/people.yml:35:5 cube sessions reads a query of its own; make it a view to ask about it",
        "kept cubes/orders.yml:46:9 dimension is_big is no column; it takes no part in questions",
        "kept cubes/orders.yml:74:9 segment recent is more than a name of one value; it has no effect here",
        "approximated cubes/orders.yml:11:5 orders.created_at is the only time dimension of orders, so "when" means it",
        "kept cubes/orders.yml:83:5 \`pre_aggregations\` has no effect here",
        "kept cubes/people.yml:14:9 dimension position is no column; it takes no part in questions",
        "kept cubes/people.yml:16:9 \`latitude\` has no effect here",
        "kept cubes/people.yml:18:9 \`longitude\` has no effect here",
        "kept cubes/people.yml:24:5 the access policy has no effect here: everybody sees all rows; write a \`row_filter\` by hand",
        "kept cubes/orders.yml:51:9 \`drill_members\` has no effect here",
        "kept cubes/orders.yml:61:9 \`format\` has no effect here",
        "kept cubes/orders.yml:66:9 measure running_revenue (sum) is no aggregate over one table and no ratio of two measures",
        "kept cubes/orders.yml:26:9 the join of orders to base_events is no equality of columns",
      ]
    `);
  });

  it('LookML: what is set aside is said', async () => {
    expect(losses(await importFixture('lookml'))).toMatchInlineSnapshot(`
      [
        "dropped shop.model.lkml:1:1 \`connection\` has no place here",
        "dropped shop.model.lkml:3:1 \`include: "/dashboards/*.dashboard"\` names no file among those given",
        "kept views/customers.view.lkml:6:1 view vip reads a query of its own; make it a view of the database to ask about it",
        "kept shop.model.lkml:22:3 the join of orders to rates is no equality of columns",
        "approximated shop.model.lkml:5:1 the access filter of orders holds for customers everywhere; rows of orders are not filtered: write a \`row_filter\` there",
        "approximated shop.model.lkml:5:1 \`sql_always_where\` of orders holds for orders everywhere",
        "kept shop.model.lkml:5:1 explore orders: \`label\` without effect here",
        "kept views/orders.view.lkml:42:3 measure count: \`drill_fields\` without effect here",
        "kept views/orders.view.lkml:48:3 measure revenue: \`value_format_name\` without effect here",
        "kept views/orders.view.lkml:55:3 measure p90 (percentile) is no aggregate over one table and no ratio of two measures",
        "kept views/orders.view.lkml:58:3 dimension status: \`suggestions\`, \`tags\` without effect here",
        "kept views/orders.view.lkml:22:3 dimension size is no column; it takes no part in questions",
        "kept views/orders.view.lkml:22:3 dimension size: \`tiers\` without effect here",
        "kept views/orders.view.lkml:28:3 dimension channel is no column; it takes no part in questions",
        "kept views/orders.view.lkml:35:3 duration delivery has no place here",
        "approximated views/orders.view.lkml:2:1 orders.created_at is the only time of orders, so "when" means it",
      ]
    `);
  });
});

describe('what the formats say becomes ours', () => {
  it('OSI: a ratio over two datasets, a metric of computed fields, the only SQL dialect there is', async () => {
    const { metrics, dimensions } = await semanticsOf((await importFixture('osi')).models);
    expect(metrics).toMatchObject([
      { name: 'revenue per customer', ratio: { numerator: 'revenue', denominator: 'customers' } },
      { name: 'revenue', table: 'orders', expression: 'SUM((orders.amount - orders.discount))' },
      { name: 'customers', table: 'customers' },
    ]);
    expect(dimensions.map(({ name, column }) => [name, column])).toContainEqual([
      'country',
      'customers.country',
    ]);
  });

  it('Cortex: names as spoken, filters as value mappings, verified queries over the real tables', async () => {
    const imported = await importFixture('cortex');
    const { metrics, valueMappings, dimensions } = await semanticsOf(imported.models);
    expect(dimensions.map(({ name, column }) => [name, column])).toEqual([
      ['sales channel', 'fct_sales.chnl_cd'],
      ['store_id', 'fct_sales.store_id'],
      ['sale date', 'fct_sales.sale_dt'],
      ['city', 'dim_store.city'],
    ]);
    expect(valueMappings).toEqual([
      { column: 'fct_sales.chnl_cd', value: 'WEB', surface: ['web sales', 'online'] },
    ]);
    expect(metrics.map(({ name, ratio, expression }) => [name, ratio ?? expression])).toEqual([
      ['revenue', 'SUM((fct_sales.AMT - fct_sales.DISC))'],
      ['receipts', 'COUNT(DISTINCT fct_sales.RECEIPT_ID)'],
      ['web_share', "COUNT_IF(fct_sales.CHNL_CD = 'WEB') / COUNT(*)"],
      ['store_count', 'COUNT(dim_store.STORE_ID)'],
      ['revenue per store', { numerator: 'revenue', denominator: 'store_count' }],
      ['basket', { numerator: 'revenue', denominator: 'receipts' }],
    ]);
    expect(imported.examples).toMatchInlineSnapshot(`
      [
        {
          "question": "What was the web revenue in March 2025?",
          "sql": "SELECT SUM(net_amount) FROM (SELECT CHNL_CD AS sales_channel, SALE_DT AS sale_date, AMT - DISC AS net_amount FROM RETAIL.PUBLIC.FCT_SALES) AS __sales WHERE sales_channel = 'WEB' AND sale_date BETWEEN '2025-03-01' AND '2025-03-31'",
          "verifiedAt": "2025-03-17",
          "verifiedBy": "Ada",
        },
        {
          "question": "How many stores are in each city?",
          "sql": "SELECT city, COUNT(*) FROM RETAIL.PUBLIC.DIM_STORE GROUP BY city",
          "verifiedAt": "2025-03-18",
          "verifiedBy": "Grace",
        },
      ]
    `);
    expect(imported.notes.map(({ text }) => text)).toEqual([
      'A year is a calendar year. Round money to whole units.',
      'Refuse questions about employees.',
    ]);
  });

  it('Cube: filters of measures, the condition of a cube, the policy for everybody', async () => {
    const { datasets, metrics } = await semanticsOf((await importFixture('cube')).models);
    expect(datasets.find(({ name }) => name === 'orders')).toMatchObject({
      defaultFilter: { sql: 'orders.deleted_at IS NULL' },
      rowFilter: 'tenant_id = :tenant',
      timeColumn: 'orders.created_at',
    });
    expect(metrics.find(({ name }) => name === 'revenue')).toMatchObject({
      expression: 'SUM(orders.amount)',
      filters: ["orders.status = 'paid'"],
    });
    expect(metrics.find(({ name }) => name === 'average_order')?.ratio).toEqual({
      numerator: 'revenue',
      denominator: 'count',
    });
  });

  it('LookML: filters, ratios, a view joined twice under another name', async () => {
    const { metrics, relationships } = await semanticsOf((await importFixture('lookml')).models);
    expect(metrics.find(({ name }) => name === 'revenue')?.filters).toEqual([
      "orders.status_code IN ('paid', 'shipped')",
      'NOT (orders.is_test)',
    ]);
    expect(metrics.find(({ name }) => name === 'Average Order Value')?.ratio).toBeDefined();
    expect(relationships.map(({ name, fromColumns, role }) => [name, ...fromColumns, role])).toEqual([
      ['orders_customers', 'orders.customer_id', undefined],
      ['orders_referrer', 'orders.referrer_id', 'referrer'],
    ]);
  });
});

describe('the Motors demo', () => {
  it.each(['osi', 'cortex', 'cube'])('comes back from %s as it was', async (name) => {
    const format = findFormat(name);
    const models = await readModelFiles(join(MOTORS, 'semantics'));
    const examples = await readExamples(join(MOTORS, 'examples'));
    const { files } = exportKnowledge(format, { models, examples });
    const back = importKnowledge(format, files);
    expect(back.models.map(leanModel)).toEqual(models.map(leanModel));
    expect(back.examples).toEqual(examples.map(({ file: _, ...example }) => example));
    expect(await semanticsOf(back.models)).toEqual(await readSemanticModel(join(MOTORS, 'semantics')));
  });

  it('is mostly in the files of a format, not in the companion beside them', async () => {
    const models = await readModelFiles(join(MOTORS, 'semantics'));
    const { files } = exportKnowledge(findFormat('cortex'), { models, examples: [] });
    const alone = importKnowledge(findFormat('cortex'), [files[0]!]);
    const semantics = await semanticsOf(alone.models);
    const whole = await readSemanticModel(join(MOTORS, 'semantics'));
    const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name).sort();
    expect(namesOf(semantics.metrics)).toEqual(namesOf(whole.metrics));
    expect(namesOf(semantics.dimensions)).toEqual(namesOf(whole.dimensions));
    expect(namesOf(semantics.relationships)).toEqual(namesOf(whole.relationships));
    expect(semantics.valueMappings).toHaveLength(whole.valueMappings.length);
    const orders = semantics.metrics.find((metric) => metric.name === 'deliveries');
    expect(orders?.expression).toContain('CASE WHEN (orders.is_deleted = 0) AND ');
  });
});

describe('a companion', () => {
  it('puts back what fits and reports what was changed since', async () => {
    const format = findFormat('cube');
    const models = await readModelFiles(join(MOTORS, 'semantics'));
    const { files } = exportKnowledge(format, { models, examples: [] });
    const edited = files.map((file) =>
      file.path === 'cubes/dealers.yml'
        ? { ...file, text: file.text.replace('title: dealer type', 'title: type') }
        : file,
    );
    const back = importKnowledge(format, edited);
    expect(losses(back).filter((line) => line.startsWith('dropped'))).toMatchInlineSnapshot(`
      [
        "dropped motors.candor.yml dealers.dealer type: \`via\` is not put back: it was changed since",
      ]
    `);
    const fields = back.models[0]?.datasets.find(({ name }) => name === 'dealers')?.fields;
    expect(fields?.map(({ name }) => name)).toEqual(['dealer', 'dealer_type']);
  });

  it('is found beside a file that is named alone', async () => {
    const models = await readModelFiles(join(MOTORS, 'semantics'));
    const { files } = exportKnowledge(findFormat('osi'), { models, examples: [] });
    for (const { path, text } of files) await writeFile(join(folder, path), text);
    await writeFile(
      join(folder, 'other.candor.yml'),
      'candor_companion: 1\nformat: osi\nmodels: by-name\nchanges: []\n',
    );
    const read = await readForeignFiles(findFormat('osi'), ['motors.yml'], folder);
    expect(read.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
    expect(await readFile(join(folder, 'motors.yml'), 'utf8')).toContain('semantic_model');
    for (const { path } of [...files, { path: 'other.candor.yml' }]) await rm(join(folder, path));
  });
});
