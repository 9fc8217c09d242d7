/** The tools for agents, through the SDK's own client: over standard streams as they are started, and over HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/index.ts';
import { openSmallSession, type SmallSession } from '../../fixtures/grounded/open-small-session.ts';
import { runCandor } from './run-candor.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const INFO = { name: 'test', version: '1' };
/** What clients carry in every conversation. */
const MOST_TOKENS = 1_500;

let folder: string;
let small: SmallSession;
let url: string;
let close: () => Promise<void>;
const bugs: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-mcp-'));
  small = await openSmallSession();
  writeFileSync(join(small.folder, 'candor.yml'), 'database: sqlite:music.db\ntoday: 2024-10-01\n');
  let ids = 0;
  const onBug = (id: string, error: Error): number => bugs.push(`${id} ${error.message}`);
  const server = await startServer(small.session, {
    host: '127.0.0.1',
    port: 0,
    newId: () => `id-${++ids}`,
    onBug,
  });
  url = `${server.url}/mcp`;
  close = server.close;
});
afterAll(async () => {
  await close();
  await small.close();
  rmSync(folder, { recursive: true, force: true });
  expect(bugs).toEqual([]);
});

async function overStdio(options: ConstructorParameters<typeof Client>[1] = {}): Promise<Client> {
  const client = new Client(INFO, options);
  const args = ['--import', import.meta.resolve('tsx'), MAIN, 'mcp', '--project', small.folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  return client;
}

async function overHttp(): Promise<Client> {
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const call = async (client: Client, name: string, args: object) => {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  return { ...result, data: result.structuredContent as Record<string, unknown> | undefined };
};

describe.each([
  ['standard streams', () => overStdio()],
  ['HTTP', overHttp],
] as const)('over %s', (_, connect) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('few tools are listed, all of them for reading, in few words', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'ask',
      'link_schema',
      'search_catalog',
      'review_sql',
      'run_sql',
      'explain_answer',
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true);
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(MOST_TOKENS);
  });

  it.each([
    ['How many singers are there?', 'answered'],
    ['Which concerts took place recently?', 'clarify'],
    ['What was the ticket income in 2023?', 'follow_up'],
    ['What was the weather in Lisbon?', 'reject'],
  ])('%s: %s', async (question, outcome) => {
    const { data, isError } = await call(client, 'ask', { question });
    expect(isError).toBeFalsy();
    expect(data).toMatchObject({ outcome, message: expect.any(String), recordId: expect.any(String) });
  });

  it('a question back is answered by its record', async () => {
    const { data } = await call(client, 'ask', { question: 'Which concerts took place recently?' });
    const { recordId, options } = data as { recordId: string; options: string[] };
    const answered = await call(client, 'ask', { question: options[0] as string, recordId });
    expect(answered.data).toMatchObject({ outcome: 'answered', sql: expect.any(String) });
  });

  it('an answer is explained', async () => {
    const { data } = await call(client, 'ask', { question: 'How many singers are there?' });
    const explained = await call(client, 'explain_answer', { recordId: data?.recordId as string });
    expect(explained.data).toMatchObject({ outcome: 'answered', question: 'How many singers are there?' });
    expect(JSON.stringify(explained.data?.lines)).toContain('COUNT(*)');
  });

  it('schema is linked and searched, SQL reviewed and run', async () => {
    const linked = await call(client, 'link_schema', { question: 'names of singers' });
    expect(JSON.stringify(linked.data)).toContain('singer');
    const found = await call(client, 'search_catalog', { text: 'singer' });
    expect(found.data?.hits).toContainEqual(expect.objectContaining({ kind: 'table' }));
    const reviewed = await call(client, 'review_sql', {
      sql: 'SELECT nmae FROM singers',
      question: 'names of singers',
    });
    expect(reviewed.data).toMatchObject({ faults: [expect.stringContaining('nmae')] });
    const run = await call(client, 'run_sql', { sql: 'SELECT COUNT(*) AS n FROM singers' });
    expect(run.data).toMatchObject({ outcome: 'answered', columns: ['n'], rowCount: 1 });
    const refused = await call(client, 'run_sql', { sql: 'DELETE FROM singers' });
    expect(refused.data).toMatchObject({ outcome: 'reject', message: expect.stringContaining('unsafe') });
  });

  it.each([
    ['ask', { question: '' }, 'question.empty'],
    ['ask', { question: 'one', recordId: 'nothing' }, 'record.not-found'],
    ['explain_answer', { recordId: '../../etc/passwd' }, 'record.not-found'],
    ['run_sql', { sql: 'SELECT 1 +' }, 'sql.'],
  ])('%s with %j fails with %s and what to do', async (name, args, code) => {
    const { isError, content } = await call(client, name, args);
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain(code);
  });

  it('twenty calls at once', async () => {
    const calls = Array.from({ length: 20 }, () =>
      call(client, 'ask', { question: 'How many singers are there?' }),
    );
    for (const { data, content } of await Promise.all(calls))
      expect(data?.outcome, JSON.stringify(content)).toBe('answered');
  });

  it('what is known is read', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['candor://semantics', 'candor://knowledge']);
    const [table] = (await client.readResource({ uri: 'candor://tables/singers' })).contents;
    expect(JSON.stringify(table)).toContain('name');
    const completed = await client.complete({
      ref: { type: 'ref/resource', uri: 'candor://tables/{id}' },
      argument: { name: 'id', value: 'sin' },
    });
    expect(completed.completion.values).toContain('singers');
    await expect(client.readResource({ uri: 'candor://tables/nothing' })).rejects.toThrow();
    const prompt = await client.getPrompt({ name: 'analyse', arguments: { question: 'how many?' } });
    expect(JSON.stringify(prompt)).toContain('how many?');
  });
});

describe('asking the person', () => {
  const asked = async (action: 'accept' | 'decline') => {
    const client = await overStdio({ capabilities: { elicitation: { form: {} } } });
    const seen: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      seen.push(params.message);
      return action === 'accept' ? { action, content: { choice: labelOf(params) } } : { action };
    });
    const { data } = await call(client, 'ask', { question: 'Which concerts took place recently?' });
    await client.close();
    return { seen, data };
  };
  const labelOf = (params: object): string => JSON.stringify(params).match(/"enum":\["([^"]+)"/)?.[1] ?? '';

  it('what they choose is answered', async () => {
    const { seen, data } = await asked('accept');
    expect(seen).toHaveLength(1);
    expect(data).toMatchObject({ outcome: 'answered' });
  });

  it('who chooses nothing gets the question back', async () => {
    const { seen, data } = await asked('decline');
    expect(seen).toHaveLength(1);
    expect(data).toMatchObject({ outcome: 'clarify' });
  });

  it('the stages are told, and a call is cancelled', async () => {
    const client = await overStdio();
    const stages: (string | undefined)[] = [];
    await client.callTool(
      { name: 'ask', arguments: { question: 'How many singers are there?' } },
      { onprogress: ({ message }) => stages.push(message) },
    );
    expect(stages).toContain('write');
    const cancel = new AbortController();
    const slow = client.callTool({ name: 'run_sql', arguments: { sql: SLOW } }, { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 300);
    await expect(slow).rejects.toThrow();
    const { data } = await call(client, 'ask', { question: 'How many singers are there?' });
    expect(data?.outcome).toBe('answered');
    await client.close();
  });
});

const SLOW =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT COUNT(*) FROM n';

describe('candor mcp', () => {
  it.each([
    ['claude', 'mcpServers'],
    ['cursor', 'mcpServers'],
    ['generic', 'mcpServers'],
    ['vscode', 'servers'],
  ])('--print-config %s', async (client, key) => {
    const { code, stdout } = await runCandor(['mcp', '--print-config', client], folder);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)[key].candor.args).toEqual(expect.arrayContaining(['mcp', '--project', folder]));
  });

  it('a page that had its name resolved to this machine is refused', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const foreign = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });
});
