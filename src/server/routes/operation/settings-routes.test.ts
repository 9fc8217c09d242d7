import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../../test/changed-session.ts';
import {
  openSmallSession,
  type SmallSession,
} from '../../../../test/fixtures/grounded/open-small-session.ts';
import type { ModelSettings } from '../../../config/index.ts';
import { VERSION } from '../../../version.ts';
import { makeKey, PeopleStore } from '../../people/people-store.ts';
import { type RunningServer, startServer } from '../../start/start-server.ts';
import { openServerState } from '../../state/open-server-state.ts';

const MODEL: ModelSettings = {
  ...{ name: 'gguf:/srv/models/small.gguf', key: 'top-secret', url: 'https://user:pw@models.example' },
  ...{ private: true, calls: 1, tokens: 1_000, timeoutMs: 1_000, requestsAtOnce: 1, traceContent: false },
};
const GROUP = {
  tables: ['singers'],
  properties: {},
  showSql: true,
  runSql: false,
  editKnowledge: false,
} as const;

let small: SmallSession;
let open: RunningServer;
let shared: RunningServer;
const keys: Record<string, string> = {};

beforeAll(async () => {
  small = await openSmallSession();
  const settings = {
    ...{ host: '127.0.0.1', port: 0, newId: randomUUID },
    onBug: (_: string, error: Error) => {
      throw error;
    },
  };
  open = await startServer(small.session, settings);
  const { config } = small.session;
  const derivedDirectory = join(small.folder, 'shared');
  mkdirSync(derivedDirectory);
  const readers = { ...GROUP, approval: 'allow', questionsPerHour: 5 } as const;
  const server = { groups: { readers }, workspaces: {}, embedOrigins: [] };
  await addPeople({ derivedDirectory, server });
  const withPeople = { ...config, derivedDirectory, server, model: MODEL, targetRisk: 0.05 };
  shared = await startServer(changedSession(small.session, { config: withPeople }), {
    ...settings,
    needsSignIn: true,
  });
});
afterAll(async () => {
  await open.close();
  await shared.close();
  await small.close();
});

async function addPeople(config: Parameters<typeof openServerState>[0]): Promise<void> {
  const state = await openServerState(config);
  const store = new PeopleStore(state);
  for (const [at, name] of ['ann', 'rita'].entries()) {
    const key = makeKey((bytes) => Buffer.alloc(bytes, at + 1));
    const createdAt = '2024-10-01T00:00:00Z';
    const rights = { isAdmin: name === 'ann', groups: name === 'ann' ? [] : ['readers'] };
    await store.addUser({ id: name, name, createdAt, ...rights });
    await store.addKey(name, key, { createdAt });
    keys[name] = key;
  }
  await state.close();
}

async function settingsOf(server: RunningServer, name?: string) {
  const headers: Record<string, string> =
    name === undefined ? {} : { authorization: `Bearer ${keys[name] ?? ''}` };
  const response = await fetch(`${server.url}/v1/settings`, { headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe('settings', () => {
  it('of this machine tell what is in use, and where it lies', async () => {
    expect(await settingsOf(open)).toEqual({
      status: 200,
      body: {
        version: VERSION,
        signIn: false,
        project: { folder: small.folder, database: `sqlite:${small.path}` },
        database: { name: 'music', engine: 'sqlite', tables: expect.any(Number), today: '2024-10-01' },
        answering: {
          minProbability: small.session.config.minProbability,
          ...{ rows: small.session.config.limits.rows, timeoutMs: small.session.config.limits.timeoutMs },
        },
        connect: { mcp: '/mcp', openai: '/v1', model: 'candor' },
      },
    });
  });

  it('tell people their own tables and quota, and no place', async () => {
    const { body } = await settingsOf(shared, 'rita');
    expect(body).toMatchObject({
      signIn: true,
      database: { tables: 1 },
      answering: { model: { name: 'gguf:small.gguf', isPrivate: true, mode: 'fast' }, targetRisk: 0.05 },
      questions: { perHour: 5, left: 5 },
    });
    expect(JSON.stringify(body)).not.toContain(small.folder);
    await fetch(`${shared.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.rita ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'how many singers are there?' }] }),
    });
    expect((await settingsOf(shared, 'rita')).body.questions).toEqual({ perHour: 5, left: 4 });
  });

  it('hold no secret, for admins neither, and nothing for nobody', async () => {
    const { body } = await settingsOf(shared, 'ann');
    expect(body.project.folder).toBe(small.folder);
    expect(JSON.stringify(body)).not.toMatch(/top-secret|pw@|srv|cnd_/);
    expect((await settingsOf(shared)).status).toBe(401);
  });

  it('are beside a page of the routes, which needs no key to be shown', async () => {
    for (const server of [open, shared]) {
      const { status, headers } = await fetch(`${server.url}/docs`, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([302, './#/api']);
    }
  });
});
