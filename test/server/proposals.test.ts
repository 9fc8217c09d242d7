/** What people ask to be remembered over HTTP: theirs at once, everybody's after a review. */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import type { RunningServer } from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { startKeyedServer } from './start-keyed-server.ts';

const GROUPS = `
server:
  groups:
    readers: {}
    buyers: { tables: [orders], editKnowledge: true }
`;

let folder: string;
let session: Session;
let server: RunningServer;
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = await makeMotorsProject('proposals');
  appendFileSync(join(folder, 'candor.yml'), GROUPS);
  for (const [name, ...rest] of [
    ['ann', '--admin'],
    ['rita', '--group', 'readers'],
    ['ben', '--group', 'readers'],
    ['carl', '--group', 'buyers'],
  ] as const)
    keys[name] = (await runCandor(['users', 'add', name, ...rest], folder)).stdout.trim();
  const config = await readConfig({ cwd: folder });
  session = await openSession(config);
  server = await startKeyedServer(session, { publicUrls: [], reopen: () => openSession(config) });
}, 180_000);
afterAll(async () => {
  await server.close();
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(who: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${keys[who]}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

/** Says something in a new chat, and reads what it came to. */
async function say(who: string, text: string): Promise<string> {
  const chat = (await call(who, '/v1/chats', {})).body.id;
  const { body } = await call(who, `/v1/chats/${chat}/turns`, { text });
  const events = await fetch(`${server.url}/v1/runs/${body.runId}/events`, {
    headers: { authorization: `Bearer ${keys[who]}` },
  });
  await events.text();
  const { messages } = (await call(who, `/v1/chats/${chat}`)).body;
  return JSON.stringify(messages.at(-1).cards);
}

const waiting = async (who: string) => (await call(who, '/v1/proposals')).body.proposals;
const READ = 'how many dealers are there?';
const ASKED = 'how many showroom partners are there?';

describe('what is to be remembered', () => {
  it('is its author’s in this and later chats, and nobody else’s', async () => {
    expect(await say('rita', ASKED)).not.toContain(READ);
    expect(await say('rita', 'remember that showroom partners means dealers')).toContain('for you, rita');
    expect(await say('rita', ASKED)).toContain(READ);
    for (const other of ['ben', 'ann', 'carl']) expect(await say(other, ASKED), other).not.toContain(READ);
  });

  it('is seen by its author and by reviewers alone', async () => {
    const proposal = {
      ...{ text: 'Showroom partners means dealers.', by: 'rita' },
      synonym: { term: 'showroom partners', meaning: 'dealers' },
    };
    for (const who of ['rita', 'ann']) expect(await waiting(who), who).toMatchObject([proposal]);
    for (const who of ['ben', 'carl']) expect(await waiting(who), who).toEqual([]);
    for (const who of ['ben', 'carl'])
      expect((await call(who, '/v1/files/knowledge/proposed.md')).body.error.code, who).toBe(
        'server.no-right',
      );
  });

  it('is decided on by who may change knowledge, or withdrawn by its author', async () => {
    const [{ key }] = await waiting('rita');
    for (const [who, decision] of [
      ['rita', 'accept'],
      ['ben', 'withdraw'],
      ['carl', 'accept'],
      ['carl', 'withdraw'],
    ] as const) {
      const { body } = await call(who, `/v1/proposals/${key}`, { decision });
      expect(body.error.code, who).toBe('server.no-right');
    }
    const accepted = await call('ann', `/v1/proposals/${key}`, { decision: 'accept' });
    expect(accepted.body).toMatchObject({ proposal: { key }, file: 'semantics/learned.yml' });
    expect(await say('ben', ASKED)).toContain(READ);
    expect(await waiting('ann')).toEqual([]);
    const gone = await call('ann', `/v1/proposals/${key}`, { decision: 'accept' });
    expect(gone.body.error.code).toBe('knowledge.refused');
  });

  it('becomes a note where it is a rule, and is forgotten where its author says so', async () => {
    await say('ben', 'remember that a dealer counts only while its contract runs');
    const [{ key }] = await waiting('ben');
    const { body } = await call('ann', `/v1/proposals/${key}`, { decision: 'accept' });
    expect(body.file).toBe('knowledge/notes.md');
    await say('ben', 'remember that prices are without tax');
    expect(await waiting('ben')).toHaveLength(1);
    expect(await say('ben', 'forget that')).toContain('Forgotten');
    expect(await waiting('ann')).toEqual([]);
    await say('rita', 'remember that money is in EUR');
    const [own] = await waiting('rita');
    const withdrawn = await call('rita', `/v1/proposals/${own.key}`, { decision: 'withdraw' });
    expect(withdrawn.status, withdrawn.text).toBe(200);
    expect(await waiting('rita')).toEqual([]);
  });

  it('stands in the audit log', async () => {
    const { text } = await call('ann', '/v1/audit');
    for (const what of ['proposed', 'accepted', 'withdrew']) expect(text).toContain(`"${what}"`);
  });
});
