/** The adapters over real HTTP: what they send, what they make of replies, and what they say of failures. */
import { afterEach, describe, expect, it } from 'vitest';
import { CandorError } from '../../src/errors.ts';
import { type ChatRequest, type LanguageModel, openLanguageModel } from '../../src/model/index.ts';
import { type ModelServer, type ServerScript, startModelServer, type Turn } from './model-server.ts';

const KEY = 'sk-very-secret-0123456789';
const SECRET = 'the question of a user';
const NAMES = ['openai:some-model', 'anthropic:claude-sonnet-4-5', 'google:gemini-2.5-flash'];
const REQUEST: ChatRequest = {
  messages: [
    { role: 'system', content: 'You write SQL.' },
    { role: 'user', content: SECRET },
  ],
};

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(script: ServerScript): Promise<ModelServer> {
  const server = await startModelServer(script);
  servers.push(server);
  return server;
}

const open = (name: string, server: ModelServer, more: object = {}): Promise<LanguageModel> =>
  openLanguageModel({ name, url: server.url, key: KEY, ...more });

/** The error of a chat, which says neither key nor question nor words of the service. */
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

describe('a language model by name', () => {
  it.each(['', 'none', 'openai', 'openai:', 'anthropic: ', 'OpenAI:gpt-4.1', 'toString:x'])(
    '%j is not known, and those that are known are listed',
    async (name) => {
      await expect(openLanguageModel({ name })).rejects.toMatchObject({
        code: 'model.unknown',
        message: `no language model is called ${JSON.stringify(name)}; known are openai:<model>, anthropic:<model>, google:<model>, gguf:<file>`,
      });
    },
  );

  it.each(['ftp://host/v1', 'nonsense', 'http://user:password@host/v1'])('%s is no address', async (url) => {
    const error = await failureOf(openLanguageModel({ name: 'openai:x', url }));
    expect(error.code).toBe('model.refused');
    expect(error.message).not.toContain('password@');
  });

  it.each(NAMES.slice(1))('%s needs a key', async (name) => {
    await expect(openLanguageModel({ name })).rejects.toMatchObject({ code: 'model.refused' });
  });
});

describe.each(NAMES)('%s', (name) => {
  it('gives text, usage and why it ended', async () => {
    const server = await start([{ text: 'SELECT 1', usage: { prompt: 100, completion: 5, cached: 40 } }]);
    const model = await open(name, server);
    expect(model.host).toBe(new URL(server.url).host);
    expect(model.id).toBe(`${name.replace(':', '/')}@${model.host}`);
    expect(await model.chat(REQUEST)).toEqual({
      text: 'SELECT 1',
      toolCalls: [],
      usage: { promptTokens: 100, completionTokens: 5, cachedTokens: 40 },
      finish: 'stop',
    });
    expect(JSON.stringify(server.asked[0]?.headers)).toContain(KEY);
    expect(JSON.stringify(server.asked[0]?.body)).toContain(SECRET);
    expect(server.asked[0]?.headers['user-agent']).toBe('candor');
  });

  it.each<['length' | 'refused']>([['length'], ['refused']])('says that it ended by %s', async (finish) => {
    const model = await open(name, await start([{ text: 'SELEC', finish }]));
    expect(await model.chat(REQUEST)).toMatchObject({ text: 'SELEC', finish });
  });

  it('calls tools, and is told what came of it in one message', async () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: 'probe', arguments: '{"sql":"SELECT 1"}' }));
    const server = await start([{ toolCalls: calls }, 'done']);
    const model = await open(name, server);
    const tools = [
      { name: 'probe', description: 'runs SQL', parameters: { type: 'object', properties: {} } },
    ];
    const reply = await model.chat({ ...REQUEST, tools });
    expect(reply).toMatchObject({ finish: 'tool-calls', toolCalls: [{ name: 'probe' }, { name: 'probe' }] });
    expect(JSON.parse(reply.toolCalls[0]?.arguments ?? '')).toEqual({ sql: 'SELECT 1' });
    const { toolCalls } = reply;
    const results = toolCalls.map(({ id }, index) => ({
      role: 'tool' as const,
      toolCallId: id,
      content: `result ${index}`,
    }));
    const messages = [
      ...REQUEST.messages,
      { role: 'assistant' as const, content: '', toolCalls },
      ...results,
    ];
    expect((await model.chat({ messages, tools })).text).toBe('done');
    const sent = JSON.stringify(server.asked[1]?.body);
    for (const part of ['result 0', 'result 1', 'probe', 'SELECT 1']) expect(sent).toContain(part);
  });

  it.each<readonly [string, Turn, string, string]>([
    ['is busy', { fault: 'status', status: 429, code: 'rate_limit' }, 'model.overloaded', '429 (rate_limit)'],
    ['has no credit left', { fault: 'quota' }, 'model.overloaded', '429 (insufficient_quota)'],
    ['fails', { fault: 'status', status: 500 }, 'model.unreachable', 'answered 500'],
    ['refuses', { fault: 'status', status: 401, code: 'invalid_key' }, 'model.refused', '401 (invalid_key)'],
    ['speaks half', { fault: 'half-json' }, 'model.bad-reply', 'not JSON'],
    ['speaks another form', { fault: 'wrong-schema' }, 'model.bad-reply', 'no reply of a language model'],
    ['has a login page', { fault: 'login-page' }, 'model.bad-reply', 'not JSON'],
    ['says too much', { fault: 'huge', bytes: 2.5 * 2 ** 20 }, 'model.bad-reply', 'more than 2 MB'],
    ['hangs up', { fault: 'dropped' }, 'model.unreachable', 'cannot be reached'],
  ])('that %s says so', async (_, turn, code, message) => {
    const error = await failureOf((await open(name, await start([turn]))).chat(REQUEST));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  it('that refuses a setting is asked again without it, once for the session', async () => {
    const message = 'temperature is not supported for this model';
    const server = await start(({ body }) =>
      JSON.stringify(body).includes('"temperature"')
        ? { fault: 'status', status: 400, code: 'invalid_request_error', message }
        : 'ok',
    );
    const model = await open(name, server);
    for (const calls of [2, 3]) {
      expect(await model.chat({ ...REQUEST, temperature: 0.5 })).toMatchObject({
        text: 'ok',
        leftOut: ['it does not take temperature'],
      });
      expect(server.asked).toHaveLength(calls);
    }
  });

  it('whose window is too small is known as that, whatever it says besides', async () => {
    const message = 'This model has a maximum context length of 10 tokens';
    const server = await start([{ fault: 'status', status: 400, message }]);
    const error = await failureOf((await open(name, server)).chat({ ...REQUEST, maxTokens: 1 }));
    expect(error).toMatchObject({ code: 'model.context-full', data: { contextWindow: 10 } });
    expect(server.asked).toHaveLength(1);
  });

  it('does not follow a redirect with the key', async () => {
    const elsewhere = await start(['stolen']);
    const server = await start([{ fault: 'redirect', to: `${elsewhere.url}/chat/completions` }]);
    const error = await failureOf((await open(name, server)).chat(REQUEST));
    expect(error.message).toContain('a redirect; it was not followed');
    expect(elsewhere.asked.length).toBe(0);
  });

  it('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const server = await start(() => {
      stop.abort();
      return { fault: 'slow', ms: 60_000 };
    });
    const error = await failureOf((await open(name, server)).chat({ ...REQUEST, signal: stop.signal }));
    expect(error.code).toBe('model.cancelled');
  });
});

describe('an OpenAI-compatible service', () => {
  const SCHEMA = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { sql: { type: 'string' }, why: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    required: ['sql'],
    additionalProperties: false,
  };

  it.each<readonly [string, object, object | undefined]>([
    ['a schema', { json: 'schema' }, { type: 'json_schema', json_schema: { strict: true } }],
    ['JSON', { json: 'object' }, { type: 'json_object' }],
    ['nothing', {}, undefined],
  ])('is held to %s where it can be', async (_, settings, format) => {
    const server = await start(['{}']);
    await (await open('openai:some-model', server, settings)).chat({ ...REQUEST, replySchema: SCHEMA });
    const sent = server.asked[0]?.body.response_format;
    if (format === undefined) expect(sent).toBeUndefined();
    else expect(sent).toMatchObject(format);
    expect(JSON.stringify(sent ?? '')).not.toContain('$schema');
  });

  it('gets the settings that its model takes, under the names it has for them', async () => {
    const server = await start(['ok']);
    const request = { ...REQUEST, temperature: 0.5, topP: 0.9, topK: 3, seed: 4, maxTokens: 50 };
    await (await open('openai:some-model', server)).chat(request);
    await (await open('openai:gpt-5-mini', server)).chat(request);
    expect(server.asked[0]?.body).toMatchObject({ temperature: 0.5, top_p: 0.9, seed: 4, max_tokens: 50 });
    expect(server.asked[1]?.body).toMatchObject({ max_completion_tokens: 50 });
    for (const key of ['temperature', 'top_p', 'top_k', 'seed', 'max_tokens'])
      expect(server.asked[1]?.body).not.toHaveProperty(key);
  });

  it('gives log probabilities, when asked', async () => {
    const server = await start([
      {
        text: 'ab',
        logProbabilities: [
          ['a', -0.1],
          ['b', -2],
        ],
      },
    ]);
    const model = await open('openai:some-model', server);
    const reply = await model.chat({ ...REQUEST, wantsLogProbabilities: true });
    expect(reply.logProbabilities).toEqual([
      { token: 'a', logProbability: -0.1 },
      { token: 'b', logProbability: -2 },
    ]);
    expect(server.asked[0]?.body.logprobs).toBe(true);
    expect((await model.chat(REQUEST)).logProbabilities).toBeUndefined();
  });

  it('that counts no tokens has them estimated', async () => {
    const model = await open('openai:some-model', await start([{ text: '12345678', usage: 'none' }]));
    expect((await model.chat(REQUEST)).usage).toMatchObject({ completionTokens: 2, isEstimated: true });
  });

  it('without a choice has given no reply', async () => {
    const model = await open('openai:some-model', await start([{ fault: 'no-choices' }]));
    expect((await failureOf(model.chat(REQUEST))).code).toBe('model.bad-reply');
  });

  it('is asked without a key where there is none, and with the query of its address', async () => {
    const server = await start(['ok']);
    const url = `${server.url}/chat/completions?api-version=1`;
    const model = await openLanguageModel({ name: 'openai:m', url });
    await model.chat(REQUEST);
    expect(server.asked[0]?.path).toBe('/v1/chat/completions?api-version=1');
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('gets back the signature of a call, and arguments that are no JSON as text', async () => {
    const server = await start([
      { toolCalls: [{ name: 'probe', arguments: 'sql: 1', signature: 'sig' }] },
      'ok',
    ]);
    const model = await open('openai:some-model', server);
    const { toolCalls } = await model.chat(REQUEST);
    expect(toolCalls).toMatchObject([{ arguments: 'sql: 1', signature: 'sig' }]);
    await model.chat({ messages: [...REQUEST.messages, { role: 'assistant', content: '', toolCalls }] });
    const sent = JSON.stringify(server.asked[1]?.body);
    expect(sent).toContain('"thought_signature":"sig"');
    expect(sent).toContain('unreadable');
  });
});
