/** A conversation that others read by its link: each sees exactly what they could have got, and nobody can go on with it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { type RunningServer, startServer } from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';

const CONFIG = `database: sqlite:shop.db
search: { embedding: none }
server:
  groups:
    north: { session: { city: Lyon } }
    south: { session: { city: Nice } }
    clerks: { tables: [orders], session: { city: Lyon } }
    readers: { session: { city: Lyon }, showSql: false, runSql: false }
`;
/** Everybody sees the customers of their own city alone. */
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
const USERS = [
  ['ann', '--admin'],
  ['nora', '--group', 'north'],
  ['nils', '--group', 'north'],
  ['sam', '--group', 'south'],
  ['carl', '--group', 'clerks'],
  ['rita', '--group', 'readers'],
] as const;
const QUESTIONS = ['how many orders are there?', 'how many customers are there?', 'which tables are there?'];

let folder: string;
let session: Session;
let server: RunningServer;
/** Nora's conversation and its link. */
let chatId: string;
let shareId: string;
const keys: Record<string, string> = {};
const newSecret = (): string => randomBytes(32).toString('base64url');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-share-'));
  makeShop(join(folder, 'shop.db'));
  writeFileSync(join(folder, 'candor.yml'), CONFIG);
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics', 'shop.yml'), SEMANTICS);
  for (const [name, ...rest] of USERS) {
    const { code, stdout, stderr } = await runCandor(['users', 'add', name, ...rest], folder);
    expect(code, stderr).toBe(0);
    keys[name] = stdout.trim();
  }
  session = await openSession(await readConfig({ cwd: folder }));
  server = await startServer(session, {
    ...{ host: '127.0.0.1', port: 0, needsSignIn: true, newId: randomUUID, newSecret },
    onBug: (id, error) => {
      throw new Error(`${id}: ${error.stack}`);
    },
  });
  chatId = await conversation('nora');
  shareId = (await call('POST', `/v1/chats/${chatId}/share`, 'nora')).body.shareId;
});
afterAll(async () => {
  await server.close();
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, name?: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(name !== undefined && { authorization: `Bearer ${keys[name]}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

async function conversation(name: string): Promise<string> {
  const { body: chat } = await call('POST', '/v1/chats', name);
  for (const text of QUESTIONS) {
    const { body } = await call('POST', `/v1/chats/${chat.id}/turns`, name, { text });
    const events = await fetch(`${server.url}/v1/runs/${body.runId}/events`, {
      headers: { authorization: `Bearer ${keys[name]}` },
    });
    expect(await events.text()).toContain('event: done');
  }
  return chat.id;
}

interface SeenCard {
  readonly kind: string;
  readonly text?: string;
  readonly answer?: { readonly kind: string; readonly sql: string };
}
/** Of each question its first card, in a word: SQL, an answer without it, tables, or why it is not shown. */
async function seenBy(name: string): Promise<readonly string[]> {
  const { status, body } = await call('GET', `/v1/shared/${shareId}`, name);
  expect(status).toBe(200);
  expect(body.messages.map(({ text }: { text: string }) => text)).toEqual(QUESTIONS);
  return body.messages.map(({ cards: [card] }: { cards: [SeenCard] }) =>
    card.kind === 'answer' ? (card.answer?.sql === '' ? 'answer' : 'sql') : (card.text ?? card.kind),
  );
}

describe('a shared conversation', () => {
  const ROWS = expect.stringMatching(/^Not shown: other rows/);
  const HIDDEN = expect.stringMatching(/^Not shown: it reads tables/);
  it.each([
    ['nora', ['sql', 'sql', 'tables']],
    ['nils', ['sql', 'sql', 'tables']],
    ['sam', ['sql', ROWS, 'tables']],
    ['carl', ['sql', HIDDEN, 'tables']],
    ['rita', ['answer', 'answer', 'tables']],
    ['ann', ['sql', ROWS, 'tables']],
  ])('as %s sees it', async (name, expected) => {
    expect(await seenBy(name)).toEqual(expected);
  });

  it('tells of its owner, and nothing that is theirs', async () => {
    const { body, text } = await call('GET', `/v1/shared/${shareId}`, 'nils');
    expect(body).toMatchObject({ id: shareId, owner: 'nora', isOwn: false, title: QUESTIONS[0] });
    const own = await call('GET', `/v1/chats/${chatId}`, 'nora');
    expect(own.body.shareId).toBe(shareId);
    expect(text).not.toContain(chatId);
    for (const { cards } of own.body.messages)
      for (const { answer } of cards) if (answer !== undefined) expect(text).not.toContain(answer.recordId);
    expect((await call('GET', `/v1/shared/${shareId}`, 'nora')).body.isOwn).toBe(true);
  });

  it('names no table and no SQL that is kept from its reader', async () => {
    expect(
      (await call('GET', `/v1/shared/${shareId}`, 'carl')).text.replaceAll(QUESTIONS[1] ?? '', ''),
    ).not.toMatch(/customers/);
    expect((await call('GET', `/v1/shared/${shareId}`, 'rita')).text).not.toMatch(/SELECT/i);
  });

  it('has one link, which its list marks, and which only its owner makes', async () => {
    expect((await call('POST', `/v1/chats/${chatId}/share`, 'nora')).body.shareId).toBe(shareId);
    expect(shareId.length).toBeGreaterThanOrEqual(40);
    const { body } = await call('GET', '/v1/chats', 'nora');
    expect(body.chats).toMatchObject([{ id: chatId, shareId }]);
    for (const name of ['nils', 'ann']) {
      expect((await call('POST', `/v1/chats/${chatId}/share`, name)).status).toBe(404);
      expect((await call('DELETE', `/v1/chats/${chatId}/share`, name)).status).toBe(404);
    }
  });

  it('is nobody’s without a key, and no other id leads to one', async () => {
    expect((await call('GET', `/v1/shared/${shareId}`)).status).toBe(401);
    for (const guess of [chatId, shareId.slice(1), 'null', '%00', 'x'.repeat(100)])
      expect((await call('GET', `/v1/shared/${guess}`, 'nils')).status, guess).toBe(404);
  });

  it.each([
    ['POST', `/turns`, { text: 'how many?' }],
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['POST', '/share', undefined],
    ['DELETE', '/share', undefined],
  ])('cannot be gone on with: %s /v1/chats/{shareId}%s', async (method, rest, body) => {
    for (const name of ['nils', 'nora'])
      expect((await call(method, `/v1/chats/${shareId}${rest}`, name, body)).status, name).toBe(404);
  });

  it('is no run', async () => {
    expect((await call('GET', `/v1/runs/${shareId}/events`, 'nils')).status).toBe(404);
    expect((await call('POST', `/v1/runs/${shareId}/cancel`, 'nils')).status).toBe(404);
  });

  it('is in the audit log: shared, read by others, ended', async () => {
    const { body: other } = await call('POST', '/v1/chats', 'nora');
    await call('POST', `/v1/chats/${other.id}/share`, 'nora');
    await call('DELETE', `/v1/chats/${other.id}/share`, 'nora');
    const { body, text } = await call('GET', '/v1/audit?limit=10000', 'ann');
    const whats = body.entries.map(({ who, what }: { who: string; what: string }) => `${who} ${what}`);
    for (const what of ['nora chat shared', 'nora chat unshared', 'sam shared chat read'])
      expect(whats).toContain(what);
    expect(whats).not.toContain('nora shared chat read');
    expect(text).toContain(`{"chat":"${chatId}","owner":"nora","withheld":1}`);
    expect(text).not.toContain(shareId);
  });
});

describe('a link ends', () => {
  it('when its owner ends it; the next one is another', async () => {
    const { body: chat } = await call('POST', '/v1/chats', 'sam');
    const { body: first } = await call('POST', `/v1/chats/${chat.id}/share`, 'sam');
    expect((await call('GET', `/v1/shared/${first.shareId}`, 'nils')).status).toBe(200);
    expect((await call('DELETE', `/v1/chats/${chat.id}/share`, 'sam')).status).toBe(200);
    expect((await call('GET', `/v1/shared/${first.shareId}`, 'nils')).status).toBe(404);
    expect((await call('GET', `/v1/chats/${chat.id}`, 'sam')).body).not.toHaveProperty('shareId');
    const { body: second } = await call('POST', `/v1/chats/${chat.id}/share`, 'sam');
    expect(second.shareId).not.toBe(first.shareId);
    await call('DELETE', `/v1/chats/${chat.id}`, 'sam');
    expect((await call('GET', `/v1/shared/${second.shareId}`, 'nils')).status).toBe(404);
  });

  it('while its owner is disabled', async () => {
    await runCandor(['users', 'disable', 'nora'], folder);
    expect((await call('GET', `/v1/shared/${shareId}`, 'nils')).status).toBe(404);
    expect((await call('GET', `/v1/shared/${shareId}`, 'ann')).status).toBe(404);
  });
});

it('without users whoever is on this machine reads it', async () => {
  const alone = await startServer(session, {
    ...{ host: '127.0.0.1', port: 0, newId: randomUUID, newSecret },
    onBug: () => undefined,
  });
  const send = async (method: string, path: string) =>
    (await fetch(`${alone.url}${path}`, { method })).json() as Promise<Record<string, string>>;
  const { id } = await send('POST', '/v1/chats');
  const link = await send('POST', `/v1/chats/${id}/share`);
  expect(await send('GET', `/v1/shared/${link.shareId}`)).toMatchObject({ isOwn: true, messages: [] });
  await alone.close();
});
