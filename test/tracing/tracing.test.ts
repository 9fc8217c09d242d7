/** Spans of the program itself, as a collector of OpenTelemetry gets them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OUTCOME_EXIT } from '../../src/cli/terminal/io.ts';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { candorProgram } from '../fixtures/candor-program.ts';
import { type ModelServer, startModelServer, type Turn } from '../models/model-server.ts';
import { type Collector, drawTree, startCollector } from './start-collector.ts';

const QUESTION = 'how many customers are there in Lyon?';

let folder: string;
let model: ModelServer;
let collector: Collector;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-tracing-'));
  makeShop(join(folder, 'shop.db'));
  model = await startModelServer(({ body }) => replyTo(JSON.stringify(body)));
  expect((await runCandor(['onboard', 'sqlite:shop.db', '--quiet'], folder)).code).toBe(0);
  const path = join(folder, 'candor.yml');
  const settings = `model:\n  name: openai:scripted\n  url: ${model.url}\n  key: sk-secret\n`;
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${settings}`);
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

function replyTo(asked: string): Turn {
  if (asked.includes('slowly')) return { fault: 'slow', ms: 60_000 };
  if (asked.includes('badly')) return { fault: 'status', status: 401, message: 'the key of Lyon is wrong' };
  if (asked.includes('validity')) return '{"validity": "ok", "language": "en"}';
  if (asked.includes('\\"keywords\\"')) return '{"keywords": ["customers"]}';
  return JSON.stringify({ query: "SELECT count(*) AS n FROM customers WHERE city = 'Lyon'" });
}

const JSON_ENV = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };

function start(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [...candorProgram(), ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => (said.stdout += part));
  child.stderr.on('data', (part) => (said.stderr += part));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, said, ended };
}

async function run(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { said, ended } = start(argv, env);
  return { code: await ended, ...said };
}

const toCollector = (env: NodeJS.ProcessEnv = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  ...JSON_ENV,
  ...env,
});

const ENGINE_TREE = `
candor.ask
  candor.normalise
  candor.precheck
  candor.hypothesise
  candor.link
  candor.decide
  candor.write
  candor.validate
    EXPLAIN shop
  candor.score
  candor.execute
    SELECT shop
  candor.retrieve
`;

const MODEL_TREE = `
candor.ask
  candor.normalise
  candor.precheck
  candor.hypothesise
  candor.link
  candor.decide
  candor.link_schema
    candor.find_values
  candor.write
    chat scripted
    EXPLAIN shop
    SELECT shop
  candor.verify
  candor.select
  candor.score
  candor.retrieve
`;

const CHAT_TREE = `
POST /v1/chats/:id/turns
  candor.converse
    candor.ask
      candor.normalise
      candor.precheck
      candor.hypothesise
      candor.link
      candor.decide
      candor.write
      candor.validate
        EXPLAIN shop
      candor.score
      candor.execute
        SELECT shop
      candor.retrieve
`;

/** Of what people ask, what is stored, and what is secret. */
const PRIVATE = /Lyon|how many|SELECT count|sk-secret|Customer/;

describe('a question on the command line', () => {
  it.each([
    ['the built-in engine', ['--model', 'none'], ENGINE_TREE],
    ['a model', [], MODEL_TREE],
  ])('of %s is one trace, and tells nothing of what is asked and stored', async (_, options, tree) => {
    const { code, stderr } = await run(['ask', QUESTION, ...options], toCollector());
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('tracing');
    expect(drawTree(collector.spans)).toBe(tree.trim());
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(collector.texts.join('\n')).not.toMatch(PRIVATE);
  });

  it('says what came of it, in names of the conventions', async () => {
    const { code } = await run(['ask', QUESTION], toCollector({ OTEL_SERVICE_NAME: 'shop-questions' }));
    expect(code).toBe(0);
    const of = (name: string) => collector.spans.find((span) => span.name === name);
    expect(of('candor.ask')).toMatchObject({
      resource: { 'service.name': 'shop-questions', 'service.version': expect.any(String) },
      attributes: {
        'gen_ai.operation.name': 'invoke_workflow',
        'db.system.name': 'sqlite',
        'db.namespace': 'shop',
        'candor.outcome': 'answered',
        'candor.mode': 'fast',
        'candor.record.id': expect.any(String),
      },
    });
    expect(of('chat scripted')).toMatchObject({
      attributes: { 'gen_ai.request.model': 'scripted', 'gen_ai.usage.output_tokens': expect.anything() },
    });
    expect(of('SELECT shop')).toMatchObject({
      attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'SELECT' },
    });
  });

  it.each([
    [
      'what a person may not do',
      'delete all customers',
      { 'candor.outcome': 'reject', 'candor.reason': 'read-only' },
      undefined,
    ],
    ['a model that fails', 'badly: how many customers?', { 'error.type': 'model.refused' }, 'model.refused'],
  ])('tells %s from an answer', async (_, question, attributes, errorType) => {
    await run(['ask', question], toCollector());
    const root = collector.spans.find(({ name }) => name === 'candor.ask');
    expect(root).toMatchObject({ attributes, errorType });
    expect(collector.texts.join('\n')).not.toMatch(PRIVATE);
  });

  it('has the content where that is wanted', async () => {
    await run(['ask', QUESTION], toCollector({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' }));
    const all = collector.spans.map(({ attributes }) => attributes);
    expect(all).toContainEqual(expect.objectContaining({ 'candor.question': QUESTION }));
    expect(all).toContainEqual(expect.objectContaining({ 'db.query.text': expect.stringContaining('Lyon') }));
    expect(all).toContainEqual(
      expect.objectContaining({ 'gen_ai.input.messages': expect.stringContaining('Lyon') }),
    );
  });

  it('sends what there is when it is cancelled', async () => {
    const { child, ended } = start(['ask', 'slowly: how many customers?'], toCollector());
    while (!model.asked.some(({ body }) => JSON.stringify(body).includes('slowly')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(collector.spans.find(({ name }) => name === 'candor.ask')?.errorType).toBe('model.cancelled');
  });
});

describe('the variables', () => {
  const ask = (env: NodeJS.ProcessEnv) => run(['ask', QUESTION, '--model', 'none'], env);

  it('speak protobuf unless they say otherwise, with the headers they name', async () => {
    const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...env } = toCollector();
    await ask({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc' });
    expect(collector.headers).toMatchObject([
      { 'content-type': 'application/x-protobuf', authorization: 'Bearer abc' },
    ]);
    expect(collector.texts[0]).toContain('candor.ask');
  });

  it.each([
    ['nothing where it is disabled', { OTEL_SDK_DISABLED: 'true' }],
    ['nothing where no exporter is wanted', { OTEL_TRACES_EXPORTER: 'none' }],
    ['nothing of what is not sampled', { OTEL_TRACES_SAMPLER: 'always_off' }],
  ])('send %s', async (_, env) => {
    expect(await ask(toCollector(env))).toMatchObject({ code: 0, stderr: '' });
    expect(collector.texts).toEqual([]);
  });

  it('print spans as lines on stderr, where data never goes', async () => {
    const { stdout, stderr } = await ask({ OTEL_TRACES_EXPORTER: 'console' });
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string });
    expect(lines.at(-1)).toMatchObject({ name: 'candor.ask', ms: expect.any(Number) });
    expect(stdout).not.toContain('candor.ask');
  });

  it.each([
    ['an exporter that is not known', { OTEL_TRACES_EXPORTER: 'zipkin' }, '"zipkin" is not known here'],
    [
      'an address that is none, without what it holds',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:s3cret@[bad/?api_key=KEY123' },
      '(left out)',
    ],
    ['a collector that is down', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, 'spans are lost'],
    ['an address that is none', { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere at all' }, 'tracing: '],
  ])('with %s answer, and say so once', async (_, env, said) => {
    const { code, stdout, stderr } = await ask({ ...JSON_ENV, ...env });
    expect(code).toBe(0);
    expect(stdout).toContain('4');
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/s3cret|KEY123/);
    expect(stderr.match(/tracing:/g)).toHaveLength(1);
  });

  it('with a collector that is down do not keep the process, whose answer is whole', async () => {
    const env = {
      ...JSON_ENV,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
    };
    const { code, stdout } = await run(
      ['ask', 'how many fish swim?', '--output', 'json', '--model', 'none'],
      env,
    );
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'reject' });
    expect(code).toBe(OUTCOME_EXIT.reject);
  });

  describe('where the packages are not installed', () => {
    const HIDDEN = {
      HIDDEN_PACKAGES: '@opentelemetry/sdk-trace-node',
      NODE_OPTIONS: `--import ${pathToFileURL('test/fixtures/without-packages.mjs').href}`,
    };

    it('say which to add', async () => {
      const { code, stderr } = await ask(toCollector(HIDDEN));
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /tracing: .*npm install @opentelemetry\/sdk-trace-node@\S+ @opentelemetry\/resources@\S+ @opentelemetry\/exporter-trace-otlp-http@\S+\n/,
      );
    });

    it('look for none of them unless they are asked', async () => {
      expect((await ask({ ...HIDDEN, OTEL_SERVICE_NAME: 'shop' })).stderr).toBe('');
    });
  });
});

describe('a server', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const ABOVE = 'b7ad6b7169203331';
  const traceparent = `00-${TRACE}-${ABOVE}-01`;

  async function serve(use: (url: string) => Promise<void>) {
    const { child, ended, said } = start(
      ['serve', '--port', '0', '--output', 'json', '--quiet', '--model', 'none'],
      toCollector(),
    );
    while (!said.stdout.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 20));
    await use((JSON.parse(said.stdout) as { url: string }).url);
    child.kill('SIGTERM');
    expect(await ended, said.stderr).toBe(0);
  }

  const post = (url: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });

  it('goes on from the trace of whoever asks, and sends the rest as it ends', async () => {
    await serve(async (url) => {
      const answer = await post(`${url}/v1/ask?secret=Lyon`, { question: QUESTION }, { traceparent });
      expect(await answer.json()).toMatchObject({ kind: 'answered' });
    });
    const root = collector.spans.find(({ name }) => name === 'POST /v1/ask');
    expect(root).toMatchObject({
      kind: 2,
      traceId: TRACE,
      parentSpanId: ABOVE,
      errorType: undefined,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/ask',
        'http.response.status_code': 200,
        'url.scheme': 'http',
      },
    });
    const ask = collector.spans.find(({ name }) => name === 'candor.ask');
    expect(ask).toMatchObject({ traceId: TRACE, parentSpanId: root?.spanId });
    expect(collector.texts.join('\n')).not.toMatch(PRIVATE);
  });

  it('has a turn of a conversation below its request, and traces of their own for others', async () => {
    await serve(async (url) => {
      const chat = (await (await post(`${url}/v1/chats`)).json()) as { id: string };
      const turn = await post(
        `${url}/v1/chats/${chat.id}/turns`,
        { text: QUESTION },
        { accept: 'text/event-stream' },
      );
      expect(await turn.text()).toContain('[DONE]');
      expect((await fetch(`${url}/v1/chats/nowhere`)).status).toBe(404);
    });
    const turn = collector.spans.find(({ name }) => name.endsWith('/turns'));
    const trace = collector.spans.filter(({ traceId }) => traceId === turn?.traceId);
    expect(drawTree(trace)).toBe(CHAT_TREE.trim());
    expect(trace.find(({ name }) => name === 'candor.converse')).toMatchObject({
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': expect.any(String),
        'candor.intent': 'write_query',
      },
    });
    const missing = collector.spans.find(({ attributes }) => attributes['http.response.status_code'] === 404);
    expect(missing).toMatchObject({ parentSpanId: undefined, errorType: undefined });
    expect(missing?.traceId).not.toBe(turn?.traceId);
  });
});
