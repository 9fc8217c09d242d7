import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepSpans, type SpansInMemory } from '../../../test/fixtures/spans-in-memory.ts';
import { CandorError } from '../../errors.ts';
import type { LanguageModel } from '../language-model/language-model.ts';
import { traced } from './open-session-model.ts';

let kept: SpansInMemory;
beforeEach(() => {
  kept = keepSpans();
});
afterEach(() => kept.stop());

const attributes = () => kept.spans()[0]?.attributes;

const MODEL: LanguageModel = {
  id: 'openai/org/some-model@api.example:443',
  host: 'api.example:443',
  chat: async () => ({
    text: 'the reply',
    toolCalls: [],
    usage: { promptTokens: 10, completionTokens: 2 },
    finish: 'stop',
  }),
};
const ASKED = {
  role: 'write',
  messages: [{ role: 'user' as const, content: 'the question' }],
  temperature: 0.5,
  maxTokens: 50,
};

describe('the span of a call', () => {
  it('has the names of the GenAI conventions, and no content', async () => {
    expect((await traced(MODEL).chat(ASKED)).text).toBe('the reply');
    expect(kept.spans()).toMatchObject([{ name: 'chat org/some-model', below: undefined }]);
    expect(attributes()).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'org/some-model',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 50,
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.response.finish_reasons': ['stop'],
      'server.address': 'api.example',
      'server.port': 443,
      'candor.model.role': 'write',
    });
  });

  it('has the content where it is wanted', async () => {
    await traced(MODEL, { hasContent: true }).chat(ASKED);
    expect(attributes()?.['gen_ai.input.messages']).toContain('the question');
    expect(attributes()?.['gen_ai.output.messages']).toContain('the reply');
  });

  it('says of a reply that was not asked for that it was not', async () => {
    const reply = { ...(await MODEL.chat(ASKED)), isReplayed: true };
    await traced({ ...MODEL, host: null, chat: async () => reply }).chat(ASKED);
    expect(attributes()).toMatchObject({ 'candor.model.replayed': true });
    expect(attributes()).not.toHaveProperty('server.address');
  });

  it('says what the service turned out not to take', async () => {
    const reply = { ...(await MODEL.chat(ASKED)), leftOut: ['it does not take seed'] };
    await traced({ ...MODEL, chat: async () => reply }).chat(ASKED);
    expect(attributes()).toMatchObject({ 'candor.model.left_out': ['it does not take seed'] });
  });

  it.each([
    ['its code', new CandorError('model.refused', 'the question'), 'model.refused'],
    ['no word', new Error('the question'), 'internal'],
  ])('of a failure says %s, and is ended once', async (_, error, type) => {
    const failing = traced({ ...MODEL, chat: () => Promise.reject(error) }, { hasContent: false });
    await expect(failing.chat(ASKED)).rejects.toBe(error);
    expect(kept.spans()).toMatchObject([
      { status: { code: 2, message: type }, attributes: { 'error.type': type } },
    ]);
    expect(JSON.stringify(kept.spans())).not.toContain('the question');
  });

  it('is not needed', async () => {
    kept.stop();
    expect((await traced(MODEL).chat(ASKED)).text).toBe('the reply');
  });
});
