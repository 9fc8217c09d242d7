import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { askedOf, STRANGE_TEXTS } from '../../../test/fixtures/uncertainty/asked.ts';
import { queries } from '../../../test/fixtures/uncertainty/draw-queries.ts';
import { table } from '../../../test/fixtures/uncertainty/music-catalog.ts';
import {
  featureReader,
  fixtureQueries,
  groupBreach,
  queryOf,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import type { Catalog } from '../../catalog/index.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import type { FeatureGroup } from './feature.ts';
import { groundingFeatures } from './grounding-features.ts';

const SCHOOLS: Catalog = {
  ...ALBUMS,
  tables: [
    table('school', {
      id: {},
      SchoolName: { comment: 'official name of the school' },
      County: { comment: "county: 'Fresno', 'Alameda'" },
      Charter: { comment: '1 = charter school, 0 = not' },
      Enrollment: {},
    }),
  ],
  foreignKeys: [],
};

function values(question: string, hint: string, sql: string, place: string) {
  const asked = askedOf(SCHOOLS, { text: question, hint });
  return featureReader(groundingFeatures, SCHOOLS, { asked })(sql, place);
}

/** Yes-or-no features of nodes of another kind are not known, which the law of other groups forbids. */
const withoutKinds: FeatureGroup = {
  ...groundingFeatures,
  features: groundingFeatures.features.map((feature) => ({ ...feature, kind: 'number' })),
};

describe('names', () => {
  const SQL = 'SELECT T1.SchoolName FROM school AS T1';
  it.each([
    ['What is the name of the school?', '', 'Column T1.SchoolName', 'name_in_question', 1],
    ['Which schools are there?', '', 'Column T1.SchoolName', 'name_in_question', 0.5],
    ['How many are there?', '', 'Column T1.SchoolName', 'name_in_question', 0],
    ['How many are there?', '', 'Identifier SchoolName', 'name_in_question', 0],
    // An alias stands for its table.
    ['Which schools are there?', '', 'Identifier T1', 'name_in_question', 1],
    ['Which schools are there?', '', 'Table school AS T1', 'name_in_question', 1],
    ['Which?', 'SchoolName is asked', 'Column T1.SchoolName', 'name_written_in_hint', 1],
    ['Which?', 'the name of schools', 'Column T1.SchoolName', 'name_written_in_hint', 0],
    ['Which?', 'the name of schools', 'Column T1.SchoolName', 'name_in_hint', 1],
    ['official school?', '', 'Column T1.SchoolName', 'description_in_question', 1],
    ['official county?', '', 'Column T1.SchoolName', 'description_in_question', 0.5],
  ] as const)('%j, %j: %s has %s %d', (question, hint, place, name, expected) =>
    expect(values(question, hint, SQL, place)[name]).toBe(expected),
  );
});

describe('literals', () => {
  it.each([
    ['Schools in Fresno?', '', "County = 'Fresno'", 'literal_in_question', 1],
    ['Schools in Fresno?', '', "County = 'fresno'", 'literal_in_question', 0.5],
    ['Schools in Fresnoville?', '', "County = 'Fresno'", 'literal_in_question', 0],
    ['Schools in Fresno?', '', "County LIKE '%Fresno%'", 'literal_in_question', 1],
    ['More than 1,500 pupils?', '', 'Enrollment > 1500', 'literal_in_question', 1],
    ['More than 150 pupils?', '', 'Enrollment > 1500', 'literal_in_question', 0],
    ['x', "county 'Fresno'", "County = 'Fresno'", 'literal_in_hint', 1],
    ['x', "county 'Fresno'", "County = 'Fresno'", 'literal_quoted_in_hint', 1],
    ['x', 'county Fresno', "County = 'Fresno'", 'literal_quoted_in_hint', 0],
    ['x', "county 'FRESNO'", "County = 'Fresno'", 'literal_quoted_in_hint', 0.5],
    ['x', '', "County = 'Fresno'", 'literal_in_description', 1],
    ['x', '', "County = 'Marin'", 'literal_in_description', 0],
    ['x', '', "Enrollment = 'Marin'", 'literal_in_description', Number.NaN],
    ['x', '', 'Charter = 1', 'literal_in_description', 1],
    ['the unified district of Fresno', '', "County = 'Fresno Unified'", 'literal_words_said', 1],
    ['the district of Fresno', '', "County = 'Fresno Unified'", 'literal_words_said', 0.5],
    ['x', '', 'Charter = 1', 'literal_words_said', Number.NaN],
    ['Schools of Fresno Unified here?', '', "County = 'Fresno'", 'literal_of_longer', 1],
    ['Schools of Fresno here?', '', "County = 'Fresno'", 'literal_of_longer', 0],
    ['x', 'Charter = 1 means it', 'Charter = 1', 'literal_pair_in_hint', 1],
    ['x', 'Charter = 0 means it', 'Charter = 1', 'literal_pair_in_hint', -1],
    ['x', 'means it', 'Charter = 1', 'literal_pair_in_hint', 0],
    ['x', "`County` = 'Fresno'", "County = 'Fresno'", 'literal_pair_in_hint', 1],
    ['x', "County in ('Alameda')", "County = 'Fresno'", 'literal_pair_in_hint', -1],
    ['x', "County = 'Alameda' or County = 'Fresno'", "County = 'Fresno'", 'literal_pair_in_hint', 1],
  ] as const)('%j, %j, %s: %s is %d', (question, hint, condition, name, expected) => {
    const literal = /'[^']*'|\d+$/.exec(condition)?.[0];
    const sql = `SELECT id FROM school WHERE ${condition}`;
    expect(values(question, hint, sql, `Literal ${literal}`)[name]).toEqual(expected);
  });
});

describe('operations', () => {
  const ORDERED = 'SELECT id FROM school ORDER BY Enrollment';
  it.each([
    ['How many schools?', '', 'SELECT COUNT(id) FROM school', 'Count COUNT(id)', 'cue_in_question', 1],
    ['Name the schools', '', 'SELECT COUNT(id) FROM school', 'Count COUNT(id)', 'cue_in_question', 0],
    ['x', 'SUM(Enrollment)', 'SELECT SUM(Enrollment) FROM school', 'Sum SUM(Enrollment)', 'call_in_hint', 1],
    ['x', 'the sum (all)', 'SELECT SUM(Enrollment) FROM school', 'Sum SUM(Enrollment)', 'call_in_hint', 1],
    ['x', 'in all', 'SELECT SUM(Enrollment) FROM school', 'Sum SUM(Enrollment)', 'call_in_hint', 0],
    [
      'more than 5',
      '',
      'SELECT id FROM school WHERE Enrollment > 5',
      'GT Enrollment > 5',
      'cue_in_question',
      1,
    ],
    [
      'x',
      'Enrollment >= 5',
      'SELECT id FROM school WHERE Enrollment > 5',
      'GT Enrollment > 5',
      'call_in_hint',
      0,
    ],
    [
      'x',
      'Enrollment > 5',
      'SELECT id FROM school WHERE Enrollment > 5',
      'GT Enrollment > 5',
      'call_in_hint',
      1,
    ],
    ['the largest one', '', `${ORDERED} DESC LIMIT 1`, 'Limit LIMIT 1', 'cue_in_question', 1],
    // A number stands or falls with what is around it.
    ['the largest one', '', `${ORDERED} DESC LIMIT 1`, 'Literal 1', 'cue_in_question', 1],
    ['the schools', '', `${ORDERED} DESC LIMIT 1`, 'Literal 1', 'cue_in_question', 0],
    ['the largest school', '', `${ORDERED} DESC`, 'Ordered Enrollment DESC', 'direction_fits', 1],
    ['the largest school', '', ORDERED, 'Ordered Enrollment', 'direction_fits', -1],
    ['the smallest school', '', ORDERED, 'Ordered Enrollment', 'direction_fits', 1],
    ['the schools', '', ORDERED, 'Ordered Enrollment', 'direction_fits', 0],
    // The hint knows better.
    ['the smallest school', 'that is MAX(Enrollment)', ORDERED, 'Ordered Enrollment', 'direction_fits', -1],
    ['x', '', ORDERED, 'Column Enrollment', 'cue_in_question', Number.NaN],
    ['x', '', ORDERED, 'Column Enrollment', 'direction_fits', Number.NaN],
  ] as const)('%j, %j, %s: at %s %s is %d', (question, hint, sql, place, name, expected) =>
    expect(values(question, hint, sql, place)[name]).toEqual(expected),
  );

  it('are looked for anew in every question', () => {
    const read = (question: string) =>
      values(question, '', 'SELECT COUNT(id) FROM school', 'Count COUNT(id)').cue_in_question;
    expect(['How many?', 'Which?', 'How many?'].map(read)).toEqual([1, 0, 1]);
  });
});

describe('laws of grounding', () => {
  const schema = prepareSchemaFacts(ALBUMS);
  const plain = askedOf(ALBUMS, { text: 'How many albums has Abba?', hint: "Abba: Name = 'Abba'" });

  it('hold for drawn queries and texts', () => {
    fc.assert(
      fc.property(queries, fc.string({ unit: 'binary' }), fc.string(), (sql, text, hint) => {
        const read = readQuery(sql, 'sqlite', ALBUMS);
        fc.pre(read.ok);
        const asked = askedOf(ALBUMS, { text, hint });
        expect(groupBreach(withoutKinds, read.query, { schema, asked }, true)).toBeUndefined();
      }),
    );
  });

  it('hold for the queries of the fixtures', () => {
    for (const [sql, dialect] of fixtureQueries()) {
      const read = readQuery(sql, dialect, ALBUMS);
      if (read.ok)
        expect(groupBreach(withoutKinds, read.query, { schema, asked: plain }, true), sql).toBeUndefined();
    }
  });

  it.each(STRANGE_TEXTS.map((text) => [text.slice(0, 30), text]))(
    'hold for %j, asked and written',
    (_, text) => {
      const asked = askedOf(ALBUMS, { text, hint: text });
      const literal = text.replaceAll("'", "''");
      const name = text.replaceAll('"', '""') || 'x';
      const sqls = [
        `SELECT Name FROM artist WHERE Name LIKE '${literal}' ORDER BY MAX(born) LIMIT 1`,
        `SELECT "${name}" FROM artist WHERE "${name}" > 1`,
      ];
      for (const sql of sqls) {
        const read = readQuery(sql, 'sqlite', ALBUMS);
        if (read.ok) expect(groupBreach(withoutKinds, read.query, { schema, asked }, true)).toBeUndefined();
      }
    },
  );

  it('a column without a name is compared with nothing in the hint', () => {
    const catalog = { ...ALBUMS, tables: [table('odd', { '': {} })] };
    const asked = askedOf(catalog, { text: 'abc', hint: 'abc = 1' });
    const query = queryOf('SELECT * FROM odd WHERE "" = 1', catalog);
    const sources = { schema: prepareSchemaFacts(catalog), asked };
    expect(groupBreach(withoutKinds, query, sources, true)).toBeUndefined();
  });

  it('without a question nothing is known', () => {
    const read = featureReader(groundingFeatures, ALBUMS);
    expect(new Set(Object.values(read('SELECT Name FROM artist', 'Column Name')))).toEqual(
      new Set([Number.NaN]),
    );
  });
});
