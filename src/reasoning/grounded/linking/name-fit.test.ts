import { describe, expect, it } from 'vitest';
import type { Catalog, Column, Table } from '../../../catalog/index.ts';
import { type NameFit, nameFits } from './name-fit.ts';
import { readQuestionWords } from './question-words.ts';
import { prepareSchemaWords } from './schema-words.ts';

function table(name: string, columns: Readonly<Record<string, string>>): Table {
  const id = name.toLowerCase();
  return {
    id,
    name,
    kind: 'table',
    primaryKey: [],
    rowCount: 0,
    columns: Object.entries(columns).map(
      ([column, comment]): Column => ({
        id: `${id}.${column.toLowerCase()}`,
        tableId: id,
        name: column,
        type: 'TEXT',
        family: 'text',
        isNullable: true,
        ...(comment === '' ? {} : { comment }),
      }),
    ),
  };
}

const CATALOG: Catalog = {
  database: 'test',
  dialect: 'sqlite',
  fingerprint: '',
  foreignKeys: [],
  tables: [
    table('Drivers', {
      driverId: '',
      surname: 'family name of the driver',
      constructor: '',
      'Free Meal (K-12)': '',
    }),
    table('results', { driverId: '', pts: 'points won in a race' }),
  ],
};
const SCHEMA = prepareSchemaWords(CATALOG);

function fitOf(column: string, question: string, hint = ''): NameFit {
  const index = SCHEMA.columnAt.get(column);
  if (index === undefined) throw new Error(`no column ${column}`);
  return nameFits(readQuestionWords(question, hint), SCHEMA).column(index);
}

describe('nameFits', () => {
  it('sees a whole name, a part of it and none', () => {
    expect(fitOf('drivers.driverid', 'the id of each driver').question.coverage).toBe(1);
    expect(fitOf('drivers.driverid', 'how many drivers').question.coverage).toBeLessThan(1);
    expect(fitOf('drivers.driverid', 'how many drivers').question.coverage).toBeGreaterThan(0);
    expect(fitOf('drivers.surname', 'how many wins').question).toMatchObject({
      coverage: 0,
      weight: 0,
      alike: 0,
    });
  });

  it('takes a phrase for more than its words', () => {
    expect(fitOf('drivers.driverid', 'what is the driver id').question.phrase).toBe(2);
    expect(fitOf('drivers.driverid', 'the id of the driver').question.phrase).toBe(0);
  });

  it('knows names as the engine writes them, signs included', () => {
    expect(fitOf('drivers.driverid', 'sum over driverId').question.written).toBe(2);
    expect(fitOf('drivers.driverid', 'sum over DRIVERID').question.written).toBe(1);
    expect(fitOf('drivers.free meal (k-12)', 'x', 'rate = `Free Meal (K-12)` / 2').hint.written).toBe(2);
    expect(fitOf('drivers.free meal (k-12)', 'x', 'rate = `Free Meal (K-12)b').hint.written).toBe(0);
  });

  it('knows likeness, synonyms and descriptions', () => {
    expect(fitOf('drivers.driverid', 'who drives fastest').question.alike).toBeGreaterThan(0);
    expect(fitOf('drivers.surname', 'their last name').question.synonyms).toBe(1);
    expect(fitOf('results.pts', 'points in the race').describedByQuestion).toBeGreaterThan(0);
  });

  it('takes words that every JavaScript object answers to for words', () => {
    expect(fitOf('drivers.constructor', 'which constructor won').question.coverage).toBe(1);
    expect(fitOf('drivers.surname', 'which constructor won').question.coverage).toBe(0);
  });

  it('reads a hint that is not there as nothing', () => {
    expect(fitOf('drivers.surname', 'surname').hint).toMatchObject({ coverage: 0, missing: 0 });
  });
});
