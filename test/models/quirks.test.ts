/** Services that deviate, over real HTTP: what comes of a question to each, and that the guide says so. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { authoredText } from '../../src/catalog/share/index.ts';
import type { CandorError } from '../../src/errors.ts';
import { openSessionModel, TokenLedger } from '../../src/model/index.ts';
import { writeByModel } from '../../src/reasoning/llm/write-by-model.ts';
import type { WriteQuestion } from '../../src/reasoning/roles/write-reasoner.ts';
import { promptTokensOf, QUIRK_SQL, QUIRKS, type Quirk, type SentBody } from '../fixtures/quirks/quirks.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const KEY = 'sk-very-secret-0123456789';
const question: WriteQuestion = {
  ...{ text: 'customers with orders', dialect: 'sqlite', today: '2024-06-01' },
  ...{ schema: authoredText('orders: 3 rows\n  customer_id INTEGER'), knowledge: [], examples: [] },
  ledger: new TokenLedger(),
};
const DRAW = { index: 0, method: 'direct', temperature: 0.5, seed: 7 } as const;

async function serving({ serve, settings = {} }: Pick<Quirk, 'serve' | 'settings'>) {
  const asked: SentBody[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    const sent = JSON.parse(Buffer.concat(chunks).toString('utf8')) as SentBody;
    const { status, body } = serve(sent, asked.push(sent) - 1);
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const notices: string[] = [];
  const model = await openSessionModel(
    {
      ...{ name: 'openai:m', url: `http://127.0.0.1:${address.port}/v1`, key: KEY },
      ...{ timeoutMs: 10_000, requestsAtOnce: 4, ...settings },
    },
    { onNotice: (message) => notices.push(message) },
  );
  return { asked, notices, model, write: () => writeByModel(model).write(question, DRAW) };
}

/** All that is said, whoever says it. */
function rulesOf(sent: SentBody | undefined): string | undefined {
  return sent?.messages.map(({ content }) => content).join('\n\n');
}

describe('a service', () => {
  it.each(QUIRKS.filter(({ code }) => code === undefined))('$what: $comes', async (quirk) => {
    const { asked, notices, write } = await serving(quirk);
    expect(await write()).toMatchObject({ sql: QUIRK_SQL });
    expect(asked).toHaveLength(quirk.calls);
    expect(notices.at(-1) ?? '').toContain(quirk.notice ?? '');
    const told = notices.length;
    expect(told).toBe(quirk.notice === undefined ? told : quirk.calls - 1);
    // What was learned is kept: the next question is asked once.
    expect(await write()).toMatchObject({ sql: QUIRK_SQL });
    expect(asked.length - quirk.calls).toBe(1);
    expect(notices).toHaveLength(told);
    expect(rulesOf(asked.at(-1))).toBe(rulesOf(asked[0]));
  });

  it.each(QUIRKS.filter(({ code }) => code !== undefined))('$what: $comes', async (quirk) => {
    const { asked, write } = await serving(quirk);
    const error = await write().then(
      () => undefined,
      (thrown: CandorError) => thrown,
    );
    expect(error).toMatchObject({ code: quirk.code, data: quirk.data ?? {} });
    expect(`${error?.message} ${JSON.stringify(error?.data)}`).not.toMatch(/very-secret|customers with/);
    expect(asked).toHaveLength(quirk.calls);
  });

  it('whose window is known is sent nothing more that cannot fit', async () => {
    const quirk = QUIRKS.find(({ what }) => what.startsWith('LM Studio: the same, as'))!;
    const { asked, write } = await serving(quirk);
    await expect(write()).rejects.toMatchObject({ data: { contextWindow: 256 } });
    await expect(write()).rejects.toMatchObject({
      code: 'model.context-full',
      message: expect.stringContaining('was not sent') as unknown,
      data: { contextWindow: 256, promptTokens: expect.any(Number) as unknown },
    });
    expect(asked).toHaveLength(1);
  });

  it('that refuses for calls side by side tells it once, and each reply says what it went without', async () => {
    const quirk = QUIRKS.find(({ what }) => what.includes('one setting after the other'))!;
    const { notices, model } = await serving(quirk);
    const request = {
      ...{ messages: [{ role: 'user' as const, content: 'x' }] },
      ...{ temperature: 0, seed: 1, maxTokens: 9 },
    };
    const replies = await Promise.all([1, 2, 3].map((seed) => model.chat({ ...request, seed })));
    const all = ['temperature', 'seed', 'max_tokens'].map((setting) => `it does not take ${setting}`);
    for (const { leftOut } of replies) expect(leftOut).toEqual(all);
    expect(notices).toEqual([
      expect.stringContaining('`refuses: [temperature]` under `model` of candor.yml'),
      expect.stringContaining('`refuses: [seed]`'),
      expect.stringContaining('`refuses: [max_tokens]`'),
    ]);
  });

  it('gets a reply bounded by what the prompt leaves of the window', async () => {
    const { asked, write } = await serving(QUIRKS[0]!);
    await write();
    const [sent] = asked;
    const room = sent?.max_tokens ?? Number.POSITIVE_INFINITY;
    expect(room + promptTokensOf(sent!)).toBeLessThanOrEqual(8_192);
    expect(room).toBeGreaterThan(4_096);
  });
});

it('stands in the guide as it is tested', () => {
  const guide = readFileSync(new URL('../../docs/guides/models.md', import.meta.url), 'utf8');
  const table = guide.slice(guide.indexOf('## Services that deviate'), guide.indexOf('## Bounds'));
  const rows = [...table.matchAll(/^\| (?!service)([^-].*?) \| (.*?) \|$/gm)].map(([, what, comes]) => [
    what,
    comes,
  ]);
  expect(rows).toEqual(QUIRKS.map(({ what, comes }) => [what, comes]));
});
