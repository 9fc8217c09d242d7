import { describe, expect, it } from 'vitest';
import { lemmaOf, singularOf, stemOf } from './inflection.ts';

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
    ['salespeople', 'salespeople'],
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

describe('singularOf', () => {
  it.each([
    [
      'courses warehouses movies purchases releases expenses houses cases',
      'course warehouse movie purchase release expense house case',
    ],
    ['statuses addresses buses campuses viruses', 'status address bus campus virus'],
    ['people children women men feet mice geese teeth', 'person child woman man foot mouse goose tooth'],
    [
      'analyses diagnoses hypotheses criteria indices matrices',
      'analysis diagnosis hypothesis criterion index matrix',
    ],
    ['heroes sizes boxes matches dishes quizzes knives leaves', 'hero size box match dish quiz knife leaf'],
    ['menus taxis apis', 'menu taxi api'],
    // What is its own plural, or none.
    [
      'data media news series species analytics premises',
      'data media news series species analytics premises',
    ],
    [
      'thrombosis analysis tennis census bonus alias gas',
      'thrombosis analysis tennis census bonus alias gas',
    ],
    ['they these those have this his', 'they these those have this his'],
  ])('%s → %s', (plurals, singulars) => expect(plurals.split(' ').map(singularOf).join(' ')).toBe(singulars));
});

describe('stemOf', () => {
  const same: readonly (readonly [string, string])[] = [
    ['singers', 'singer'],
    ['registered', 'register'],
    ['nationalities', 'nationality'],
    ['performances', 'performance'],
    ['people', 'person'],
    ['salespeople', 'salespeople'],
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
