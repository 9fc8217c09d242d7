/** `POST /v1/score` and `GET /healthz` over HTTP, for trainers on this machine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CandorError, type ErrorCode, toCandorError } from '../../../errors.ts';
import { isLoopback, namesLoopback } from '../../../lib/index.ts';
import type { Scorer } from '../scorer/open-scorer.ts';
import { scoreAll, WorkLine } from './score-all.ts';
import { parseScoreRequest } from './score-contract.ts';

export interface RewardServerSettings {
  readonly scorer: Scorer;
  /** 127.0.0.1, ::1 or localhost; anything else is refused. */
  readonly host: string;
  /** 0: one that is free. */
  readonly port: number;
  /** Items scored at once. */
  readonly concurrency: number;
  /** Items that may wait; more are refused with 429. */
  readonly mostWaiting?: number;
  readonly mostBytes?: number;
  /** How long requests in work may take once the server is closed. */
  readonly graceMs?: number;
}

export interface RewardServer {
  /** `http://127.0.0.1:8712` */
  readonly url: string;
  /** Takes no more requests, ends those in work within the time of grace, then cancels them. */
  close(): Promise<void>;
}

const DEFAULTS = { mostWaiting: 8_192, mostBytes: 16_000_000, graceMs: 10_000 } as const;
/** For a request to arrive whole. */
const RECEIVE_TIMEOUT_MS = 60_000;

/** Throws `reward.not-loopback` and `reward.port-unusable`. */
export async function startRewardServer(settings: RewardServerSettings): Promise<RewardServer> {
  const { host, port, concurrency, scorer, mostWaiting, mostBytes, graceMs } = { ...DEFAULTS, ...settings };
  if (!isLoopback(host)) {
    const message = `The reward is served to this machine alone, not on ${JSON.stringify(host.slice(0, 100))}.`;
    throw new CandorError('reward.not-loopback', message);
  }
  const stop = new AbortController();
  const serverParts: ServerParts = {
    ...{ scorer, mostBytes, stop: stop.signal },
    line: new WorkLine(concurrency, mostWaiting),
  };
  const works = new Set<Promise<void>>();
  const server = createServer({ requestTimeout: RECEIVE_TIMEOUT_MS }, (request, response) => {
    const work = answer(request, response, serverParts).finally(() => works.delete(work));
    works.add(work);
  });
  const address = await listen(server, host, port);
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => stop.abort(), graceMs);
      await Promise.allSettled(works);
      clearTimeout(timer);
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `Nothing can be served on ${host}, port ${port}: ${cause.message}.`;
      reject(new CandorError('reward.port-unusable', message, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('a TCP server has an address');
      resolve(address);
    });
  });
}

interface ServerParts {
  readonly scorer: Scorer;
  readonly line: WorkLine;
  readonly mostBytes: number;
  readonly stop: AbortSignal;
}

/** Never rejects: whatever goes wrong is told to the client, if it is still there. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  serverParts: ServerParts,
): Promise<void> {
  try {
    send(response, 200, await handle(request, response, serverParts));
  } catch (error) {
    const failure = toCandorError(error);
    const { code, message, next } = failure;
    const status = STATUSES[code] ?? { caller: 400, environment: 503, bug: 500 }[failure.kind];
    if (code === 'reward.overloaded') response.setHeader('Retry-After', serverParts.line.secondsLeft);
    // What was not read of the body would be taken for the next request.
    if (!request.complete) response.setHeader('Connection', 'close');
    send(response, status, { error: { code, message, next } });
  }
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  'reward.wrong-host': 403,
  'reward.unknown-route': 404,
  'reward.wrong-method': 405,
  'reward.too-large': 413,
  'reward.wrong-type': 415,
  'reward.overloaded': 429,
  'reward.closing': 503,
};

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text);
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  serverParts: ServerParts,
): Promise<unknown> {
  refuseForeignHost(request);
  const route = (request.url ?? '').split('?', 1)[0];
  if (route === '/healthz') {
    requireMethod(request, 'GET');
    return { status: 'ok', itemsInWork: serverParts.line.length };
  }
  if (route !== '/v1/score')
    throw new CandorError('reward.unknown-route', 'There are POST /v1/score and GET /healthz.');
  requireMethod(request, 'POST');
  // A page in a browser can send other types to any server without being asked first.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new CandorError('reward.wrong-type', 'The request is not of the type application/json.');
  const items = parseScoreRequest(await readBody(request, serverParts.mostBytes));
  await serverParts.scorer.refresh(serverParts.stop);
  if (serverParts.stop.aborted) throw new CandorError('reward.closing', 'The server is closing.');
  if (!serverParts.line.hasRoom(items.length)) {
    const message = `${serverParts.line.length} items are in work already; ${items.length} more find no room.`;
    throw new CandorError('reward.overloaded', message);
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, serverParts.stop]);
  try {
    return { scores: await scoreAll(items, { scorer: serverParts.scorer, line: serverParts.line, signal }) };
  } catch (error) {
    if (serverParts.stop.aborted) throw new CandorError('reward.closing', 'The server was closed meanwhile.');
    throw error;
  }
}

function refuseForeignHost({ headers }: IncomingMessage): void {
  if (namesLoopback(headers.host ?? '')) return;
  throw new CandorError('reward.wrong-host', 'The request was sent to another host than this machine.');
}

function requireMethod({ method }: IncomingMessage, wanted: string): void {
  if (method === wanted) return;
  throw new CandorError('reward.wrong-method', `This route is read with ${wanted}, not ${method}.`);
}

/** The body of a request as text. Throws `reward.too-large` as soon as it has too many bytes, and for broken UTF-8. */
async function readBody(request: IncomingMessage, mostBytes: number): Promise<string> {
  const tooLarge = (): CandorError =>
    new CandorError('reward.too-large', `The request has more than ${mostBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const read = Buffer.from(part);
    bytes += read.length;
    if (bytes > mostBytes) throw tooLarge();
    parts.push(read);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new CandorError('reward.invalid-request', 'The request is not UTF-8.');
  }
}
