import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Database } from '../database/index.ts';
import { emptySemanticModel, type SemanticModel } from '../knowledge/semantic/index.ts';
import { type OnboardEvent, type Onboarded, onboard, readOnboarded } from './onboard.ts';

const TABLES = 12;
const SEMANTICS: SemanticModel = {
  ...emptySemanticModel,
  relationships: [
    {
      name: 'partner',
      from: 't1',
      to: 't0',
      fromColumns: ['partner'],
      toColumns: ['id'],
      role: 'partner',
      synonyms: [],
    },
  ],
};

let folder: string;
let path: string;
let directory: string;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-onboard-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  path = join(folder, 'shop.db');
  directory = join(folder, 'derived');
  await rm(directory, { recursive: true, force: true });
  await rm(path, { force: true });
  const writer = new DatabaseSync(path);
  for (let index = 0; index < TABLES; index += 1) {
    writer.exec(`CREATE TABLE t${index} (id INTEGER PRIMARY KEY, name TEXT, partner INTEGER);
      INSERT INTO t${index} VALUES (1, 'Ada ${index}', 1), (2, 'Grace', 2)`);
  }
  writer.exec(`CREATE VIEW slow AS
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT abs(x - 9223372036854775807 - 2) AS y FROM n`);
  writer.close();
  // A whole second, which can be set again exactly.
  await utimes(path, new Date('2025-01-01'), new Date('2025-01-01'));
  database = await connect(path);
});
afterEach(() => database.close());

interface Run {
  readonly onboarded: Onboarded;
  readonly notices: readonly string[];
  /** Tables that were profiled in this run, not taken from an earlier one. */
  readonly stages: readonly string[];
}

async function run(signal?: AbortSignal): Promise<Run> {
  const events: OnboardEvent[] = [];
  const onboarded = await onboard(database, {
    directory,
    semantics: SEMANTICS,
    onProgress: (event) => events.push(event),
    signal,
  });
  return {
    onboarded,
    notices: events.flatMap(({ message }) => (message === undefined ? [] : [message])),
    stages: [...new Set(events.map(({ stage }) => stage))],
  };
}

/** Stops a run when it comes to the given table, and gives the lines of tables it left. */
async function stopAt(table: string): Promise<readonly string[]> {
  const controller = new AbortController();
  const running = onboard(database, {
    directory,
    semantics: SEMANTICS,
    signal: controller.signal,
    onProgress: (event) => {
      if (event.table === table) controller.abort();
    },
  });
  await expect(running).rejects.toMatchObject({ code: 'database.cancelled' });
  const log = await readFile(join(directory, 'unfinished.jsonl'), 'utf8');
  return log.split('\n').filter((line) => line.includes('tableId'));
}

it('reads everything once and reuses it', async () => {
  const first = await run();
  expect(first.onboarded.reused).toBe(false);
  expect(first.stages).toEqual(['schema', 'profiles', 'notice', 'keys', 'store', 'values']);
  expect(first.onboarded.catalog.tables).toHaveLength(TABLES);
  expect(first.onboarded.values.lookup('grace')).toHaveLength(TABLES);
  expect((await readdir(directory)).sort()).toEqual([
    'manifest.json',
    'onboard.lock',
    'tables.jsonl',
    'values.index',
    'values.jsonl',
  ]);

  const second = await run();
  expect(second.onboarded.reused).toBe(true);
  expect(second.stages).toEqual([]);
  expect(second.onboarded.catalog).toEqual(first.onboarded.catalog);
  expect(second.onboarded.values.lookup('ada 3')).toEqual(first.onboarded.values.lookup('ada 3'));
});

it('leaves out a view that cannot be read, and names it', async () => {
  const { notices, onboarded } = await run();
  expect(notices).toEqual([expect.stringMatching(/^the view slow is left out: .*integer overflow/)]);
  expect(onboarded.catalog.tables.map((table) => table.id)).not.toContain('slow');
});

it('takes links from the semantic model at every start', async () => {
  const { onboarded } = await run();
  const roles = ({ catalog }: Onboarded) => catalog.foreignKeys.map((key) => key.role);
  expect(roles(onboarded)).toEqual(['partner']);
  const bare = { directory, semantics: { ...SEMANTICS, relationships: [] } };
  expect(roles(await onboard(database, bare))).toEqual([]);
});

it('reports how far it is', async () => {
  const events: OnboardEvent[] = [];
  await onboard(database, { directory, semantics: SEMANTICS, onProgress: (event) => events.push(event) });
  const profiles = events.filter((event) => event.stage === 'profiles');
  expect(profiles[0]).toEqual({ stage: 'profiles', done: 0, total: TABLES + 1, table: 't0' });
  expect(profiles[5]).toMatchObject({ done: 5, table: 't5', etaSeconds: expect.any(Number) });
  expect(profiles.at(-1)).toEqual({ stage: 'profiles', done: TABLES + 1, total: TABLES + 1 });
});

it('writes the date only from the clock it is given', async () => {
  const clock = () => new Date('2025-01-02T03:04:05Z');
  await onboard(database, { directory, semantics: SEMANTICS, clock });
  const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ createdAt: '2025-01-02T03:04:05.000Z', stamp: await database.stamp() });
});

it('reads a changed database again', async () => {
  await run();
  await utimes(path, new Date(0), new Date(0));
  expect((await run()).onboarded.reused).toBe(false);
  expect((await run()).onboarded.reused).toBe(true);
});

it('refuses a folder it may not write to, by name', async () => {
  await writeFile(directory, 'a file stands where the folder should be');
  await expect(run()).rejects.toMatchObject({ code: 'catalog.not-writable' });
});

describe('a run that was cut short', () => {
  it('goes on with the table it had not finished', async () => {
    expect(await stopAt('t8')).toHaveLength(8);
    expect(await readOnboarded(directory, database)).toBeUndefined();
    // What is profiled again would now count a row more.
    const { onboarded } = await withExtraRow(() => run());
    const counts = onboarded.catalog.tables.map((table) => table.rowCount);
    expect(counts).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3]);
    expect(existsSync(join(directory, 'unfinished.jsonl'))).toBe(false);
  });

  it('throws away parts of a database that has changed', async () => {
    await stopAt('t8');
    await utimes(path, new Date(0), new Date(0));
    const { onboarded } = await withExtraRow(() => run());
    expect(onboarded.catalog.tables.map((table) => table.rowCount)).toEqual(Array(TABLES).fill(3));
  });

  it.each([
    ['cut off in its last line', (log: Buffer) => log.subarray(0, -20), [2, 3]],
    [
      'changed in its first line',
      (log: Buffer) => Buffer.from(log.toString().replace('Ada 0', 'Eve 0')),
      [3, 2],
    ],
    ['cut off after its last line but for the end', (log: Buffer) => log.subarray(0, -1), [2, 3]],
  ])('makes the tables of a log again that was %s', async (_, damage, counts) => {
    await stopAt('t2');
    const path = join(directory, 'unfinished.jsonl');
    await writeFile(path, damage(await readFile(path)));
    const { notices, onboarded } = await withExtraRow(() => run());
    expect(notices[0]).toBe('1 damaged lines of an earlier run were dropped');
    expect(onboarded.catalog.tables.map((table) => table.rowCount)).toEqual([
      ...counts,
      ...Array(10).fill(3),
    ]);
    expect((await run()).onboarded.catalog).toEqual(onboarded.catalog);
  });

  it('goes on from a log that ends at any byte', async () => {
    await stopAt('t3');
    const path = join(directory, 'unfinished.jsonl');
    const log = await readFile(path);
    const lineEnds = [...log.keys()].filter((at) => log[at] === 0x0a);
    // Each table is two lines, first that of its values.
    const tableEnds = lineEnds.filter((_, index) => index % 2 === 1);
    // Every place of a line and the byte after it: the hash, the key, the content, the end.
    const cuts = lineEnds.flatMap((end) => [end - 700, end - 200, end - 1, end, end + 1, end + 10]);
    for (const cut of cuts.filter((cut) => cut > 0 && cut <= log.length)) {
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory);
      await writeFile(path, log.subarray(0, cut));
      const { onboarded } = await run();
      expect(onboarded.catalog.tables, `cut at ${cut}`).toHaveLength(TABLES);
      expect(onboarded.tables.reused, `cut at ${cut}`).toBe(tableEnds.filter((end) => end < cut).length);
    }
  });

  it('survives being killed', async () => {
    const source = `
      import { connect } from './src/database/index.ts';
      import { onboard } from './src/onboarding/onboard.ts';
      await onboard(await connect(${JSON.stringify(path)}), {
        directory: ${JSON.stringify(directory)},
        semantics: ${JSON.stringify(SEMANTICS)},
        onProgress: (event) => { if (event.table === 't5') process.kill(process.pid, 'SIGKILL'); },
      });`;
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const flags = ['--import', 'tsx', '--input-type=module', '-e', source];
    const child = spawn(process.execPath, flags, { cwd: root, stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect((await readFile(join(directory, 'unfinished.jsonl'), 'utf8')).split('\n')).toHaveLength(11);
    const { onboarded } = await withExtraRow(() => run());
    expect(onboarded.catalog.tables.map((table) => table.rowCount)).toEqual([
      2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3,
    ]);
  });

  /** Adds a row to every table behind the back of the stamp: size and time of the file stay as they were. */
  async function withExtraRow(body: () => Promise<Run>): Promise<Run> {
    const stamp = await database.stamp();
    const { mtime } = await stat(path);
    const writer = new DatabaseSync(path);
    for (let index = 0; index < TABLES; index += 1) {
      writer.exec(`INSERT INTO t${index} VALUES (3, 'Edsger', 1)`);
    }
    writer.close();
    await utimes(path, mtime, mtime);
    expect(await database.stamp()).toBe(stamp);
    return body();
  }
});

describe('damaged derived files', () => {
  const damages: readonly { file: string; text: (whole: string) => string; notice: RegExp | null }[] = [
    { file: 'tables.jsonl', text: (whole) => whole.slice(0, 200), notice: /^tables.jsonl was damaged/ },
    {
      file: 'tables.jsonl',
      text: (whole) => whole.replace('"t3"', '"t4"'),
      notice: /^tables.jsonl was damaged/,
    },
    {
      file: 'tables.jsonl',
      // A whole line less: each of the others is as it was.
      text: (whole) => whole.slice(whole.indexOf('\n') + 1),
      notice: /^tables.jsonl was damaged/,
    },
    { file: 'tables.jsonl', text: () => '', notice: /^tables.jsonl was damaged/ },
    { file: 'manifest.json', text: () => '{"version":', notice: /^manifest.json was damaged/ },
    { file: 'manifest.json', text: () => 'null', notice: /^manifest.json was damaged/ },
    { file: 'manifest.json', text: (whole) => whole.replace(/"version": \d+/, '"version": 0'), notice: null },
  ];
  it.each(damages)('$file, $notice', async ({ file, text, notice }) => {
    const whole = await run();
    const target = join(directory, file);
    await writeFile(target, text(await readFile(target, 'utf8')));
    expect(await readOnboarded(directory, database)).toBeUndefined();
    const again = await run();
    expect(again.onboarded.reused).toBe(false);
    expect(again.onboarded.catalog).toEqual(whole.onboarded.catalog);
    if (notice !== null) expect(again.notices[0]).toMatch(notice);
    expect((await readOnboarded(directory, database))?.catalog.tables).toHaveLength(TABLES);
  });
  it('builds the index again from the stored values, without the database', async () => {
    const whole = await run();
    const index = join(directory, 'values.index');
    const bytes = await readFile(index);
    for (const damaged of [bytes.subarray(0, 100), Buffer.from('no index'), Buffer.alloc(0)]) {
      await writeFile(index, damaged);
      const again = await run();
      expect(again.onboarded.reused).toBe(true);
      expect(again.stages).toEqual(['values']);
      expect(again.onboarded.values.lookup('ada 3')).toEqual(whole.onboarded.values.lookup('ada 3'));
      expect((await readFile(index)).equals(bytes)).toBe(true);
    }
  });

  it.each([
    ['gone', () => rm(join(directory, 'values.jsonl'))],
    ['changed', () => writeFile(join(directory, 'values.jsonl'), 'x\n')],
  ])('reads the tables again where index and values are %s', async (_, damage) => {
    const whole = await run();
    await rm(join(directory, 'values.index'));
    await damage();
    expect(await readOnboarded(directory, database)).toBeUndefined();
    const again = await run();
    expect(again.notices[0]).toMatch(/values.jsonl was damaged/);
    expect(again.onboarded.tables.profiled).toBe(TABLES);
    expect(again.onboarded.values.lookup('ada 3')).toEqual(whole.onboarded.values.lookup('ada 3'));
  });

  it('a missing file', async () => {
    await run();
    await rm(join(directory, 'tables.jsonl'));
    expect((await run()).notices[0]).toMatch(/^tables.jsonl was damaged/);
  });
});

const chinook = findChinook();
/** The benchmark data is no part of the repository. */
it.skipIf(chinook === undefined)('onboards chinook', async () => {
  const real = await connect(`sqlite:${chinook}`);
  const { catalog, values } = await onboard(real, { directory, semantics: SEMANTICS });
  await real.close();
  expect(catalog.tables).toHaveLength(11);
  expect(catalog.foreignKeys.filter((key) => key.source === 'declared')).toHaveLength(11);
  expect(catalog.tables.find((table) => table.id === 'track')?.rowCount).toBe(3503);
  expect(values.lookup('acdc').map((hit) => hit.columnId)).toEqual(['track.composer', 'artist.name']);
});

function findChinook(): string | undefined {
  const data = process.env.CANDOR_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
  const file = join(data, 'demo', 'chinook.sqlite');
  return existsSync(file) ? file : undefined;
}

it('two at once give the same, and the one that came later read nothing', async () => {
  const other = await connect(path);
  const [first, second] = await Promise.all([
    run(),
    onboard(other, { directory, semantics: SEMANTICS }),
  ]).finally(() => other.close());
  expect(second.catalog).toEqual(first.onboarded.catalog);
  expect([first.onboarded.reused, second.reused].sort()).toEqual([false, true]);
});
