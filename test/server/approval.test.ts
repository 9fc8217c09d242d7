/** Who must approve queries, and for whom none runs: over every way that leads to the database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { type RunningServer, startServer } from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { callTool, connectMcp, type Said } from '../fixtures/mcp/mcp-client.ts';

const SEMANTICS = `version: 0.1.1
semantic_model:
  - name: shop
    datasets:
      - name: customers
        source: customers
        custom_extensions:
          - vendor_name: CANDOR
            data: '{"row_filter": "customers.city = :city"}'
`;
const GROUPS = {
  free: { editKnowledge: true, session: { city: 'Lyon' } },
  asked: { approval: 'ask', editKnowledge: true, session: { city: 'Lyon' } },
  blind: { approval: 'ask', showSql: false, runSql: false, session: { city: 'Lyon' } },
  never: { approval: 'deny', session: { city: 'Lyon' } },
};
const QUESTION = 'how many customers are there?';

let folder: string;
let session: Session;
let server: RunningServer;
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-approval-'));
  makeShop(join(folder, 'shop.db'));
  const config = { database: 'sqlite:shop.db', search: { embedding: 'none' }, server: { groups: GROUPS } };
  writeFileSync(join(folder, 'candor.yml'), JSON.stringify(config));
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics', 'shop.yml'), SEMANTICS);
  for (const name of Object.keys(GROUPS))
    keys[name] = (await runCandor(['users', 'add', name, '--group', name], folder)).stdout.trim();
  session = await openSession(await readConfig({ cwd: folder }));
  server = await startServer(session, {
    ...{ host: '127.0.0.1', port: 0, needsSignIn: true, newId: randomUUID },
    newSecret: () => randomBytes(32).toString('base64url'),
    onBug: (id, error) => {
      throw new Error(`${id}: ${error.stack}`);
    },
  });
}, 60_000);
afterAll(async () => {
  await server.close();
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(name: string, method: string, path: string, body?: unknown) {
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keys[name]}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}
const ask = (name: string, body: object = {}) =>
  call(name, 'POST', '/v1/ask', { question: QUESTION, ...body });
const isRun = ({ checks }: { checks: { name: string; passed: boolean }[] }): boolean =>
  checks.some(({ name, passed }) => name === 'execute' && passed);

describe('a question of somebody who approves queries', () => {
  it('runs at once for those who need not', async () => {
    const { body } = await ask('free');
    expect([isRun(body), body.rows]).toEqual([true, [[3]]]);
  });

  it.each(['asked', 'blind', 'never'])(
    'is answered for %s without a row, whatever they ask for',
    async (name) => {
      for (const options of [{}, { mode: 'fast' }, { execute: true }, { mode: 'careful', execute: true }]) {
        const { status, body } = await ask(name, options);
        expect([status, body.kind, isRun(body), body.rows]).toEqual([200, 'answered', false, []]);
      }
    },
  );

  it('asks back without options that only the database knows', async () => {
    for (const question of [
      'orders of the customer',
      'which orders were placed recently?',
      'customers in the city',
    ]) {
      const { status } = await call('asked', 'POST', '/v1/ask', { question });
      expect(status, question).toBe(200);
    }
  });

  it('runs once they say so, under their row filter, and stands in the audit log', async () => {
    const { recordId } = (await ask('asked')).body;
    const rows = await call('asked', 'POST', `/v1/records/${recordId}/rows`);
    expect([rows.status, rows.body.rows]).toEqual([200, [[3]]]);
    const { stdout } = await runCandor(['users', 'audit'], folder);
    for (const what of ['approved', 'rows'])
      expect(stdout).toMatch(new RegExp(`"what":"${what}".*${recordId}`));
  });

  it('runs without its SQL for those who may not see it', async () => {
    const { body } = await ask('blind');
    expect(body.sql).toBe('');
    const rows = await call('blind', 'POST', `/v1/records/${body.recordId}/rows`);
    expect([rows.body.rows, rows.body.sql]).toEqual([[[3]], '']);
    expect(rows.text).not.toMatch(/select/i);
  });

  it('is nobody else’s to run', async () => {
    const { recordId } = (await ask('asked')).body;
    for (const name of ['free', 'blind'])
      expect((await call(name, 'POST', `/v1/records/${recordId}/rows`)).status).toBe(404);
    expect((await call('asked', 'POST', '/v1/records/none/rows')).status).toBe(404);
  });

  it('does not run for those for whom nothing runs', async () => {
    const { recordId } = (await ask('never')).body;
    const rows = await call('never', 'POST', `/v1/records/${recordId}/rows`);
    expect([rows.status, rows.body.error.code]).toEqual([403, 'server.no-right']);
    expect(rows.body.error.next).toMatch(/admin/);
    expect(rows.text).not.toContain('rows"');
  });
});

describe('other ways to the database', () => {
  const sql = 'SELECT COUNT(*) FROM orders';

  it('SQL of one’s own is approved by whoever sends it, and never runs where nothing does', async () => {
    expect((await call('asked', 'POST', '/v1/sql', { sql })).body.rows).toEqual([[12]]);
    expect((await call('never', 'POST', '/v1/sql', { sql })).status).toBe(403);
    expect((await call('never', 'POST', '/v1/sql', { sql, planOnly: true })).body.kind).toBe('planned');
  });

  it.each(['asked', 'never'])(
    'a conversation, chat completions and a replay of %s give no row',
    async (name) => {
      const { id } = (await call(name, 'POST', '/v1/chats')).body;
      const { runId } = (await call(name, 'POST', `/v1/chats/${id}/turns`, { text: QUESTION, mode: 'fast' }))
        .body;
      const events = (await call(name, 'GET', `/v1/runs/${runId}/events`)).text;
      expect(events).toContain('"kind":"answered"');
      expect(events).toContain('"rows":[]');
      expect(events).not.toContain('event: error');
      const messages = [{ role: 'user', content: QUESTION }];
      const completion = await call(name, 'POST', '/v1/chat/completions', { model: 'candor', messages });
      expect(completion.body.choices[0].message.content).toMatch(/not run/);
      const { recordId } = (await ask(name)).body;
      const again = await call(name, 'POST', `/v1/records/${recordId}/replay`);
      expect(again.body.answer.rows).toEqual([]);
    },
  );

  it.each<[string, string, Said | undefined, object | RegExp]>([
    ['free', 'runs at once', undefined, { kind: 'answered', rows: [[12]] }],
    ['asked', 'runs what its person lets run', { action: 'accept', content: {} }, { rows: [[12]] }],
    ['asked', 'runs nothing that its person declines', { action: 'decline' }, /approve|let this query/],
    ['asked', 'runs nothing where they cannot be asked', undefined, /approve|let this query/],
    ['never', 'runs nothing', { action: 'accept', content: {} }, /never run/],
  ])('an agent of %s %s', async (name, _, said, expected) => {
    const { fields, text } = await useTool(name, 'run_sql', { sql }, said);
    if (expected instanceof RegExp) {
      expect(text).toMatch(expected);
      // As a number of its own: ids of requests are made of any digits.
      expect(JSON.stringify([fields, text])).not.toMatch(/\b12\b/);
      return;
    }
    expect(fields).toMatchObject(expected);
    const { stdout } = await runCandor(['users', 'audit'], folder);
    expect(stdout).toMatch(new RegExp(`"who":"${name}","what":"sql"`));
  });

  it('tests, which run queries of their own, are not run for them', async () => {
    // There are no tests, which is what somebody who may run them is told.
    expect((await call('free', 'POST', '/v1/tests/runs', {})).status).toBe(400);
    const refused = await call('asked', 'POST', '/v1/tests/runs', {});
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('unasked')]);
  });

  it.each(['asked', 'never'])('a question by an agent of %s is answered and not run', async (name) => {
    const { fields, text } = await useTool(name, 'ask', { question: QUESTION });
    expect(fields).toMatchObject({ kind: 'answered' });
    expect(fields.rows).toBeUndefined();
    expect(text).toContain('not run');
  });
});

async function useTool(name: string, tool: string, given: Record<string, unknown>, said?: Said) {
  const headers = { authorization: `Bearer ${keys[name]}` };
  const to = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } });
  const client = await connectMcp(to, said === undefined ? {} : { said });
  try {
    return await callTool(client, tool, given);
  } finally {
    await client.close();
  }
}
