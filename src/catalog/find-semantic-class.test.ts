import { expect, it } from 'vitest';
import { type ClassFacts, findSemanticClass } from './profiles/build-profile.ts';
import type { Column, SemanticClass } from './schema/catalog.ts';

const FACTS: ClassFacts = { isKey: false, valueRows: 1000, distinctCount: 500, meanLength: 10, values: [] };

/** The rules of evilink.md chapter 3. */
const CASES: readonly [SemanticClass, string, Partial<Column>, Partial<ClassFacts>][] = [
  ['key', 'a declared key', { name: 'n', family: 'number' }, { isKey: true }],
  ['key', 'a name that ends so', { name: 'CustomerID', family: 'number' }, {}],
  ['key', 'without values', { name: 'row_uuid', family: 'text' }, { distinctCount: 0, valueRows: 0 }],
  ['measure', 'a word that only ends so', { name: 'paid', family: 'number' }, {}],
  ['temporal', 'a time', { name: 'created', family: 'time' }, {}],
  ['temporal', 'dates as text', { name: 'd', family: 'text' }, { values: Array(20).fill('31.12.2024') }],
  [
    'temporal',
    'dates as text, 95 % of them',
    { name: 'd', family: 'text' },
    { values: [...Array(19).fill('2024-12-31'), 'unknown'] },
  ],
  [
    'other',
    'dates as text, 90 % of them',
    { name: 'd', family: 'text' },
    { values: [...Array(18).fill('2024-12-31'), 'unknown', 'none'] },
  ],
  ['measure', 'many different numbers', { name: 'price', family: 'number' }, {}],
  ['category', 'few different numbers', { name: 'year', family: 'number' }, { distinctCount: 50 }],
  ['category', 'few words', { name: 'state', family: 'text' }, { distinctCount: 50, values: ['open'] }],
  [
    'category',
    'words that come back',
    { name: 'x', family: 'text' },
    { valueRows: 100_000, distinctCount: 5000, values: ['open'] },
  ],
  ['boolean', 'a boolean', { name: 'x', family: 'boolean' }, {}],
  ['boolean', 'yes and no', { name: 'x', family: 'text' }, { distinctCount: 2, values: ['Y', 'N'] }],
  ['boolean', '0 and 1', { name: 'x', family: 'number' }, { distinctCount: 2, values: ['1', '0'] }],
  ['category', '1 and 2', { name: 'x', family: 'number' }, { distinctCount: 2, values: ['1', '2'] }],
  ['text', 'long texts', { name: 'memo', family: 'text' }, { meanLength: 41, values: ['a long text'] }],
  ['other', 'names', { name: 'name', family: 'text' }, { values: ['Ada Lovelace', 'Grace Hopper'] }],
  [
    'identifier_like_text',
    'codes',
    { name: 'x', family: 'text' },
    { values: ['AB-1', 'AB-2'], pattern: 'code' },
  ],
  [
    'identifier_like_text',
    'digits in one word',
    { name: 'x', family: 'text' },
    { values: ['a1f', 'b2e', 'c3d'] },
  ],
  ['geo', 'a place', { name: 'x', family: 'other', type: 'GEOMETRY' }, { distinctCount: 0 }],
  ['geo', 'a coordinate', { name: 'Latitude', family: 'number' }, { min: '-33.9', max: '60.2' }],
  ['measure', 'a long way', { name: 'how_long', family: 'number' }, { min: '0', max: '9000' }],
  ['semi_structured', 'a document', { name: 'x', family: 'other', type: 'jsonb' }, { distinctCount: 0 }],
  ['semi_structured', 'a list', { name: 'x', family: 'other', type: 'VARCHAR[]' }, { distinctCount: 0 }],
  ['semi_structured', 'documents as text', { name: 'x', family: 'text' }, { values: ['{"a":1}', '{}'] }],
  ['other', 'bytes', { name: 'x', family: 'other', type: 'BLOB' }, { distinctCount: 0 }],
  ['other', 'nothing to go by', { name: 'x', family: 'number' }, { distinctCount: 0, valueRows: 0 }],
];

it.each(CASES)('%s: %s', (expected, _, column, facts) => {
  const described = { name: 'x', type: 'TEXT', family: 'text' as const, ...column };
  expect(findSemanticClass(described, { ...FACTS, ...facts })).toBe(expected);
});
