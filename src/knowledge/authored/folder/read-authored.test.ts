import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAuthored } from './read-authored.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'candor-authored-')), 'knowledge');
  await mkdir(folder);
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const write = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content);

describe('readAuthored', () => {
  it('reads the Motors example', async () => {
    const { notes, jargon, statuses, areas } = await readAuthored('examples/motors/knowledge');
    expect(notes).toHaveLength(13);
    expect(notes[0]).toMatchObject({ topic: ['Definitions'], place: 'knowledge/definitions.md:3' });
    expect(jargon.map(({ term, meaning }) => `${term}: ${meaning}`)).toEqual([
      'NEV: battery electric or plug-in hybrid',
      'BEV: battery electric',
      'PHEV: plug-in hybrid',
      'ICE: petrol',
      'TD: test drive',
      'ASP: average selling price',
      'POS: dealer',
      'YTD: year to date',
      'MTD: month to date',
    ]);
    expect([statuses, areas]).toEqual([[], []]);
  });

  it('has nothing of a missing folder, and skips README.md', async () => {
    expect(await readAuthored(join(folder, 'none'))).toEqual({
      notes: [],
      jargon: [],
      statuses: [],
      areas: [],
    });
    await write('README.md', '- no note');
    await write('a.md', '- a note');
    expect((await readAuthored(folder)).notes.map(({ text }) => text)).toEqual(['a note']);
  });

  it('reads what people say of tables', async () => {
    await write(
      'status.yml',
      [
        '# reviewed every month',
        'tables:',
        '  Orders: {status: certified, by: ada, at: 2025-01-31}',
        '  orders_2019:',
        '    status: deprecated',
        '    by: ben',
        '    at: 2025-02-01',
        '    why: moved',
        '    replaced_by: Orders',
      ].join('\n'),
    );
    expect((await readAuthored(folder)).statuses).toEqual([
      { table: 'orders', status: 'certified', by: 'ada', at: '2025-01-31', place: 'knowledge/status.yml:3' },
      {
        table: 'orders_2019',
        status: 'deprecated',
        by: 'ben',
        at: '2025-02-01',
        why: 'moved',
        replacedBy: 'orders',
        place: 'knowledge/status.yml:4',
      },
    ]);
  });

  it('reads product areas', async () => {
    await write(
      'areas.yml',
      'areas:\n  sales:\n    name: Sales\n    members: [ada, ben, ada]\n    include_tables: [Orders]\n    instructions: In EUR.\n  ops:\n',
    );
    expect((await readAuthored(folder)).areas).toEqual([
      {
        id: 'sales',
        name: 'Sales',
        members: ['ada', 'ben'],
        includeTables: ['orders'],
        excludeTables: [],
        instructions: 'In EUR.',
      },
      { id: 'ops', name: 'ops', members: [], includeTables: [], excludeTables: [] },
    ]);
  });

  it.each([
    ['status.yml', 'tables:\n  orders: {status: good, by: ada, at: 2025-01-31}', ':2:12: status: '],
    ['status.yml', 'tables:\n  orders: {status: certified, at: 2025-01-31}', ':2:3: by: '],
    [
      'status.yml',
      'tables:\n  a: {status: certified, by: x, at: 2025-01-31}\n  A: {status: certified, by: x, at: 2025-01-31}',
      ':3:3: a stands twice',
    ],
    ['status.yml', 'table:\n  a: 1', ':1:1: unknown key `table`; did you mean `tables`?'],
    ['status.yml', 'tables:\n  a: {statsu: certified}', ':2:7: unknown key `statsu`; did you mean `status`?'],
    ['status.yml', 'tables: {a: {', ':1:'],
    ['areas.yml', 'areas:\n  sales: {member: [ada]}', ':2:11: unknown key `member`; did you mean `members`?'],
    ['areas.yml', 'areas:\n  sales: {members: ada}', ':2:11: members: '],
    ['areas.yml', '- sales', ':1:1: '],
  ])('refuses %s with %j', async (name, text, message) => {
    await write(name, text);
    await expect(readAuthored(folder)).rejects.toMatchObject({
      code: 'knowledge.invalid',
      message: expect.stringContaining(`knowledge/${name}${message}`),
    });
  });

  it.each([
    ['no UTF-8', Buffer.from('# Größe\n- gr\xf6\xdfer', 'latin1'), 'knowledge/x.md:1:5: not UTF-8'],
    [
      'no UTF-8 further down',
      Buffer.concat([Buffer.from('# Größe\n- gut '), Buffer.of(0xff)]),
      'knowledge/x.md:2:7: not UTF-8',
    ],
    [
      'more than 1 MB',
      Buffer.alloc(1_000_001, 'a'),
      'knowledge/x.md: 1000001 bytes; expected 1,000,000 at most',
    ],
  ])('refuses a file of %s', async (_, bytes, message) => {
    await write('x.md', bytes);
    await expect(readAuthored(folder)).rejects.toMatchObject({
      code: 'knowledge.invalid',
      message: expect.stringContaining(message),
    });
  });

  it('refuses a folder where a file should be', async () => {
    await mkdir(join(folder, 'x.md'));
    await expect(readAuthored(folder)).rejects.toMatchObject({ code: 'knowledge.invalid' });
  });

  it('is not slowed down by a file made to be slow', async () => {
    await write('a.md', `- ${'<!-- candor: {'.repeat(60_000)}`);
    await expect(readAuthored(folder)).rejects.toMatchObject({ code: 'knowledge.invalid' });
    await write('a.md', `${'- x\n'.repeat(200_000)}`);
    expect((await readAuthored(folder)).notes).toHaveLength(200_000);
  });
});
