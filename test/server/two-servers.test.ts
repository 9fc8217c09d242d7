/** Two `candor serve` over one PostgreSQL, as an installation has them. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeKey, openServerState, PeopleStore } from '../../src/server/index.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { startRoundRobin } from '../servers/round-robin-proxy.ts';
import { describeWithServer } from '../servers/server-of-run.ts';
import { freePort } from '../servers/server-process.ts';
import { startPostgres } from '../servers/start-postgres.ts';
import type { StartedServer } from '../servers/started-server.ts';
import { type TestDatabase, toTestServer } from '../servers/test-server.ts';
import { type ServedProject, serveProject } from '../web/serve-process.ts';

const ORDERS = `CREATE TABLE orders (id int PRIMARY KEY, city text NOT NULL, amount int NOT NULL);
  INSERT INTO orders SELECT i, (ARRAY['Lisbon', 'Rome', 'Oslo'])[i % 3 + 1], i FROM generate_series(1, 30) AS i;`;
const COUNT = 'how many orders are there?';

interface Placed {
  readonly folder: string;
  readonly port: number;
  process: ServedProject;
}

describeWithServer('postgres', 'two servers of one installation', () => {
  const root = mkdtempSync(join(tmpdir(), 'candor-two-'));
  let postgres: StartedServer;
  let data: TestDatabase;
  let keys: Record<'ann' | 'bob', string>;
  let [a, b]: [Placed, Placed] = [] as never;

  const start = async (name: string, files: Record<string, string>, config: string): Promise<Placed> => {
    const folder = join(root, name);
    for (const [path, text] of Object.entries({ ...files, 'candor.yml': config })) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const port = await freePort();
    return { folder, port, process: await serve(folder, port) };
  };
  const serve = (folder: string, port: number) => serveProject(folder, { port, options: ['--sign-in'] });

  beforeAll(async () => {
    postgres = await startPostgres();
    const server = toTestServer(postgres);
    data = await server.createDatabase('two_data');
    await data.run(ORDERS);
    const state = await server.createDatabase('two_state');
    const config = `database: ${data.url}\nserver:\n  state: ${state.adminUrl}\n  groups:\n    few: { questionsPerHour: 3 }\n`;
    keys = await addPeople(state.adminUrl);
    a = await start('a', { 'knowledge/notes.md': '# Notes\n\nOrders are paid.\n' }, config);
    // Nothing but its configuration: the rest comes from the installation.
    b = await start('b', {}, config);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([a?.process.stop(), b?.process.stop()]);
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  }, 60_000);

  const send = (
    { process: { url } }: { process: { url: string } },
    path: string,
    { who = 'ann', ...init }: { who?: 'ann' | 'bob'; method?: string; body?: object; headers?: object } = {},
  ) =>
    fetch(`${url}${path}`, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${keys[who]}`,
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    });
  const json = async (reply: Promise<Response>) => JSON.parse(await (await reply).text());
  const newChat = async (at: Placed, who: 'ann' | 'bob' = 'ann'): Promise<string> =>
    (await json(send(at, '/v1/chats', { who, method: 'POST' }))).id;
  const say = (at: { process: { url: string } }, chat: string, text: string, key: string = randomUUID()) =>
    send(at, `/v1/chats/${chat}/turns`, {
      body: { text },
      headers: { accept: 'text/event-stream', 'idempotency-key': key },
    }).then((reply) => reply.text());
  const messagesOf = async (at: Placed, chat: string): Promise<{ id: string; text: string }[]> =>
    (await json(send(at, `/v1/chats/${chat}`))).messages;
  const inTime = async (isSo: () => Promise<boolean>, ms = 10_000): Promise<void> => {
    for (const until = Date.now() + ms; !(await isSo()); await wait(50))
      if (Date.now() > until) throw new Error('It has not come to be so in time.');
  };

  it('the second comes up with an empty disk, by what the first has made', () => {
    expect(existsSync(join(b.folder, '.candor/catalog'))).toBe(false);
    expect(existsSync(join(b.folder, '.candor/shared/project/knowledge/notes.md'))).toBe(true);
  });

  it('a conversation goes on over both, and each explains what the other has answered', async () => {
    const chat = await newChat(a);
    expect(await say(a, chat, COUNT)).toContain('event: done');
    expect(await say(b, chat, 'only Lisbon')).toContain('Lisbon');
    const messages = await messagesOf(a, chat);
    expect(messages.map(({ text }) => text)).toEqual([COUNT, 'only Lisbon']);
    const { records } = await json(send(b, '/v1/records'));
    const { id } = records.find(({ question }: { question: string }) => question === COUNT);
    expect(await json(send(b, `/v1/records/${id}/replay`, { body: {} }))).toMatchObject({ same: true });
    expect(await json(send(a, `/v1/records/${id}/rows`, { body: {} }))).toMatchObject({ rows: [[30]] });
  });

  it('a thumb that either is given labels the answer for who trains the risk', async () => {
    const { records } = await json(send(b, '/v1/records'));
    const { id } = records.find(({ question }: { question: string }) => question === COUNT);
    expect((await send(b, '/v1/feedback', { body: { recordId: id, verdict: 'down' } })).status).toBe(200);
    const train = ['train', 'risk', '--dry-run', '--quiet', '--output', 'json'];
    const { stdout, stderr } = await runCandor(train, a.folder);
    const [{ labels, wrong }] = JSON.parse(
      stdout || JSON.stringify({ writers: [{ labels: stderr }] }),
    ).writers;
    expect({ labels, wrong }).toMatchObject({ labels: { thumb: 1 }, wrong: 1 });
    const elsewhere = await runCandor([...train, '--workspace', 'other'], a.folder);
    expect(JSON.parse(elsewhere.stdout).writers[0].labels).toMatchObject({ thumb: 0 });
  });

  it('a server that is killed in a turn: the client that sends it to the other gets one answer, once', async () => {
    const chat = await newChat(a);
    const key = randomUUID();
    const { release } = await lockOrders(data);
    const lost = say(a, chat, COUNT, key).catch(() => 'the connection was lost');
    await inTime(async () => (await send(b, `/v1/runs/${key}/events`, { headers: {} })).ok);
    // Whoever reads it at the other server is told, too.
    const watched = send(b, `/v1/runs/${key}/events`).then((reply) => reply.text());
    expect((await send(b, `/v1/chats/${chat}/turns`, { body: { text: 'another' } })).status).toBe(409);
    await a.process.kill();
    await lost;
    const from = Date.now();
    expect(await watched).toContain('server.run-lost');
    expect(Date.now() - from).toBeLessThan(8_000);
    await release();
    const both = await Promise.all([say(b, chat, COUNT, key), say(b, chat, COUNT, key)]);
    for (const events of both) expect(events).toContain('event: done');
    expect(await messagesOf(b, chat)).toHaveLength(1);
    a.process = await serve(a.folder, a.port);
    expect(await messagesOf(a, chat)).toHaveLength(1);
  }, 60_000);

  it('cancels a turn of the other server', async () => {
    const chat = await newChat(a);
    const key = randomUUID();
    const { release } = await lockOrders(data);
    const events = say(a, chat, COUNT, key);
    await inTime(async () => (await send(b, `/v1/runs/${key}/cancel`, { body: {} })).ok);
    expect(await events).toContain('event: error');
    await release();
    expect(await messagesOf(b, chat)).toEqual([]);
  });

  it('a file that is changed on one is known on the other, and an old etag is refused there', async () => {
    const path = '/v1/files/knowledge/notes.md';
    const { etag } = await json(send(a, path));
    const change = (at: Placed, text: string) =>
      send(at, path, { method: 'PUT', body: { text }, headers: { 'if-match': etag } });
    const from = Date.now();
    expect((await change(a, '# Notes\n\nOrders are cancelled never.\n')).status).toBe(200);
    await inTime(async () => (await json(send(b, path))).text.includes('never'), 5_000);
    expect(Date.now() - from).toBeLessThan(5_000);
    expect((await change(b, '# Notes\n\nLate.\n')).status).toBe(409);
    const both = await Promise.all(
      [a, b].map((at, index) =>
        send(at, `/v1/files/knowledge/same.md`, {
          method: 'PUT',
          body: { text: `# Same\n\nBy ${index}.\n` },
          headers: { 'if-none-match': '*' },
        }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('count the questions of a person together', async () => {
    const [chatA] = [await newChat(a, 'bob')];
    const ask = (at: Placed) => send(at, '/v1/ask', { who: 'bob', body: { question: 'how many orders?' } });
    expect(chatA).not.toBe('');
    const statuses = [];
    for (const at of [a, b, a, b, a]) statuses.push((await ask(at)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await json(send(b, '/v1/settings', { who: 'bob' }))).questions).toEqual({ perHour: 3, left: 0 });
  });

  it('are restarted one after the other: no conversation and no acknowledged message is lost', async () => {
    const proxy = await startRoundRobin([a, b].map(({ port }) => `http://127.0.0.1:${port}`));
    const over = { process: { url: proxy.url } } as Placed;
    let isOver = false;
    const person = async (): Promise<{ chat: string; said: string[] }> => {
      const chat = await newChat(over);
      const said: string[] = [];
      while (!isOver) {
        const [text, key] = [`${COUNT} ${said.length}`, randomUUID()];
        // As the web chat does: the same turn again, under the same key.
        await inTime(async () => (await say(over, chat, text, key).catch(() => '')).includes('event: done'));
        said.push(text);
        await wait(100);
      }
      return { chat, said };
    };
    const people = [person(), person(), person()];
    for (const each of [a, b]) {
      const stopped = each.process.stop();
      // It still answers, and tells the proxy to move on.
      await inTime(async () => (await fetch(`${each.process.url}/health`)).status === 503);
      await stopped;
      each.process = await serve(each.folder, each.port);
    }
    isOver = true;
    for (const { chat, said } of await Promise.all(people)) {
      expect(said.length).toBeGreaterThan(5);
      expect((await messagesOf(over, chat)).map(({ text }) => text)).toEqual(said);
    }
    await proxy.close();
  }, 90_000);

  it('tell of a database that is cut, and go on by themselves when it is back', async () => {
    const chat = await newChat(a);
    expect(await say(a, chat, COUNT)).toContain('event: done');
    await postgres.kill();
    for (const at of [a, b]) {
      const refused = await send(at, `/v1/chats/${chat}/turns`, { body: { text: COUNT } });
      expect(refused.status).toBe(503);
      expect(await refused.text()).toMatch(/database\.(unreachable|connection-lost)/);
      expect((await send(at, '/ready')).status).toBe(503);
      expect((await send(at, '/health')).status).toBe(200);
    }
    await postgres.restart();
    for (const at of [a, b]) {
      await inTime(async () => (await send(at, '/ready')).status === 200);
      expect(await say(at, chat, COUNT)).toContain('event: done');
    }
    expect(await messagesOf(b, chat)).toHaveLength(3);
    // What they hear is heard again.
    const { etag } = await json(send(a, '/v1/files/knowledge/notes.md'));
    await inTime(async () => {
      const reply = await send(a, '/v1/files/knowledge/notes.md', {
        method: 'PUT',
        body: { text: '# Notes\n\nBack.\n' },
        headers: { 'if-match': etag },
      });
      return reply.status === 200;
    });
    await inTime(async () => (await json(send(b, '/v1/files/knowledge/notes.md'))).text.includes('Back'));
  }, 60_000);
});

async function addPeople(url: string): Promise<Record<'ann' | 'bob', string>> {
  const config = { groups: {}, workspaces: {}, embedOrigins: [], state: url };
  const state = await openServerState({ derivedDirectory: '.', server: config });
  const people = new PeopleStore(state);
  const createdAt = new Date().toISOString();
  const add = async (name: 'ann' | 'bob', groups: string[]): Promise<string> => {
    await people.addUser({ id: name, name, isAdmin: name === 'ann', groups, createdAt });
    const key = makeKey((bytes) => Buffer.from(randomUUID().repeat(4).slice(0, bytes)));
    await people.addKey(name, key, { createdAt });
    return key;
  };
  const keys = { ann: await add('ann', []), bob: await add('bob', ['few']) };
  await state.close();
  return keys;
}

/** Queries of the table wait until it is released. */
async function lockOrders({ adminUrl }: TestDatabase): Promise<{ release: () => Promise<void> }> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
  return { release: () => client.end() };
}
