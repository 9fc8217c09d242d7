import { mkdir, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { ask } from '../../answering/index.ts';
import { openSession } from '../../session/project/open-session.ts';
import { openSearchFile } from '../search/index.ts';
import { openUsageFile } from '../usage/index.ts';
import { type KnowledgeBase, openKnowledgeBase } from './knowledge-base.ts';
import { readUsageOf, usagePath } from './load-facts.ts';

let small: SmallSession;
let path: string;
beforeEach(async () => {
  small = await openSmallSession();
  path = join(small.session.config.derivedDirectory, 'search.sqlite');
});
afterEach(() => small.close());

async function withBase<T>(
  use: (base: KnowledgeBase) => Promise<T>,
): Promise<{ result: T; notices: string[] }> {
  const notices: string[] = [];
  const base = await openKnowledgeBase(small.session.config, small.session, {
    now: small.session.clock(),
    useVectors: false,
    onNotice: (message) => notices.push(message),
  });
  try {
    return { result: await use(base), notices };
  } finally {
    await base.close();
  }
}

const tablesFound = async (base: KnowledgeBase): Promise<readonly string[]> =>
  (await base.retrieve({ question: 'singers' })).tables.map(({ item }) => item.tableId);

describe('a search index that is not what was written', () => {
  const damages: readonly [string, () => Promise<void>][] = [
    ['cut off', async () => truncate(path, Math.floor((await stat(path)).size / 2))],
    [
      'overwritten',
      () => writeFile(path, 'nothing that SQLite would take for one of its own files, long enough'),
    ],
  ];
  it.each(damages)('is built again, and says so, when the file was %s', async (_, damage) => {
    const { result: whole } = await withBase(tablesFound);
    expect(whole).toContain('singers');
    await damage();
    const { result, notices } = await withBase(tablesFound);
    expect(result).toEqual(whole);
    expect(notices).toEqual([
      'search.sqlite was damaged; it is built again, its vectors by `candor onboard`',
    ]);
    expect((await withBase(tablesFound)).notices).toEqual([]);
  });

  it('is filled again when the file is that of another project', async () => {
    const { result: whole } = await withBase(tablesFound);
    await rm(path);
    const other = await openSearchFile(path);
    await other.sync(
      ['table'],
      [{ kind: 'table', id: 'whales', title: 'whales', body: '', tableIds: ['whales'] }],
    );
    await other.close();
    expect((await withBase(tablesFound)).result).toEqual(whole);
  });
});

it('a question is answered when what people wrote cannot be searched, and the answer says why', async () => {
  const { config } = small.session;
  // Without anything written there is nothing to search.
  await mkdir(config.knowledgeDirectory, { recursive: true });
  await writeFile(join(config.knowledgeDirectory, 'a.md'), '- Singers without a stage are not counted.\n');
  const url = 'postgres://reader:hidden@127.0.0.1:1/vectors';
  const away = await openSession({ ...config, search: { ...config.search, store: url } });
  try {
    const { kind, related, unsearched } = await ask('How many singers are there?', away);
    expect({ kind, related }).toEqual({ kind: 'answered', related: [] });
    expect(unsearched).toContain('database.unreachable');
    expect(unsearched).not.toContain('hidden');
  } finally {
    await away.close();
  }
});

it('a usage file whose tables are gone is named as unusable, as one that cannot be opened is', async () => {
  const { config } = small.session;
  const file = await openUsageFile(usagePath(config));
  const names = file
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all();
  file.exec('PRAGMA foreign_keys = OFF');
  for (const { name } of names) file.exec(`DROP TABLE "${name}"`);
  file.close();
  await expect(readUsageOf(config, new Date('2024-10-01'))).rejects.toMatchObject({ code: 'store.unusable' });
});

it('a usage file whose rows were overwritten is named as unusable', async () => {
  const { config } = small.session;
  const path = usagePath(config);
  (await openUsageFile(path)).close();
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  // The first page holds the schema and stays.
  await file.write(Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
  await file.close();
  await expect(readUsageOf(config, new Date('2024-10-01'))).rejects.toMatchObject({ code: 'store.unusable' });
});
