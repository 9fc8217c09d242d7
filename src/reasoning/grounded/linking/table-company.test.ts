import { describe, expect, it } from 'vitest';
import type { ForeignKey, Table } from '../../../catalog/index.ts';
import { readCompany } from './table-company.ts';

function table(name: string, columns: readonly string[]): Table {
  const id = name.toLowerCase();
  const of = (column: string): Table['columns'][number] => ({
    ...{
      id: `${id}.${column}`,
      tableId: id,
      name: column,
      type: 'INTEGER',
      family: 'number',
      isNullable: true,
    },
  });
  return { id, name, schema: 'main', kind: 'table', primaryKey: [], rowCount: 0, columns: columns.map(of) };
}

function company(tables: readonly Table[], foreignKeys: readonly ForeignKey[] = []) {
  const named = tables.map((each) => ({ table: each, stems: each.name.toLowerCase().split('_') }));
  const read = readCompany(named, foreignKeys);
  const names = (places: Iterable<number>): string[] =>
    [...places].map((at) => tables[at]?.name ?? '').sort();
  const at = (name: string): number => tables.findIndex((each) => each.name === name);
  return {
    joined: (name: string) => names(read.joined[at(name)] ?? []),
    keys: (name: string) => (read.keys[at(name)] ?? []).map(names),
    twins: (name: string) => names(read.twins[at(name)] ?? []),
    generations: (name: string) => names(read.generations[at(name)] ?? []),
    ownStems: (name: string) => [...(read.ownStems[at(name)] ?? [])],
  };
}

describe('readCompany', () => {
  it('joins tables whose columns are named as one key, also where nothing is declared', () => {
    const { joined, keys } = company([
      table('movie', ['id', 'title']),
      table('person', ['id', 'name']),
      table('m_cast', ['movie_id', 'person_id']),
    ]);
    expect(joined('m_cast')).toEqual(['movie', 'person']);
    expect(joined('movie')).toEqual(['m_cast']);
    expect(keys('m_cast')).toEqual([['movie'], ['person']]);
  });

  it('takes declared keys, whatever their columns are called', () => {
    const tables = [table('orders', ['buyer']), table('people', ['number_of'])];
    const key: ForeignKey = {
      ...{ fromTable: 'orders', fromColumns: ['orders.buyer'], source: 'declared' },
      ...{ toTable: 'people', toColumns: ['people.number_of'] },
    };
    expect(company(tables, [key]).joined('people')).toEqual(['orders']);
    expect(company(tables).joined('people')).toEqual([]);
  });

  it('knows twins by their columns, and what tells their names apart', () => {
    const posts = ['title', 'body', 'score'];
    const { twins, ownStems } = company([
      table('posts_questions', posts),
      table('posts_answers', [...posts, 'accepted']),
      table('users', ['title', 'reputation', 'joined_on']),
    ]);
    expect(twins('posts_questions')).toEqual(['posts_answers']);
    expect(ownStems('posts_answers')).toEqual(['answers']);
    expect(twins('users')).toEqual([]);
    expect(ownStems('users')).toEqual(['users']);
  });

  it('knows generations of one name', () => {
    const { generations } = company([
      table('county_2018_5yr', ['geo']),
      table('county_2020_5yr', ['geo', 'income', 'rent']),
      table('county_old', ['geo']),
    ]);
    expect(generations('county_2018_5yr')).toEqual(['county_2020_5yr']);
    expect(generations('county_old')).toEqual([]);
  });
});
