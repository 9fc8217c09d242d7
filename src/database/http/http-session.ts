/** HTTP to one database service: kept-alive connections, retries the server asks for, and bounds on everything. */
import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { isLoopback } from './connection-url.ts';

/** Answers that ask to try again. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MOST_TRIES = 6;
/** A host that does not even shake hands in this time is not there. */
const CONNECT_TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** One page of a result at most; above it the answer is refused, since memory must stay bounded. */
const BODY_BYTES = 64 * 1024 * 1024;

export interface HttpSessionOptions {
  /** How errors call the service: `Trino at trino.example.com`. */
  readonly title: string;
  /** Scheme, host and port of everything that may be talked to; credentials never go elsewhere. */
  readonly origins: readonly string[];
  /** Texts that no error may show, should a server repeat them. */
  readonly secrets: readonly string[];
  /** Certificates in PEM form to trust instead of the machine's own. */
  readonly ca?: string;
  /** Plain HTTP to another machine, because the user's URL says so. */
  readonly mayBePlain?: boolean;
  readonly connectTimeoutMs?: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'HEAD';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request and any waiting between tries. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Progress {
  isReused: boolean;
  isAnswered: boolean;
}

export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #secrets: Set<string>;
  readonly #plain = new PlainAgent({ keepAlive: true });
  readonly #tls: TlsAgent;

  constructor(options: HttpSessionOptions) {
    this.#options = options;
    this.#secrets = new Set(options.secrets.filter((secret) => secret !== ''));
    this.#tls = new TlsAgent({ keepAlive: true, ...(options.ca === undefined ? {} : { ca: options.ca }) });
    for (const origin of options.origins) {
      const { protocol, hostname } = new URL(origin);
      if (protocol === 'https:' || isLoopback(hostname) || options.mayBePlain === true) continue;
      throw new CandorError(
        'database.tls-failed',
        `${options.title}: ${origin} would be read without encryption`,
      );
    }
  }

  /**
   * Sends and, while the server answers 429, 502, 503 or 504, sends again after the pause it names. Other statuses
   * come back as they are. Throws `database.unreachable`, `.connection-lost`, `.tls-failed`, `.overloaded` or
   * `.bad-answer`; what `signal` was aborted with is thrown as it is.
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    this.#checkOrigin(request.url);
    for (let tries = 1; ; tries++) {
      const answer = await this.#once(request, true);
      if (!TRANSIENT.has(answer.status)) {
        this.#refuseRedirect(request.url, answer);
        return answer;
      }
      if (tries === MOST_TRIES) {
        const code = answer.status === 429 ? 'database.overloaded' : 'database.unreachable';
        throw new CandorError(code, `${this.#options.title} answered ${answer.status} ${tries} times`);
      }
      await wait(pauseBefore(tries, answer), undefined, { signal: request.signal }).catch(() => {
        throw request.signal.reason;
      });
    }
  }

  /** A server's own words, cut to one readable piece and without secrets. */
  clean(words: string): string {
    let text = words.trim();
    for (const secret of this.#secrets) text = text.replaceAll(secret, '***');
    return text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
  }

  /** No error shows this text from now on: a token that was made after the session. */
  hide(secret: string): void {
    this.#secrets.add(secret);
  }

  /** Without a cause: what a parser says of an answer quotes it. */
  badAnswer(what: string): CandorError {
    return new CandorError('database.bad-answer', this.clean(`${this.#options.title}: ${what}`));
  }

  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }

  #checkOrigin(url: string): void {
    const { origin } = new URL(url);
    if (this.#options.origins.includes(origin)) return;
    throw this.badAnswer(
      `the server points to ${origin}, which its URL does not name; nothing was sent there`,
    );
  }

  #refuseRedirect(url: string, { status, headers }: HttpAnswer): void {
    if (status < 300 || status > 399) return;
    const target = headers.location === undefined ? 'nowhere' : new URL(headers.location, url).origin;
    throw this.badAnswer(`the server answered ${status}, a redirect to ${target}; it was not followed`);
  }

  async #once(request: HttpRequest, mayRepeat: boolean): Promise<HttpAnswer> {
    const progress = { isReused: false, isAnswered: false };
    try {
      request.signal.throwIfAborted();
      return await this.#exchange(request, progress);
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      // A server may close a kept-alive connection just as it is used again: that says nothing about the request.
      const isStale = progress.isReused && !progress.isAnswered && isReset(error);
      if (isStale && mayRepeat) return this.#once(request, false);
      throw translateNetworkError(error, this.#options.title);
    }
  }

  #exchange(request: HttpRequest, progress: Progress): Promise<HttpAnswer> {
    const url = new URL(request.url);
    const isTls = url.protocol === 'https:';
    const headers = {
      'user-agent': 'candor',
      'accept-encoding': 'gzip',
      ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
      ...request.headers,
    };
    const options = { method: request.method, headers, signal: request.signal };
    return new Promise((resolve, reject) => {
      const receive = (response: IncomingMessage): void => {
        progress.isAnswered = true;
        this.#read(response).then(resolve, reject);
      };
      const sent = isTls
        ? tlsRequest(url, { ...options, agent: this.#tls }, receive)
        : plainRequest(url, { ...options, agent: this.#plain }, receive);
      sent.once('socket', (socket) => {
        progress.isReused = sent.reusedSocket;
        if (!progress.isReused) this.#limitConnecting(sent, socket, isTls);
      });
      sent.once('error', reject);
      sent.end(request.body);
    });
  }

  #limitConnecting(sent: ClientRequest, socket: Socket, isTls: boolean): void {
    const limit = this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    const timer = setTimeout(() => {
      sent.destroy(Object.assign(new Error(`no connection within ${limit} ms`), { code: 'ETIMEDOUT' }));
    }, limit);
    socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    sent.once('close', () => clearTimeout(timer));
  }

  async #read(response: IncomingMessage): Promise<HttpAnswer> {
    const isPacked = response.headers['content-encoding'] === 'gzip';
    const stream = isPacked ? response.pipe(createGunzip()) : response;
    // A pipe does not pass errors on.
    if (isPacked) response.once('error', (error) => stream.destroy(error));
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      const part = Buffer.from(chunk);
      bytes += part.byteLength;
      if (bytes > BODY_BYTES) {
        response.destroy();
        throw this.badAnswer(`an answer is larger than ${BODY_BYTES / 1024 / 1024} MB`);
      }
      chunks.push(part);
    }
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) {
      if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') };
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** What the server asks for, else twice as long each time; bounded either way. */
function pauseBefore(tries: number, answer: HttpAnswer): number {
  const asked = readRetryAfter(answer);
  return Math.min(asked ?? FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
}

/** Seconds, or a date: the latter is read against the server's own clock, so that ours need not agree. */
function readRetryAfter({ headers }: HttpAnswer): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const pause = Date.parse(value) - Date.parse(headers.date ?? '');
  return Number.isNaN(pause) ? undefined : Math.max(pause, 0);
}

/** Node's codes, by what the user has to do. */
const CODES: readonly (readonly [code: ErrorCode, pattern: RegExp, words: string])[] = [
  [
    'database.unreachable',
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    'cannot be reached',
  ],
  ['database.connection-lost', /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, 'hung up before it answered'],
  ['database.bad-answer', /^(?:HPE_|Z_)/, 'sent what is not HTTP'],
  [
    'database.tls-failed',
    /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/,
    'failed in TLS',
  ],
];

/** What the network did, as an error with a code; anything else comes back as it is. */
function translateNetworkError(error: unknown, title: string): unknown {
  if (error instanceof CandorError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Two addresses of one host refuse together.
  if (error instanceof AggregateError) return translateNetworkError(error.errors[0], title);
  const known = CODES.find(([, pattern]) => pattern.test(code));
  if (known !== undefined)
    return new CandorError(known[0], `${title} ${known[2]} (${code})`, { cause: error });
  if (error.message === 'aborted') {
    return new CandorError('database.connection-lost', `${title} hung up in the middle of an answer`, {
      cause: error,
    });
  }
  return error;
}

/**
 * The time as a server sees it. Signed logins carry a time that the server compares with its own, so its own is asked
 * for (`Date` of an answer, RFC 9110 §6.6.1): a machine whose clock is wrong can log in too.
 */
export class ServerClock {
  readonly session: HttpSession;
  readonly #origin: string;
  #anchor: { readonly serverMs: number; readonly at: number } | null = null;

  constructor(session: HttpSession, origin: string) {
    this.session = session;
    this.#origin = origin;
  }

  /** Whole seconds since 1970; asks the server once and counts on from there. */
  async seconds(signal: AbortSignal): Promise<number> {
    this.#anchor ??= await this.#ask(signal);
    return Math.floor((this.#anchor.serverMs + performance.now() - this.#anchor.at) / 1000);
  }

  async #ask(signal: AbortSignal) {
    const { headers } = await this.session.send({ method: 'HEAD', url: `${this.#origin}/`, signal });
    const serverMs = Date.parse(headers.date ?? '');
    if (Number.isNaN(serverMs))
      throw this.session.badAnswer('the server does not tell the time (no Date header)');
    return { serverMs, at: performance.now() };
  }
}
