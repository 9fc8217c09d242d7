/** A model as a session uses it, over real HTTP: tries, pauses, places, cancelling, faults. */
import { afterEach, describe, expect, it } from 'vitest';
import { CandorError } from '../../src/errors.ts';
import { withRetries } from '../../src/model/calls/with-retries.ts';
import { type ChatRequest, openLanguageModel, openSessionModel } from '../../src/model/index.ts';
import { type Fault, type ModelServer, type ServerScript, startModelServer } from './model-server.ts';

const KEY = 'sk-very-secret-0123456789';
const SECRET = 'the question of a user';
const REQUEST: ChatRequest = { messages: [{ role: 'user', content: SECRET }] };
const MINUTE = 60_000;

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(script: ServerScript): Promise<ModelServer> {
  const server = await startModelServer(script);
  servers.push(server);
  return server;
}

/** Retries with pauses of a millisecond, where the service names none. */
async function retried({ url }: ModelServer, rules: object = {}) {
  const model = await openLanguageModel({ name: 'openai:m', url, key: KEY });
  return withRetries(model, {
    tries: 3,
    firstPauseMs: 1,
    longestPauseMs: MINUTE,
    timeoutMs: MINUTE,
    ...rules,
  });
}

const session = ({ url }: ModelServer, more: object = {}) =>
  openSessionModel({
    name: 'openai:m',
    url,
    key: KEY,
    timeoutMs: MINUTE,
    requestsAtOnce: 2,
    ...more,
  });

async function failureOf(chat: Promise<unknown>): Promise<CandorError> {
  const error = await chat.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CandorError)) throw new Error(`no CandorError: ${String(error)}`);
  const said = `${error.message} ${error.stack} ${JSON.stringify(error.data)} ${String(error.cause)}`;
  for (const word of [KEY, SECRET, 'never whole', 'did not work', 'Sign in'])
    expect(said).not.toContain(word);
  return error;
}

/** Resolves once the server has been told so often. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const busy = (headers: Readonly<Record<string, string>> = {}): Fault => ({
  fault: 'status',
  status: 429,
  headers,
});

describe('another try', () => {
  it.each<readonly [string, Fault]>([
    ['a busy service', busy()],
    ['a failing one', { fault: 'status', status: 500 }],
    ['one that is not ready', { fault: 'status', status: 503 }],
    ['a connection that breaks', { fault: 'dropped' }],
  ])('follows %s', async (_, fault) => {
    const server = await start([fault, fault, 'at last']);
    expect((await (await retried(server)).chat(REQUEST)).text).toBe('at last');
    expect(server.asked.length).toBe(3);
  });

  it.each<readonly [string, Fault, string]>([
    ['no credit', { fault: 'quota' }, 'model.overloaded'],
    ['a wrong key', { fault: 'status', status: 401 }, 'model.refused'],
    ['a wrong request', { fault: 'status', status: 400 }, 'model.refused'],
    ['half JSON', { fault: 'half-json' }, 'model.bad-reply'],
    ['JSON of another form', { fault: 'wrong-schema' }, 'model.bad-reply'],
    ['a login page', { fault: 'login-page' }, 'model.bad-reply'],
    ['a redirect', { fault: 'redirect', to: 'http://127.0.0.1:1/' }, 'model.bad-reply'],
    ['no choice', { fault: 'no-choices' }, 'model.bad-reply'],
    ['more than it may say', { fault: 'huge', bytes: 2.1 * 2 ** 20 }, 'model.bad-reply'],
  ])('does not follow %s', async (_, fault, code) => {
    const server = await start([fault, 'too late']);
    expect((await failureOf((await session(server)).chat(REQUEST))).code).toBe(code);
    expect(server.asked.length).toBe(1);
  });

  it('is not made for ever', async () => {
    const server = await start([{ fault: 'status', status: 500 }]);
    expect((await failureOf((await retried(server)).chat(REQUEST))).code).toBe('model.unreachable');
    expect(server.asked.length).toBe(3);
  });

  // Our own pause would be too long here: only what the service names can lead to another try.
  it.each([
    ['milliseconds', { 'retry-after-ms': '1' }],
    ['seconds', { 'retry-after': '0' }],
    ['a date', { 'retry-after': 'Wed, 01 Jan 2025 00:00:00 GMT', date: 'Wed, 01 Jan 2025 00:00:00 GMT' }],
  ])('waits as the service says, in %s', async (_, headers) => {
    const model = await retried(await start([busy(headers), 'at last']), { firstPauseMs: 10 * MINUTE });
    expect((await model.chat(REQUEST)).text).toBe('at last');
  });

  it.each([
    ['milliseconds', { 'retry-after-ms': '120000' }],
    ['seconds', { 'retry-after': '120' }],
    ['a date', { 'retry-after': 'Wed, 01 Jan 2025 00:02:00 GMT', date: 'Wed, 01 Jan 2025 00:00:00 GMT' }],
  ])('does not wait too long, in %s', async (_, headers) => {
    const error = await failureOf((await session(await start([busy(headers)]))).chat(REQUEST));
    expect(error.code).toBe('model.overloaded');
    expect(error.message).toContain('it takes no requests for the next 120 s');
  });

  it('follows one that took too long', async () => {
    const server = await start([{ fault: 'slow', ms: MINUTE }, 'at last']);
    expect((await (await retried(server, { timeoutMs: 300 })).chat(REQUEST)).text).toBe('at last');
    await until(() => server.hangUps() === 1);
  });

  it('says at last that none came in time', async () => {
    const model = await retried(await start([{ fault: 'slow', ms: MINUTE }]), { tries: 1, timeoutMs: 100 });
    const error = await failureOf(model.chat(REQUEST));
    expect(error).toMatchObject({ code: 'model.unreachable' });
    expect(error.message).toContain('gave no answer in 0.1 s');
  });
});

describe('cancelling', () => {
  it('ends a call, and the service hears of it', async () => {
    const server = await start([{ fault: 'slow', ms: MINUTE }]);
    const stop = new AbortController();
    const chat = failureOf((await session(server)).chat({ ...REQUEST, signal: stop.signal }));
    await until(() => server.asked.length === 1);
    stop.abort();
    expect((await chat).code).toBe('model.cancelled');
    await until(() => server.hangUps() === 1);
    expect(server.asked.length).toBe(1);
  });

  it('ends the wait for another try', async () => {
    const server = await start([busy({ 'retry-after': '50' })]);
    const stop = new AbortController();
    const chat = failureOf((await session(server)).chat({ ...REQUEST, signal: stop.signal }));
    await until(() => server.asked.length === 1);
    stop.abort();
    expect((await chat).code).toBe('model.cancelled');
    expect(server.asked.length).toBe(1);
  });

  it('ends the wait for a place, which the next in line gets', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = await start(async (_, index) => {
      if (index === 0) await released;
      return `reply ${index}`;
    });
    const model = await session(server, { requestsAtOnce: 1 });
    const stop = new AbortController();
    const first = model.chat(REQUEST);
    await until(() => server.asked.length === 1);
    const second = failureOf(model.chat({ ...REQUEST, signal: stop.signal }));
    const third = model.chat(REQUEST);
    stop.abort();
    expect((await second).code).toBe('model.cancelled');
    release();
    expect((await first).text).toBe('reply 0');
    expect((await third).text).toBe('reply 1');
    expect(server.asked.length).toBe(2);
  });

  it('before the call sends nothing', async () => {
    const server = await start(['unheard']);
    const signal = AbortSignal.abort();
    expect((await failureOf((await session(server)).chat({ ...REQUEST, signal }))).code).toBe(
      'model.cancelled',
    );
    expect(server.asked.length).toBe(0);
  });
});

it.each([1, 3])('%i calls run at once, and the others after them', async (requestsAtOnce) => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = await start(async () => {
    await opened;
    return 'ok';
  });
  const model = await session(server, { requestsAtOnce });
  const chats = Array.from({ length: 7 }, () => model.chat(REQUEST));
  await until(() => server.asked.length === requestsAtOnce);
  open();
  await Promise.all(chats);
  expect(server.asked.length).toBe(7);
  expect(server.mostAtOnce()).toBe(requestsAtOnce);
});
