import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel } from '../../test/models/scripted-model.ts';
import { readLabels } from '../uncertainty/index.ts';
import { ANSWER } from './contract/answer-contract.ts';
import { type RunningServer, startServer } from './start/start-server.ts';

let small: SmallSession;
let server: RunningServer;
let ids = 0;
const newId = (): string => `id-${++ids}`;
const bugs: string[] = [];
const onBug = (requestId: string, error: Error): void => {
  bugs.push(`${requestId}: ${error.message}`);
};
const LOOPBACK = { host: '127.0.0.1', port: 0, newId, onBug };
beforeAll(async () => {
  small = await openSmallSession();
  server = await startServer(small.session, LOOPBACK);
});
afterAll(async () => {
  await server.close();
  await small.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });
const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const jsonOf = async (response: Promise<Response> | Response) => JSON.parse(await (await response).text());
const codeOf = async (response: Response) => {
  const { error } = await jsonOf(response);
  expect(error.requestId).toMatch(/^id-/);
  return `${response.status} ${error.code}`;
};

interface Told {
  readonly id?: number;
  readonly name: string;
  readonly data: { readonly [key: string]: unknown } | string;
}

function readEvents(text: string): readonly Told[] {
  return text
    .split('\n\n')
    .filter((block) => block.trim() !== '' && !block.startsWith(':'))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data') ?? '';
      const name = field('event') ?? '';
      return data === '[DONE]' ? { name, data } : { id: Number(field('id')), name, data: JSON.parse(data) };
    });
}

const newChat = async (): Promise<string> => (await jsonOf(post('/v1/chats'))).id;
const take = async (chat: string, turn: object) => {
  const response = await post(`/v1/chats/${chat}/turns`, turn, { accept: 'text/event-stream' });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  return readEvents(await response.text());
};

describe('questions', () => {
  it.each([
    ['How many singers are there?', 'answered'],
    ['Which concerts took place recently?', 'clarify'],
    ['What was the ticket income in 2023?', 'follow_up'],
    ['What was the weather in Lisbon?', 'reject'],
  ])('%s: %s, as the contract says', async (question, kind) => {
    const response = await post('/v1/ask', { question });
    expect(response.status).toBe(200);
    expect(ANSWER.parse(await response.json()).kind).toBe(kind);
  });

  it('are suggested: each of them is answered', async () => {
    const { suggestions } = await jsonOf(get('/v1/suggestions'));
    expect(suggestions.length).toBeGreaterThan(1);
    for (const { question } of suggestions)
      expect((await jsonOf(post('/v1/ask', { question }))).kind, question).toBe('answered');
  });

  it('are certified by their records, where the project can be opened anew', async () => {
    const { recordId } = await jsonOf(post('/v1/ask', { question: 'How many singers are there?' }));
    expect(await codeOf(await post('/v1/certify', { recordId }))).toBe('503 server.no-reload');
    expect(readdirSync(small.session.config.examplesDirectory)).toEqual([]);
    const asked = await jsonOf(post('/v1/ask', { question: 'Which concerts took place recently?' }));
    expect(await codeOf(await post('/v1/certify', { recordId: asked.recordId }))).toBe(
      '400 knowledge.refused',
    );
    expect((await post('/v1/certify', { recordId, sql: 'DELETE FROM singers' })).status).toBe(400);
  });

  it('are answered back', async () => {
    const asked = await jsonOf(post('/v1/ask', { question: 'Which concerts took place recently?' }));
    const answered = await post('/v1/answers', { recordId: asked.recordId, reply: '1' });
    expect(ANSWER.parse(await answered.json()).kind).toBe('answered');
  });
});

describe('queries', () => {
  it('run through the guard', async () => {
    const rows = await jsonOf(post('/v1/sql', { sql: 'SELECT count(*) AS n FROM singers' }));
    expect(rows).toMatchObject({ kind: 'answered', columns: ['n'], rows: [[6]] });
    const refused = await jsonOf(post('/v1/sql', { sql: 'DELETE FROM singers' }));
    expect(refused).toMatchObject({ kind: 'reject', reason: 'unsafe' });
    const failed = await post('/v1/sql', { sql: 'SELECT abs(-9223372036854775808)' });
    expect(await codeOf(failed)).toMatch(/^\d{3} database\.query-failed$/);
  });

  it('are repaired', async () => {
    const fix = await jsonOf(post('/v1/fix', { sql: 'SELECT nam FROM singers' }));
    expect(fix).toMatchObject({ ok: true, repaired: 'SELECT name FROM singers' });
  });

  it('are offered where rules would have to guess', async () => {
    const sql = 'SELECT name FROM singers JOIN stadiums ON singer_id = stadium_id';
    const fix = await jsonOf(post('/v1/fix', { sql }));
    expect(fix).toMatchObject({
      ok: false,
      offers: [
        { sql: sql.replace('name', 'singers.name'), means: 'name is that of singers' },
        { sql: sql.replace('name', 'stadiums.name'), means: 'name is that of stadiums' },
      ],
    });
  });

  it('are told what an engine has against them', async () => {
    const body = { sql: 'SELECT count(*) FROM singers', engineError: 'permission denied for table singers' };
    expect(await jsonOf(post('/v1/fix', body))).toMatchObject({
      ok: false,
      problems: [{ kind: 'engine' }],
      engine: { kind: 'access-denied', name: 'singers', next: expect.stringContaining('read singers') },
    });
  });

  it('are mended by the model of the project', async () => {
    const query = 'SELECT count(*) FROM singers';
    const model = scriptedModel(({ role }) =>
      role === 'fix'
        ? JSON.stringify({ query, explanation: '', assumptions: [], tables: [], columns: [] })
        : role === 'research'
          ? { toolCalls: [] }
          : '{"isEnough": true, "advice": ""}',
    );
    const models = async () => ({ answers: model });
    const other = await startServer(changedSession(small.session, { models }), LOOPBACK);
    try {
      const response = await fetch(`${other.url}/v1/fix`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sql: 'SELECT count(birthplace) FROM persons_of_song', question: 'how many?' }),
      });
      expect(await jsonOf(response)).toMatchObject({ ok: true, repaired: query });
    } finally {
      await other.close();
    }
  });
});

describe('a conversation', () => {
  it('is answered as events, kept without rows, and goes on', async () => {
    const chat = await newChat();
    const events = await take(chat, { text: 'How many concerts per singer?' });
    const names = events.map(({ name }) => name).filter((name) => name !== 'stage');
    expect(names).toEqual(['run', 'route', 'card', 'done', '']);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(events.slice(0, -1).map(({ id }) => id)).toEqual(events.slice(0, -1).map((_, at) => at + 1));
    const card = events.find(({ name }) => name === 'card')?.data;
    expect(card).toMatchObject({ card: { kind: 'answer', answer: { kind: 'answered' } } });
    const kept = await jsonOf(get(`/v1/chats/${chat}`));
    expect(kept).toMatchObject({ title: 'How many concerts per singer?' });
    expect(kept.messages[0].cards[0].answer.rows).toEqual([]);
    expect(kept.messages[0].cards[0].rowsLeftOut).toBeGreaterThan(0);
    const { chats } = await jsonOf(get('/v1/chats?limit=1'));
    expect(chats[0].id).toBe(chat);
  });

  it('is read again from any event on', async () => {
    const chat = await newChat();
    const { runId } = await jsonOf(post(`/v1/chats/${chat}/turns`, { text: 'How many singers?' }));
    const all = readEvents(await (await get(`/v1/runs/${runId}/events`)).text());
    const rest = await get(`/v1/runs/${runId}/events`, { 'last-event-id': '2' });
    expect(readEvents(await rest.text())).toEqual(all.slice(2));
    expect(await jsonOf(post(`/v1/runs/${runId}/cancel`))).toEqual({ ok: true });
  });

  it('tells what went wrong as an event, and stays usable', async () => {
    const chat = await newChat();
    const events = await take(chat, { text: ' ' });
    expect(events.find(({ name }) => name === 'error')?.data).toMatchObject({ code: 'question.empty' });
    expect((await take(chat, { text: 'How many singers?' })).map(({ name }) => name)).toContain('done');
  });

  it('is deleted for good', async () => {
    const chat = await newChat();
    const deleted = await fetch(`${server.url}/v1/chats/${chat}`, { method: 'DELETE' });
    expect(deleted.status).toBe(200);
    expect(await codeOf(await get(`/v1/chats/${chat}`))).toBe('404 server.not-found');
    expect(await codeOf(await post(`/v1/chats/${chat}/turns`, { text: 'x' }))).toBe('404 server.not-found');
  });
});

describe('chat completions', () => {
  const complete = (more: object) =>
    post('/v1/chat/completions', {
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'How many singers are there?' }] },
      ],
      temperature: 0.2,
      ...more,
    });

  it('answer as Markdown', async () => {
    const { choices, object } = await jsonOf(complete({}));
    expect(object).toBe('chat.completion');
    expect(choices[0].message.content).toMatch(/\| 6 \|[\s\S]+```sql\nSELECT/);
    expect((await jsonOf(get('/v1/models'))).data[0].id).toBe('candor');
  });

  it('come as chunks', async () => {
    const text = await (await complete({ stream: true })).text();
    const chunks = text.split('\n\n').filter((block) => block !== '');
    expect(chunks.at(-1)).toBe('data: [DONE]');
    const [first, last] = chunks.slice(0, 2).map((block) => JSON.parse(block.replace('data: ', '')));
    expect(first.choices[0].delta.content).toContain('| 6 |');
    expect(last.choices[0].finish_reason).toBe('stop');
  });

  it('need a question', async () => {
    const messages = [{ role: 'system', content: 'x' }];
    expect(await codeOf(await complete({ messages }))).toBe('400 server.invalid-request');
  });
});

describe('feedback', () => {
  it('is kept with the record it is of', async () => {
    const { recordId } = await jsonOf(post('/v1/ask', { question: 'How many singers are there?' }));
    const given = { recordId, verdict: 'down', reason: 'I meant the bands' };
    expect(await jsonOf(post('/v1/feedback', given))).toMatchObject(given);
    const { feedback } = await jsonOf(get('/v1/feedback'));
    expect(feedback[0]).toMatchObject(given);
    const lost = await post('/v1/feedback', { recordId: 'none', verdict: 'up' });
    expect(await codeOf(lost)).toBe('404 record.not-found');
  });

  it('labels the risk of the answer, by the last word of those who say it', async () => {
    const { recordId, risk } = await jsonOf(post('/v1/ask', { question: 'How many singers are there?' }));
    for (const verdict of ['down', 'up']) {
      await post('/v1/feedback', { recordId, verdict });
      const { labels } = await readLabels(small.session.config.derivedDirectory);
      expect(labels).toMatchObject([{ ...risk.shipped, isWrong: verdict === 'down', from: 'thumb' }]);
    }
  });
});

describe('the server', () => {
  it('is healthy and ready', async () => {
    expect(await jsonOf(get('/health'))).toMatchObject({ status: 'ok' });
    expect(await jsonOf(get('/ready'))).toMatchObject({ status: 'ok', model: null });
  });

  it('describes every route', async () => {
    const page = await jsonOf(get('/openapi.json'));
    expect(page.openapi).toBe('3.1.0');
    expect(Object.keys(page.paths)).toContain('/v1/chats/{id}/turns');
    expect(JSON.stringify(page.components.schemas.Answer)).toContain('FollowUp');
  });

  it.each([
    ['another host', { host: 'evil.example' }, '403 server.wrong-host'],
    ['a page of another origin', { origin: 'https://evil.example' }, '403 server.wrong-origin'],
    ['a page without an origin', { origin: 'null' }, '403 server.wrong-origin'],
  ])('refuses %s', async (_, headers, expected) => {
    // Fetch sets the host itself.
    const { request } = await import('node:http');
    const status = await new Promise<string>((resolve, reject) => {
      request(`${server.url}/v1/chats`, { headers }, (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(`${response.statusCode} ${JSON.parse(text).error.code}`));
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(expected);
  });

  it.each([
    ['no JSON', '/v1/ask', '{', '400 server.invalid-request'],
    ['an unknown field', '/v1/ask', { question: 'x', rows: 1 }, '400 server.invalid-request'],
    ['a wrong type', '/v1/ask', { question: 5 }, '400 server.invalid-request'],
    ['an empty question', '/v1/ask', { question: '' }, '400 server.invalid-request'],
    ['too much', '/v1/sql', { sql: 'x'.repeat(1_100_000) }, '413 server.too-large'],
    ['no such route', '/v2/ask', {}, '404 server.unknown-route'],
    ['a record that climbs', '/v1/answers', { recordId: '../../etc', reply: '1' }, '404 record.not-found'],
  ])('refuses %s', async (_, path, body, expected) => {
    expect(await codeOf(await post(path, body))).toBe(expected);
  });

  it('refuses a form that a page of another origin could send', async () => {
    const sent = await post('/v1/ask', 'question=x', { 'content-type': 'text/plain' });
    expect(await codeOf(sent)).toBe('415 server.wrong-type');
    const empty = fetch(`${server.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
    });
    expect(await codeOf(await empty)).toBe('415 server.wrong-type');
  });

  it('tells a bug by its request alone, and the rest to whoever runs it', async () => {
    const broken = changedSession(small.session, {
      clock: () => {
        throw new TypeError('secret of the inside');
      },
    });
    const other = await startServer(broken, LOOPBACK);
    const response = await fetch(`${other.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'How many singers are there?' }),
    });
    const { error } = await jsonOf(response);
    await other.close();
    expect([response.status, error.code]).toEqual([500, 'internal.bug']);
    expect(error.message).not.toContain('secret');
    expect(bugs).toContain(`${error.requestId}: secret of the inside`);
  });

  it('serves this machine alone', async () => {
    const settings = { ...LOOPBACK, host: '0.0.0.0' };
    await expect(startServer(small.session, settings)).rejects.toMatchObject({ code: 'server.not-loopback' });
  });

  it('keeps conversations over a restart', async () => {
    const first = await startServer(small.session, LOOPBACK);
    const made = await jsonOf(fetch(`${first.url}/v1/chats`, { method: 'POST' }));
    await first.close();
    const second = await startServer(small.session, LOOPBACK);
    expect(await jsonOf(fetch(`${second.url}/v1/chats/${made.id}`))).toMatchObject({ id: made.id });
    await second.close();
  });
});
