import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallServer, type SmallServer } from '../../../../test/fixtures/grounded/open-small-server.ts';
import { CandorError } from '../../../errors.ts';
import { openSession } from '../../../session/project/open-session.ts';

let small: SmallServer['small'];
let server: SmallServer['server'];
let close: SmallServer['close'];
let openings = 0;
let failsToOpen = false;
beforeAll(async () => {
  ({ small, server, close } = await openSmallServer(({ session }) => {
    openings += 1;
    if (failsToOpen) throw new CandorError('catalog.stale', 'The disk is gone.');
    return openSession(session.config);
  }));
  mkdirSync(join(small.folder, 'examples'));
  mkdirSync(join(small.folder, 'tests'));
});
afterAll(() => close());

interface Reply {
  readonly status: number;
  readonly body: {
    readonly kind: string;
    readonly etag: string;
    readonly next: string;
    readonly files: readonly object[];
    readonly error: { readonly code: string; readonly message: string };
    readonly problems: readonly {
      readonly line: number;
      readonly column: number;
      readonly message: string;
    }[];
  };
}
async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() } as Reply;
}
const read = (place: string) => call('GET', `/v1/files/${place}`);
const create = (place: string, text: string) =>
  call('PUT', `/v1/files/${place}`, { text }, { 'if-none-match': '*' });
const change = (place: string, text: string, etag: string) =>
  call('PUT', `/v1/files/${place}`, { text }, { 'if-match': etag });
const check = async (folder: string, name: string, text: string) => {
  const { status, body } = await call('POST', '/v1/files/check', { folder, name, text });
  expect(status).toBe(200);
  return body.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
};
const codeOf = ({ status, body }: Reply) => `${status} ${body.error?.code}`;
const onDisk = (place: string) => readFileSync(join(small.folder, place), 'utf8');
const ask = async (question: string) => (await call('POST', '/v1/ask', { question })).body;
const MUSIC = () => onDisk('semantics/music.yml');

describe('files', () => {
  it('are listed by folder, page by page, and read with an etag', async () => {
    await create('knowledge/a.md', 'Concerts are held on Sundays.\n');
    const all = await call('GET', '/v1/files');
    expect(all.body.files).toMatchObject([
      { folder: 'semantics', name: 'music.yml' },
      { folder: 'knowledge', name: 'a.md', bytes: 30 },
    ]);
    const first = await call('GET', '/v1/files?limit=1');
    expect(first.body.next).toBe('semantics/music.yml');
    const second = await call('GET', `/v1/files?limit=1&after=${first.body.next}`);
    expect(second.body).toEqual({ files: [all.body.files[1]] });
    const { body } = await read('semantics/music.yml');
    expect(body).toMatchObject({ text: MUSIC(), etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) });
  });

  it.each([
    ['one that is not there', 'GET', 'knowledge/none.md', '404 server.not-found'],
    ['a folder above', 'GET', 'knowledge/..%2F..%2Fmusic.db', '400 server.invalid-request'],
    ['another folder', 'GET', '.candor/catalog.json', '400 server.invalid-request'],
    ['a hidden file', 'GET', 'knowledge/.env', '400 server.invalid-request'],
    ['a null byte', 'GET', 'knowledge/a.md%00', '400 server.invalid-request'],
    ['another kind', 'GET', 'knowledge/edits.jsonl', '404 server.not-found'],
    ['a link', 'GET', 'knowledge/link.md', '404 server.not-found'],
  ])('are not read: %s', async (_, method, place, expected) => {
    const link = join(small.folder, 'knowledge/link.md');
    if (!existsSync(link)) symlinkSync('/etc/hostname', link);
    expect(codeOf(await call(method, `/v1/files/${place}`))).toBe(expected);
    expect(JSON.stringify((await call('GET', '/v1/files')).body)).not.toContain('link.md');
  });
});

describe('a check', () => {
  it('tells every mistake of a semantic file at its place, and writes nothing', async () => {
    const before = MUSIC();
    expect(await check('semantics', 'music.yml', before)).toEqual([]);
    const broken = before
      .replace('SUM(concerts.sales)', 'SUM(concerts.salse)')
      .replace('from_columns: [stadium_id]', 'from_columns: [stadiun_id]');
    const problems = await check('semantics', 'music.yml', broken);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(
      /^23:\d+ relationship concert_stadium: unknown column concerts.stadiun_id; nearest/,
    );
    expect(problems[1]).toMatch(/^27:\d+ metric ticket income: unknown column concerts.salse; nearest/);
    const keys = before
      .replace('primary_key: [concert_id]', 'primary_kay: [concert_id]')
      .replace('to: stadiums', 'two: stadiums');
    expect(await check('semantics', 'music.yml', keys)).toEqual([
      expect.stringMatching(/^8:9 unknown key `primary_kay`; did you mean `primary_key`/),
      expect.stringMatching(/^22:9 unknown key `two`/),
    ]);
    expect(MUSIC()).toBe(before);
  });

  it.each([
    ['semantics', 'x.yml', 'semantic_model: [', /^1:\d+ /],
    ['semantics', 'x.yml', `${'['.repeat(20_000)}`, /nested too deeply|^1:/],
    [
      'semantics',
      'twice.yml',
      'semantic_model:\n  - name: b\n    datasets: [{ name: singers, source: singers }]\n    metrics:\n      - name: takings\n        expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(*)}]}\n        custom_extensions: [{vendor_name: CANDOR, data: {table: singers}}]\n',
      /^5:\d+ metric word takings stands twice/,
    ],
    ['knowledge', 'x.md', '---\nkind: wrong\n---\nHello.', /^2:1 /],
    ['knowledge', 'status.yml', 'tables: [', /^1:/],
    ['examples', 'x.sql', 'SELECT 1', /^1:1 expected a first line/],
    ['examples', 'x.sql', '-- question: how many?\n\nSELECT COUNT(*)\nFROM singerz', /^4:6 .*singerz/],
    ['examples', 'x.sql', '-- question: how many?\nDELETE FROM singers', /^2:1 /],
    ['tests', 'x.yml', '- id: a\n  question: how many singers?\n  expect: { kind: answerd }', /^3:/],
    [
      'tests',
      'x.yml',
      '- id: a\n  question: q\n  expect: { kind: answered, mustContain: [singerz] }',
      /^1:1 .*singers/,
    ],
    ['knowledge', 'x.md', 'a\0b', /^1:2 a character that is none/],
  ])('of %s/%s: %j', async (folder, name, text, expected) => {
    const problems = await check(folder, name, text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toMatch(expected);
    expect(existsSync(join(small.folder, folder, 'x.yml'))).toBe(false);
  });

  it('has nothing against what is right', async () => {
    expect(
      await check('examples', 'x.sql', '-- question: how many?\nSELECT COUNT(*) FROM singers;\n'),
    ).toEqual([]);
    expect(
      await check('tests', 'x.yml', '- id: a\n  question: how many singers?\n  expect: { kind: answered }'),
    ).toEqual([]);
    expect(await check('knowledge', 'areas.yml', 'areas: {}')).toEqual([]);
  });
});

describe('a save', () => {
  it('is known from the next question on', async () => {
    expect((await ask('What were the earnings in Graz in 2023?')).kind).not.toBe('answered');
    const { etag } = (await read('semantics/music.yml')).body;
    const text = MUSIC().replace('synonyms: [takings]', 'synonyms: [takings, earnings]');
    const saved = await change('semantics/music.yml', text, etag);
    expect(saved).toMatchObject({ status: 200, body: { kind: 'saved', isNew: false, warnings: [] } });
    expect(MUSIC()).toBe(text);
    expect((await ask('What were the earnings in 2023?')).kind).toBe('follow_up');
  });

  it('is refused where another was faster, and without a version', async () => {
    const { etag } = (await read('semantics/music.yml')).body;
    writeFileSync(join(small.folder, 'semantics/music.yml'), `${MUSIC()}# by hand\n`);
    const late = await change('semantics/music.yml', MUSIC(), etag);
    expect(codeOf(late)).toBe('409 server.changed');
    expect(late.body.error.message).toBe('semantics/music.yml was changed meanwhile.');
    expect(codeOf(await create('semantics/music.yml', ''))).toBe('409 server.changed');
    expect(codeOf(await call('PUT', '/v1/files/knowledge/b.md', { text: '' }))).toBe('428 server.no-version');
    expect(MUSIC()).toContain('# by hand');
  });

  it('of two at once takes one', async () => {
    const { etag } = (await read('knowledge/a.md')).body;
    const both = await Promise.all(['One.\n', 'Two.\n'].map((text) => change('knowledge/a.md', text, etag)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('of a text with errors is refused with all of them', async () => {
    const before = MUSIC();
    const { etag } = (await read('semantics/music.yml')).body;
    const opened = openings;
    const refused = await change('semantics/music.yml', before.replaceAll('stadium_id', 'stadiun'), etag);
    expect(refused).toMatchObject({ status: 200, body: { kind: 'refused' } });
    expect(refused.body.problems.length).toBeGreaterThan(1);
    expect([MUSIC(), openings]).toEqual([before, opened]);
  });

  it('that cannot be opened is put back, and the old project answers on', async () => {
    const { etag } = (await read('knowledge/a.md')).body;
    const before = onDisk('knowledge/a.md');
    failsToOpen = true;
    const failed = await change('knowledge/a.md', 'Another.\n', etag);
    const born = await create('knowledge/new.md', 'New.\n');
    failsToOpen = false;
    expect([codeOf(failed), codeOf(born)]).toEqual(['503 catalog.stale', '503 catalog.stale']);
    expect(born.body.error.message).toBe(
      'The project could not be opened with this knowledge/new.md, so all is as it was. The disk is gone.',
    );
    expect(onDisk('knowledge/a.md')).toBe(before);
    expect(existsSync(join(small.folder, 'knowledge/new.md'))).toBe(false);
    expect((await ask('How many singers are there?')).kind).toBe('answered');
  });

  it('of a test opens nothing anew', async () => {
    const opened = openings;
    const text = '- id: a\n  question: how many singers?\n  expect: { kind: answered }\n';
    expect((await create('tests/a.yml', text)).body).toMatchObject({ kind: 'saved', isNew: true });
    expect(openings).toBe(opened);
  });

  it('is of a file that Candor reads', async () => {
    expect(codeOf(await create('knowledge/script.js', 'x'))).toBe('400 server.invalid-request');
    expect(codeOf(await create('semantics/..%2Fa.yml', 'x'))).toBe('400 server.invalid-request');
    expect(existsSync(join(small.folder, 'a.yml'))).toBe(false);
  });
});

describe('a deletion', () => {
  it('is done for the version that was read', async () => {
    const { etag } = (await read('knowledge/a.md')).body;
    const remove = (version: string) =>
      call('DELETE', '/v1/files/knowledge/a.md', undefined, { 'if-match': version });
    expect(codeOf(await remove('"old"'))).toBe('409 server.changed');
    expect((await remove(etag)).body).toEqual({ kind: 'saved', isNew: false, warnings: [] });
    expect(existsSync(join(small.folder, 'knowledge/a.md'))).toBe(false);
    expect(codeOf(await remove(etag))).toBe('404 server.not-found');
  });
});
