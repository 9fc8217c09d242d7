import { describe, expect, it } from 'vitest';
import { type ModelProfile, profileOf, UNKNOWN_MODEL } from './model-profiles.ts';

interface Case {
  readonly model: string;
  readonly is: Partial<ModelProfile>;
  /** Dollars per million tokens: prompt and reply; null: nobody says. */
  readonly costs: readonly [number, number] | null;
}

const REASONS: Partial<ModelProfile> = {
  ...{ takes: [], json: 'schema' },
  replyBounds: ['max_completion_tokens', 'max_tokens'],
};

const CASES: readonly Case[] = [
  { model: 'qwen2.5-coder:7b', is: { contract: 'short' }, costs: null },
  { model: 'meta-llama/Llama-3.2-3B-Instruct', is: { contract: 'short' }, costs: null },
  { model: 'smollm2-360m-instruct-q4_k_m', is: { contract: 'short' }, costs: null },
  { model: 'llama3.3:70b', is: { contract: 'full' }, costs: null },
  { model: 'qwen3-235b-a22b', is: { contract: 'full' }, costs: null },
  { model: 'mixtral-8x7b', is: { contract: 'full' }, costs: null },
  { model: 'gpt-5', is: { ...REASONS, contextWindow: 400_000, maxReplyTokens: 128_000 }, costs: [1.25, 10] },
  { model: 'gpt-5-2025-08-07', is: REASONS, costs: [1.25, 10] },
  { model: 'gpt-5-mini', is: REASONS, costs: [0.25, 2] },
  { model: 'gpt-5-pro', is: { ...REASONS, contextWindow: 272_000 }, costs: null },
  { model: 'gpt-5.2', is: { ...REASONS, contextWindow: 400_000 }, costs: [1.75, 14] },
  { model: 'gpt-5.2-pro', is: REASONS, costs: null },
  { model: 'gpt-6-luna', is: { ...REASONS, contextWindow: 272_000 }, costs: null },
  { model: 'gpt-5-chat-latest', is: { contextWindow: 128_000 }, costs: null },
  { model: 'gpt-4.1', is: { contextWindow: 1_047_576, takes: UNKNOWN_MODEL.takes }, costs: [2, 8] },
  { model: 'gpt-4.1-mini-2025-04-14', is: { maxReplyTokens: 32_768 }, costs: [0.4, 1.6] },
  { model: 'gpt-4o', is: { contextWindow: 128_000 }, costs: [2.5, 10] },
  { model: 'gpt-4o-2024-05-13', is: { contextWindow: 128_000 }, costs: null },
  { model: 'gpt-4o-mini', is: { contextWindow: 128_000 }, costs: [0.15, 0.6] },
  { model: 'o3', is: { ...REASONS, contextWindow: 200_000 }, costs: [2, 8] },
  { model: 'o3-mini', is: REASONS, costs: null },
  { model: 'o4-mini', is: REASONS, costs: [1.1, 4.4] },
  { model: 'claude-opus-5-5', is: { takes: [], contextWindow: 1_000_000 }, costs: [4, 20] },
  { model: 'claude-opus-4-7', is: { takes: [] }, costs: [5, 25] },
  {
    model: 'claude-opus-4-5',
    is: { takes: ['temperature', 'topK'], contextWindow: 200_000 },
    costs: [5, 25],
  },
  { model: 'claude-opus-4-1', is: { maxReplyTokens: 32_000 }, costs: [15, 75] },
  { model: 'anthropic/claude-opus-4.1', is: { maxReplyTokens: 32_000 }, costs: [15, 75] },
  { model: 'claude-sonnet-5', is: { takes: [] }, costs: [2, 10] },
  { model: 'claude-sonnet-4-5', is: { maxReplyTokens: 64_000 }, costs: [3, 15] },
  { model: 'claude-haiku-5-5', is: { takes: [] }, costs: null },
  { model: 'claude-3-haiku-20240307', is: { maxReplyTokens: 4_096 }, costs: null },
  { model: 'gemini-2.5-flash', is: { contextWindow: 1_048_576, json: 'schema' }, costs: [0.3, 2.5] },
  { model: 'gemini-2.5-flash-lite', is: {}, costs: [0.1, 0.4] },
  { model: 'gemini-2.5-flash-image', is: {}, costs: null },
  { model: 'gemini-2.5-pro', is: { maxReplyTokens: 65_536 }, costs: null },
  { model: 'gemini-2.0-flash', is: { maxReplyTokens: 8_192 }, costs: null },
  { model: 'llama3.1:8b', is: { ...UNKNOWN_MODEL, contract: 'short' }, costs: null },
  { model: 'not-gpt-5', is: UNKNOWN_MODEL, costs: null },
];

describe('what is known of a model', () => {
  it.each(CASES)('$model', ({ model, is, costs }) => {
    const { price, ...profile } = profileOf(model);
    expect(profile).toMatchObject(is);
    expect(price === undefined ? null : [price.prompt, price.completion]).toEqual(costs);
  });

  it('does not depend on upper case, and says when a price was noted', () => {
    expect(profileOf('OpenAI/GPT-4.1')).toEqual(profileOf('gpt-4.1'));
    expect(profileOf('gpt-4.1').price?.noted).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
