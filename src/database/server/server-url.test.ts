import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseServerUrl, readNumberOption } from './server-url.ts';

const RULES = { defaultPort: 5432, options: ['sslmode', 'pool'] };
const EMPTY = { host: 'localhost', port: 5432, user: 'u', password: '', database: '', options: {} };

describe('the URL of a server', () => {
  it.each([
    ['postgres://u@h/d', { host: 'h', database: 'd', shown: 'postgres://u@h/d' }],
    [
      'postgres://u:p@h:99/d',
      { host: 'h', port: 99, password: 'p', database: 'd', shown: 'postgres://u@h:99/d' },
    ],
    [
      'postgres://u:p%40%3A%2F@h/d',
      { host: 'h', password: 'p@:/', database: 'd', shown: 'postgres://u@h/d' },
    ],
    ['postgres://u:a@b@h/d', { host: 'h', password: 'a@b', database: 'd', shown: 'postgres://u@h/d' }],
    ['postgres://u@[::1]:99/d', { host: '::1', port: 99, database: 'd', shown: 'postgres://u@[::1]:99/d' }],
    ['postgres://u@%2Ftmp%2Fs/d', { host: '/tmp/s', database: 'd', shown: 'postgres://u@%2Ftmp%2Fs/d' }],
    ['postgres://u@h/a%20b%2Fc', { host: 'h', database: 'a b/c', shown: 'postgres://u@h/a%20b%2Fc' }],
    [
      'postgres:///d?host=/tmp/s&user=u&password=p&pool=2',
      {
        host: '/tmp/s',
        password: 'p',
        database: 'd',
        options: { pool: '2' },
        shown: 'postgres:///d?host=%2Ftmp%2Fs&user=u&pool=2',
      },
    ],
    ['postgres://h', { user: userInfo().username, host: 'h', shown: 'postgres://h' }],
  ])('%s', (url, expected) => {
    expect(parseServerUrl(url, RULES)).toEqual({ ...EMPTY, ...expected });
  });

  it.each([
    'postgres://u:se#cret@h/d',
    'postgres://u:12#cret@h/d',
    'postgres://u:12/cret@h/d',
    'postgres://u:12?cret@h/d',
    'postgres://u:se%cret@h/d',
    'postgres://u:secret@h/d/e',
    'postgres://u:secret@h:port/d',
    'postgres://u:secret@h:99999/d',
    'postgres://u:secret@h/d?colour=red',
    'postgres://u:secret@a,b/d',
    'postgres://u:secret@h/d?port=0',
    'postgres:secret',
  ])('%s is refused without showing its secret', (url) => {
    const read = (): unknown => parseServerUrl(url, RULES);
    expect(read).toThrow(expect.objectContaining({ code: 'database.invalid-url' }));
    expect(read).not.toThrow(/cret/);
  });

  it.each([
    [undefined, 4],
    ['1', 1],
    ['8', 8],
  ])('reads a number: %s', (text, number) => {
    const options: Record<string, string> = text === undefined ? {} : { pool: text };
    expect(readNumberOption({ options }, 'pool', { least: 1, most: 8, absent: 4 })).toBe(number);
  });
  it.each(['0', '9', '-1', '1.5', '', 'many'])('refuses a number: %j', (text) => {
    const read = (): number =>
      readNumberOption({ options: { pool: text } }, 'pool', { least: 1, most: 8, absent: 4 });
    expect(read).toThrow(expect.objectContaining({ code: 'database.invalid-url' }));
  });
});
