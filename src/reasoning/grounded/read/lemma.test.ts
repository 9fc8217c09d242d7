import { describe, expect, it } from 'vitest';
import { lemmaOf, stemOf } from './lemma.ts';

describe('lemmaOf', () => {
  const cases: readonly (readonly [word: string, lemma: string])[] = [
    ['singers', 'singer'],
    ['cities', 'city'],
    ['countries', 'country'],
    ['matches', 'match'],
    ['boxes', 'box'],
    ['constructor', 'constructor'],
    ['constructors', 'constructor'],
    ['classes', 'class'],
    ['dishes', 'dish'],
    ['ties', 'tie'],
    ['movies', 'movie'],
    ['people', 'person'],
    ['children', 'child'],
    ['women', 'woman'],
    ['addresses', 'address'],
    // not plurals
    ['address', 'address'],
    ['status', 'status'],
    ['class', 'class'],
    ['analysis', 'analysis'],
    ['campus', 'campus'],
    ['series', 'series'],
    ['gas', 'gas'],
    ['is', 'be'],
    ['bus', 'bus'],
    ['singer', 'singer'],
    ['', ''],
    // irregular verbs
    ['sold', 'sell'],
    ['wrote', 'write'],
    ['had', 'have'],
  ];
  it.each(cases)('%j → %j', (word, lemma) => {
    expect(lemmaOf(word)).toBe(lemma);
  });

  it('is settled: the lemma of a lemma is itself', () => {
    for (const [, lemma] of cases) expect(lemmaOf(lemma)).toBe(lemma);
  });
});

describe('stemOf', () => {
  const same: readonly (readonly [string, string])[] = [
    ['singers', 'singer'],
    ['registered', 'register'],
    ['nationalities', 'nationality'],
    ['performances', 'performance'],
    ['people', 'person'],
    ['cities', 'city'],
    ['published', 'publish'],
  ];
  it.each(same)('takes %j and %j for one word', (a, b) => {
    expect(stemOf(a)).toBe(stemOf(b));
  });

  const apart: readonly (readonly [string, string])[] = [
    ['singer', 'song'],
    ['country', 'county'],
    ['name', 'number'],
    ['student', 'stadium'],
  ];
  it.each(apart)('keeps %j and %j apart', (a, b) => {
    expect(stemOf(a)).not.toBe(stemOf(b));
  });
});
