import { describe, expect, it } from 'vitest';
import type { ChatReply, LanguageModel } from '../language-model/language-model.ts';
import { CostCounter, costOf } from './cost-counter.ts';

const PRICE = { prompt: 2, completion: 8 };
const MILLION = 1_000_000;

describe('what tokens cost', () => {
  it.each([
    ['prompt and reply', { promptTokens: MILLION, completionTokens: MILLION }, PRICE, 10],
    [
      'a prompt from the cache of the service',
      { promptTokens: MILLION, completionTokens: 0, cachedTokens: MILLION },
      { ...PRICE, cached: 0.5 },
      0.5,
    ],
    [
      'half a prompt from it',
      { promptTokens: MILLION, completionTokens: 0, cachedTokens: MILLION / 2 },
      { ...PRICE, cached: 0.5 },
      1.25,
    ],
    [
      'a cache without a price of its own',
      { promptTokens: MILLION, completionTokens: 0, cachedTokens: MILLION },
      PRICE,
      2,
    ],
    [
      'more from the cache than the prompt had',
      { promptTokens: 0, completionTokens: 0, cachedTokens: MILLION },
      { ...PRICE, cached: 1 },
      1,
    ],
  ] as const)('%s', (_, usage, price, dollars) => {
    expect(costOf(usage, price)).toBe(dollars);
  });
});

describe('the cost of a question', () => {
  const model = (more: Partial<LanguageModel>, reply: Partial<ChatReply> = {}): LanguageModel => ({
    id: 'm',
    host: 'api.example',
    chat: async () => ({
      text: '',
      toolCalls: [],
      usage: { promptTokens: MILLION, completionTokens: 0 },
      ...reply,
    }),
    ...more,
  });

  it.each<readonly [string, readonly LanguageModel[], number | undefined]>([
    ['nothing asked', [], 0],
    ['two models', [model({ price: PRICE }), model({ price: { prompt: 1, completion: 1 } })], 3],
    ['a model of unknown price', [model({ price: PRICE }), model({})], undefined],
    ['a model of this process', [model({ host: null })], 0],
    ['a kept reply of unknown price', [model({}, { isReplayed: true })], 0],
    ['a kept reply', [model({ price: PRICE }, { isReplayed: true })], 0],
  ])('%s', async (_, models, dollars) => {
    const counter = new CostCounter();
    for (const one of models) await counter.counted(one).chat({ messages: [] });
    expect(counter.dollars).toBe(dollars);
  });
});
