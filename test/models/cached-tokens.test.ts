/** What a service had in its cache, from its reply over real HTTP to the answer, its cost and its card. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../src/answering/index.ts';
import { modelLines } from '../../src/cli/render/answers/render-answer.ts';
import { openLanguageModel } from '../../src/model/index.ts';
import { changedSession } from '../changed-session.ts';
import { openSmallSession, type SmallSession } from '../fixtures/grounded/open-small-session.ts';
import { startModelServer } from './model-server.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(() => small.close());

it.each([
  [1_500_000, { cachedTokens: 1_500_000, cost: 0.5 * 2 + 1.5 * 0.5 + 4 }, ' (1,500,000 cached) + '],
  [undefined, { cost: 2 * 2 + 4 }, '2,000,000 + 500,000 tokens'],
])('%s cached tokens are told and paid at their own price', async (cached, told, line) => {
  const usage = { prompt: 2_000_000, completion: 500_000, ...(cached !== undefined && { cached }) };
  const text = '{"outcome": "answered", "title": "singers", "sql": "SELECT COUNT(*) FROM singers"}';
  const server = await startModelServer([{ text, usage }]);
  const price = { prompt: 2, cached: 0.5, completion: 8 };
  const answers = await openLanguageModel({ name: 'openai:m', url: server.url, price });
  const session = changedSession(small.session, { models: async () => ({ answers }) });
  const answer = await ask('How many singers?', session, { record: false });
  await server.close();
  expect(answer.kind).toBe('answered');
  expect(answer.model).toMatchObject({ promptTokens: 2_000_000, ...told });
  expect(answer.model?.cachedTokens).toBe(cached);
  expect(answer.model?.sent?.[0]?.cachedTokens).toBe(cached);
  expect(modelLines(answer)[0]).toContain(line);
});
