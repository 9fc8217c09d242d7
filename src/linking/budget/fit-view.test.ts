import { beforeAll, describe, expect, it } from 'vitest';
import type { Catalog, Table } from '../../catalog/index.ts';
import { estimateTokens } from '../../catalog/prompt-schema/index.ts';
import { sharedAnnotatedText } from '../../catalog/share/index.ts';
import { formSchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import { type PreparedLinking, prepareLinking } from '../link-sources.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';
import { fitView } from './fit-view.ts';

function table(name: string, columns: readonly string[], key?: string): Table {
  const id = `main.${name.toLowerCase()}`;
  return {
    ...{ id, name, schema: 'main', kind: 'table', rowCount: 0 },
    primaryKey: key === undefined ? [] : [`${id}.${key}`],
    columns: columns.map((column) => ({
      ...{ id: `${id}.${column}`, tableId: id, name: column, type: 'TEXT', family: 'text', isNullable: true },
    })),
  };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const WIDE = range(80).map((at) => `measure_${at}`);
const TABLES = [
  table('orders', ['order_id', 'customer_id', 'amount', 'placed_on'], 'order_id'),
  table('customers', ['customer_id', 'full_name', 'city'], 'customer_id'),
  ...range(30).map((day) =>
    table(`ga_sessions_201708${String(day + 1).padStart(2, '0')}`, ['visitor', 'pages']),
  ),
  table('county_2018_5yr', ['geo', 'income']),
  table('county_2020_5yr', ['geo', 'income', 'rent']),
  table('readings', ['reading_id', ...WIDE], 'reading_id'),
  ...range(60).map((at) =>
    table(`attic_box${'abcdefgh'[at % 8]}_${'stuvwxyz'[at >> 3]}`, [`dust_${at}`, `label_${at}`]),
  ),
];
const CATALOG: Catalog = {
  ...{ database: 'lake', dialect: 'duckdb', fingerprint: 'lake', foreignKeys: [], tables: TABLES },
};

let prepared: PreparedLinking;
beforeAll(async () => {
  prepared = await prepareLinking(CATALOG);
});

function view(question: string, tokens: number, items: readonly LinkedItem[] = []) {
  const { tables, linker, forests } = prepared;
  const opinion = formSchemaOpinion({ question }, linker, forests);
  return fitView(items, { question, tables, opinion }, tokens);
}

function item(id: string, more: Partial<LinkedItem> = {}): LinkedItem {
  const kind = prepared.tables.table(id) === undefined ? 'field' : 'table';
  return { id, kind, because: [], tier: 'relevant', isAuto: false, score: 0.5, ...more };
}

const namesOf = ({ catalog }: { readonly catalog: Catalog }): string[] =>
  catalog.tables.map(({ name }) => name);
const tableOf = ({ catalog }: { readonly catalog: Catalog }, name: string): Table | undefined =>
  catalog.tables.find((each) => each.name === name);

describe('fitView', () => {
  it('takes no more room than there is, fills it with the likeliest, and says how much is left out', () => {
    const fitted = view('What is the total amount of the orders of each customer?', 250);
    expect(estimateTokens(sharedAnnotatedText(fitted.catalog, 'all'))).toBeLessThanOrEqual(250);
    expect(namesOf(fitted)).toEqual(expect.arrayContaining(['orders', 'customers']));
    expect(fitted.catalog.tables.length).toBeLessThan(TABLES.length);
    expect(fitted.leftOut).toEqual([
      `${fitted.catalog.tables.length} tables are shown, the likeliest of ${prepared.tables.families.length} that differ in more than a number`,
    ]);
  });

  it('shows one table where not even one fits', () => {
    expect(namesOf(view('amount of orders', 1))).toHaveLength(1);
  });

  it.each([
    ['page views of sessions on August 12, 2017', ['ga_sessions_20170812']],
    ['pages per visitor of all ga sessions', ['ga_sessions_20170830']],
  ])('shows of a family what “%s” names, else the newest, and tells of the others', (question, shown) => {
    const fitted = view(question, 900);
    expect(namesOf(fitted).filter((name) => name.startsWith('ga_'))).toEqual(shown);
    expect(tableOf(fitted, shown[0] ?? '')?.comment).toBe(
      'one of 30 tables with these columns, ga_sessions_20170801 to ga_sessions_20170830',
    );
  });

  it('tells of the generations of a table', () => {
    const fitted = view('income by county in 2020', 900);
    expect(tableOf(fitted, 'county_2020_5yr')?.comment).toBe('with nearly these columns: county_2018_5yr');
  });

  it('puts what a metric needs first, and what was linked before what was not', () => {
    const metric = item('main.attic_boxa_s', { because: [{ kind: 'metric', text: 'dust' }] });
    expect(namesOf(view('amount of orders', 14, [metric]))).toEqual(['attic_boxa_s']);
    const linked = item('main.attic_boxb_t', { score: 0.9 });
    const fitted = view('amount of orders', 250, [linked]);
    expect(namesOf(fitted)).toContain('attic_boxb_t');
    expect(fitted.items).toContainEqual(linked);
    expect(fitted.items.map(({ id }) => id)).toEqual(
      fitted.catalog.tables.flatMap(({ id, columns }) => [id, ...columns.map((column) => column.id)]),
    );
    expect(view('amount of orders', 14, [metric, linked]).items).toContainEqual(metric);
    expect(view('amount of orders', 14, [metric, linked]).items).not.toContainEqual(linked);
  });

  it('shows of a wide table its key, what was linked and the likeliest columns', () => {
    const chosen = [item('main.readings'), item('main.readings.measure_77')];
    const names = tableOf(view('measure 5 of the readings', 2_000, chosen), 'readings')?.columns.map(
      ({ name }) => name,
    );
    expect(names).toHaveLength(24);
    expect(names).toEqual(expect.arrayContaining(['reading_id', 'measure_77', 'measure_5']));
  });
});
