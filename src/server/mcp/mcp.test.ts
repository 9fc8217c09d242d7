import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { type RunningServer, startServer } from '../start-server.ts';

let small: SmallSession;
let server: RunningServer;
let ids = 0;
const bugs: string[] = [];
beforeAll(async () => {
  small = await openSmallSession();
  server = await startServer(small.session, {
    ...{ host: '127.0.0.1', port: 0, newId: () => `id-${++ids}` },
    onBug: (id, error) => void bugs.push(`${id}: ${error.message}`),
  });
});
afterAll(async () => {
  await server.close();
  await small.close();
});

const open: Client[] = [];
async function connect(mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  open.push(client);
  return client;
}

describe('probe', () => {
  it('works', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const told = tools.map(({ name, description, inputSchema, outputSchema }) => ({
      name,
      description,
      inputSchema,
      outputSchema,
    }));
    console.log(encode(JSON.stringify(told)).length, encode(JSON.stringify(tools)).length);
    for (const tool of told)
      console.log(tool.name, encode(JSON.stringify(tool)).length, JSON.stringify(tool));
    for (const [name, args] of [
      ['ask', { question: 'How many singers are there?' }],
      ['ask', { question: 'Which concerts took place recently?' }],
      ['link_schema', { question: 'How many singers are there?' }],
      ['search_catalog', { words: 'singers' }],
      ['review_sql', { sql: 'SELECT nmae FROM singers', question: 'names of singers' }],
      ['run_sql', { sql: 'SELECT * FROM singers' }],
      ['run_sql', { sql: 'DELETE FROM singers' }],
      ['run_sql', { sql: 'SELEC' }],
      ['run_sql', { sql: '' }],
    ] as const) {
      const result = await client.callTool({ name, arguments: args });
      console.log(name, JSON.stringify(result.structuredContent), '\n', result.content?.[0]);
    }
    console.log(JSON.stringify(await client.listResources()));
    console.log(JSON.stringify(await client.readResource({ uri: 'candor://tables/singers' })));
    console.log(JSON.stringify(await client.readResource({ uri: 'candor://knowledge' })));
    console.log(bugs);
  });
});
