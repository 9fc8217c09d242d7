import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import { timeMentions } from '../words/time-mentions.ts';
import { chooseMembers } from './choose-members.ts';
import { groupFamilies } from './table-families.ts';

const catalog = smallCatalog({
  'web.sessions_20170630': ['id', 'page'],
  'web.sessions_20170701': ['id', 'page'],
  'web.sessions_20170702': ['page', 'ID'],
  'web.sessions_20180101': ['id', 'page', 'campaign'],
  'fec.indiv16': ['name', 'amount'],
  'fec.indiv20': ['name', 'amount'],
  'a.city.trips': ['bike', 'start'],
  'b.city.trips': ['bike', 'start'],
  'city.trips_extra': ['bike', 'start'],
});
const families = groupFamilies(catalog);
const familyOf = (id: string) =>
  families.find(({ members }) => members.some(({ table }) => table.id === id))!;
const choose = (id: string, question: string, strong = '') =>
  chooseMembers(familyOf(id).members, {
    periods: timeMentions(question),
    marks: new Set(question.toLowerCase().match(/\d+|[a-z]+/g) ?? []),
    strengthOf: (database) => (database === strong ? 1 : 0),
  });

describe('families of tables', () => {
  it('are tables of one name but for numbers, and equal columns in any order', () => {
    expect(families.map(({ pattern, members }) => [pattern, members.length])).toEqual([
      ['sessions_#', 3],
      ['sessions_#', 1],
      ['indiv#', 2],
      ['trips', 2],
      ['trips_extra', 1],
    ]);
  });

  it.each([
    ['web.sessions_20170630', 'visits in July 2017', ['web.sessions_20170702', 'web.sessions_20170701'], 2],
    ['web.sessions_20170630', 'visits on June 30, 2017', ['web.sessions_20170630'], 1],
    ['web.sessions_20170630', 'visits', ['web.sessions_20170702'], 0],
    ['fec.indiv16', 'donations in 2016', ['fec.indiv16'], 1],
    ['fec.indiv16', 'donations', ['fec.indiv20'], 0],
  ] as const)('of %s give for %j first %j', (id, question, first, namedCount) => {
    const chosen = choose(id, question);
    expect(chosen.members.slice(0, first.length).map(({ table }) => table.id)).toEqual(first);
    expect(chosen.namedCount).toBe(namedCount);
  });

  it('are tables that differ in one word where there are many', () => {
    const states = ['ohio', 'utah', 'iowa', 'texas', 'maine', 'idaho', 'nevada', 'oregon'];
    const tracts = Object.fromEntries(states.map((state) => [`geo.tracts_${state}`, ['id', 'area']]));
    const patterns = (names: Readonly<Record<string, string[]>>) =>
      groupFamilies(smallCatalog(names)).map(({ pattern }) => pattern);
    expect(patterns({ ...tracts, 'geo.tracts_us': ['id', 'zone'] })).toEqual(['tracts_*', 'tracts_us']);
    const { 'geo.tracts_utah': _, ...seven } = tracts;
    expect(patterns(seven)).toHaveLength(7);
    const [family] = groupFamilies(smallCatalog(tracts));
    const wishes = { periods: [], marks: new Set(['tracts', 'in', 'iowa']), strengthOf: () => 0 };
    const chosen = chooseMembers(family!.members, wishes);
    expect([chosen.members[0]?.table.id, chosen.namedCount]).toEqual(['geo.tracts_iowa', 1]);
  });

  it('give the copy in the database whose other tables fit', () => {
    expect(choose('a.city.trips', 'bike trips', 'b').members[0]?.table.id).toBe('b.city.trips');
    expect(choose('a.city.trips', 'bike trips', 'a').members[0]?.table.id).toBe('a.city.trips');
  });
});
