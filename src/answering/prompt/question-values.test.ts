/** What the schema and the lines beside it say of stored values, over a database made for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { linkingOf, linkQuestion } from './link-question.ts';
import { assembleContext } from './question-context.ts';

const codes = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `C${String.fromCharCode(65 + (at % 26))}${at < 26 ? '' : 'X'}`);
const list = (values: readonly string[]): string => values.map((value) => `('${value}')`).join(', ');
/** Its place in the rows, over as many values. */
const cycle = (values: readonly string[]): string =>
  `(SELECT v FROM (SELECT column1 AS v, ROW_NUMBER() OVER () AS n FROM (VALUES ${list(values)})) WHERE n = 1 + i % ${values.length})`;

const STATEMENTS = [
  'CREATE TABLE hosts (host_id INTEGER PRIMARY KEY, nick TEXT)',
  "INSERT INTO hosts VALUES (1, 'Aurora'), (2, 'Norvik')",
  `CREATE TABLE visits (
     visit_no TEXT PRIMARY KEY, host_id INTEGER REFERENCES hosts (host_id), thirty TEXT, more TEXT, prose TEXT,
     is_paid INTEGER, score REAL, on_day TEXT, place TEXT, kind TEXT,
     berth TEXT)`,
  `WITH RECURSIVE rows (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM rows WHERE i < 199)
   INSERT INTO visits SELECT printf('V-%05d', i), 1 + i % 2, ${cycle(codes(30))}, ${cycle(codes(31))},
     'A long story of what had happened that day, told by number ' || (i % 3), i % 2, i - 7.5,
     DATE('2024-01-01', '+' || i || ' days'), ${cycle(['Aurora', ...Array.from({ length: 60 }, (_, at) => `Town ${at}`)])},
     ${cycle(['Aurora', 'Meeting'])}, ${cycle(Array.from({ length: 40 }, (_, at) => `Berth ${at} `))} FROM rows`,
];

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession({ statements: STATEMENTS });
});
afterAll(() => small.close());

describe('the line of a column', () => {
  it.each([
    ['a list of 30 is whole, and says so', `thirty TEXT: one of ${[...codes(30)].sort().join(', ')}`],
    ['one of 31 is none', 'more TEXT: e.g. CA, CB'],
    ['long texts are not listed', 'prose TEXT'],
    ['two numbers are listed', 'is_paid INTEGER: one of 0, 1'],
    ['blanks around values are seen', 'berth TEXT: e.g. "Berth 0 ", "Berth 1 "'],
    ['measures have a range', 'score REAL: -7.5 to 191.5'],
    ['days have a range', 'on_day TEXT: 2024-01-01 to 2024-07-18'],
    ['a number that is a key has no values', 'host_id INTEGER key'],
    ['nor has what leads to it', 'host_id INTEGER -> hosts.host_id'],
    ['a key that is a text shows its form', 'visit_no TEXT key: e.g. V-00000'],
  ])('%s', (_, line) => {
    const lines = assembleContext(small.session, { sharing: 'all' }).schema().split('\n');
    expect(lines.map((one) => one.trim())).toContain(line);
  });

  it('has no value in private mode', () => {
    const schema = assembleContext(small.session, { sharing: 'private' }).schema();
    expect(schema).not.toMatch(/one of|e\.g\.|CAX|Aurora|191/);
    expect(schema).toContain('thirty TEXT');
  });
});

describe('values like words of the question', () => {
  it.each([
    ['How many visits to Town 7?', ['“Town 7” visits.place: Town 7']],
    ['How many visits at Berth 3?', ['“Berth 3” visits.berth: "Berth 3 "']],
    // What the schema has whole needs no pointing at.
    ['How many visits were a meeting?', []],
    // Where one word is in several columns, all are told.
    [
      'How many visits of Aurora?',
      ['“Aurora” hosts.nick: Aurora', '“Aurora” visits.kind: Aurora', '“Aurora” visits.place: Aurora'],
    ],
    ['How many visits to Wakanda.', ['“Wakanda”: nothing stored is like it']],
    // The end of a sentence ends a name; what a sentence begins with is none; an engine is stored nowhere.
    ['Visits in December. Two numbers please. SQLite says no', []],
    [
      'Visits to St. Wakanda and Dr. No',
      ['“Dr. No”: nothing stored is like it', '“St. Wakanda”: nothing stored is like it'],
    ],
    ['How many visits to "Town 7".', ['“Town 7” visits.place: Town 7']],
  ])('%s', async (question, lines) => {
    const { linked, retrieved } = await linkQuestion(question, await linkingOf(small.session));
    const { values } = assembleContext(small.session, { question, linked, retrieved, sharing: 'all' });
    expect([...values].sort()).toEqual(lines);
    expect(
      assembleContext(small.session, { question, linked, retrieved, sharing: 'private' }).values,
    ).toEqual([]);
  });
});
