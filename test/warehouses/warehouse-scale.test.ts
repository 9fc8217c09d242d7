/**
 * Many databases, limits and other people's rights at warehouses, over exchanges written from their documentation: no live
 * account is behind them. Trino's are as the real server answers; more of it is in test/trino.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readBigqueryUrl } from '../../src/database/bigquery/bigquery-target.ts';
import { BigqueryDatabase } from '../../src/database/bigquery/open-bigquery.ts';
import type { Database } from '../../src/database/index.ts';
import { readScope } from '../../src/database/interface/table-scope.ts';
import { SnowflakeDatabase } from '../../src/database/snowflake/open-snowflake.ts';
import { readSnowflakeUrl } from '../../src/database/snowflake/snowflake-target.ts';
import { TrinoDatabase } from '../../src/database/trino/trino-database.ts';
import { readTrinoUrl } from '../../src/database/trino/trino-target.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { type Exchange, type ExchangeServer, playExchanges } from './exchange-server.ts';

const LIMITS = { rows: 10, bytes: 100_000, timeoutMs: 5_000 };
let server: ExchangeServer | undefined;
let database: Database | undefined;
afterEach(async () => {
  await database?.close();
  await server?.close();
});

describe('Snowflake, from its documentation, no live account', () => {
  const statement = (
    body: object,
    columns: readonly string[],
    data: readonly (readonly (string | null)[])[],
  ): Exchange => ({
    request: { method: 'POST', path: '/api/v2/statements?async=true', body },
    response: {
      body: {
        resultSetMetaData: { rowType: columns.map((name) => ({ name, type: 'text' })), partitionInfo: [{}] },
        ...{ statementHandle: 'h', data },
      },
    },
  });
  const open = (origin: string, tables = {}): SnowflakeDatabase =>
    new SnowflakeDatabase(
      readSnowflakeUrl(`snowflake://reader:tok3n@acme?endpoint=${origin}&role=everyone`),
      {
        tables: readScope(tables),
      },
    );
  const TABLES = ['TABLE_SCHEMA', 'TABLE_NAME', 'TABLE_TYPE'];
  const COLUMNS = ['TABLE_SCHEMA', 'TABLE_NAME', 'COLUMN_NAME', 'DATA_TYPE', 'IS_NULLABLE'];

  it('reads all databases of an account, and leaves out the one it may not', async () => {
    server = await playExchanges([
      statement(
        { statement: 'SHOW DATABASES' },
        ['created_on', 'name'],
        [
          ['1', 'SHOP'],
          ['1', 'HR'],
          ['1', 'SCRATCH'],
          ['1', 'SNOWFLAKE'],
        ],
      ),
      {
        request: { method: 'POST', path: '/api/v2/statements?async=true' },
        response: {
          status: 422,
          body: {
            code: '002003',
            sqlState: '02000',
            message: "Database 'HR' does not exist or not authorized.",
          },
        },
      },
      statement({ role: 'EVERYONE' }, TABLES, [['PUBLIC', 'ORDERS', 'BASE TABLE']]),
      statement({}, COLUMNS, [['PUBLIC', 'ORDERS', 'ID', 'NUMBER', 'NO']]),
      statement({ statement: 'SHOW PRIMARY KEYS IN DATABASE "SHOP"' }, ['schema_name'], []),
      statement({ statement: 'SHOW IMPORTED KEYS IN DATABASE "SHOP"' }, ['fk_schema_name'], []),
    ]);
    database = open(server.origin, { exclude: ['scratch'] });
    const { tables, leftOut } = await database.readSchema();
    expect(server.problems).toEqual([]);
    expect(tables).toMatchObject([{ name: 'ORDERS', catalog: 'SHOP', qualifier: ['SHOP', 'PUBLIC'] }]);
    expect(leftOut).toEqual([
      { name: 'the database HR', because: expect.stringContaining('not authorized') },
    ]);
    expect(server.missing()).toEqual([]);
  });

  it('runs the queries of a group with its role, and as nobody else', async () => {
    const plan = '{"Operations":[[{"operation":"Result"}]]}';
    server = await playExchanges([
      statement({ role: 'ANALYST', statement: 'SHOW PARAMETERS IN SESSION' }, ['key', 'value'], []),
      statement({ role: 'ANALYST' }, ['p'], [[plan]]),
      statement({ role: 'ANALYST', timeout: 5, parameters: { QUERY_TAG: 'candor' } }, ['A'], [['1']]),
    ]);
    const account = open(server.origin);
    database = account.as({ role: 'ANALYST' });
    await database.query('SELECT 1 AS a', LIMITS);
    expect([server.problems, server.missing()]).toEqual([[], []]);
    expect(() => account.as({ user: 'ann' })).toThrow('give groups an engineRole');
  });
});

describe('BigQuery, from its documentation, no live account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-bigquery-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const dryRun: Exchange = {
    request: { method: 'POST', path: '/bigquery/v2/projects/acme/jobs' },
    response: { body: { statistics: { totalBytesProcessed: '5', query: { statementType: 'SELECT' } } } },
  };
  const queries = (body: object): Exchange => ({
    request: { method: 'POST', path: '/bigquery/v2/projects/acme/queries', body },
    response: {
      body: {
        ...{ jobComplete: true, jobReference: { projectId: 'acme', jobId: 'j' } },
        ...{ schema: { fields: [{ name: 'a', type: 'INTEGER' }] }, rows: [{ f: [{ v: '1' }] }] },
      },
    },
  });

  it.each([
    ['', 2_000, '2000'],
    ['&maximum_bytes_billed=1000', 2_000, '1000'],
    ['&maximum_bytes_billed=5000', 2_000, '2000'],
  ])('has a query billed for no more than it may read: %s', async (option, scanBytes, maximumBytesBilled) => {
    server = await playExchanges([
      dryRun,
      queries({ maximumBytesBilled, jobTimeoutMs: '5000', labels: { application: 'candor' } }),
    ]);
    const url = `bigquery://acme/shop?access_token=t&location=EU&endpoint=${server.origin}${option}`;
    database = new BigqueryDatabase(readBigqueryUrl(url));
    expect((await database.query('SELECT 1 AS a', { ...LIMITS, scanBytes })).rows).toEqual([[1]]);
    expect([server.problems, server.missing()]).toEqual([[], []]);
  });

  it('asks for tokens of the person, with the key of the account', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = (value: string): Exchange => ({
      request: { method: 'POST', path: '/token' },
      response: { body: { access_token: value, expires_in: 3600 } },
    });
    const clock: Exchange = { request: { method: 'HEAD', path: '/' }, response: { status: 404 } };
    const asked = (value: string): Exchange[] => {
      const headers = { authorization: `Bearer ${value}` };
      const [plan, run] = [dryRun, queries({})];
      return [
        { ...plan, request: { ...plan.request, headers } },
        { ...run, request: { ...run.request, headers } },
      ];
    };
    server = await playExchanges([clock, token('of-ann'), ...asked('of-ann')]);
    const key = {
      ...{
        type: 'service_account',
        client_email: 'candor@acme.example',
        token_uri: `${server.origin}/token`,
      },
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    writeFileSync(join(folder, 'key.json'), JSON.stringify(key));
    const url = `bigquery://acme/shop?credentials=key.json&location=EU&endpoint=${server.origin}`;
    const account = new BigqueryDatabase(readBigqueryUrl(url, folder));
    database = account.as({ user: 'ann@acme.example' });
    await database.query('SELECT 1 AS a', LIMITS);
    expect([server.problems, server.missing()]).toEqual([[], []]);
    const [, claims = ''] = new URLSearchParams(server.bodies[1]).get('assertion')?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'candor@acme.example',
      sub: 'ann@acme.example',
    });
    expect(() => account.as({ role: 'x' })).toThrow('by their e-mail address');
  });

  it('cannot be somebody else with a token that somebody made', () => {
    const account = new BigqueryDatabase(readBigqueryUrl('bigquery://acme/shop?access_token=t'));
    expect(() => account.as({ user: 'ann@acme.example' })).toThrow('key of a service account');
  });
});

describe('Trino', () => {
  const stats = { state: 'RUNNING' };
  const authorization = `Basic ${Buffer.from('service:pw').toString('base64')}`;
  const begin: Exchange = {
    request: { method: 'POST', path: '/v1/statement', headers: { authorization, 'x-trino-user': 'ann' } },
    response: {
      headers: { 'x-trino-started-transaction-id': 'tx' },
      body: { id: 'q', updateType: 'START TRANSACTION', nextUri: '{{origin}}/v1/statement/q/1', stats },
    },
  };
  const begun: Exchange = {
    request: { method: 'GET', path: '/v1/statement/q/1', headers: { authorization, 'x-trino-user': 'ann' } },
    response: {
      headers: { 'x-trino-started-transaction-id': 'tx' },
      body: { id: 'q', updateType: 'START TRANSACTION', stats },
    },
  };
  const rollBack: Exchange = {
    request: { method: 'POST', path: '/v1/statement', headers: { 'x-trino-user': 'ann' } },
    response: { body: { id: 'r', stats } },
  };

  it('acts for the person with the login of the account, their role, and within the bytes', async () => {
    server = await playExchanges([
      begin,
      begun,
      {
        request: {
          method: 'POST',
          path: '/v1/statement',
          headers: {
            ...{ authorization, 'x-trino-user': 'ann', 'x-trino-role': 'system=ROLE{analyst}' },
            'x-trino-session': 'a=b,query_max_run_time=5000ms,query_max_scan_physical_bytes=1000B',
            'x-trino-source': 'candor',
          },
        },
        response: {
          body: {
            ...{ id: 'q', stats },
            error: {
              ...{ errorName: 'EXCEEDED_SCAN_LIMIT', errorType: 'INSUFFICIENT_RESOURCES' },
              message: 'Query exceeded scan limit of 1000B',
            },
          },
        },
      },
      rollBack,
    ]);
    const host = server.origin.replace('http://', '');
    // The role in the URL is the account's own, and no one else's.
    const account = new TrinoDatabase(
      readTrinoUrl(`trino://service:pw@${host}/hive?session.a=b&roles=system=ALL`),
    );
    database = account.as({ user: 'ann', role: 'analyst' });
    const query = database.query('SELECT 1', { ...LIMITS, scanBytes: 1_000 });
    expect(await codeOf(query)).toBe('database.too-expensive');
    await database.close();
    expect([server.problems, server.missing()]).toEqual([[], []]);
  });

  it('sends a password as Latin-1, as the server reads it', () => {
    const authorizationOf = (password: string) =>
      readTrinoUrl(`trino://me:${encodeURIComponent(password)}@127.0.0.1/hive`).authorization;
    expect(authorizationOf('pässword')).toBe(
      `Basic ${Buffer.from('me:pässword', 'latin1').toString('base64')}`,
    );
    expect(authorizationOf('пароль')).toBe(`Basic ${Buffer.from('me:пароль', 'utf8').toString('base64')}`);
  });
});
