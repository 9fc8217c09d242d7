import { describe, expect, it } from 'vitest';
import type { ChatReply, LanguageModel } from '../language-model/language-model.ts';
import { announced } from './open-session-model.ts';
import { startBudget } from './start-budget.ts';

const reply = (promptTokens: number, completionTokens: number, more: Partial<ChatReply> = {}): ChatReply => ({
  ...{ text: 'x', toolCalls: [], usage: { promptTokens, completionTokens } },
  ...more,
});
const asking = (text: string) => ({ messages: [{ role: 'user' as const, content: text }] });

function modelOf(replies: readonly ChatReply[]): LanguageModel & { readonly calls: () => number } {
  let calls = 0;
  return {
    id: 'm',
    host: 'service',
    calls: () => calls,
    chat: async () => replies[Math.min(calls++, replies.length - 1)]!,
  };
}

describe('a budget', () => {
  it('of calls holds back the one beyond it, and says what was spent', async () => {
    const model = modelOf([reply(10, 5)]);
    const chat = startBudget({ calls: 2, tokens: 1_000 })(announced(model)).chat;
    await chat(asking('a'));
    await chat(asking('b'));
    await expect(chat(asking('c'))).rejects.toMatchObject({
      code: 'model.budget-spent',
      message: expect.stringContaining('has used 2 calls and 30 tokens'),
      data: { calls: 2, tokens: 30 },
    });
    expect(model.calls()).toBe(2);
  });

  it('of tokens holds back a prompt that is too long before it is sent', async () => {
    const model = modelOf([reply(10, 5)]);
    const chat = startBudget({ calls: 9, tokens: 1_000 })(announced(model)).chat;
    await expect(chat(asking('x'.repeat(8_000)))).rejects.toMatchObject({ code: 'model.budget-spent' });
    expect(model.calls()).toBe(0);
  });

  it('learns from the replies how many characters make a token', async () => {
    // Two characters a token: a text of 1,200 is 600 tokens, where four would have let it pass.
    const model = modelOf([reply(202, 1)]);
    const chat = startBudget({ calls: 9, tokens: 700 })(announced(model)).chat;
    await chat(asking('x'.repeat(400)));
    await expect(chat(asking('x'.repeat(1_200)))).rejects.toMatchObject({ code: 'model.budget-spent' });
  });

  it('cannot be passed by calls side by side', async () => {
    const model = modelOf([reply(10, 5)]);
    const chat = startBudget({ calls: 3, tokens: 1_000 })(announced(model)).chat;
    const all = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((text) => chat(asking(text))));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(model.calls()).toBe(3);
  });

  it('is shared by the models under it, and a call that fails gives its tokens back', async () => {
    const within = startBudget({ calls: 3, tokens: 60 });
    const failing: LanguageModel = { id: 'f', chat: async () => Promise.reject(new Error('down')) };
    await expect(within(announced(failing)).chat(asking('x'.repeat(100)))).rejects.toThrow('down');
    await within(announced(modelOf([reply(20, 5)]))).chat(asking('x'.repeat(100)));
    await expect(
      within(announced(modelOf([reply(1, 1)]))).chat(asking('x'.repeat(200))),
    ).rejects.toMatchObject({
      code: 'model.budget-spent',
    });
  });

  it('is not touched by what is not sent', async () => {
    const kept: LanguageModel = { id: 'k', chat: async () => reply(1_000_000, 1, { isReplayed: true }) };
    const chat = startBudget({ calls: 1, tokens: 10 })(kept).chat;
    for (const text of ['a', 'b', 'c']) await chat(asking(text));
  });
});
