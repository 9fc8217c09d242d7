import { describe, expect, it } from 'vitest';
import { addEnvironmentSecret, fillUrl, isServerUrl, redactUrl } from './connection-url.ts';

describe('redactUrl', () => {
  it.each([
    [
      'postgres://reader:s3cret@db:5432/shop?sslmode=require',
      'postgres://reader@db:5432/shop?sslmode=require',
    ],
    ['mysql://reader:a@b:c@db/shop', 'mysql://reader@db/shop'],
    ['postgres://:s3cret@db/shop', 'postgres://@db/shop'],
    ['trino://me@host/tpch?access_token=abc&ssl=true', 'trino://me@host/tpch?ssl=true'],
    ['snowflake://u@acc/db?private_key_passphrase=x&Password=y', 'snowflake://u@acc/db'],
    ['bigquery://project/data?credentials=key.json', 'bigquery://project/data?credentials=key.json'],
    ['sqlite:/srv/shop.db', 'sqlite:/srv/shop.db'],
    ['shop.db', 'shop.db'],
  ])('%s', (url, expected) => expect(redactUrl(url)).toBe(expected));
});

describe('fillUrl', () => {
  const values: Record<string, string> = { PW: 'p@ss/w:d', HOST: 'db.example.com:5433', DIR: '/srv/a b' };
  const fill = (url: string) => fillUrl(url, (name) => values[name] ?? '');
  it.each([
    ['postgres://u:$' + '{PW}@db/shop', 'postgres://u:p%40ss%2Fw%3Ad@db/shop'],
    ['postgres://u@$' + '{HOST}/shop', 'postgres://u@db.example.com:5433/shop'],
    ['sqlite:$' + '{DIR}/shop.db', 'sqlite:/srv/a b/shop.db'],
    ['$' + '{HOST}', 'db.example.com:5433'],
  ])('%s', (url, expected) => expect(fill(url)).toBe(expected));
});

describe('addEnvironmentSecret', () => {
  const env = { PGPASSWORD: 'a@b', MYSQL_PWD: 'm', GOOGLE_APPLICATION_CREDENTIALS: '/keys/k.json' };
  it.each([
    ['postgres://u@db/shop', 'postgres://u:a%40b@db/shop'],
    ['postgres://u:own@db/shop', 'postgres://u:own@db/shop'],
    ['postgres://db/shop', 'postgres://db/shop'],
    ['mariadb://u@db/shop', 'mariadb://u:m@db/shop'],
    ['bigquery://project', 'bigquery://project?credentials=%2Fkeys%2Fk.json'],
    ['bigquery://project?credentials=own.json', 'bigquery://project?credentials=own.json'],
    ['sqlite:shop.db', 'sqlite:shop.db'],
  ])('%s', (url, expected) => expect(addEnvironmentSecret(url, env)).toBe(expected));
});

it('tells servers from files', () => {
  expect(['postgres://a/b', 'MySQL://a/b', ' trino://a'].map(isServerUrl)).toEqual([true, true, true]);
  expect(['sqlite:a', 'file:///a', 'a.db', 'postgres.db'].map(isServerUrl)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
