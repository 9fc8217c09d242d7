import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTerminalEnvironment } from '../../config/index.ts';
import { resolvePlaces } from '../corpus/suite-places.ts';
import { readLinkSet } from './read-link-set.ts';

const named = readTerminalEnvironment().dataDirectory;
const { dataDirectory } = resolvePlaces(named === undefined ? {} : { dataDirectory: named });
const isMissing = (path: string): boolean => !existsSync(join(dataDirectory, path));

/** Counted once by hand against the files: a reader that loses questions fails here. */
const COUNTS = [
  { name: 'bird', path: 'bird/dev/dev.json', cases: 1534, databases: 11, leftOut: 0, keys: 102 },
  { name: 'spider', path: 'spider/dev.json', cases: 1034, databases: 20, leftOut: 0, keys: 64 },
  { name: 'ambidb', path: 'ambidb/tables.json', cases: 471, databases: 128, leftOut: 282, keys: 0 },
  { name: 'bird-train', path: 'bird/train/train.jsonl', cases: 9078, databases: 69, leftOut: 350, keys: 552 },
  {
    name: 'spider-train',
    path: 'spider/train_spider.json',
    cases: 6999,
    databases: 140,
    leftOut: 1,
    keys: 679,
  },
] as const;

describe('sets of linking questions', () => {
  it.for(COUNTS)('$name is read whole', async ({ name, path, ...counts }, { skip }) => {
    skip(isMissing(path));
    const set = await readLinkSet(name, { dataDirectory });
    const keys = [...set.databases.values()].flatMap(({ catalog }) => catalog.foreignKeys).length;
    const { cases, databases, leftOut } = set;
    expect({ cases: cases.length, databases: databases.size, leftOut: leftOut.length, keys }).toEqual(counts);
    expect(cases.filter(({ goldTables }) => goldTables.size === 0)).toEqual([]);
    for (const { database, goldTables, goldFields } of cases) {
      const { tables } = set.databases.get(database)!.catalog;
      const ids = new Set(tables.flatMap(({ id, columns }) => [id, ...columns.map((column) => column.id)]));
      expect([...goldTables, ...(goldFields ?? [])].filter((id) => !ids.has(id))).toEqual([]);
    }
  });

  it.skipIf(isMissing('bird/dev/dev.json'))(
    'bird has the words of its descriptions, hints and files with rows',
    async () => {
      const only = new Set(['superhero', 'financial']);
      const { cases, databases } = await readLinkSet('bird', { dataDirectory, only });
      expect(cases).toHaveLength(129 + 106);
      const first = cases.find(({ id }) => id === '717');
      expect(first?.hint).toContain('superhero_name');
      const financial = databases.get('financial');
      const frequency = financial?.catalog.tables
        .flatMap(({ columns }) => columns)
        .find(({ id }) => id === 'account.frequency');
      // The cell of values stands one column too far to the right in the file.
      expect(frequency?.comment).toContain('"POPLATEK MESICNE" stands for monthly issuance');
      expect(financial?.databaseUrl).toBeUndefined();
      expect(databases.get('superhero')?.databaseUrl).toMatch(/^sqlite:.*superhero\.sqlite$/);
      const bare = await readLinkSet('bird', { dataDirectory, only, descriptions: 'none' });
      const written = await readLinkSet('bird', { dataDirectory, only, descriptions: 'tasql' });
      const words = (set: typeof bare) =>
        set.databases
          .get('superhero')
          ?.catalog.tables.flatMap(({ columns }) => columns.map(({ comment }) => comment ?? ''));
      expect(words(bare)?.join('')).not.toContain('unique identifier');
      expect(words(written)?.join('')).toContain('superhero');
    },
  );

  it.skipIf(isMissing('spider2_snow/schema.jsonl.gz'))(
    'snow has gold tables for all, columns where gold SQL resolves',
    async () => {
      const only = new Set(['GA360', 'WWE', 'DB_IMDB', 'FINANCE__ECONOMICS']);
      const { cases, databases, leftOut } = await readLinkSet('snow', { dataDirectory, only });
      expect(leftOut).toEqual([]);
      expect([...databases.keys()].sort()).toEqual([...only].sort());
      const ga = cases.find(({ id }) => id === 'sf_bq010');
      expect(ga?.hint).toContain('ga_sessions');
      expect(ga?.goldTables.size).toBe(31);
      expect([...databases.get('WWE')!.catalog.tables.map(({ id }) => id)]).toContain('wwe.wwe.belts');
      const banks = cases.find(({ id }) => id === 'sf002');
      expect(banks?.goldFields).toContain(
        'finance__economics.cybersyn.financial_institution_timeseries.variable',
      );
      const [column] = databases.get('DB_IMDB')!.catalog.tables[0]!.columns;
      expect(column?.profile?.examples.length).toBeGreaterThan(0);
    },
    30_000,
  );

  it('says where it looked for a set that is not there', async () => {
    await expect(readLinkSet('bird', { dataDirectory: '/nowhere' })).rejects.toMatchObject({
      code: 'eval.data-missing',
      message: expect.stringContaining('/nowhere/bird'),
    });
  });
});
