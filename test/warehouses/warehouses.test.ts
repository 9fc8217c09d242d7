/**
 * Snowflake and BigQuery against exchanges that were written from their documentation: there is no live account behind
 * them, and each file says so. A file is one case: what is called, what must go over the wire, what comes out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readBigqueryUrl } from '../../src/database/bigquery/bigquery-target.ts';
import { BigqueryDatabase } from '../../src/database/bigquery/open-bigquery.ts';
import type { Database } from '../../src/database/index.ts';
import { SnowflakeDatabase } from '../../src/database/snowflake/open-snowflake.ts';
import { readSnowflakeUrl } from '../../src/database/snowflake/snowflake-target.ts';
import { CandorError } from '../../src/errors.ts';
import { EXCHANGES, type ExchangeServer, playExchanges } from './exchange-server.ts';

const SECRET = 'tok3n-that-nobody-may-see';
const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 20_000 };

const CASE = z.object({
  /** Where the form of the exchanges comes from. */
  recordedFrom: z.string().startsWith('documentation, no live account: https://'),
  /** Beyond the project or account, the token and the endpoint. */
  urlPath: z.string().optional(),
  urlOptions: z.string().optional(),
  call: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('query'),
      sql: z.string(),
      limits: z.record(z.string(), z.number()).optional(),
      /** Cancelled as soon as the server has been asked so many times. */
      cancelAfterRequests: z.number().optional(),
    }),
    z.object({ kind: z.literal('explain'), sql: z.string() }),
    z.object({ kind: z.literal('readSchema') }),
    z.object({ kind: z.literal('stamp') }),
    z.object({ kind: z.literal('describe') }),
  ]),
  exchanges: EXCHANGES,
  /** Big whole numbers are `{"bigint": "…"}`, bytes `{"bytes": "hex"}`. */
  expected: z.union([
    z.object({ error: z.string(), says: z.string().optional() }),
    z.object({ value: z.unknown() }),
  ]),
});
type Case = z.infer<typeof CASE>;

const ENGINES: Readonly<Record<string, (origin: string, one: Case) => Database>> = {
  snowflake: (origin, { urlPath, urlOptions }) =>
    new SnowflakeDatabase(
      readSnowflakeUrl(
        `snowflake://reader:${SECRET}@acme-main/${urlPath ?? 'shop/public'}?endpoint=${origin}${urlOptions ?? ''}`,
      ),
    ),
  bigquery: (origin, { urlPath, urlOptions }) =>
    new BigqueryDatabase(
      readBigqueryUrl(
        `bigquery://acme/${urlPath ?? 'shop'}?access_token=${SECRET}&endpoint=${origin}${urlOptions ?? '&location=EU'}`,
      ),
    ),
};

let server: ExchangeServer | undefined;
let database: Database | undefined;

afterEach(async () => {
  await database?.close();
  await server?.close();
  database = undefined;
  server = undefined;
});

describe.each(Object.keys(ENGINES))(
  '%s over exchanges written from its documentation, no live account',
  (engine) => {
    const folder = fileURLToPath(new URL(`./${engine}/`, import.meta.url));
    it.each(readdirSync(folder).sort())('%s', async (file) => {
      const one = CASE.parse(JSON.parse(readFileSync(`${folder}${file}`, 'utf8')));
      server = await playExchanges(one.exchanges);
      database = ENGINES[engine]?.(server.origin, one);
      if (database === undefined) throw new Error(`no engine ${engine}`);
      const outcome = await outcomeOf(database, one.call);
      // Cancels are sent behind the caller's back; they have arrived once the database is closed.
      await database.close();
      expect(server.problems).toEqual([]);
      expect(server.missing()).toEqual([]);
      if ('error' in one.expected) {
        expect(outcome).toMatchObject({ code: one.expected.error });
        if (one.expected.says !== undefined) expect(String(outcome)).toContain(one.expected.says);
        expect(textOf(outcome)).not.toContain(SECRET);
      } else expect(toPlain(outcome)).toEqual(one.expected.value);
      expect(database.url).not.toContain(SECRET);
    });
  },
);

async function outcomeOf(opened: Database, call: Case['call']): Promise<unknown> {
  try {
    switch (call.kind) {
      case 'query': {
        const control = new AbortController();
        const running = opened.query(call.sql, { ...LIMITS, ...call.limits }, control.signal);
        const { cancelAfterRequests: count } = call;
        if (count !== undefined) {
          await vi.waitUntil(() => (server?.headers.length ?? 0) >= count, 20_000);
          control.abort();
        }
        const { ms: _, ...result } = await running;
        return result;
      }
      case 'explain':
        return await opened.explain(call.sql);
      case 'readSchema':
        return await opened.readSchema();
      case 'stamp':
        return await opened.stamp();
      case 'describe':
        return await opened.describe();
    }
  } catch (error) {
    if (error instanceof CandorError) return error;
    throw error;
  }
}

/** Everything that an error could show: message, data, cause. */
function textOf(error: unknown): string {
  if (!(error instanceof CandorError)) return String(error);
  const { cause } = error;
  return `${error.message} ${JSON.stringify(error.data)} ${cause instanceof Error ? textOf(cause) || cause.message : ''}`;
}

function toPlain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, function (this: unknown, _key: string, part: unknown) {
      if (typeof part === 'bigint') return { bigint: String(part) };
      if (part instanceof Uint8Array) return { bytes: Buffer.from(part).toString('hex') };
      return part;
    }),
  );
}
