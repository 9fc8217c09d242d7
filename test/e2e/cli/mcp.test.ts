import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { candorProgram } from '../../fixtures/candor-program.ts';
import { type ConnectOptions, callTool, connectMcp, type Said } from '../../fixtures/mcp/mcp-client.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'candor-mcp-cli-')));
  makeShop(join(folder, 'shop.db'));
  const { code, stderr } = await runCandor(['onboard', 'sqlite:shop.db'], folder);
  expect(code, stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** The program itself, as a client starts it from some other folder. */
function connectTo(options: ConnectOptions): Promise<Client> {
  const args = [...candorProgram(), 'mcp', '--quiet', '--project', folder];
  return connectMcp(new StdioClientTransport({ command: process.execPath, args, cwd: tmpdir() }), options);
}

const VAGUE = { question: 'Which orders were placed recently?' };

describe.each(['auto', 'legacy'] as const)('candor mcp, with a client of the protocol “%s”', (mode) => {
  let client: Client;
  beforeAll(async () => {
    client = await connectTo({ mode });
  });
  afterAll(() => client.close());

  it('serves every tool', async () => {
    expect(client.getInstructions()).toContain('never choose for them');
    const asked = await callTool(client, 'ask', { question: 'how many customers are in Lyon?' });
    expect(asked.fields).toMatchObject({ kind: 'answered', rows: [[3]] });
    const { recordId, sql } = asked.fields;
    const told = await callTool(client, 'explain_answer', { recordId });
    expect(told.fields).toMatchObject({ sql, changed: [] });
    const rows = await callTool(client, 'run_sql', { sql: 'SELECT COUNT(*) AS n FROM orders' });
    expect(rows.fields).toMatchObject({ columns: ['n'], rows: [[12]] });
    const reviewed = await callTool(client, 'review_sql', { sql: 'SELECT nmae FROM customers' });
    expect(reviewed.fields).toMatchObject({ repaired: 'SELECT name FROM customers' });
    const linked = await callTool(client, 'link_schema', { question: 'customers per city' });
    expect(linked.fields.because).toContainEqual(expect.objectContaining({ id: 'customers.city' }));
    const found = await callTool(client, 'search_catalog', { words: 'lyon', kinds: ['values'] });
    expect(found.fields.hits).toContainEqual(expect.objectContaining({ text: 'Lyon', id: 'customers.city' }));
  });

  it('gives a question back as a result where the client shows no forms', async () => {
    expect((await callTool(client, 'ask', VAGUE)).fields.kind).toBe('clarify');
  });

  it.each<[string, Said, string]>([
    ['answered', { action: 'accept', content: { words: 'in 2024' } }, 'answered'],
    ['declined', { action: 'decline' }, 'clarify'],
  ])('puts a question back to the person, where it is %s', async (_, said, kind) => {
    const asking = await connectTo({ mode, said });
    open.push(asking);
    expect((await callTool(asking, 'ask', VAGUE)).fields.kind).toBe(kind);
  });

  it('gives resources, completion and the prompt', async () => {
    const [content] = (await client.readResource({ uri: 'candor://tables/orders' })).contents;
    expect(content !== undefined && 'text' in content && JSON.parse(content.text)).toMatchObject({
      foreignKeys: [{ toTable: 'customers' }],
    });
    const ref = { type: 'ref/resource' as const, uri: 'candor://tables/{id}' };
    const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'cus' } });
    expect(completion.values).toEqual(['customers']);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['analyse']);
  });

  it('cancels a query and goes on', async () => {
    const controller = new AbortController();
    const sql = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n';
    const call = client.callTool({ name: 'run_sql', arguments: { sql } }, { signal: controller.signal });
    const failed = expect(call).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const from = performance.now();
    controller.abort();
    await failed;
    const next = await callTool(client, 'run_sql', { sql: 'SELECT 1 AS one' });
    expect(next.fields.rows).toEqual([[1]]);
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});

describe('the process', () => {
  it.each(['end of input', 'SIGTERM'] as const)(
    'ends well at %s, and stdout is the protocol alone',
    async (how) => {
      const args = [...candorProgram(), 'mcp', '--project', folder];
      const child = spawn(process.execPath, args, { cwd: tmpdir(), stdio: 'pipe' });
      let stdout = '';
      let stderr = '';
      child.stderr.on('data', (part) => {
        stderr += part;
      });
      const replied = new Promise<void>((resolve) =>
        child.stdout.on('data', (part) => {
          stdout += part;
          if (stdout.includes('\n')) resolve();
        }),
      );
      const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      };
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\nno JSON\n`,
      );
      await replied;
      if (how === 'SIGTERM') child.kill('SIGTERM');
      else child.stdin.end();
      expect(await exit).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(lines.map(() => '2.0'));
      expect(stderr).toContain('it ends with its client');
    },
  );

  it('serves HTTP, and says where', async () => {
    const args = [...candorProgram(), 'mcp', '--http', '--port', '0', '--quiet', '--project', folder];
    const child = spawn(process.execPath, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
    const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (part) => resolve(`${part}`)),
    );
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
    const client = await connectMcp(url.replace('/mcp\n', ''));
    const asked = await callTool(client, 'ask', { question: 'how many customers are in Lyon?' });
    expect(asked.fields.rows).toEqual([[3]]);
    await client.close();
    child.kill('SIGINT');
    expect(await exit).toBe(0);
  });
});

describe('--print-config', () => {
  it.each([
    ['claude', { mcpServers: { candor: { type: 'stdio', command: expect.any(String) } } }],
    ['cursor', { mcpServers: { candor: { command: expect.any(String) } } }],
    ['vscode', { servers: { candor: { type: 'stdio', command: expect.any(String) } } }],
  ])('knows the form of %s', async (client, form) => {
    const { code, stdout, stderr } = await runCandor(['mcp', '--print-config', client], folder);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject(form);
    expect(stderr).toMatch(/^Paste it into .*mcp\.json/);
  });

  it('starts this project from any folder', async () => {
    const { stdout } = await runCandor(['mcp', '--print-config', 'generic'], folder);
    const { command, args } = JSON.parse(stdout);
    const started = await connectMcp(new StdioClientTransport({ command, args, cwd: tmpdir() }));
    open.push(started);
    expect((await started.listTools()).tools).toHaveLength(6);
  });

  it('names an address for HTTP', async () => {
    const { stdout } = await runCandor(['mcp', '--http', '--print-config', 'generic'], folder);
    expect(JSON.parse(stdout)).toEqual({
      ...{ name: 'candor', transport: 'streamable-http', url: 'http://127.0.0.1:8714/mcp' },
    });
  });

  it('keeps a password out, and files absolute', async () => {
    const url = 'postgres://reader:s3cret@db/shop';
    const secret = await runCandor(['mcp', '--print-config', 'generic', '--database', url], folder);
    expect(secret.stdout).toContain('postgres://reader@db/shop');
    expect(secret.stdout).not.toContain('s3cret');
    const file = await runCandor(
      ['mcp', '--print-config', 'generic', '--database', 'sqlite:shop.db'],
      folder,
    );
    expect(JSON.parse(file.stdout).args.slice(-2)).toEqual([
      '--database',
      `sqlite:${join(folder, 'shop.db')}`,
    ]);
  });

  it('needs a project', async () => {
    const empty = join(folder, '..', `${folder.split('/').at(-1)}-empty`);
    mkdirSync(empty);
    const { code, stderr, stdout } = await runCandor(['mcp', '--print-config', 'claude'], empty);
    rmSync(empty, { recursive: true });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('config.not-found');
  });
});
