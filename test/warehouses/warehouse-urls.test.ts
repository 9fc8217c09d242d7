import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBigqueryUrl } from '../../src/database/bigquery/bigquery-target.ts';
import { connect } from '../../src/database/index.ts';
import { readSnowflakeUrl } from '../../src/database/snowflake/snowflake-target.ts';
import { readTrinoUrl } from '../../src/database/trino/trino-target.ts';
import { CandorError } from '../../src/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-urls-'));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(join(folder, 'key.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
writeFileSync(
  join(folder, 'locked.p8'),
  privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 's3cret' }),
);
writeFileSync(
  join(folder, 'ec.p8'),
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
);
writeFileSync(join(folder, 'broken.p8'), '-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----\n');
writeFileSync(join(folder, 'token'), 's3cret\n');
writeFileSync(join(folder, 'other.json'), '{"type":"authorized_user","refresh_token":"s3cret"}');
afterAll(() => rmSync(folder, { recursive: true }));

describe('Trino URLs', () => {
  it.each([
    ['trino://me@host', { origin: 'https://host', user: 'me', name: 'host', catalog: undefined }],
    [
      'trino://me@host:8443/hive/sales',
      { origin: 'https://host:8443', catalog: 'hive', schema: 'sales', name: 'sales' },
    ],
    ['trino://me@localhost/hive', { origin: 'http://localhost:8080', name: 'hive', isPlain: true }],
    ['trino://me@127.0.0.1:9000', { origin: 'http://127.0.0.1:9000' }],
    ['trino://me@[::1]:9000', { origin: 'http://[::1]:9000' }],
    ['trino://me@localhost:9000?ssl=true', { origin: 'https://localhost:9000', isPlain: false }],
    ['trino://me@host:9000?ssl=false', { origin: 'http://host:9000', isPlain: true }],
    [
      'trino://me:s3cret@host',
      { authorization: `Basic ${Buffer.from('me:s3cret').toString('base64')}`, url: 'trino://me@host' },
    ],
    ['trino://me:p%40ss@host', { authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` }],
    ['trino://me@host?access_token=s3cret', { authorization: 'Bearer s3cret', url: 'trino://me@host' }],
    [
      'trino://me@host?session.task_concurrency=4&session.hive.x=a%2Cb',
      {
        sessionProperties: new Map([
          ['task_concurrency', '4'],
          ['hive.x', 'a,b'],
        ]),
      },
    ],
    ['trino://me@host/My%20Catalog', { catalog: 'My Catalog' }],
  ])('%s', (url, expected) => expect(readTrinoUrl(url)).toMatchObject(expected));

  it.each([
    ['trino://host', 'names a user'],
    ['trino://me@host/a/b/c', 'too many parts'],
    ['trino://me@host?sll=true', 'unknown option "sll"'],
    ['trino://me@host?session.=1', 'unknown option'],
    ['trino://me@host?ssl=yes', 'ssl of the database URL is true or false'],
    ['trino://me@host?ssl=true&ssl=false', 'twice'],
    ['trino://me:s3cret@host?ssl=false', 'not sent to another machine without TLS'],
    ['trino://me@host?ssl=false&access_token=s3cret', 'not sent to another machine without TLS'],
    ['trino://me%0d%0aX-Evil%3A1@host', 'control character'],
    ['trino://me@host?roles=a%0ab', 'control character'],
    ['trino://me@host/%zz', 'percent-encoded'],
    ['trino://me@host?ca_file=missing.pem', 'ca_file cannot be read'],
    ['trino://me:s3cret@:x', 'cannot be read'],
  ])('refuses %s', (url, says) => refuses(() => readTrinoUrl(url, folder), says));
});

describe('Snowflake URLs', () => {
  it.each([
    [
      'snowflake://me@acme-main/shop?private_key_file=key.p8',
      {
        origin: 'https://acme-main.snowflakecomputing.com',
        database: 'SHOP',
        schema: undefined,
        name: 'SHOP',
        login: { tokenType: 'KEYPAIR_JWT' },
      },
    ],
    [
      'snowflake://me@acme-my_main/shop/%22my%20Schema%22?private_key_file=key.p8&warehouse=small',
      { origin: 'https://acme-my-main.snowflakecomputing.com', schema: 'my Schema', warehouse: 'SMALL' },
    ],
    [
      'snowflake://me:s3cret@xy1.eu-west-1/shop',
      {
        origin: 'https://xy1.eu-west-1.snowflakecomputing.com',
        login: { tokenType: 'PROGRAMMATIC_ACCESS_TOKEN', token: 's3cret' },
        url: 'snowflake://me@xy1.eu-west-1/shop',
      },
    ],
    [
      'snowflake://me@acme/shop?authenticator=oauth&token=s3cret',
      { login: { tokenType: 'OAUTH', token: 's3cret' }, url: 'snowflake://me@acme/shop?authenticator=oauth' },
    ],
    [
      'snowflake://me@acme/shop?token_file=token',
      { login: { tokenType: 'PROGRAMMATIC_ACCESS_TOKEN', token: 's3cret' } },
    ],
    [
      'snowflake://me@acme/shop?private_key_file=locked.p8&private_key_passphrase=s3cret',
      { login: { tokenType: 'KEYPAIR_JWT' }, url: 'snowflake://me@acme/shop?private_key_file=locked.p8' },
    ],
    [
      'snowflake://me:x@acme/shop?endpoint=https://acme.privatelink.snowflakecomputing.com',
      { origin: 'https://acme.privatelink.snowflakecomputing.com' },
    ],
  ])('%s', (url, expected) => expect(readSnowflakeUrl(url, folder)).toMatchObject(expected));

  it.each([
    ['snowflake://acme/shop?token=s3cret', 'names a user'],
    ['snowflake://me@acme/shop', 'no token and no private_key_file'],
    ['snowflake://me:s3cret@acme/shop?authenticator=externalbrowser', 'is not one of snowflake_jwt'],
    ['snowflake://me:s3cret@acme/shop?authenticator=snowflake_jwt', 'names no private_key_file'],
    ['snowflake://me@acme/shop?private_key_file=missing.p8', 'cannot be read'],
    ['snowflake://me@acme/shop?private_key_file=broken.p8', 'the key of private_key_file cannot be read'],
    ['snowflake://me@acme/shop?private_key_file=locked.p8', 'it is encrypted'],
    [
      'snowflake://me@acme/shop?private_key_file=locked.p8&private_key_passphrase=wrong-s3cret',
      'cannot be read',
    ],
    ['snowflake://me@acme/shop?private_key_file=ec.p8', 'not an RSA key'],
    ['snowflake://me:s3cret@acme/shop?endpoint=nowhere', 'endpoint is not a URL'],
  ])('refuses %s', (url, says) => refuses(() => readSnowflakeUrl(url, folder), says));
});

describe('BigQuery URLs', () => {
  it.each([
    [
      'bigquery://acme/shop?access_token=s3cret',
      {
        project: 'acme',
        dataProject: 'acme',
        dataset: 'shop',
        name: 'shop',
        origin: 'https://bigquery.googleapis.com',
        url: 'bigquery://acme/shop',
      },
    ],
    ['bigquery://acme?access_token=x', { dataset: undefined, name: 'acme' }],
    [
      'bigquery://acme/bigquery-public-data.noaa?access_token=x&location=US',
      { project: 'acme', dataProject: 'bigquery-public-data', dataset: 'noaa', location: 'US' },
    ],
  ])('%s', (url, expected) => expect(readBigqueryUrl(url, folder)).toMatchObject(expected));

  it.each([
    ['bigquery://acme/shop?access_token=s3cret%20%C3%A9', 'signs that no token has'],
    ['bigquery://acme/shop', 'names credentials or an access_token'],
    ['bigquery://acme/shop?credentials=missing.json', 'credentials cannot be read'],
    ['bigquery://acme/shop?credentials=other.json', 'not the key of a service account'],
    ['bigquery://acme/shop?credentials=broken.p8', 'not the key of a service account'],
    ['bigquery://acme/a/b?access_token=s3cret', 'too many parts'],
    ['bigquery://acme/shop?access_token=s3cret&maximum_bytes_billed=10GB', 'whole number of bytes'],
  ])('refuses %s', (url, says) => refuses(() => readBigqueryUrl(url, folder), says));
});

it.each([
  ['trino://me@127.0.0.1:1/tpch', 'database.unreachable'],
  ['trino://me@nowhere.invalid/tpch', 'database.unreachable'],
  ['snowflake://me:s3cret@acme/shop?endpoint=http://127.0.0.1:1', 'database.unreachable'],
  ['snowflake://me:s3cret@acme/shop?endpoint=http://warehouse.example', 'database.tls-failed'],
  ['bigquery://acme/shop?access_token=s3cret&endpoint=http://127.0.0.1:1', 'database.unreachable'],
])('connect(%j) says %s', async (url, code) => {
  const error = await connect(url).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code });
  expect(`${error} ${JSON.stringify(error)}`).not.toContain('s3cret');
});

function refuses(read: () => unknown, says: string): void {
  let caught: unknown;
  try {
    read();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(CandorError);
  expect(caught).toMatchObject({ code: 'database.invalid-url', message: expect.stringContaining(says) });
  const cause = caught instanceof Error ? String(caught.cause) : '';
  expect(`${caught} ${JSON.stringify(caught)} ${cause}`).not.toContain('s3cret');
}
