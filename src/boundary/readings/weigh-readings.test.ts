import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { type AskOptions, ask } from '../../answering/index.ts';
import { entropy } from './weigh-readings.ts';

/** Trips between cities, and articles of whom one person may have written and edited the same. */
const STATEMENTS = [
  'CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, start_city TEXT, end_city TEXT, started_on TEXT)',
  `INSERT INTO trips VALUES (1, 'Paris', 'Lyon', '2024-01-02'), (2, 'Lyon', 'Paris', '2024-02-02'),
    (3, 'Paris', 'Nice', '2024-03-02'), (4, 'Nice', 'Lyon', '2024-03-05'), (5, 'Graz', 'Graz', '2024-03-06')`,
  'CREATE TABLE articles (article_id INTEGER PRIMARY KEY, title TEXT, writer TEXT, editor TEXT)',
  `INSERT INTO articles VALUES (1, 'a', 'Ann Lee', 'Bob Ray'), (2, 'b', 'Bob Ray', 'Ann Lee'),
    (3, 'c', 'Ann Lee', 'Cid Orr')`,
];

let trips: SmallSession;
beforeAll(async () => {
  trips = await openSmallSession({ statements: STATEMENTS });
});
afterAll(() => trips.close());

const asked = (question: string, options: AskOptions = {}) =>
  ask(question, trips.session, { record: false, related: false, ...options });

describe('readings of several meanings', () => {
  const unclear: readonly (readonly [question: string, phrase: string, options: readonly string[]])[] = [
    ['How many trips in Paris?', 'Paris', ['trip end city: Paris', 'trip start city: Paris']],
    ['How many articles are by Ann Lee?', 'Ann Lee', ['article editor: Ann Lee', 'article writer: Ann Lee']],
    ['What is the city of each trip?', 'city', ['trip end city', 'trip start city']],
    ['How many trips per city?', 'city', ['trip end city', 'trip start city']],
  ];
  it.each(unclear)('asks: “%s”', async (question, phrase, labels) => {
    const answer = await asked(question);
    expect(answer).toMatchObject({ kind: 'clarify', phrase });
    if (answer.kind !== 'clarify') return;
    expect(answer.options.map(({ label }) => label).sort()).toEqual([...labels].sort());
    for (const option of answer.options) {
      // Read alone, the option has its own SQL and is not asked about again.
      expect(await asked(option.question)).toMatchObject({ kind: 'answered', sql: option.sql });
    }
  });

  const clear: readonly (readonly [question: string, cells: unknown])[] = [
    ['How many trips have the start city Paris?', [[2]]],
    ['How many trips with end city Paris?', [[1]]],
    ['How many trips are there?', [[5]]],
  ];
  it.each(clear)('does not ask: “%s”', async (question, rows) => {
    expect(await asked(question)).toMatchObject({ kind: 'answered', rows });
  });

  it('does not ask where each meaning gives the same rows, and says so', async () => {
    const answer = await asked('How many trips in Graz?');
    expect(answer).toMatchObject({ kind: 'answered', rows: [[1]] });
    expect(answer.kind === 'answered' && answer.assumptions.at(-1)?.text).toContain(
      'each gives the same rows',
    );
  });

  it('asks all the same where nothing may be run', async () => {
    expect(await asked('How many trips in Graz?', { execute: false })).toMatchObject({ kind: 'clarify' });
  });

  it('takes what the semantic model names', async () => {
    const { session } = trips;
    const dimension = {
      name: 'destination',
      synonyms: [],
      table: 'trips',
      column: 'trips.start_city',
      isTime: false,
    };
    const semantics = { ...session.semantics, dimensions: [dimension] };
    const answer = await ask('How many trips in Paris?', changedSession(session, { semantics }), {
      record: false,
    });
    expect(answer).toMatchObject({ kind: 'answered', rows: [[2]] });
    const [said] = answer.kind === 'answered' ? answer.assumptions : [];
    expect(said).toMatchObject({ id: 'column', taken: 'trip start city' });
    const [other] = said?.alternatives ?? [];
    expect(other).toMatchObject({ choice: 'trip end city' });
    const assume = { column: other?.choice ?? '' };
    const changed = await ask('How many trips in Paris?', changedSession(session, { semantics }), {
      record: false,
      assume,
    });
    expect(changed).toMatchObject({ kind: 'answered', rows: [[1]], readAs: other?.question });
  });
});

describe('entropy', () => {
  it.each([
    [[1, 1], 1],
    [[1, 1, 1, 1], 2],
    [[5], 0],
    [[3, 1], 0.811],
    [[], 0],
  ])('of %j is %f bits', (weights, bits) => {
    expect(entropy(weights)).toBeCloseTo(bits, 3);
  });
});
