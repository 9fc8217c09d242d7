import { describe, expect, it } from 'vitest';
import type { ChatReply, LanguageModel } from '../language-model.ts';
import { startBudget } from './start-budget.ts';

const ASKED = { messages: [{ role: 'user' as const, content: 'x'.repeat(400) }] };

/** Answers when it is let to; the usage is what the service counts. */
function modelOf(reply: Partial<ChatReply> = {}): LanguageModel & { readonly calls: () => number } {
  let calls = 0;
  return {
    id: 'counted',
    calls: () => calls,
    chat: async () => {
      calls += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return { text: 'ok', toolCalls: [], usage: { promptTokens: 100, completionTokens: 20 }, ...reply };
    },
  };
}

describe('the budget of a question', () => {
  it('ends the calls that go beyond it, and says what was spent', async () => {
    const model = modelOf();
    const within = startBudget({ calls: 2, tokens: 10_000 })(model);
    await within.chat(ASKED);
    await within.chat(ASKED);
    await expect(within.chat(ASKED)).rejects.toMatchObject({
      code: 'model.budget-spent',
      message: expect.stringContaining(
        'a question may use 2 calls; this one has used 2 calls and 240 tokens',
      ),
      data: { calls: 2, tokens: 240 },
    });
    expect(model.calls()).toBe(2);
  });

  it('holds back a prompt that would not fit, by the tokens it has seen', async () => {
    const model = modelOf();
    const within = startBudget({ calls: 100, tokens: 300 })(model);
    await within.chat(ASKED);
    await within.chat(ASKED);
    await expect(within.chat(ASKED)).rejects.toMatchObject({
      code: 'model.budget-spent',
      message: expect.stringContaining('300 tokens'),
    });
    expect(model.calls()).toBe(2);
  });

  it.each([
    ['calls', { calls: 2, tokens: 100_000 }],
    ['tokens', { calls: 100, tokens: 250 }],
  ])('of %s is not passed by calls side by side', async (_, budget) => {
    const model = modelOf();
    const within = startBudget(budget)(model);
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => within.chat(ASKED)));
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    expect(model.calls()).toBe(2);
  });

  it('is one for all models under it', async () => {
    const budget = startBudget({ calls: 1, tokens: 10_000 });
    const [one, other] = [modelOf(), modelOf()];
    await budget(one).chat(ASKED);
    await expect(budget(other).chat(ASKED)).rejects.toMatchObject({ code: 'model.budget-spent' });
    expect(other.calls()).toBe(0);
  });

  it('is not touched by replies that were not asked for', async () => {
    const within = startBudget({ calls: 1, tokens: 250 })(modelOf({ isReplayed: true }));
    for (let round = 0; round < 5; round++) expect((await within.chat(ASKED)).text).toBe('ok');
  });

  it('counts a call that failed, but no tokens of it', async () => {
    const failing: LanguageModel = { id: 'failing', chat: async () => Promise.reject(new Error('no')) };
    const within = startBudget({ calls: 1, tokens: 1_000 })(failing);
    await expect(within.chat(ASKED)).rejects.toThrow('no');
    await expect(within.chat(ASKED)).rejects.toMatchObject({ data: { calls: 1, tokens: 0 } });
  });
});
