import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../catalog/index.ts';
import { findAmbiguity } from './find-ambiguity.ts';

const SCHEMAS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  split: { singer: ['singer_id', 'name', 'country'], singer_country: ['singer_id', 'country'] },
  precomputed: { singer: ['singer_id', 'age'], singer_age: ['avg_age', 'max_age'] },
  synonyms: { person: ['id', 'sex', 'gender'] },
  copies: {
    vocalist: ['singer_id', 'age', 'hit'],
    crooner: ['singer_id', 'age', 'hit'],
    concert: ['concert_id', 'name'],
  },
  plain: { singer: ['singer_id', 'name', 'age'], concert: ['concert_id', 'name'] },
};

describe('findAmbiguity', () => {
  it.each([
    ['split', 'Show the country of all singers', 'join-path', ['singer.country', 'singer_country.country']],
    ['precomputed', 'What is the average age?', 'aggregate', ['singer.age', 'singer_age.avg_age']],
    ['synonyms', 'List the gender of each person', 'column', ['person.sex', 'person.gender']],
    ['copies', 'List the age of all performers', 'table', ['vocalist', 'crooner']],
  ])('%s: %s', (schema, question, kind, ids) => {
    const [part, ...more] = findAmbiguity(question, catalogOf(schema));
    expect(more).toEqual([]);
    expect(part?.kind).toBe(kind);
    expect(part?.choices.flatMap((choice) => choice.ids)).toEqual(ids);
    expect(question.slice(part?.span.start, part?.span.end)).toBe(part?.phrase);
  });

  it.each([
    ['split', 'Show the singer id of all singers'],
    ['precomputed', 'List each age'],
    ['copies', 'List the age of every crooner'],
    ['copies', 'List the name of all concerts'],
    ['plain', 'What is the average age of singers?'],
  ])('asks nothing: %s, %s', (schema, question) => {
    expect(findAmbiguity(question, catalogOf(schema))).toEqual([]);
  });
});

function catalogOf(name: string): Catalog {
  const tables = Object.entries(SCHEMAS[name] ?? {}).map(([id, columns]) => ({
    id,
    name: id,
    kind: 'table' as const,
    columns: columns.map((column) => ({
      id: `${id}.${column}`,
      tableId: id,
      name: column,
      type: '',
      family: 'other' as const,
      isNullable: true,
    })),
    primaryKey: columns.filter((column) => column === `${id}_id`).map((column) => `${id}.${column}`),
    rowCount: 0,
  }));
  return { database: 'd', dialect: 'sqlite', tables, foreignKeys: [], fingerprint: name };
}
