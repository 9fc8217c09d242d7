import { describe, expect, it } from 'vitest';
import { abbreviates } from './abbreviations.ts';
import { englishRelations, isEnglish, isMostlyVerb, isOnlyName, namesOfSame, rarityOf } from './english.ts';
import { relatedWords, relationBetween } from './related-words.ts';

describe('words that mean the same', () => {
  const same: readonly (readonly [word: string, part: string])[] = [
    ['pupils', 'student'],
    ['vocalist', 'singer'],
    ['purchased', 'purchase'],
    ['purchased', 'buy'],
    ['buyers', 'customer'],
    ['nation', 'country'],
    ['municipalities', 'city'],
    ['hounds', 'dog'],
    ['boats', 'vessel'],
    ['velocity', 'speed'],
    ['drugs', 'medicine'],
    ['performers', 'actor'],
    ['payments', 'pmt'],
    ['quantity', 'qty'],
    ['vehicles', 'veh'],
    ['shipments', 'shpmnt'],
    ['departments', 'dpt'],
  ];
  it.each(same)('%s ~ %s', (word, part) => {
    expect(relationBetween(word, part)?.weight ?? 0).toBeGreaterThan(0.4);
  });

  const others: readonly (readonly [word: string, part: string])[] = [
    ['students', 'teacher'],
    ['customer', 'product'],
    ['price', 'city'],
    ['invoice', 'voice'],
    ['salary', 'slate'],
    ['refunded', 'invoice'],
    ['premium', 'customer'],
    ['xyzzy', 'name'],
  ];
  it.each(others)('%s is not %s', (word, part) => {
    expect(relationBetween(word, part)).toBeUndefined();
  });

  it('are nearest first, and what general English says is below what we wrote down', () => {
    const clients = relatedWords('clients');
    const weights = clients.map(({ weight }) => weight);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    const written = clients.filter(({ why }) => why === 'synonym');
    const english = clients.filter(({ why }) => why.startsWith('english'));
    expect(written.map(({ word }) => word)).toContain('customer');
    expect(english.length).toBeGreaterThan(0);
    for (const { weight } of english) expect(weight).toBeLessThan(written[0]?.weight ?? 0);
  });

  const forms: readonly (readonly [part: string, word: string, isShort: boolean])[] = [
    ['pmt', 'payment', true],
    ['inv', 'invoice', true],
    ['inv', 'inventory', true],
    ['cstmr', 'customer', true],
    ['cust', 'customer', true],
    ['act', 'customer', false],
    ['cat', 'customer', false],
    ['name', 'navigation', false],
    ['cd', 'card', false],
  ];
  it.each(forms)('%s for %s: %s', (part, word, isShort) => {
    expect(abbreviates(part, word) > 0).toBe(isShort);
  });
});

it('tells verbs from words that are something else as often', () => {
  expect(['deliver', 'delivers', 'sold', 'belong'].map(isMostlyVerb)).toEqual([true, true, true, true]);
  expect(['film', 'bosses', 'customer', 'gwxyz'].map(isMostlyVerb)).toEqual([false, false, false, false]);
});

describe('the vocabulary', () => {
  const words: readonly (readonly [word: string, isThere: boolean])[] = [
    ['aardvark', true],
    ['mother', true],
    ['mothe', false],
    ['motherly', true],
    ['zzzzzz', false],
    ['a', false],
    ['Mother', false],
    ['__proto__', false],
  ];
  it.each(words)('%s is there: %s', (word, isThere) => {
    expect(isEnglish(word)).toBe(isThere);
    expect(rarityOf(word) !== undefined).toBe(isThere);
  });

  it('knows what is rarer, names, and what is called the same', () => {
    expect(rarityOf('allergen')).toBeGreaterThan(rarityOf('water') ?? Number.POSITIVE_INFINITY);
    expect(['texas', 'swift', 'kenyan'].filter(isOnlyName)).toEqual(['texas']);
    expect(namesOfSame('deutschland')).toEqual(expect.arrayContaining(['germany', 'frg']));
    expect(namesOfSame('allergen')).toEqual([]);
  });

  it('relates words both ways, and a name to what it is one of but not back', () => {
    const of = (word: string) => new Map(englishRelations(word).map((one) => [one.word, one]));
    expect(of('pacing').get('allegro')).toMatchObject({ relation: 'narrower', weight: 0.7 });
    expect(of('allegro').get('pacing')).toMatchObject({ relation: 'broader', weight: 0.7 });
    expect(of('filipino').get('aboriginal')).toBeDefined();
    expect(of('aboriginal').get('filipino')).toBeUndefined();
    const weights = englishRelations('activity').map(({ weight }) => weight);
    expect(weights).toHaveLength(16);
    expect(weights).toEqual([...weights].sort((one, other) => other - one));
  });
});
