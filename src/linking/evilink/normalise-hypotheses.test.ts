import { describe, expect, it } from 'vitest';
import { hypothesis } from '../../../test/reasoners/scripted-reasoner.ts';
import { normaliseHypotheses } from './normalise-hypotheses.ts';

const RULES = { most: 4, mergeDuplicates: true, question: 'how many orders?' };
const join = (left: string, right: string) => ({ joins: [{ left, right }] });
const idsOf = (written: Parameters<typeof normaliseHypotheses>[0], rules = {}) =>
  normaliseHypotheses(written, { ...RULES, ...rules }).hypotheses.map(({ id }) => id);

describe('hypotheses', () => {
  it('without entities are dropped', () => {
    const { hypotheses, warnings } = normaliseHypotheses(
      [hypothesis('h1', []), hypothesis('h2', [' ']), hypothesis('h3', ['orders'])],
      RULES,
    );
    expect(hypotheses.map(({ id }) => id)).toEqual(['h3']);
    expect(warnings).toEqual(['left out: 2 hypotheses without tables']);
  });

  it.each([
    ['order and case of entities', {}, {}, ['Orders', 'Shops'], ['shops', 'orders ']],
    ['the sides of a join', join('a.x', 'b.y'), join('B.y', 'a.x'), ['a'], ['a']],
    [
      'the words of a filter',
      { filters: [{ field: 'a.x', condition: '= 1' }] },
      { filters: [{ field: 'A.X', condition: 'is one' }] },
      ['a'],
      ['a'],
    ],
    [
      'the field of an aggregation',
      { aggregations: [{ function: 'SUM', field: 'a.x' }] },
      { aggregations: [{ function: 'sum', field: 'a.y' }] },
      ['a'],
      ['a'],
    ],
    ['the summary', { summary: 'one' }, { summary: 'two' }, ['a'], ['a']],
  ])('that differ in %s only are one', (_, first, second, left, right) => {
    expect(idsOf([hypothesis('h1', left, first), hypothesis('h2', right, second)])).toEqual(['h1']);
  });

  it.each([
    ['entities', { entities: ['b'] }],
    ['joins', join('a.x', 'c.y')],
    ['filtered fields', { filters: [{ field: 'a.z', condition: '' }] }],
    ['aggregate functions', { aggregations: [{ function: 'avg', field: 'a.x' }] }],
    ['the reading of time', { time: 'fiscal year' }],
  ])('that differ in %s are two', (_, more) => {
    expect(idsOf([hypothesis('h1', ['a']), hypothesis('h2', ['a'], more)])).toEqual(['h1', 'h2']);
  });

  it('that are equal vote one by one where duplicates stand for authors', () => {
    expect(idsOf([hypothesis('h1', ['a']), hypothesis('h2', ['a'])], { mergeDuplicates: false })).toEqual([
      'h1',
      'h2',
    ]);
  });

  it('are cut to the most in their order', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => hypothesis(name, [name]));
    const { hypotheses, warnings } = normaliseHypotheses(five, RULES);
    expect(hypotheses).toEqual(five.slice(0, 4));
    expect(warnings).toEqual(['left out: 1 hypothesis beyond the first 4']);
  });

  it('get new ids where theirs are missing or taken', () => {
    const written = ['h1', '', 'h1', 'x', 'h3'].map((id, index) => hypothesis(id, [`t${index}`]));
    expect(idsOf(written, { most: 5 })).toEqual(['h1', 'h2', 'h4', 'x', 'h3']);
  });

  it('are one empty one when none is usable', () => {
    const { hypotheses, warnings } = normaliseHypotheses([], RULES);
    expect(hypotheses).toEqual([hypothesis('h1', [], { summary: 'how many orders?' })]);
    expect(warnings).toEqual(['no usable hypothesis: linked by the question alone']);
  });
});
