import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedOf, type Likelihoods } from '../../../test/fixtures/uncertainty/asked.ts';
import { queries } from '../../../test/fixtures/uncertainty/draw-queries.ts';
import { MUSIC, NO_TABLES } from '../../../test/fixtures/uncertainty/music-catalog.ts';
import {
  featureReader,
  fixtureQueries,
  groupBreach,
  queryOf,
  rowOf,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { linkingFeatures } from './linking-features.ts';

const LIKELY: Likelihoods = {
  ...{ artist: 0.9, album: 0.7, track: 0.4, chart: 0.1 },
  ...{ 'artist.name': 0.8, 'artist.country': 0.5, 'artist.id': 0.3, 'artist.born': 0.01 },
  ...{ 'album.title': 0.6, 'album.year': 0.55, 'track.name': 0.4, 'chart.year': 0.1 },
};
const asked = askedOf(MUSIC, { text: 'Who?' }, LIKELY);
const read = featureReader(linkingFeatures, MUSIC, { asked });

const SQL = "SELECT name FROM artist WHERE born > '1950-01-01'";
const NAN = Number.NaN;

describe('linking of nodes', () => {
  it.each([
    [SQL, 'Column name', 'link_column', 0.8],
    [SQL, 'Column name', 'link_table', 0.9],
    [SQL, 'Column born', 'link_column', 0.01],
    // A literal has what it is compared with.
    [SQL, "Literal '1950-01-01'", 'link_column', 0.01],
    [SQL, "Literal '1950-01-01'", 'link_table', NAN],
    [SQL, 'Table artist', 'link_table', 0.9],
    [SQL, 'Table artist', 'link_column', NAN],
    [SQL, `Select ${SQL}`, 'link_lowest_below', 0.01],
    [SQL, `Select ${SQL}`, 'link_mean_below', 0.405],
    [SQL, 'Column name', 'link_lowest_below', 0.8],
    [SQL, 'Table artist', 'link_lowest_below', NAN],
    [SQL, 'Table artist', 'link_mean_below', NAN],
    // Likelier: name, title, year, Country, name of tracks, id, and year of charts.
    [SQL, 'Column born', 'link_rank', 7],
    [SQL, 'Column born', 'link_rank_in_table', 3],
    [SQL, 'Column name', 'link_rank', 0],
    [SQL, 'Column name', 'link_namesake', 0.4],
    [SQL, 'Column born', 'link_namesake', 0],
    [SQL, 'Column name', 'link_rival_in_table', 0.5],
    [SQL, 'Column name', 'link_rival_elsewhere', 0.6],
    [SQL, "Literal '1950-01-01'", 'link_rival_in_table', NAN],
    // About no table: the likeliest of all.
    [SQL, "Literal '1950-01-01'", 'link_rival_elsewhere', 0.6],
    // 0.5 + 0.3 + 0.6 + 0.55 + 0.4 + 0.1
    [SQL, 'Column name', 'link_missing', 2.45],
    [SQL, 'Column name', 'link_superfluous', 0.2 + 0.99],
    [SQL, 'Column name', 'link_table_missing', 0.7],
    [SQL, 'Column name', 'link_table_superfluous', 0.1],
    ['SELECT title FROM album', 'Column title', 'link_rival_in_table', 0.55],
    ['SELECT title FROM album', 'Column title', 'link_rival_elsewhere', 0.8],
    ['SELECT title FROM album', 'Column title', 'link_table_superfluous', 0.3],
    // Of a table none of whose columns is likely.
    ['SELECT week FROM chart', 'Column week', 'link_rival_in_table', 0.1],
    ['SELECT year FROM chart', 'Column year', 'link_rival_in_table', 0],
    ['SELECT nope FROM nope', 'Column nope', 'link_column', NAN],
    ['SELECT nope FROM nope', 'Column nope', 'link_rank', NAN],
    ['SELECT nope FROM nope', 'Column nope', 'link_superfluous', 0],
    ['SELECT nope FROM nope', 'Column nope', 'link_table_superfluous', NAN],
  ] as const)('%s: %s has %s %d', (sql, place, name, expected) => {
    const value = read(sql, place)[name];
    if (Number.isNaN(expected)) expect(value).toBeNaN();
    else expect(value).toBeCloseTo(expected, 12);
  });

  it('tells people of unlikely columns and of likely ones that are left out', () => {
    const tell = (name: string, value: number) =>
      linkingFeatures.features.find((feature) => feature.name === name)?.tell?.(value);
    expect(tell('link_column', 0.1)).toBe('the question hardly speaks of this column');
    expect(tell('link_column', 0.5)).toBeUndefined();
    expect(tell('link_column', NAN)).toBeUndefined();
    expect(tell('link_rival_in_table', 0.9)).toContain('another column of its table');
  });
});

describe('laws of linking', () => {
  const schema = prepareSchemaFacts(MUSIC);
  const ids = [...schema.columns.keys()];

  it('ranks are what counting gives, rivals what searching gives, for drawn probabilities', () => {
    const drawn = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: ids.length,
      maxLength: ids.length,
    });
    fc.assert(
      fc.property(drawn, fc.constantFrom(...ids), (probabilities, id) => {
        const likelihoods = Object.fromEntries(ids.map((one, at) => [one, probabilities[at] ?? 0]));
        const question = askedOf(MUSIC, { text: 'x' }, likelihoods);
        const { name, tableId } = schema.columns.get(id)!;
        const query = queryOf(`SELECT "${name}" FROM ${tableId}`, MUSIC);
        const row = rowOf(linkingFeatures, query, query.tree.nodes[1]!, { schema, asked: question });
        const better = question.likely.filter(({ probability }) => probability > (likelihoods[id] ?? 0));
        const others = question.likely.filter((one) => one.id !== id);
        const inTable = others.filter((one) => one.tableId === tableId);
        expect([row[4], row[5]]).toEqual([
          better.filter((one) => one.tableId === tableId).length,
          better.length,
        ]);
        expect([row[7], row[8]]).toEqual([
          inTable[0]?.probability ?? 0,
          others.find((one) => one.tableId !== tableId)?.probability ?? 0,
        ]);
      }),
    );
  });

  it('hold for drawn queries, with and without a schema', () => {
    fc.assert(
      fc.property(queries, (sql) => {
        for (const catalog of [MUSIC, NO_TABLES]) {
          const one = readQuery(sql, 'sqlite', catalog);
          const sources = { schema: prepareSchemaFacts(catalog), asked };
          if (one.ok) expect(groupBreach(linkingFeatures, one.query, sources, true)).toBeUndefined();
        }
      }),
    );
  });

  it('hold for the queries of the fixtures', () => {
    for (const [sql, dialect] of fixtureQueries()) {
      const one = readQuery(sql, dialect, MUSIC);
      if (one.ok)
        expect(groupBreach(linkingFeatures, one.query, { schema, asked }, true), sql).toBeUndefined();
    }
  });

  it('one question beside another schema is read anew', () => {
    const query = queryOf('SELECT name FROM artist', MUSIC);
    const at = (facts: typeof schema) =>
      rowOf(linkingFeatures, query, query.tree.nodes[1]!, { schema: facts, asked });
    expect([schema, prepareSchemaFacts(NO_TABLES), schema].map((facts) => at(facts)[6])).toEqual([
      0.4, 0, 0.4,
    ]);
  });

  it('without a question nothing is known', () => {
    const values = featureReader(linkingFeatures, MUSIC)(SQL, 'Column name');
    expect(new Set(Object.values(values))).toEqual(new Set([NAN]));
  });
});
