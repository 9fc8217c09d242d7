import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { askedOf, STRANGE_TEXTS } from '../../../test/fixtures/uncertainty/asked.ts';
import { queries } from '../../../test/fixtures/uncertainty/draw-queries.ts';
import {
  featureReader,
  fixtureQueries,
  groupBreach,
  queryOf,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { shapeFeatures } from './shape-features.ts';

const schema = prepareSchemaFacts(ALBUMS);

function values(text: string, hint: string, sql: string) {
  const asked = askedOf(ALBUMS, { text, hint });
  return featureReader(shapeFeatures, ALBUMS, { asked })(sql, `Select ${sql}`);
}

const ABBA = "SELECT title FROM album JOIN artist ON artist_id = artist.id WHERE Name = 'Abba'";

describe('a query beside its question', () => {
  it.each([
    ['Albums by Abba?', '', ABBA, 'unused_question_texts', 0],
    ['Albums by Blur?', '', ABBA, 'unused_question_texts', 1],
    ['Albums by Blur?', '', "SELECT title FROM album WHERE title LIKE '%blur%'", 'unused_question_texts', 0],
    ['Albums since 1972?', '', ABBA, 'unused_question_numbers', 1],
    [
      'Albums since 1972?',
      '',
      "SELECT id FROM artist WHERE born > '1972-01-01'",
      'unused_question_numbers',
      0,
    ],
    ['Albums of 9.50?', '', 'SELECT id FROM album WHERE price = 9.5', 'unused_question_numbers', 0],
    ['x', "it is 'Blur' or 'Queen'", ABBA, 'unused_hint_texts', 2],
    ['x', 'at 5 and 7', 'SELECT id FROM album LIMIT 5', 'unused_hint_numbers', 1],
    ['x', 'price and title', ABBA, 'unused_hint_columns', 1],
    ['x', 'MAX(price)', ABBA, 'unused_hint_calls', 1],
    ['x', 'max(price)', 'SELECT MAX(price) FROM album', 'unused_hint_calls', 0],
    ['How many albums are there', '', ABBA, 'asks_count', 1],
    ['The highest price', '', ABBA, 'asks_superlative', 1],
    ['The average price', '', ABBA, 'asks_average', 1],
    ['The total price', '', ABBA, 'asks_sum', 1],
    ['The percentage of albums', '', ABBA, 'asks_ratio', 1],
    ['Albums of each artist', '', ABBA, 'asks_each', 1],
    ['The distinct titles', '', ABBA, 'asks_different', 1],
    ['Is it by Abba?', '', ABBA, 'asks_yes_or_no', 1],
    ['Who is it?', '', ABBA, 'asks_yes_or_no', 0],
    ['Title, price and cover of bands', '', ABBA, 'n_commas_and_ands', 2],
    ['Who is it?', 'a b c d', ABBA, 'n_question_words', 3],
    ['Who is it?', 'a b c d', ABBA, 'n_hint_words', 4],
    ['x', '', ABBA, 'n_tables', 2],
    ['x', '', ABBA, 'n_selected', 1],
    ['x', '', ABBA, 'n_literals', 1],
    ['x', '', ABBA, 'n_columns', 4],
    ['x', '', ABBA, 'n_selects', 1],
    ['x', '', ABBA, 'n_schema_columns', 12],
    ['x', '', ABBA, 'first_selected', 'Column'],
    ['x', '', ABBA, 'selected_family', 'text'],
    ['x', '', 'SELECT (COUNT(*)) AS n, 1 FROM album', 'first_selected', 'Count'],
    ['x', '', 'SELECT id FROM album WHERE id IN (SELECT 1)', 'n_selects', 2],
  ] as const)('%j, %j, %s: %s is %s', (text, hint, sql, name, expected) =>
    expect(values(text, hint, sql)[name]).toBe(expected),
  );

  it('is the same at every node', () => {
    const asked = askedOf(ALBUMS, { text: 'Albums by Blur?' });
    const query = queryOf(ABBA, ALBUMS);
    const read = shapeFeatures.open(query, { schema, asked });
    const rows = query.tree.nodes.map((node) => {
      const row: (number | string)[] = [];
      read(node, row, 0);
      return row;
    });
    expect(new Set(rows.map(String)).size).toBe(1);
  });

  it('of one question has its own values for every query', () => {
    const asked = askedOf(ALBUMS, { text: 'Albums by Abba?' });
    const read = featureReader(shapeFeatures, ALBUMS, { asked });
    const unused = [ABBA, 'SELECT title FROM album', ABBA].map(
      (sql) => read(sql, `Select ${sql}`).unused_question_texts,
    );
    expect(unused).toEqual([0, 1, 0]);
  });

  it('without a question has what can be counted', () => {
    const read = featureReader(shapeFeatures, ALBUMS)(ABBA, `Select ${ABBA}`);
    expect(read).toMatchObject({
      n_question_words: Number.NaN,
      asks_count: Number.NaN,
      n_tables: 2,
      n_columns: 4,
    });
  });
});

describe('laws of shape', () => {
  it('hold for drawn queries and texts', () => {
    fc.assert(
      fc.property(queries, fc.string({ unit: 'binary' }), fc.string(), (sql, text, hint) => {
        const read = readQuery(sql, 'sqlite', ALBUMS);
        fc.pre(read.ok);
        const sources = { schema, asked: askedOf(ALBUMS, { text, hint }) };
        expect(groupBreach(shapeFeatures, read.query, sources)).toBeUndefined();
      }),
    );
  });

  it('hold for the queries of the fixtures', () => {
    const asked = askedOf(ALBUMS, { text: 'How many albums has Abba?', hint: "it is 'Abba', 1" });
    for (const [sql, dialect] of fixtureQueries()) {
      const read = readQuery(sql, dialect, ALBUMS);
      if (read.ok) expect(groupBreach(shapeFeatures, read.query, { schema, asked }), sql).toBeUndefined();
    }
  });

  it.each(STRANGE_TEXTS.map((text) => [text.slice(0, 30), text]))('hold for %j', (_, text) => {
    const asked = askedOf(ALBUMS, { text, hint: text });
    const read = readQuery(
      `SELECT Name FROM artist WHERE Name = '${text.replaceAll("'", "''")}'`,
      'sqlite',
      ALBUMS,
    );
    if (read.ok) expect(groupBreach(shapeFeatures, read.query, { schema, asked })).toBeUndefined();
  });
});
