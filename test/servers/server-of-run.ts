/** The servers that the test files of one run share, and suites that need one. */
import { describe, inject, it } from 'vitest';
import { z } from 'zod';
import { findServer, type ServerKind } from './find-server.ts';
import { type TestServer, toTestServer } from './test-server.ts';

const SHARED = z.object({
  kind: z.enum(['postgres', 'mariadb']),
  port: z.number(),
  folder: z.string(),
  adminUrl: z.string(),
  processId: z.number(),
});

/** Started at the first request of the run. Do not kill or reconfigure it: others use it too. */
export const postgresServer = (): Promise<TestServer> => serverOfRun('postgres');

/** Started at the first request of the run. Do not kill or reconfigure it: others use it too. */
export const mariadbServer = (): Promise<TestServer> => serverOfRun('mariadb');

/**
 * A `describe` that needs the programs of a server. Without them the suite is skipped and says why in its name; with
 * `CANDOR_TEST_SERVERS=required` it fails instead, with `CANDOR_TEST_SERVERS=none` it is skipped wherever it runs.
 */
export function describeWithServer(kind: ServerKind, name: string, body: () => void): void {
  const isWanted = process.env.CANDOR_TEST_SERVERS !== 'none';
  const found = isWanted ? findServer(kind) : { missing: 'this run starts no servers' };
  if (!('missing' in found)) describe(name, body);
  else if (process.env.CANDOR_TEST_SERVERS === 'required') {
    it(`${name}: needs a server`, () => {
      throw new Error(found.missing);
    });
  } else describe.skip(`${name} (skipped: ${found.missing})`, body);
}

async function serverOfRun(kind: ServerKind): Promise<TestServer> {
  const response = await fetch(`${inject('serverDesk')}/${kind}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const shared = SHARED.parse(JSON.parse(text));
  return toTestServer({ ...shared, processId: () => shared.processId });
}
