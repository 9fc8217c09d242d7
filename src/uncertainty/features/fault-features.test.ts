import { describe, expect, it } from 'vitest';
import { SINGER_FACTS, singerQuery } from '../../../test/fixtures/uncertainty/singers.ts';
import { featureSpace, readFeatures } from './feature-space.ts';

const SPACE = featureSpace(['fault']);

/** The features of the root, by name, those that are 0 left out. */
function countsOf(sql: string): Readonly<Record<string, unknown>> {
  const values = readFeatures(singerQuery(sql), { schema: SINGER_FACTS }, SPACE);
  const named = SPACE.features.map(({ name }, at) => [name, values[at]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== 0));
}

describe('features of certain faults', () => {
  it.each<[sql: string, counts: Readonly<Record<string, number>>]>([
    ['SELECT name FROM singer', {}],
    ['SELECT nmae, agge FROM singer', { faults_refused: 2 }],
    ["SELECT name FROM singer WHERE country = 'france'", { faults_spelling: 1 }],
    ["SELECT name FROM singer WHERE country = 'Italy'", { faults_absent: 1 }],
    ["SELECT name FROM singer WHERE age = 'old'", { faults_types: 1 }],
    ['SELECT country, COUNT(*) FROM singer', { faults_others: 1 }],
  ])('count those of %s by what they are', (sql, counts) => expect(countsOf(sql)).toEqual(counts));

  it('name the node that is to blame', () => {
    const query = singerQuery("SELECT name FROM singer WHERE country = 'Italy'");
    const values = readFeatures(query, { schema: SINGER_FACTS }, SPACE);
    const faulty = query.tree.nodes.filter(({ id }) => values[id * SPACE.features.length] === 1);
    expect(faulty.map(({ type, value }) => [type, value])).toEqual([['Literal', 'Italy']]);
  });
});
