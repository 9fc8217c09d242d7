import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { groupBreach, nodeAt, queryOf, rowOf } from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import type { WrittenToken } from './feature.ts';
import { writerFeatures } from './feature-space.ts';

const SQL = 'SELECT Name FROM artist';
const query = queryOf(SQL, ALBUMS);
const schema = prepareSchemaFacts(ALBUMS);

/** Tokens that follow each other through the text. */
function written(
  ...parts: readonly (readonly [text: string, logProbability: number])[]
): readonly WrittenToken[] {
  let end = 0;
  return parts.map(([text, logProbability]) => {
    const start = end;
    end += text.length;
    return { start, end, logProbability };
  });
}

const TOKENS = written(['SELECT', -0.1], [' Na', -2], ['me', -1], [' FROM', -0.2], [' artist', -0.5]);

const read = (place: string, tokens?: readonly WrittenToken[]) =>
  rowOf(writerFeatures, query, nodeAt(query.tree, place), { schema, tokens });

describe('the tokens of a node', () => {
  it.each<[place: string, mean: number, least: number]>([
    ['Column Name', -1.5, -2],
    ['Identifier Name', -1.5, -2],
    ['Identifier artist', -0.5, -0.5],
    ['From FROM artist', -0.35, -0.5],
    [`Select ${SQL}`, -0.76, -2],
  ])('of %s have the mean %d and the least %d', (place, mean, least) => {
    const row = read(place, TOKENS);
    expect(row[0]).toBeCloseTo(mean, 12);
    expect(row[1]).toBe(least);
  });

  it('rank the nodes: the six means are -1.5 twice, -0.76, -0.5 twice, -0.35', () => {
    expect(read('Column Name', TOKENS)[2]).toBe(0.1);
    expect(read(`Select ${SQL}`, TOKENS)[2]).toBe(0.4);
    expect(read('Table artist', TOKENS)[2]).toBe(0.7);
    expect(read('From FROM artist', TOKENS)[2]).toBe(1);
  });

  it('are read in any order', () => {
    expect(read('Column Name', [...TOKENS].reverse())).toEqual(read('Column Name', TOKENS));
  });
});

describe('where the model gave no probabilities', () => {
  const unknown = [Number.NaN, Number.NaN, Number.NaN];

  it('nothing is known', () => {
    expect(read('Column Name')).toEqual(unknown);
    expect(read('Column Name', [])).toEqual(unknown);
  });

  it('nothing is known of a node that no token touches', () => {
    expect(read('Table artist', TOKENS.slice(0, 3))).toEqual(unknown);
    expect(read('Column Name', TOKENS.slice(0, 3))[0]).toBe(-1.5);
  });

  it('sets aside what is no token', () => {
    const [first] = TOKENS;
    const wild = [
      { start: 8, end: 8, logProbability: -1 },
      { start: 9, end: 4, logProbability: -1 },
      { start: Number.NaN, end: 9, logProbability: -1 },
      { start: 7, end: 11, logProbability: Number.NaN },
      { start: 7, end: 11, logProbability: 0.5 },
    ];
    expect(read('Column Name', [...wild, ...(first === undefined ? [] : [first])])).toEqual(unknown);
    expect(read('Column Name', [...TOKENS, ...wild])).toEqual(read('Column Name', TOKENS));
  });

  it('bounds what the model ruled out', () => {
    expect(read('Column Name', written([SQL, Number.NEGATIVE_INFINITY]))[0]).toBe(-100);
  });
});

it('is total for any tokens, and ranks lie in [0, 1]', () => {
  const token = fc.record({ start: fc.integer(), end: fc.integer(), logProbability: fc.double() });
  const near = fc.record({
    start: fc.nat(SQL.length),
    end: fc.nat(SQL.length),
    logProbability: fc.double({ min: -20, max: 0, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(token, near)), (tokens) => {
      expect(groupBreach(writerFeatures, query, { schema, tokens }, true)).toBeUndefined();
      for (const node of query.tree.nodes) {
        const rank = rowOf(writerFeatures, query, node, { schema, tokens })[2];
        expect(Number.isNaN(rank) || (Number(rank) >= 0 && Number(rank) <= 1)).toBe(true);
      }
    }),
  );
});
