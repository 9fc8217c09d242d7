import { describe, expect, it } from 'vitest';
import type { Catalog, ColumnProfile } from '../schema/catalog.ts';
import { shareCatalog, sharedSchemaText } from './share-catalog.ts';
import { shareProfile, shareStatistics } from './share-profile.ts';

const PROFILE: ColumnProfile = {
  scannedRows: 12_345,
  nullCount: 1_234,
  distinctCount: 11_111,
  min: 'AA-100',
  max: 'ZZ-999',
  examples: ['QX-731', 'RV-204', 'TW-558'],
  pattern: 'code',
  semanticClass: 'identifier_like_text',
  statistics: {
    mean: 51_234.5,
    quartiles: ['QX-1', 'QX-2', 'QX-3'],
    histogram: ['QX-1'],
    topValues: [{ value: 'QX-731', count: 3 }],
    lengths: { min: 6, mean: 6, max: 6 },
    shape: { form: 'AA-999', share: 0.987 },
  },
};

function catalogOf(profile: ColumnProfile, rowCount = 12_345): Catalog {
  const column = {
    id: 't.code',
    tableId: 't',
    name: 'code',
    type: 'TEXT',
    family: 'text',
    isNullable: true,
  } as const;
  return {
    database: 'd',
    dialect: 'sqlite',
    fingerprint: '',
    foreignKeys: [],
    keyOverlaps: [
      { fromColumn: 't.code', toColumn: 'u.code', share: 0.98765, comparedValues: 1_234 },
      { fromColumn: 't.code', toColumn: 'v.code', share: 0.5, comparedValues: 4 },
    ],
    tables: [
      {
        id: 't',
        name: 't',
        kind: 'table',
        columns: [{ ...column, profile }],
        primaryKey: [],
        rowCount,
        estimatedRows: 7,
      },
    ],
  };
}

describe('a catalog for models', () => {
  it('is the catalog itself where all may be shared', () => {
    const catalog = catalogOf(PROFILE);
    expect(shareCatalog(catalog, 'all')).toBe(catalog);
  });

  it('has classes, forms and rounded figures in private mode', () => {
    const shared = shareCatalog(catalogOf(PROFILE), 'private');
    expect(shared.tables[0]).toMatchObject({ rowCount: 12_000, estimatedRows: 0 });
    expect(shared.keyOverlaps).toEqual([
      { fromColumn: 't.code', toColumn: 'u.code', share: 0.99, comparedValues: 1_200 },
    ]);
    expect(shared.tables[0]?.columns[0]?.profile).toEqual({
      scannedRows: 12_000,
      countedRows: 12_000,
      nullCount: 1_200,
      distinctCount: 11_000,
      examples: [],
      pattern: 'code',
      semanticClass: 'identifier_like_text',
      form: 'AA-999',
      statistics: { mean: 51_000, shape: { form: 'AA-999', share: 0.99 } },
    });
    expect(JSON.stringify(shared)).not.toMatch(/QX|RV-204|AA-100|ZZ-999|51234/);
  });

  it('has no figure of fewer than 20 rows', () => {
    const { tables } = shareCatalog(catalogOf({ ...PROFILE, scannedRows: 19, nullCount: 1 }, 19), 'private');
    expect(tables[0]?.rowCount).toBe(0);
    expect(tables[0]?.columns[0]?.profile).toEqual({
      scannedRows: 0,
      countedRows: 0,
      nullCount: 0,
      distinctCount: 0,
      examples: [],
      semanticClass: 'identifier_like_text',
      statistics: {},
    });
  });

  it.each([
    ['one value has itself as its mean', { distinctCount: 1 }, { shape: { form: 'AA-999', share: 0.99 } }],
    [
      'few values may be read off their mean',
      { distinctCount: 19 },
      { shape: { form: 'AA-999', share: 0.99 } },
    ],
  ])('%s', (_, more, expected) => {
    const profile = { ...PROFILE, ...more };
    expect(shareStatistics(PROFILE.statistics ?? {}, profile, 'private')).toEqual(expected);
  });

  it.each([
    [['★★★', '★★☆'], undefined],
    [['5 €', '9 €'], '9 ?'],
    [['QX-731', 'a very different text'], undefined],
    [['Anna Berg', 'Olaf Dorn'], 'Aaaa Aaaa'],
  ])('the form of %j is %s', (examples, form) => {
    const { statistics: _, ...known } = PROFILE;
    expect(shareProfile({ ...known, examples }, 'private').form).toBe(form);
  });

  it('of what is withheld not even the form is known', () => {
    const pii = { kind: 'national-id', because: 'its name', isWithheld: true } as const;
    expect(shareProfile({ ...PROFILE, pii }, 'private').form).toBeUndefined();
  });
});

it.each([
  ['thoth', '  -- Form of the values: AA-999'],
  ['xiyan', '(code:TEXT, Form: AA-999)'],
  ['ddl', '  code TEXT -- Form of the values: AA-999'],
] as const)('the schema text %s shows forms in place of values', (style, line) => {
  const values = new Map([['t.code', ['QX-731']]]);
  const text = sharedSchemaText(catalogOf(PROFILE), 'private', { style, values });
  expect(text.split('\n')).toContain(line);
  expect(text).not.toMatch(/QX-731|RV-204/);
  expect(sharedSchemaText(catalogOf(PROFILE), 'all', { style, values })).toContain('QX-731');
});
