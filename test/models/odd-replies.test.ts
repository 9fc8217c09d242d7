/** Replies of every odd kind over real HTTP: each is read, mended by the model, or an error that names the cause. */
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { authoredText } from '../../src/catalog/share/index.ts';
import { openLanguageModel, TokenLedger } from '../../src/model/index.ts';
import { writeByModel } from '../../src/reasoning/llm/write-by-model.ts';
import type { WriteQuestion } from '../../src/reasoning/roles/write-reasoner.ts';
import { NO_REPLIES, ODD_REPLIES } from '../fixtures/replies/odd-replies.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const question: WriteQuestion = {
  ...{ text: 'customers with orders', dialect: 'sqlite', today: '2024-06-01' },
  ...{ schema: authoredText('orders: 3 rows\n  customer_id INTEGER'), knowledge: [], examples: [] },
  ledger: new TokenLedger(),
};
const DRAW = { index: 0, method: 'direct', temperature: 0 } as const;

/** Bodies in order, the last one for ever. */
async function writing(bodies: readonly string[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = asked.push(Buffer.concat(chunks).toString('utf8')) - 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(bodies[at] ?? bodies.at(-1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const model = await openLanguageModel({ name: 'openai:m', url: `http://127.0.0.1:${address.port}/v1` });
  return { write: () => writeByModel(model).write(question, DRAW), asked };
}

const read = ODD_REPLIES.filter(({ cause }) => cause === undefined);
const unread = ODD_REPLIES.filter(({ cause }) => cause !== undefined);

describe('a reply', () => {
  it.each(read)('is read: $what', async ({ body, sql }) => {
    const { write, asked } = await writing([body]);
    expect(await write()).toMatchObject({ sql });
    expect(asked).toHaveLength(1);
  });

  it.each(unread)('that is none is mended, the cause told: $what', async ({ body, cause = '' }) => {
    const { write, asked } = await writing([body, ODD_REPLIES[0]?.body ?? '']);
    expect(await write()).toMatchObject({ sql: 'SELECT customer_id FROM orders' });
    expect(asked[1]).toContain(JSON.stringify(`That cannot be used: ${cause}`).slice(1, -1));
  });

  it.each(unread)(
    'that is none twice is an error that names the cause: $what',
    async ({ body, cause = '', code = 'model.invalid-reply' }) => {
      const { write } = await writing([body]);
      await expect(write()).rejects.toMatchObject({
        code,
        message: expect.stringContaining(cause) as unknown,
      });
    },
  );

  it.each(NO_REPLIES)('of the service that is none at all: %s', async (_, body, said) => {
    const { write, asked } = await writing([body]);
    await expect(write()).rejects.toMatchObject({
      code: 'model.bad-reply',
      message: expect.stringContaining(said) as unknown,
    });
    expect(asked).toHaveLength(1);
  });
});
