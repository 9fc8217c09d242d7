import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import type { KnowledgeBase } from '../../knowledge/base/knowledge-base.ts';
import { TableAccesses } from '../../knowledge/usage/table-accesses.ts';
import { tableCards } from './table-cards.ts';

let small: SmallSession;
let base: KnowledgeBase;
beforeAll(async () => {
  small = await openSmallSession();
  base = await small.session.base.open();
}, 60_000);
afterAll(() => small.close());

const used = (tableId: string, runs: number) => ({
  ...{ tableId, runs, users: 3, popularity: Math.log1p(3) + 0.3 * Math.log1p(runs), lastAt: '2024-09-30' },
});

describe('a table card', () => {
  it('says what the catalog and the keys know', () => {
    const [card] = tableCards([{ id: 'songs', because: ['it is asked for'] }], small.session, base);
    expect(card).toMatchObject({ id: 'songs', name: 'songs', tags: [], joinedWith: ['singers'] });
    expect(card?.columns.map(({ name }) => name)).toContain('release_year');
    expect(card?.monthlyReads).toBeUndefined();
  });

  it('lists first the columns that are asked for', () => {
    const [card] = tableCards(
      [{ id: 'songs', because: [], columns: ['songs.language'] }],
      small.session,
      base,
    );
    expect(card?.columns[0]).toMatchObject({ name: 'language', type: 'TEXT' });
  });

  it('counts reads a month, and marks the most read fifth', () => {
    // 90 days: 900 runs are 300 in 30 days.
    const tables = [
      used('songs', 900),
      used('singers', 90),
      used('pets', 12),
      used('concerts', 30),
      used('stadiums', 3),
    ];
    const usage = {
      ...{ from: '2024-07-03', to: '2024-09-30', tables, columns: [], joins: [], coQueried: [] },
      ...{ accesses: TableAccesses.of([]), examples: [], serviceAccounts: [], unknownTables: [] },
    };
    const ids = ['songs', 'singers', 'students'];
    const cards = tableCards(
      ids.map((id) => ({ id, because: [] })),
      small.session,
      { ...base, usage },
    );
    expect(cards.map(({ monthlyReads, tags }) => [monthlyReads, tags])).toEqual([
      [300, ['popular']],
      [30, []],
      [0, []],
    ]);
  });

  it('is not made of a table that is not there', () => {
    expect(tableCards([{ id: 'unicorns', because: [] }], small.session, base)).toEqual([]);
  });
});
