import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standAlone } from './stand-alone.ts';

const BEFORE = 'How many orders were there in 2023?';

describe('a part of a question, after “How many orders were there in 2023?”', () => {
  it.each([
    ['and by region?', 'How many orders were there in 2023 by region?'],
    ['only paid ones', 'How many orders were there in 2023 only paid ones'],
    ['And for Germany?', 'How many orders were there in 2023 for Germany?'],
    ['sorted by date', 'How many orders were there in 2023 sorted by date'],
    ['ok, and without cancelled orders?', 'How many orders were there in 2023 without cancelled orders?'],
    ['same for Germany', 'How many orders were there in 2023 for Germany'],
    ['and in 2022?', 'How many orders were there in 2022?'],
    ['what about 2022?', 'How many orders were there in 2022?'],
    ['2022', 'How many orders were there in 2022'],
    ['what about Germany?', 'How many orders were there in 2023 for Germany?'],
  ])('%s', (turn, question) =>
    expect(standAlone(turn, ['Who is it?', BEFORE])).toEqual({ question, isRewritten: true }),
  );

  it.each([
    ['what about Germany?', 'customers in France', 'customers in Germany?'],
    ['and New York?', 'sales of shoes in Los Angeles by month', 'sales of shoes in New York by month?'],
    [
      'what about Germany?',
      'trips from France to stores in Spain',
      'trips from France to stores in Spain for Germany?',
    ],
    ['by region instead', 'revenue by month in 2024', 'revenue by region in 2024'],
    [
      'by region instead',
      'revenue by month and orders by day',
      'revenue by month and orders by day by region',
    ],
    ["by $' or $& instead", 'revenue by month in 2024', "revenue by $' or $& in 2024"],
    ['2022?', 'orders from 2020 to 2021', 'orders from 2020 to 2021 in 2022?'],
    ['only 2024', 'revenue by month', 'revenue by month only 2024'],
    ['what about 2022?', 'revenue by month', 'revenue by month in 2022?'],
  ])('%s, after “%s”', (turn, before, question) =>
    expect(standAlone(turn, [before])).toEqual({ question, isRewritten: true }),
  );
});

describe('what stands alone already', () => {
  it.each([
    'How many customers are in Germany?',
    'revenue by month',
    'and how many customers?',
    'list all products',
    'what about it all makes sense',
  ])('%s', (turn) => expect(standAlone(turn, [BEFORE])).toEqual({ question: turn, isRewritten: false }));

  it('anything without a question before it', () => {
    fc.assert(
      fc.property(fc.string(), (turn) => {
        expect(standAlone(turn, [])).toEqual({ question: turn, isRewritten: false });
        expect(standAlone(turn, [' '])).toEqual({ question: turn, isRewritten: false });
      }),
    );
  });

  it('is not made longer than a question may be', () => {
    expect(standAlone('by region', ['x'.repeat(1_995)]).isRewritten).toBe(false);
  });
});

it('names the word that points back, where rules cannot tell to what', () => {
  expect(standAlone('list their names', [BEFORE])).toEqual({
    ...{ question: 'list their names', isRewritten: false, pointing: 'their' },
  });
  expect(standAlone('how many customers have paid all their invoices', [BEFORE]).pointing).toBeUndefined();
});

it('is quick for texts of any length', () => {
  fc.assert(
    fc.property(fc.constantFrom('A ', 'and ', 'by A ', 'in 2020 ', '  '), (part) => {
      standAlone(part.repeat(500), [part.repeat(500)]);
    }),
  );
});
