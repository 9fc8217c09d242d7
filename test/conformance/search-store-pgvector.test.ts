import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { afterAll, beforeAll, expect } from 'vitest';
import { openSharedSearch } from '../../src/knowledge/search/open-shared-search.ts';
import { freePort } from '../servers/server-process.ts';
import { behavesLikeSearchStore } from './search-store.ts';

let database: PGlite;
let server: PGLiteSocketServer;
let url = '';
beforeAll(async () => {
  database = await PGlite.create({ extensions: { vector } });
  const port = await freePort();
  // There is one session behind it: the store uses one connection, the others are for those that are just closing.
  server = new PGLiteSocketServer({ db: database, port, host: '127.0.0.1', maxConnections: 8 });
  await server.start();
  url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable&pool=1`;
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

let workspaces = 0;
behavesLikeSearchStore('PostgreSQL with pgvector', async () => {
  const store = await openSharedSearch(url, { workspace: `shop ${workspaces++}` });
  expect(store.vectorsIn).toBe('pgvector');
  return { store, remove: async () => undefined };
});
