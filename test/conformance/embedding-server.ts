/** An OpenAI-compatible embedding service in this process, which can be told to misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { openEmbeddingModel } from '../../src/model/index.ts';

const BODY = z.object({ model: z.string(), input: z.array(z.string().min(1)).min(1).max(2048) });

export interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly texts: readonly string[];
}

export interface EmbeddingServer {
  /** Up to and without `/embeddings`. */
  readonly url: string;
  /** Every request that came whole. */
  readonly asked: readonly Asked[];
  /** The most that were being answered at once. */
  readonly mostAtOnce: () => number;
  close(): Promise<void>;
}

/** Answers a request itself, or returns `false` for the usual answer. */
export type Misbehave = (
  response: ServerResponse,
  asked: Asked,
  vectors: readonly (readonly number[])[],
) => boolean | Promise<boolean>;

export async function startEmbeddingServer(misbehave: Misbehave = () => false): Promise<EmbeddingServer> {
  const model = await openEmbeddingModel({ embedding: 'hashed' });
  const asked: Asked[] = [];
  let running = 0;
  let most = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { input } = BODY.parse(JSON.parse(await readBody(request)));
    const one: Asked = { url: request.url ?? '', authorization: request.headers.authorization, texts: input };
    asked.push(one);
    const vectors = (await model.embed(input)).map((vector) => [...vector]);
    if (await misbehave(response, one, vectors)) return;
    sendVectors(response, vectors);
  };
  const server = createServer((request, response) => {
    running += 1;
    most = Math.max(most, running);
    response.once('close', () => {
      running -= 1;
    });
    answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    mostAtOnce: () => most,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The usual answer; in backward order, which is allowed. */
export function sendVectors(response: ServerResponse, vectors: readonly (readonly number[])[]): void {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).toReversed();
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ object: 'list', data }));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
