import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChatRequest } from '../language-model/language-model.ts';
import { requestKey } from './reply-file.ts';

const REQUEST: ChatRequest = {
  role: 'write',
  messages: [
    { role: 'system', content: 'rules' },
    { role: 'user', content: 'question' },
  ],
  replySchema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
  temperature: 0.2,
  seed: 1,
};

it('is the same however the request was built, whoever waits and whoever is told', () => {
  const { role, seed, ...rest } = REQUEST;
  const other = { seed, ...rest, signal: new AbortController().signal, onSend: () => undefined, role };
  expect(requestKey('m', other as ChatRequest)).toBe(requestKey('m', REQUEST));
  expect(requestKey('m', { ...REQUEST, topP: undefined } as unknown as ChatRequest)).toBe(
    requestKey('m', REQUEST),
  );
});

it('is another for another model, and for any change of what is asked', () => {
  const changes: readonly Partial<ChatRequest>[] = [
    { seed: 2 },
    { temperature: 0.3 },
    { role: 'fix' },
    { maxTokens: 5 },
    { messages: [...REQUEST.messages].reverse() },
    { replySchema: { type: 'object' } },
    { tools: [{ name: 't', description: '', parameters: {} }] },
  ];
  const keys = changes.map((change) => requestKey('m', { ...REQUEST, ...change }));
  expect(new Set([...keys, requestKey('m', REQUEST), requestKey('n', REQUEST)]).size).toBe(
    changes.length + 2,
  );
});

it('tells any two texts apart', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const key = (content: string) => requestKey('m', { messages: [{ role: 'user', content }] });
      expect(key(one) === key(other)).toBe(one === other);
    }),
  );
});
