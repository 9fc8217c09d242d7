import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { openPairSet, type TrainingItem } from './training-set.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(() => small.close());

function itemsOf(...pairs: readonly (readonly [question: string, sql: string])[]): TrainingItem[] {
  const examples = pairs.map(([question, sql]) => ({ question, sql, file: 'examples/pair.sql' }));
  return openPairSet(changedSession(small.session, { examples }), new AbortController().signal);
}

describe('openPairSet', () => {
  it('has the verified pairs that can be read', () => {
    const items = itemsOf(
      ['How many singers are there?', 'SELECT COUNT(*) FROM singers'],
      ['?', 'SELECT COUNT(*) FROM singers'],
      ['How many pets are there?', 'SELECT FROM'],
    );
    expect(items.map(({ id, gold }) => [id, gold.shape.show])).toEqual([
      ['How many singers are there?', 'count'],
    ]);
  });

  it('tells right queries by their rows', async () => {
    const [item] = itemsOf(['How many singers are there?', 'SELECT COUNT(*) FROM singers']);
    expect(await item?.isRight('SELECT COUNT(singer_id) FROM singers')).toBe(true);
    expect(await item?.isRight('SELECT COUNT(*) FROM pets')).toBe(false);
    expect(await item?.isRight('DROP TABLE singers')).toBe(false);
  });

  it('asks for an order where the pair has one', async () => {
    const [item] = itemsOf(['List the titles of songs.', 'SELECT title FROM songs ORDER\n  BY song_id']);
    expect(await item?.isRight('SELECT title FROM songs ORDER BY song_id')).toBe(true);
    expect(await item?.isRight('SELECT title FROM songs ORDER BY song_id DESC')).toBe(false);
  });
});
