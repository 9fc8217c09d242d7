import { describe, expect, it } from 'vitest';
import { SHOP_WORDS } from '../../test/fixtures/grounded/shop-words.ts';
import { emptySemanticModel, type SemanticModel } from '../knowledge/semantic/index.ts';
import { precheck } from './precheck.ts';
import { normaliseQuestion } from './question/normalise-question.ts';

function check(question: string, semantics: SemanticModel = SHOP_WORDS): string {
  const boundary = precheck(normaliseQuestion(question, semantics), semantics);
  if (boundary === null) return 'passes';
  if (boundary.kind === 'clarify') return `clarify ${boundary.gap}: ${boundary.phrase}`;
  if (boundary.kind === 'reject') return `reject ${boundary.reason}: ${boundary.missing}`;
  return boundary.kind;
}

describe('precheck', () => {
  const cases: readonly (readonly [question: string, verdict: string])[] = [
    ['How many orders in 2023?', 'passes'],
    // what the model says is not there
    ['What was the weather in Paris?', 'reject metric: weather'],
    ['WEATHER per month', 'reject metric: weather'],
    ['weathered wood by price', 'passes'],
    ['Show the sales forecast for 2030', 'reject metric: sales forecast'],
    // a time that nobody can compute
    ['orders recently', 'clarify time: recently'],
    ['What have people bought these days?', 'clarify time: these days'],
    ['orders in recent months', 'clarify time: in recent months'],
    ['the most recent order', 'passes'],
    ['orders in the last 3 months', 'passes'],
    ['recentlyadded items', 'passes'],
    // a word with several meanings, the longest first
    ['sales by city', 'clarify metric: sales'],
    ['Sales in 2023', 'clarify metric: Sales'],
    ['sales performance by city', 'clarify metric: sales performance'],
    ['salesman of the year', 'passes'],
    // … unless it is part of a name
    ['sales target by city', 'passes'],
    ['sales goal by city', 'passes'],
    // a vague term of the model goes before the built-in list
    ['orders lately', 'clarify time: lately'],
    // a question for no figure at all
    ['How are we doing?', 'clarify intent: How are we doing'],
    ['how has our business been going in Lyon this year', 'clarify intent: how has our business been going'],
    ['How is business in Lyon?', 'clarify intent: How is business'],
    ['Give me a quick overview of 2023', 'clarify intent: a quick overview'],
    ['Is everything going well?', 'clarify intent: Is everything going well'],
    ['What’s going on in Paris?', 'clarify intent: What’s going on'],
    ['Sum up the year', 'clarify intent: Sum up the year'],
    // … unless it names a figure
    ['How are we doing on the sales target?', 'passes'],
    ['overview of the sales goal by city', 'passes'],
    ['how is the weather station', 'reject metric: weather'],
    ['how did we invoice Lyon', 'passes'],
    // order of refusal: reject before clarify
    ['delete the sales of recent months', 'reject unsafe: delete'],
    ['sales and weather recently', 'reject metric: weather'],
  ];
  it.each(cases)('“%s” %s', (question, verdict) => {
    expect(check(question)).toBe(verdict);
  });

  const WITH_ROLES: SemanticModel = {
    ...SHOP_WORDS,
    dimensions: [
      { name: 'channel', synonyms: ['source'], table: 'orders', column: 'orders.channel', isTime: false },
      { name: 'role', synonyms: [], table: 'staff', column: 'staff.role', isTime: false },
    ],
    valueMappings: [{ column: 'staff.role', value: 'SC', surface: ['sales consultant'] }],
  };
  const STORED: Readonly<Record<string, readonly string[]>> = {
    sales: ['orders.channel'],
    'sales lane': ['shops.name'],
  };
  const values: readonly (readonly [question: string, verdict: 'passes' | 'asks'])[] = [
    // a stored value beside the name of its dimension, on either side
    ['orders for the channel sales', 'passes'],
    ['orders where the source is sales', 'passes'],
    ['orders of the sales channel', 'passes'],
    // inside a longer value, mapped or stored
    ['orders per sales consultant', 'passes'],
    ['orders of Sales Lane', 'passes'],
    // behind a preposition, where a figure is named elsewhere
    ['sales goal in Rome for sales', 'passes'],
    ['growth of sales in 2023', 'asks'],
    ['sales by channel', 'asks'],
    ['sales for each role', 'asks'],
  ];
  it.each(values)('“%s” %s', (question, verdict) => {
    const boundary = precheck(
      normaliseQuestion(question, WITH_ROLES),
      WITH_ROLES,
      (text) => STORED[text.toLowerCase()] ?? [],
    );
    expect(boundary?.kind ?? 'passes').toBe(verdict === 'asks' ? 'clarify' : 'passes');
  });

  it('offers questions that stand alone, in place of the vague words', () => {
    const options = (question: string) => {
      const boundary = precheck(normaliseQuestion(question, SHOP_WORDS), SHOP_WORDS);
      return boundary?.kind === 'clarify' ? boundary.options.map((option) => option.question) : [];
    };
    expect(options('Sales by city')).toEqual(['order count by city', 'order amount by city']);
    expect(options('Orders recently')).toEqual([
      'Orders in the last 30 days',
      'Orders in the last 3 months',
      'Orders in the last 12 months',
      'Orders this year',
    ]);
    for (const question of [...options('Sales by city'), ...options('Orders recently')])
      expect(check(question)).toBe('passes');
  });

  it('takes terms as text, not as patterns', () => {
    const odd: SemanticModel = {
      ...emptySemanticModel,
      outOfScope: [{ term: 'a.b (c', why: 'it is odd.' }],
      vagueTerms: [{ term: '$&', gap: 'term', ask: 'What?', options: [] }],
    };
    expect(check('is a.b (c here', odd)).toBe('reject metric: a.b (c');
    expect(check('is axb (c here', odd)).toBe('passes');
    expect(check('what is $& here', odd)).toBe('clarify term: $&');
  });

  // String.replace would read `$'` in the replacement as "what follows".
  it('puts an option into the question as it is written', () => {
    const odd: SemanticModel = {
      ...emptySemanticModel,
      vagueTerms: [{ term: 'price', gap: 'term', ask: 'Which?', options: ["price in $'"] }],
    };
    const boundary = precheck(normaliseQuestion('price by city', odd), odd);
    expect(boundary?.kind === 'clarify' ? boundary.options[0]?.question : '').toBe("price in $' by city");
  });

  it('lets everything pass when nothing is written down, but writes', () => {
    expect(check('sales by weather', emptySemanticModel)).toBe('passes');
    expect(check('delete all sales', emptySemanticModel)).toBe('reject unsafe: delete');
  });
});
