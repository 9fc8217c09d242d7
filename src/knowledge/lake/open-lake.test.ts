import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lakeTables } from '../../../test/fixtures/knowledge/lake-tables.ts';
import { listSource } from '../../../test/fixtures/knowledge/list-source.ts';
import type { Table } from '../../catalog/index.ts';
import { compareCodePoints } from './code-point-order.ts';
import { type Lake, openLake } from './open-lake.ts';

const SCRIPT = fileURLToPath(new URL('../../../test/fixtures/knowledge/fill-lake.ts', import.meta.url));
const WORDS = 'order customer note name team lake row device'.split(' ');
const HOW = { database: 'shop', tablesAtOnce: 100 };
let folder = '';
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-lake-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const newPath = (): string => join(folder, `${files++}.sqlite`);
const withLake = async <T>(path: string, work: (lake: Lake) => Promise<T>): Promise<T> => {
  const lake = await openLake(path, 'test');
  try {
    return await work(lake);
  } finally {
    lake.close();
  }
};

/** What can be seen of a lake, whatever the numbers it has given. */
async function contentOf(lake: Lake, tables: readonly Table[]) {
  const stored = await lake.tables(tables.map(({ id }) => id));
  const found = [];
  for (const word of WORDS) {
    const terms = [word, 'payment'];
    const { words, tables: near, rarity } = await lake.search({ terms, named: [], pool: 2_000 });
    const scores = words.map(({ id, score }) => `${score.toFixed(5)} ${id}`);
    found.push({ scores: scores.sort(), near: near.map(({ id }) => id).sort(), rarity: rarity(word) });
  }
  const { tables: count, texts } = await lake.stats();
  return { stored: Object.fromEntries(stored.map((table) => [table.id, table])), count, texts, found };
}

describe('a lake', () => {
  it('gives the tables of its source back as they were', async () => {
    const tables = lakeTables(150, 0);
    await withLake(newPath(), async (lake) => {
      expect(await lake.refresh(listSource(tables), HOW)).toEqual({
        ...{ listed: 150, added: 150, changed: 0, removed: 0 },
      });
      const ids = tables.map(({ id }) => id);
      expect(await lake.tables([...ids, 'nowhere'])).toEqual(tables);
    });
  });

  it('is after any changes what it would be if it were made anew', async () => {
    await withLake(newPath(), async (lake) => {
      for (let seed = 0; seed < 16; seed += 1) {
        const tables = lakeTables(seed % 3 === 2 ? 350 : 400, seed);
        await lake.refresh(listSource(tables), HOW);
        if (seed % 5 !== 0) continue;
        const anew = await withLake(newPath(), async (other) => {
          await other.refresh(listSource(tables), HOW);
          return contentOf(other, tables);
        });
        expect(await contentOf(lake, tables)).toEqual(anew);
      }
      // What refreshes leave behind was put together: sixteen of them have made some twenty-five segments.
      expect((await lake.stats()).segments).toBeLessThan(14);
    });
  });

  it('reads only what differs', async () => {
    await withLake(newPath(), async (lake) => {
      await lake.refresh(listSource(lakeTables(300, 0)), HOW);
      const same = listSource(lakeTables(300, 0));
      expect(await lake.refresh(same, HOW)).toMatchObject({ listed: 300, added: 0, changed: 0, removed: 0 });
      expect(same.wereRead).toEqual([]);
      const drifted = lakeTables(300, 1);
      const source = listSource(drifted);
      const counts = await lake.refresh(source, HOW);
      expect(counts.removed).toBe(300 - drifted.length);
      expect(source.wereRead).toHaveLength(counts.changed);
      expect(counts.changed).toBeGreaterThan(5);
      expect(counts.changed).toBeLessThan(60);
    });
  });

  it('goes on where a run was stopped', async () => {
    const tables = lakeTables(500, 0);
    await withLake(newPath(), async (lake) => {
      const stop = new AbortController();
      const stopped = lake.refresh(listSource(tables), {
        ...HOW,
        signal: stop.signal,
        onProgress: ({ listed }) => listed >= 300 && stop.abort(new Error('stopped')),
      });
      await expect(stopped).rejects.toThrow('stopped');
      expect((await lake.stats()).tables).toBe(300);
      const source = listSource(tables);
      await lake.refresh(source, HOW);
      expect(source.wereRead).toHaveLength(200);
      expect(await lake.tables(tables.map(({ id }) => id))).toEqual(tables);
    });
  });

  it('has each table whole, and all of them after the next run, whenever a run is killed', async () => {
    const tables = lakeTables(600, 0);
    const path = newPath();
    const anew = await withLake(newPath(), async (lake) => {
      await lake.refresh(listSource(tables), HOW);
      return contentOf(lake, tables);
    });
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, path, '600']);
      const ended = once(child, 'exit');
      // The first word is of a transaction that is kept; it is killed somewhere in the next.
      await Promise.race([once(child.stdout, 'data'), ended]);
      await new Promise((resolve) => setTimeout(resolve, round * 7));
      child.kill('SIGKILL');
      await ended;
      await withLake(path, async (lake) => {
        const there = await lake.tables(tables.map(({ id }) => id));
        expect(there).toEqual(tables.filter(({ id }) => there.some((table) => table.id === id)));
        expect(there.length % 100).toBe(0);
      });
    }
    await withLake(path, async (lake) => {
      await lake.refresh(listSource(tables), HOW);
      expect(await contentOf(lake, tables)).toEqual(anew);
    });
  }, 60_000);

  it('begins anew when it comes of another source', async () => {
    const path = newPath();
    await withLake(path, (lake) => lake.refresh(listSource(lakeTables(100, 0)), HOW));
    const other = await openLake(path, 'another');
    expect((await other.stats()).tables).toBe(0);
    other.close();
    await withLake(path, async (lake) => expect((await lake.stats()).tables).toBe(0));
  });

  it('sees what another process has changed', async () => {
    const path = newPath();
    await withLake(path, async (lake) => {
      const search = async () => (await lake.search({ terms: ['devic'], named: [], pool: 9 })).words.length;
      expect(await search()).toBe(0);
      await withLake(path, (other) => other.refresh(listSource(lakeTables(200, 0)), HOW));
      expect(await search()).toBe(9);
      await withLake(path, (other) => other.refresh(listSource([]), HOW));
      expect(await search()).toBe(0);
      expect(await lake.stats()).toMatchObject({ tables: 0, texts: 0, segments: 0 });
    });
  });

  it('refuses a source that is out of order', async () => {
    const source = {
      ...listSource([]),
      list: async function* () {
        yield [{ id: 'b', stamp: '1' }];
        yield [{ id: 'a', stamp: '1' }];
      },
    };
    await withLake(newPath(), async (lake) => {
      await expect(lake.refresh(source, HOW)).rejects.toMatchObject({ code: 'internal.bug' });
    });
  });

  it.each([
    ['orders', 'lake.team_0.orders', true],
    ['team_0.orders', 'lake.team_0.orders', true],
    ['LAKE.Team_0.Orders', 'lake.team_0.orders', true],
    ['team_1.orders', 'lake.team_0.orders', false],
    ['rders', 'lake.team_0.orders', false],
  ])('finds by the name %s the table %s: %s', async (name, id, isFound) => {
    const [like] = lakeTables(1, 0);
    const table = { ...like!, id, name: 'Orders', schema: 'Team_0', columns: [], primaryKey: [] };
    await withLake(newPath(), async (lake) => {
      await lake.refresh(listSource([{ ...table, partitionKey: [] }]), HOW);
      expect((await lake.named(name, 5)).map((each) => each.id)).toEqual(isFound ? [id] : []);
    });
  });
});

describe('a scope', () => {
  it('is its parts and tables, less what is left out, and lives through a refresh', async () => {
    const tables = lakeTables(300, 0);
    const ids = tables.map(({ id }) => id);
    await withLake(newPath(), async (lake) => {
      await lake.refresh(listSource(tables), HOW);
      expect(await lake.putPart({ name: 'a', stamp: '1' }, [...ids.slice(0, 100), 'nowhere'])).toBe(100);
      await lake.putPart({ name: 'b', stamp: '1' }, ids.slice(90, 120));
      const scope = { parts: ['a', 'b', 'none'], tables: [ids[200] ?? ''], without: [ids[0] ?? ''] };
      const inScope = async () => {
        const found = await lake.search({ terms: ['order'], scope, named: [ids[250] ?? ''], pool: 500 });
        return [...found.inScope].sort();
      };
      const wanted = [...ids.slice(1, 120), ids[200]].sort();
      expect(await inScope()).toEqual(wanted);
      const drifted = lakeTables(300, 3);
      await lake.refresh(listSource(drifted), HOW);
      const left = new Set(drifted.map(({ id }) => id));
      expect(await inScope()).toEqual(wanted.filter((id) => left.has(id ?? '')));
    });
  });

  it('keeps words of other tables out, and lets in those that were named', async () => {
    const tables = lakeTables(400, 0);
    await withLake(newPath(), async (lake) => {
      await lake.refresh(listSource(tables), HOW);
      const mine = tables.filter(({ schema }) => schema === 'Team_1').map(({ id }) => id);
      await lake.putPart({ name: 'mine', stamp: '1' }, mine);
      const other = tables.find(({ schema }) => schema === 'Team_2')?.id ?? '';
      const scope = { parts: ['mine'], tables: [], without: [] };
      const found = await lake.search({ terms: ['order', 'custom'], scope, named: [other], pool: 500 });
      expect(found.words.length).toBeGreaterThan(10);
      for (const { id } of found.words) expect(mine).toContain(id);
      expect(found.tables.map(({ id }) => id)).toContain(other);
      expect(found.inScope.has(other)).toBe(false);
    });
  });
});

it.each([
  ['a', 'b', -1],
  ['b', 'a', 1],
  ['a', 'a', 0],
  ['a', 'ab', -1],
  ['\u{1f600}', '\uff5e', 1],
  ['\uff5e', '\u{1f600}', -1],
  ['x\u{1f600}', 'xa', 1],
])('%j and %j stand in the order of their code points', (a, b, order) => {
  expect(Math.sign(compareCodePoints(a, b))).toBe(order);
  expect(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))).toBe(order);
});
