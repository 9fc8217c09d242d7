import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../language-model.ts';
import { requestKey } from './request-key.ts';

const REQUEST: ChatRequest = {
  role: 'write',
  messages: [
    { role: 'system', content: 'You write SQL.' },
    { role: 'user', content: 'orders by city' },
  ],
  tools: [{ name: 'probe', description: 'runs SQL', parameters: { type: 'object' } }],
  replySchema: { type: 'object', properties: { sql: { type: 'string' } } },
  temperature: 0.7,
  seed: 1,
  maxTokens: 100,
};

/** The same value with its keys the other way round, at every depth. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

describe('the key of a request', () => {
  it('does not depend on the order of keys, at any depth', () => {
    const schema = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(schema, fc.string(), (replySchema, content) => {
        const request: ChatRequest = { ...REQUEST, replySchema, messages: [{ role: 'user', content }] };
        expect(requestKey('m', turned(request) as ChatRequest)).toBe(requestKey('m', request));
      }),
    );
  });

  it('differs for any other text of a message', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const keyOf = (content: string) =>
          requestKey('m', { ...REQUEST, messages: [{ role: 'user', content }] });
        expect(keyOf(one) === keyOf(other)).toBe(one === other);
      }),
    );
  });

  it.each<readonly [string, Partial<ChatRequest>]>([
    ['role', { role: 'fix' }],
    ['order of messages', { messages: REQUEST.messages.toReversed() }],
    ['message less', { messages: REQUEST.messages.slice(1) }],
    ['seed', { seed: 2 }],
    ['temperature', { temperature: 0 }],
    ['bound', { maxTokens: 101 }],
    ['wish for probabilities', { wantsLogProbabilities: true }],
    ['schema', { replySchema: { type: 'object', properties: { sql: { type: 'number' } } } }],
    ['tool', { tools: [{ name: 'probe', description: 'runs a query', parameters: { type: 'object' } }] }],
    ['cut-off of sampling', { topP: 0.9 }],
  ])('differs for another %s', (_, change) => {
    expect(requestKey('m', { ...REQUEST, ...change })).not.toBe(requestKey('m', REQUEST));
  });

  it('differs by model, and not by who waits for the reply', () => {
    expect(requestKey('n', REQUEST)).not.toBe(requestKey('m', REQUEST));
    expect(requestKey('m', { ...REQUEST, signal: new AbortController().signal })).toBe(
      requestKey('m', REQUEST),
    );
  });
});
