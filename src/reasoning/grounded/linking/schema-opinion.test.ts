import { beforeAll, describe, expect, it } from 'vitest';
import type { Catalog, Column, Table } from '../../../catalog/index.ts';
import { type PreparedLinker, prepareLinker } from './prepare-linker.ts';
import { type LinkForests, openLinkForests } from './rank-schema.ts';
import { formSchemaOpinion } from './schema-opinion.ts';

function table(name: string, columns: Readonly<Record<string, string>>, key?: string): Table {
  const id = name.toLowerCase();
  return {
    id,
    name,
    kind: 'table',
    primaryKey: key === undefined ? [] : [`${id}.${key}`],
    rowCount: 0,
    columns: Object.entries(columns).map(
      ([column, type]): Column => ({
        id: `${id}.${column.toLowerCase()}`,
        tableId: id,
        name: column,
        type,
        family: type === 'TEXT' ? 'text' : 'number',
        isNullable: true,
      }),
    ),
  };
}

const sessions = ['20170801', '20170802', '20180101'].map((day) =>
  table(`ga_sessions_${day}`, { visitor_id: 'INTEGER', page_views: 'INTEGER', country: 'TEXT' }),
);
const CATALOG: Catalog = {
  database: 'shop',
  dialect: 'sqlite',
  fingerprint: 'shop',
  foreignKeys: [
    {
      fromTable: 'orders',
      fromColumns: ['orders.customer_id'],
      toTable: 'customers',
      toColumns: ['customers.id'],
      source: 'declared',
    },
  ],
  tables: [
    table('customers', { id: 'INTEGER', full_name: 'TEXT', city: 'TEXT' }, 'id'),
    table('orders', { id: 'INTEGER', customer_id: 'INTEGER', amount: 'REAL', shipped_on: 'TEXT' }, 'id'),
    table('warehouses', { id: 'INTEGER', capacity: 'INTEGER', colour: 'TEXT' }, 'id'),
    ...sessions,
  ],
};

let forests: LinkForests;
let linker: PreparedLinker;
beforeAll(async () => {
  forests = await openLinkForests();
  linker = prepareLinker(CATALOG);
});
const opinionOf = (question: string, hint?: string) =>
  formSchemaOpinion({ question, ...(hint === undefined ? {} : { hint }) }, linker, forests);

describe('formSchemaOpinion', () => {
  it('puts what the question names before what it does not', () => {
    const opinion = opinionOf('What is the total amount of the orders of each customer?');
    expect(opinion.tableOrder.slice(0, 2).sort()).toEqual(['customers', 'orders']);
    expect(opinion.columnProbability('orders.amount')).toBeGreaterThan(0.5);
    expect(opinion.columnProbability('orders.amount')).toBeGreaterThan(
      opinion.columnProbability('warehouses.colour'),
    );
    const { tables, fields } = opinion.choose();
    expect(tables.has('warehouses')).toBe(false);
    expect([...fields]).toEqual(expect.arrayContaining(['orders.amount', 'orders.customer_id']));
  });

  it('has columns that words hit before others also in a table that is too wide to look at', () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`measure_${at}`, 'REAL']));
    const tables = [...CATALOG.tables, table('readings', { ...wide, humidity_share: 'REAL' })];
    const opinion = formSchemaOpinion(
      { question: 'humidity of the orders of customers by city' },
      prepareLinker({ ...CATALOG, tables }),
      forests,
    );
    expect(opinion.columnProbability('readings.humidity_share')).toBe(0);
    expect(opinion.columnPromise('readings.humidity_share')).toBeGreaterThan(
      opinion.columnPromise('readings.measure_0'),
    );
    expect(opinion.columnPromise('orders.amount')).toBeGreaterThan(
      opinion.columnPromise('readings.humidity_share'),
    );
  });

  it('takes what the hint writes', () => {
    const without = opinionOf('How many were late?').columnProbability('orders.shipped_on');
    const withHint = opinionOf('How many were late?', "late refers to shipped_on > '2020-01-01'");
    expect(withHint.columnProbability('orders.shipped_on')).toBeGreaterThan(without);
    expect(withHint.reasons('orders.shipped_on')).toContainEqual({
      kind: 'hint',
      text: 'the hint writes its name',
    });
  });

  it('lets a family stand for the tables that the question is about, else for all', () => {
    const first = 'ga_sessions_20170801';
    expect(linker.schema.tables.filter(({ name }) => name.startsWith('ga_'))).toHaveLength(1);
    expect(opinionOf('page views per country in 2018').membersOf(first)).toEqual(['ga_sessions_20180101']);
    expect(opinionOf('page views per country').membersOf(first)).toHaveLength(3);
    expect(opinionOf('page views').firstOf('ga_sessions_20180101')).toBe(first);
    expect(opinionOf('page views').firstOf('ga_sessions_20180101.country')).toBe(`${first}.country`);
    const opinion = opinionOf('page views per country');
    expect(opinion.tableProbability('ga_sessions_20180101')).toBe(opinion.tableProbability(first));
    expect(opinion.columnProbability('ga_sessions_20180101.country')).toBe(
      opinion.columnProbability(`${first}.country`),
    );
  });

  it('keeps more where less may be lost, and columns of kept tables only', () => {
    const opinion = opinionOf('Which customer spent most?');
    const careful = opinion.choose({ table: 0.01, column: 0.01 });
    const bold = opinion.choose({ table: 0.5, column: 1 });
    for (const id of bold.fields) expect(careful.fields.has(id)).toBe(true);
    expect(careful.fields.size).toBeGreaterThan(bold.fields.size);
    for (const id of bold.fields) expect(bold.tables.has(id.slice(0, id.indexOf('.')))).toBe(true);
  });

  it('is the same every time, and knows nothing of names that are not there', () => {
    const [one, two] = [opinionOf('orders by city'), opinionOf('orders by city')];
    for (const { id } of CATALOG.tables) expect(one.tableProbability(id)).toBe(two.tableProbability(id));
    expect(one.columnProbability('gone.away')).toBe(0);
    expect(one.reasons('gone')).toEqual([]);
    expect(one.membersOf('gone')).toEqual(['gone']);
  });

  it.each(['', '?', '价格', '__proto__ constructor toString', 'a'.repeat(50_000)])(
    'reads %j too',
    (question) => {
      const opinion = opinionOf(question);
      expect(opinion.tableOrder).toHaveLength(linker.schema.tables.length);
      for (const id of opinion.tableOrder) expect(opinion.tableProbability(id)).toBeLessThanOrEqual(1);
    },
  );
});
