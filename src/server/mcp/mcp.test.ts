import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import {
  type ConnectOptions,
  callTool,
  connectMcp,
  type Said,
} from '../../../test/fixtures/mcp/mcp-client.ts';
import { type RunningServer, startServer } from '../start/start-server.ts';

const bugs: string[] = [];
let ids = 0;
const settings = {
  ...{ host: '127.0.0.1', port: 0, newId: () => `id-${++ids}` },
  onBug: (id: string, error: Error) => void bugs.push(`${id}: ${error.message}`),
};
let small: SmallSession;
let server: RunningServer;
beforeAll(async () => {
  small = await openSmallSession();
  server = await startServer(small.session, settings);
});
afterAll(async () => {
  await server.close();
  await small.close();
});

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
async function connect(options: ConnectOptions = {}, url = server.url): Promise<Client> {
  const client = await connectMcp(url, options);
  open.push(client);
  return client;
}

const VAGUE = { question: 'Which concerts took place recently?' };

describe('the list of tools', () => {
  it('takes at most 1,500 tokens, all of it counted', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'ask',
      'link_schema',
      'search_catalog',
      'review_sql',
      'run_sql',
      'explain_answer',
    ]);
    const tokens = encode(JSON.stringify(tools)).length;
    expect(tokens).toBeLessThanOrEqual(1_500);
    const guide = readFileSync(new URL('../../../docs/guides/mcp.md', import.meta.url), 'utf8');
    expect(guide).toContain(`takes ${tokens.toLocaleString('en')} tokens`);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
  });
});

describe.each(['auto', 'legacy'] as const)('every tool, with a client of the protocol “%s”', (mode) => {
  it.each([
    ['How many singers are there?', { kind: 'answered', rows: [[6]], truncated: false }],
    [VAGUE.question, { kind: 'clarify', options: expect.arrayContaining([expect.anything()]) }],
    ['What was the ticket income in 2023?', { kind: 'follow_up' }],
    ['What was the weather in Lisbon?', { kind: 'reject', message: expect.stringContaining('weather') }],
  ])('ask: %s', async (question, told) => {
    const { fields, text } = await callTool(await connect({ mode }), 'ask', { question });
    expect(fields).toMatchObject(told);
    expect(text).toContain(`${told.kind}`);
    expect(text).toContain(fields.recordId);
  });

  it('ask goes on from a question back by its record, or by an earlier question', async () => {
    const client = await connect({ mode });
    const { fields } = await callTool(client, 'ask', VAGUE);
    const answered = await callTool(client, 'ask', { question: 'this year', replyTo: fields.recordId });
    expect(answered.fields).toMatchObject({ kind: 'answered', sql: expect.stringContaining('2024') });
    const follow = { question: 'and in France?', after: ['How many singers are there?'] };
    expect((await callTool(client, 'ask', follow)).fields).toMatchObject({ kind: 'answered', rows: [[3]] });
  });

  it('ask takes assumptions otherwise', async () => {
    const client = await connect({ mode });
    const wrong = await callTool(client, 'ask', {
      question: 'How many singers are there?',
      assume: { time: 'x' },
    });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(/^question\.assumption: .*\nNext: .*\nRequest: id-/s);
  });

  it('link_schema gives tables with reasons', async () => {
    const { fields } = await callTool(await connect({ mode }), 'link_schema', {
      question: 'songs of each singer',
    });
    expect(fields.because).toContainEqual(expect.objectContaining({ id: 'songs', unsure: false }));
  });

  it('search_catalog finds names and values', async () => {
    const client = await connect({ mode });
    const tables = await callTool(client, 'search_catalog', {
      words: 'singers',
      kinds: ['tables'],
      limit: 1,
    });
    expect(tables.fields).toMatchObject({ hits: [{ kind: 'tables', id: 'singers' }] });
    expect(tables.fields.cut).toContainEqual(expect.stringMatching(/^tables: 1 of \d+ shown$/));
    const values = await callTool(client, 'search_catalog', { words: 'portugal', kinds: ['values'] });
    expect(values.fields.hits).toContainEqual(
      expect.objectContaining({ kind: 'values', id: 'singers.country', text: 'Portugal' }),
    );
  });

  it('review_sql says what is wrong and runs nothing', async () => {
    const { fields } = await callTool(await connect({ mode }), 'review_sql', {
      sql: 'SELECT nmae FROM singers',
    });
    expect(fields).toMatchObject({ risk: 1, action: 'repair', repaired: 'SELECT name FROM singers' });
    const unsafe = await callTool(await connect({ mode }), 'review_sql', { sql: 'DELETE FROM singers' });
    expect(unsafe.fields).toMatchObject({ action: 'abstain' });
  });

  it('run_sql goes through the guard, with so many rows', async () => {
    const client = await connect({ mode });
    const { fields } = await callTool(client, 'run_sql', { sql: 'SELECT name FROM singers', limit: 2 });
    expect(fields).toMatchObject({ kind: 'answered', columns: ['name'], rowCount: 2, truncated: true });
    const refused = await callTool(client, 'run_sql', { sql: 'DELETE FROM singers' });
    expect(refused.fields).toMatchObject({ kind: 'reject' });
    expect(refused.text).toContain('unsafe');
  });

  it('explain_answer tells how, from memory and from the record', async () => {
    const client = await connect({ mode });
    const { fields } = await callTool(client, 'ask', { question: 'How many singers are from France?' });
    const kept = await callTool(client, 'explain_answer', { recordId: fields.recordId });
    expect(kept.fields).toMatchObject({ kind: 'answered', sql: fields.sql, changed: [] });
    expect(String(kept.fields.evidence)).toMatch(/France/);
    expect(kept.fields.how).toContainEqual(
      expect.stringMatching(/^word “France” in the query .*: 'France'$/),
    );
    const other = await startServer(changedSession(small.session, {}), settings);
    try {
      const again = await callTool(await connect({ mode }, other.url), 'explain_answer', {
        recordId: fields.recordId,
      });
      expect(again.fields).toEqual(kept.fields);
    } finally {
      await other.close();
    }
  });
});

describe('a question back', () => {
  it.each<[string, Said, object]>([
    ['an option', { action: 'accept', content: { choice: 'this year' } }, { kind: 'answered' }],
    ['own words', { action: 'accept', content: { words: 'in 2023' } }, { kind: 'answered' }],
    ['nothing', { action: 'accept', content: {} }, { kind: 'clarify' }],
    ['a refusal', { action: 'decline' }, { kind: 'clarify', options: expect.any(Array) }],
    [
      'a closed form',
      { action: 'cancel' },
      { kind: 'clarify', message: expect.stringContaining('recently') },
    ],
  ])('is put to the person, who gives %s', async (_, said, told) => {
    const { fields } = await callTool(await connect({ said }), 'ask', VAGUE);
    expect(fields).toMatchObject(told);
  });

  it('that nothing fits is an error that says what would', async () => {
    const said: Said = { action: 'accept', content: { words: '9' } };
    const { isError, text } = await callTool(await connect({ said }), 'ask', VAGUE);
    expect(isError).toBe(true);
    expect(text).toMatch(/^question\.not-asked: /);
  });

  it('comes as a result where the client shows links alone', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    open.push(client);
    expect((await callTool(client, 'ask', VAGUE)).fields).toMatchObject({ kind: 'clarify' });
  });
});
