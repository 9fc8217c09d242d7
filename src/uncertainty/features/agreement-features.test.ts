import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { queries } from '../../../test/fixtures/uncertainty/draw-queries.ts';
import {
  fixtureQueries,
  groupBreach,
  nodeAt,
  queryOf,
  rowOf,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { agreementFeatures } from './agreement-features.ts';
import type { FeatureValue } from './feature.ts';

const schema = prepareSchemaFacts(ALBUMS);
const OWN = "SELECT Name FROM artist WHERE Name = 'Abba' AND founded > 1970 ORDER BY born LIMIT 1";
/** The first is the same but for the order of AND; the others lack one thing or another. */
const OTHERS = [
  "SELECT Name FROM artist WHERE founded > 1970 AND Name = 'Abba' ORDER BY born LIMIT 1",
  "SELECT Name FROM artist WHERE Name = 'Blur'",
  "SELECT title FROM album JOIN artist ON artist_id = artist.id WHERE Name = 'Blur'",
];

function valuesAt(
  place: string,
  others: readonly string[] = OTHERS,
  sql: string = OWN,
): Readonly<Record<string, FeatureValue>> {
  const query = queryOf(sql, ALBUMS);
  const sources = { schema, others: others.map((other) => queryOf(other, ALBUMS)) };
  const row = rowOf(agreementFeatures, query, nodeAt(query.tree, place), sources);
  return Object.fromEntries(agreementFeatures.features.map(({ name }, at) => [name, row[at] ?? 'missing']));
}

const THIRD = 1 / 3;

describe('agreement among three others', () => {
  it.each([
    // Two of them ask for Blur in its place.
    ["Literal 'Abba'", 'others_say_it', THIRD],
    ["Literal 'Abba'", 'others_use_it_so', THIRD],
    ["Literal 'Abba'", 'others_fill_otherwise', 2 * THIRD],
    ["Literal 'Abba'", 'others_rival', 2 * THIRD],
    ["Literal 'Abba'", 'others_say_around', THIRD],
    // The column is in all, but shown by two only.
    ['Column Name', 'others_say_it', 1],
    ['Column Name', 'others_say_it_here', 2 * THIRD],
    ['Column Name', 'others_use_it_so', 2 * THIRD],
    // The third shows a title and joins by two keys.
    ['Column Name', 'others_rival', THIRD],
    ['Column founded', 'others_say_it', THIRD],
    ['Column founded', 'others_fill_otherwise', 0],
    ['Table artist', 'others_say_it', 1],
    // The third reads FROM album and joins artist: of inner joins the order says nothing.
    ['Table artist', 'others_use_it_so', 1],
    ['Table artist', 'others_rival', THIRD],
    ['Identifier artist', 'others_rival', THIRD],
    ["EQ Name = 'Abba'", 'others_lowest_below', THIRD],
    [`Select ${OWN}`, 'others_say_around', 1],
    [`Select ${OWN}`, 'others_lowest_below', THIRD],
    // Of the whole query, at any node.
    ['Column Name', 'n_others', 3],
    ['Column Name', 'others_whole', THIRD],
    ['Column Name', 'others_select', 2 * THIRD],
    ['Column Name', 'others_from', 2 * THIRD],
    ['Column Name', 'others_where', THIRD],
    ['Column Name', 'others_order', THIRD],
    ['Column Name', 'others_group', 1],
    ['Column Name', 'others_tables', 2 * THIRD],
    ['Column Name', 'others_columns', THIRD],
    // Own and the first are one group of two among four; three different queries.
    ['Column Name', 'others_largest', 0.5],
    ['Column Name', 'others_different', 0.75],
  ] as const)('%s: %s is %d', (place, name, expected) =>
    expect(valuesAt(place)[name]).toBeCloseTo(expected, 12),
  );

  it('has no rivals of what is no column, table, literal or name', () =>
    expect(valuesAt("EQ Name = 'Abba'").others_rival).toBeNaN());

  it('is full agreement where all are the same', () => {
    const values = valuesAt("Literal 'Abba'", [OTHERS[0]!, OTHERS[0]!]);
    for (const name of ['others_say_it', 'others_say_it_here', 'others_use_it_so', 'others_whole'])
      expect(values[name], name).toBe(1);
    expect(values.others_rival).toBe(0);
    expect(values.others_different).toBeCloseTo(THIRD, 12);
  });

  it('counts a query that was given twice twice, as one object or as two', () => {
    const query = queryOf(OWN, ALBUMS);
    const [blur, again, same] = [OTHERS[1]!, OTHERS[1]!, OTHERS[0]!].map((sql) => queryOf(sql, ALBUMS));
    const read = (others: readonly (typeof query)[]) =>
      query.tree.nodes.map((node) => rowOf(agreementFeatures, query, node, { schema, others }));
    expect(read([blur!, blur!, same!])).toEqual(read([blur!, again!, same!]));
  });
});

describe('agreement alone', () => {
  it('is not known, and says that nobody else was asked', () => {
    const values = valuesAt('Column Name', []);
    expect(values.n_others).toBe(0);
    expect(Object.values(values).slice(1)).toEqual(Array(17).fill(Number.NaN));
  });
});

describe('laws of agreement', () => {
  it('hold for drawn queries: shares, whatever the order of the others', () => {
    fc.assert(
      fc.property(queries, fc.array(queries, { minLength: 1, maxLength: 5 }), (sql, texts) => {
        const read = [sql, ...texts].flatMap((text) => {
          const one = readQuery(text, 'sqlite', ALBUMS);
          return one.ok ? [one.query] : [];
        });
        const [query, ...others] = read;
        fc.pre(query !== undefined && others.length > 0);
        expect(groupBreach(agreementFeatures, query, { schema, others }, true)).toBeUndefined();
        for (const node of query.tree.nodes) {
          const row = rowOf(agreementFeatures, query, node, { schema, others });
          const turned = rowOf(agreementFeatures, query, node, { schema, others: others.toReversed() });
          expect(row).toEqual(turned);
          for (const value of row.slice(1))
            expect(Number.isNaN(value) || (Number(value) >= 0 && Number(value) <= 1)).toBe(true);
        }
      }),
    );
  });

  it('hold for the queries of the fixtures beside their neighbours', () => {
    const read = fixtureQueries().flatMap(([sql, dialect]) => {
      const one = readQuery(sql, dialect, ALBUMS);
      return one.ok ? [one.query] : [];
    });
    for (const [at, query] of read.entries()) {
      const others = read.slice(at + 1, at + 3);
      expect(
        groupBreach(agreementFeatures, query, { schema, others }, true),
        query.tree.text,
      ).toBeUndefined();
    }
  });
});
