import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { askedOf, STRANGE_TEXTS } from '../../../test/fixtures/uncertainty/asked.ts';
import { queries } from '../../../test/fixtures/uncertainty/draw-queries.ts';
import {
  featureReader,
  fixtureQueries,
  groupBreach,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { literalFeatures } from './literal-features.ts';

const schema = prepareSchemaFacts(ALBUMS);

function values(sql: string, place: string, hint?: string) {
  const asked = hint === undefined ? {} : { asked: askedOf(ALBUMS, { text: 'Which?', hint }) };
  return featureReader(literalFeatures, ALBUMS, asked)(sql, place);
}

const where = (condition: string): string => `SELECT Name FROM artist WHERE ${condition}`;

describe('the form of a literal', () => {
  it.each([
    ["born = '1998-10-14'", "Literal '1998-10-14'", 'date'],
    ["born = '1998/10/14'", "Literal '1998/10/14'", 'date'],
    ["born = '1998-10-14 00:00:00'", "Literal '1998-10-14 00:00:00'", 'moment'],
    ["born < '16:25:00'", "Literal '16:25:00'", 'time'],
    ["STRFTIME('%Y', born) = '1998'", "Literal '%Y'", 'format'],
    ["STRFTIME('%Y-%m', born) = '1998'", "Literal '%Y-%m'", 'format'],
    ["STRFTIME('%Y', 'now') = '1998'", "Literal 'now'", 'clock'],
    ["STRFTIME('%Y', born) = '1998'", "Literal '1998'", 'year'],
    ["born = '199810'", "Literal '199810'", 'digits-date'],
    ["Name LIKE '%Ab%'", "Literal '%Ab%'", 'pattern'],
    ["Name = '3.5'", "Literal '3.5'", 'number'],
    ["Name = 'F'", "Literal 'F'", 'code'],
    ["Name = '+-'", "Literal '+-'", 'code'],
    ["Name = 'POPLATEK MESICNE'", "Literal 'POPLATEK MESICNE'", 'upper'],
    ["Name = 'high'", "Literal 'high'", 'lower'],
    ["Name = 'Belgium Jupiler'", "Literal 'Belgium Jupiler'", 'capitalised'],
    ["Name = 'north Bohemia'", "Literal 'north Bohemia'", 'mixed'],
    ["Name = ''", "Literal ''", 'empty'],
    ['id = 1', 'Literal 1', '1'],
    ['id = 1.0', 'Literal 1.0', '1'],
    ['id = 17', 'Literal 17', 'numeric'],
    ['id = 17', 'Column id', 'none'],
  ])('%s: %s is %s', (condition, place, form) =>
    expect(values(where(condition), place).literal_form).toBe(form),
  );

  it('is read of a literal however long it is', () =>
    expect(
      values(where(`Name = '${'a'.repeat(200_000)}'`), `Literal '${'a'.repeat(200_000)}'`).literal_form,
    ).toBe('lower'));
});

describe('what a literal is compared with', () => {
  it.each([
    ["Name = 'Abba'", "Literal 'Abba'", 'Column', 0],
    ["('Abba') = Name", "Literal 'Abba'", 'Column', 0],
    ['id = -1', 'Literal 1', 'Column', 1],
    ['id IN (1, 2)', 'Literal 2', 'Column', 1],
    ["STRFTIME('%Y', born) > '1998'", "Literal '1998'", 'TimeToStr', 0],
    ["STRFTIME('%Y', born) > '1998'", "Literal '%Y'", 'none', 0],
    ['id * 2 > founded', 'Literal 2', 'none', 0],
  ])('%s: %s is beside %s', (condition, place, beside, isKey) =>
    expect(values(where(condition), place)).toMatchObject({
      literal_beside: beside,
      literal_beside_key: isKey,
    }),
  );
});

describe('what the hint writes', () => {
  it.each([
    ["strftime('%Y', born) = '1998'", 'strftime'],
    ['YEAR(born) = 1998', 'part'],
    ['the first 4 characters of born', 'cut'],
    ["born LIKE '1998%'", 'pattern'],
    ["born = '1998-10-14 00:00:00'", 'moment'],
    ["born = '1998-10-14'", 'date'],
    ['on 1998/10/14', 'slashes'],
    ['CURRENT_TIMESTAMP - born', 'clock'],
    ['born is a date', 'unsaid'],
  ])('%j: dates as %s', (hint, form) => {
    const sql = where("STRFTIME('%Y', born) = '1998' AND Name = 'Abba'");
    expect(values(sql, "Literal '1998'", hint).date_form_in_hint).toBe(form);
    expect(values(sql, "TimeToStr STRFTIME('%Y', born)", hint).date_form_in_hint).toBe(form);
    expect(values(sql, "Literal 'Abba'", hint).date_form_in_hint).toBe('none');
  });

  it.each([
    ['highest refers to MAX(founded)', 1],
    ['lowest refers to min (founded)', 1],
    ['the maximum of founded', 0],
  ])('%j: an extreme %d', (hint, expected) => {
    const sql = 'SELECT Name FROM artist ORDER BY founded DESC LIMIT 1';
    for (const place of ['Limit LIMIT 1', 'Literal 1', 'Ordered founded DESC'])
      expect(values(sql, place, hint).extreme_in_hint).toBe(expected);
    expect(values(sql, 'Column founded', hint).extreme_in_hint).toBeNaN();
  });

  it('is not known without a question', () => {
    const sql = "SELECT Name FROM artist WHERE born = '1998-10-14' LIMIT 1";
    expect(values(sql, "Literal '1998-10-14'").date_form_in_hint).toBe('none');
    expect(values(sql, 'Limit LIMIT 1').extreme_in_hint).toBeNaN();
  });
});

/** Yes-or-no features of nodes of another kind are not known. */
const numbers = {
  ...literalFeatures,
  features: literalFeatures.features.map((feature) =>
    feature.kind === 'boolean' ? { ...feature, kind: 'number' as const } : feature,
  ),
};

describe('laws', () => {
  it('hold for drawn queries and strange hints', () => {
    fc.assert(
      fc.property(queries, fc.constantFrom(...STRANGE_TEXTS), (sql, hint) => {
        const read = readQuery(sql, 'sqlite', ALBUMS);
        fc.pre(read.ok);
        const asked = askedOf(ALBUMS, { text: hint, hint });
        expect(groupBreach(numbers, read.query, { schema, asked }, true)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it('hold for every query of the fixtures', () => {
    for (const [sql, dialect] of fixtureQueries()) {
      const read = readQuery(sql, dialect, ALBUMS);
      if (read.ok) expect(groupBreach(numbers, read.query, { schema }, true), sql).toBeUndefined();
    }
  });
});
