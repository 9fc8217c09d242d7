/** Signed logins against servers that check the signature, as the documentation of both services describes it. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connect, type Database } from '../../src/database/index.ts';
import { type Exchange, type ExchangeServer, playExchanges } from './exchange-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-logins-'));
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
writeFileSync(join(folder, 'key.p8'), pem);
/** Far from the clock of any machine that runs this: the server's own time counts. */
const SERVER_TIME = 'Sat, 29 Feb 2020 12:00:00 GMT';
const SECONDS = Date.parse(SERVER_TIME) / 1000;
const CLAIMS = z.object({ iat: z.number(), exp: z.number() }).catchall(z.unknown());
const clock: Exchange = {
  request: { method: 'HEAD', path: '/' },
  response: { status: 404, headers: { date: SERVER_TIME } },
};

let server: ExchangeServer | undefined;
let database: Database | undefined;
afterEach(async () => {
  await database?.close();
  await server?.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The claims of a token whose signature holds. */
function readJwt(token: string, key: KeyObject): z.infer<typeof CLAIMS> {
  const [header = '', claims = '', signature = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);
  return CLAIMS.parse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
}

describe('Snowflake, from its documentation, no live account', () => {
  const path = '/api/v2/statements?async=true';
  const result = (name: string, cell: string) => ({
    resultSetMetaData: { rowType: [{ name, type: 'text' }], partitionInfo: [{}] },
    ...{ statementHandle: 'h', data: [[cell]] },
  });
  const plan = '{"Operations":[[{"operation":"Result"}]]}';

  it('signs a token with the key of the account and uses it again', async () => {
    server = await playExchanges([
      clock,
      { request: { method: 'POST', path }, response: { body: result('p', plan) } },
      { request: { method: 'POST', path }, response: { body: result('key', 'WEEK_START') } },
      { request: { method: 'POST', path }, response: { body: result('p', plan) } },
      { request: { method: 'POST', path }, response: { body: result('A', 'x') } },
    ]);
    database = await connect(
      `snowflake://reader@xy12345.eu-central-1/shop?private_key_file=key.p8&endpoint=${server.origin}`,
      { baseDirectory: folder },
    );
    const limits = { rows: 10, bytes: 1000, timeoutMs: 10_000 };
    expect((await database.query("SELECT 'x' AS a", limits)).rows).toEqual([['x']]);
    expect(server.problems).toEqual([]);
    const tokens = server.headers
      .slice(1)
      .map(({ authorization }) => authorization?.replace('Bearer ', '') ?? '');
    expect(new Set(tokens).size).toBe(1);
    expect(server.headers[1]).toMatchObject({ 'x-snowflake-authorization-token-type': 'KEYPAIR_JWT' });
    // The clock is asked without saying who asks.
    expect(server.headers[0]).not.toHaveProperty('authorization');
    const { iat, exp, ...claims } = readJwt(tokens[0] ?? '', publicKey);
    const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
    const fingerprint = createHash('sha256').update(der).digest('base64');
    expect(claims).toEqual({ iss: `XY12345.READER.SHA256:${fingerprint}`, sub: 'XY12345.READER' });
    expect(exp - iat).toBe(3600);
    expect(iat - SECONDS).toBeGreaterThanOrEqual(0);
    expect(iat - SECONDS).toBeLessThan(60);
  });

  it('shows no token that a server repeats', async () => {
    server = await playExchanges([clock, { request: { method: 'POST', path }, response: { status: 401 } }]);
    const error = await connect(
      `snowflake://reader@acme/shop?private_key_file=key.p8&endpoint=${server.origin}`,
      { baseDirectory: folder },
    ).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'database.access-denied' });
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('eyJ');
  });
});

describe('BigQuery, from its documentation, no live account', () => {
  const jobs: Exchange['request'] = { method: 'POST', path: '/bigquery/v2/projects/acme/jobs' };
  const select = { body: { statistics: { query: { statementType: 'SELECT' }, totalBytesProcessed: '7' } } };

  async function open(exchanges: readonly Exchange[], path = ''): Promise<unknown> {
    server = await playExchanges(exchanges);
    const key = { type: 'service_account', client_email: 'reader@acme.iam', private_key: pem };
    writeFileSync(join(folder, 'key.json'), JSON.stringify({ ...key, token_uri: `${server.origin}/token` }));
    try {
      database = await connect(
        `bigquery://acme${path}?credentials=key.json&location=EU&endpoint=${server.origin}`,
        {
          baseDirectory: folder,
        },
      );
      return database;
    } catch (error) {
      return error;
    }
  }

  it('exchanges a signed claim for a token and uses it again', async () => {
    const token = { access_token: 'ya29.short', expires_in: 3599, token_type: 'Bearer' };
    const headers = { authorization: 'Bearer ya29.short' };
    await open([
      clock,
      { request: { method: 'POST', path: '/token' }, response: { body: token } },
      { request: { ...jobs, headers }, response: select },
      { request: { ...jobs, headers }, response: select },
    ]);
    expect(await database?.explain('SELECT 2')).toEqual({ bytes: 7 });
    expect(server?.problems).toEqual([]);
    const form = new URLSearchParams(server?.bodies[1]);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { iat, exp, ...claims } = readJwt(form.get('assertion') ?? '', publicKey);
    expect(claims).toEqual({
      iss: 'reader@acme.iam',
      scope: 'https://www.googleapis.com/auth/bigquery',
      aud: `${server?.origin}/token`,
    });
    expect(exp - iat).toBe(3600);
    expect(Math.abs(iat - SECONDS)).toBeLessThan(60);
  });

  it('tells when the account may write', async () => {
    const access = [
      { role: 'WRITER', userByEmail: 'reader@acme.iam' },
      { role: 'OWNER', userByEmail: 'boss@acme.example' },
      { role: 'READER', specialGroup: 'projectReaders' },
    ];
    const token = { access_token: 'ya29.short', expires_in: 3599 };
    await open(
      [
        clock,
        { request: { method: 'POST', path: '/token' }, response: { body: token } },
        { request: jobs, response: select },
        {
          request: { method: 'GET', path: '/bigquery/v2/projects/acme/datasets/shop' },
          response: { body: { access, location: 'EU' } },
        },
      ],
      '/shop',
    );
    expect(await database?.describe()).toMatchObject({
      user: 'reader@acme.iam',
      excessRights: ['WRITER of dataset shop'],
    });
  });

  it('gets a new token shortly before the old one ends', async () => {
    const token = (name: string, seconds: number): Exchange => ({
      request: { method: 'POST', path: '/token' },
      response: { body: { access_token: name, expires_in: seconds } },
    });
    const used = (name: string): Exchange => ({
      request: { ...jobs, headers: { authorization: `Bearer ${name}` } },
      response: select,
    });
    await open([
      clock,
      token('first', 200),
      used('first'),
      token('second', 3600),
      used('second'),
      used('second'),
    ]);
    await database?.explain('SELECT 2');
    await database?.explain('SELECT 3');
    expect(server?.problems).toEqual([]);
    expect(server?.missing()).toEqual([]);
  });

  it.each([
    [
      { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } },
      'database.access-denied',
      'Invalid JWT Signature',
    ],
    [{ status: 401, text: 'no' }, 'database.access-denied', 'HTTP 401'],
    [{ body: {} }, 'database.bad-answer', 'sent no token'],
    [{ status: 302, headers: { location: 'https://evil.example/' } }, 'database.bad-answer', 'redirect'],
  ])('a token service that answers %j', async (response, code, says) => {
    const error = await open([clock, { request: { method: 'POST', path: '/token' }, response }]);
    expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('eyJ');
  });
});
