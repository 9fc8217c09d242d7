import { describe, expect, it } from 'vitest';
import { chooseValueUse, type ValueFacts } from './choose-value-use.ts';

const FACTS: ValueFacts = {
  column: { id: 't.title', name: 'title' },
  family: 'text',
  isPrimaryKey: false,
  isWithheld: false,
  distinctCount: 500,
  meanLength: 12,
};

function named(name: string): ValueFacts {
  return { ...FACTS, column: { id: `t.${name.toLowerCase()}`, name } };
}

describe('the skip rules of names', () => {
  const cases: readonly (readonly [name: string, use: 'similar' | 'exact'])[] = [
    ['title', 'similar'],
    ['name', 'similar'],
    ['city', 'similar'],
    ['Category', 'similar'],
    ['paid', 'similar'],
    ['Identity', 'similar'],
    ['idea', 'similar'],
    ['customer_id', 'exact'],
    ['customer id', 'exact'],
    ['customerId', 'exact'],
    ['CUSTOMER_ID', 'exact'],
    ['image_url', 'exact'],
    ['Email', 'exact'],
    ['website', 'exact'],
    ['start_time', 'exact'],
    ['PhoneNumber', 'exact'],
    ['order_date', 'exact'],
    ['updated_by', 'exact'],
    ['StreetAddress', 'exact'],
    ['lifetime', 'exact'],
  ];
  it.each(cases)('%s: %s', (name, use) => {
    expect(chooseValueUse(named(name)).use).toBe(use);
  });
});

describe('the other rules', () => {
  const cases: readonly {
    readonly facts: Partial<ValueFacts>;
    readonly use: ReturnType<typeof chooseValueUse>['use'];
    readonly because: RegExp;
  }[] = [
    { facts: {}, use: 'similar', because: /^500 values of 12 characters$/ },
    { facts: { isPrimaryKey: true }, use: 'exact', because: /primary key/ },
    { facts: { isWithheld: true }, use: 'none', because: /personal/ },
    { facts: { family: 'boolean' }, use: 'none', because: /boolean/ },
    { facts: { meanLength: 61 }, use: 'none', because: /prose/ },
    // S < 2,000,000 and ℓ < 25, or n < 100, or "name" and S < 5,000,000.
    { facts: { distinctCount: 100_000, meanLength: 19 }, use: 'similar', because: /100,000 values/ },
    { facts: { distinctCount: 100_000, meanLength: 20 }, use: 'exact', because: /too large/ },
    { facts: { meanLength: 25 }, use: 'exact', because: /too long/ },
    { facts: { meanLength: 25, distinctCount: 99 }, use: 'similar', because: /99 values/ },
    {
      facts: { ...named('full_name'), distinctCount: 250_000, meanLength: 19 },
      use: 'similar',
      because: /250/,
    },
    {
      facts: { ...named('full_name'), distinctCount: 250_000, meanLength: 20 },
      use: 'exact',
      because: /large/,
    },
    { facts: { family: 'number', distinctCount: 1_000 }, use: 'literal', because: /1,000 different numbers/ },
    { facts: { family: 'number', distinctCount: 1_001 }, use: 'none', because: /1,001 different numbers/ },
    { facts: { family: 'time', distinctCount: 30 }, use: 'literal', because: /30 different dates/ },
    { facts: { ...named('OrderId'), family: 'number', distinctCount: 5 }, use: 'none', because: /key/ },
  ];
  it.each(cases)('$facts: $use', ({ facts, use, because }) => {
    const choice = chooseValueUse({ ...FACTS, ...facts });
    expect(choice).toEqual({ use, because: expect.stringMatching(because) });
  });

  it('yield to what a person says, but for values that look personal', () => {
    const lists = { include: new Set(['t.order_id', 't.title']), exclude: new Set(['t.city']) };
    expect(chooseValueUse(named('order_id'), lists)).toEqual({
      use: 'similar',
      because: 'the settings include it',
    });
    expect(chooseValueUse(named('city'), lists)).toEqual({
      use: 'exact',
      because: 'the settings exclude it',
    });
    expect(chooseValueUse({ ...FACTS, isWithheld: true }, lists).use).toBe('none');
  });
});
