/** A local HTTP server that plays a list of exchanges: it knows what must be asked, in which order, and what it says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';

const EXCHANGE = z.object({
  request: z.object({
    method: z.string(),
    /** With the query. */
    path: z.string(),
    /** Must be among the headers that come. */
    headers: z.record(z.string(), z.string()).optional(),
    /** Must be part of the JSON body that comes. */
    body: z.unknown().optional(),
  }),
  response: z.object({
    status: z.number().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** Sent as JSON. */
    body: z.unknown().optional(),
    /** Sent as it is. */
    text: z.string().optional(),
    /** The text is sent this many times. */
    times: z.number().optional(),
    gzip: z.boolean().optional(),
    /** Never answers, or hangs up in the middle of the answer. */
    instead: z.enum(['silence', 'hang-up']).optional(),
  }),
  /** May come any number of times, until the next one does. */
  repeats: z.boolean().optional(),
});

export const EXCHANGES = z.array(EXCHANGE);
export type Exchange = z.infer<typeof EXCHANGE>;

export interface ExchangeServer {
  readonly origin: string;
  /** What came otherwise than the list says; empty when all went well. */
  readonly problems: readonly string[];
  /** The headers of all requests, in order. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** Bodies of all requests, in order. */
  readonly bodies: readonly string[];
  /** Exchanges that never happened. */
  missing(): readonly string[];
  close(): Promise<void>;
}

/** `{{origin}}` in a text stands for the server itself. */
export async function playExchanges(exchanges: readonly Exchange[]): Promise<ExchangeServer> {
  const problems: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const bodies: string[] = [];
  const met = new Set<number>();
  let at = 0;
  let origin = '';
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      headers.push(request.headers);
      bodies.push(body);
      const current = exchanges[at];
      const next = exchanges[at + 1];
      const isNext = current?.repeats === true && next !== undefined && differs(next, request, body) === null;
      if (isNext) at += 1;
      const found = isNext ? next : current;
      const difference = found === undefined ? 'nothing more was expected' : differs(found, request, body);
      if (found === undefined || difference !== null) {
        problems.push(`${request.method} ${request.url}: ${difference}`);
        response.writeHead(500).end();
        return;
      }
      met.add(at);
      if (found.repeats !== true) at += 1;
      answer(found.response, response, origin);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    problems,
    headers,
    bodies,
    missing: () =>
      exchanges
        .filter((_, index) => !met.has(index))
        .map(({ request }) => `${request.method} ${request.path}`),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** What is wrong with the request, or `null`. */
function differs({ request: wanted }: Exchange, request: IncomingMessage, body: string): string | null {
  if (request.method !== wanted.method || request.url !== wanted.path) {
    return `expected ${wanted.method} ${wanted.path}`;
  }
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    if (request.headers[name] !== value)
      return `header ${name} is ${String(request.headers[name])}, not ${value}`;
  }
  if (wanted.body === undefined) return null;
  return contains(JSON.parse(body), wanted.body) ? null : `the body is ${body}`;
}

/** Objects may hold more than is wanted; everything else is equal. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (Array.isArray(wanted)) return JSON.stringify(value) === JSON.stringify(wanted);
  if (typeof value !== 'object' || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(wanted).every(([name, part]) => contains(found.get(name), part));
}

function answer(wanted: Exchange['response'], response: ServerResponse, origin: string): void {
  if (wanted.instead === 'silence') return;
  const text = (wanted.text ?? JSON.stringify(wanted.body ?? {})).replaceAll('{{origin}}', origin);
  const full = text.repeat(wanted.times ?? 1);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    headers[name] = value.replaceAll('{{origin}}', origin);
  }
  if (wanted.instead === 'hang-up') {
    response.writeHead(200, { ...headers, 'content-length': String(full.length + 100) });
    response.write(full, () => response.destroy());
    return;
  }
  const packed = wanted.gzip === true ? gzipSync(full) : Buffer.from(full);
  if (wanted.gzip === true) headers['content-encoding'] = 'gzip';
  response.writeHead(wanted.status ?? 200, headers).end(packed);
}
