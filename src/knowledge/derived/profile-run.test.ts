import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProfiledTable, Table, TableStamp } from '../../catalog/index.ts';
import { readContent, readLines, writeLine } from './profile-log.ts';
import { ProfileRun, type ReuseRules } from './profile-run.ts';

let folder: string;
let paths: { log: string; finished: string; values: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-run-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  paths = { log: join(folder, 'log'), finished: join(folder, 'finished'), values: join(folder, 'values') };
});

const ORIGIN = { origin: 'o', stamp: 's' };
const STAMP: TableStamp = { fingerprint: 'f' };
const RULES: ReuseRules = { maxRows: Number.POSITIVE_INFINITY, trustsDatabaseStamp: true };
/** A name with everything that could be taken for the end of a key or of a line. */
const nameOf = (number: number) => `tä\t"b"\n${number}`;

function tableOf(number: number, rowCount = 0): ProfiledTable {
  const id = nameOf(number);
  return {
    table: { id, name: id, kind: 'table', columns: [], primaryKey: [], rowCount },
    values: [{ columnId: `${id}.c`, distinctCount: 1, values: [['ünï\n', 1]] }],
  };
}

async function openRun(origin = ORIGIN): Promise<{ run: ProfileRun; damaged: number }> {
  let damaged = 0;
  const run = await ProfileRun.open(paths, origin, (count) => {
    damaged = count;
  });
  return { run, damaged };
}

async function all(run: ProfileRun, ids: readonly string[]): Promise<Table[]> {
  const tables: Table[] = [];
  for await (const table of run.tables(ids)) tables.push(table);
  return tables;
}

it('goes on from a log that was cut at any byte', async () => {
  const { run } = await openRun();
  for (const number of [0, 1, 2]) await run.append(tableOf(number), STAMP, undefined);
  await run.close();
  const log = await readFile(paths.log);
  const ends = [...log.keys()].filter((at) => log[at] === 0x0a).map((at) => at + 1);
  // Each table is two lines, first that of its values.
  expect(ends).toHaveLength(6);
  const tableEnds = ends.filter((_, index) => index % 2 === 1);
  // What is found is told at every byte; going on writes to the disk five times, so it is done about the ends of lines and in the middle of each.
  const goesOnAt = new Set(
    [0, ...ends].flatMap((end, index) => {
      const next = ends[index] ?? end;
      return [end - 1, end, end + 1, (end + next) >> 1];
    }),
  );
  for (let cut = 0; cut <= log.length; cut += 1) {
    await writeFile(paths.log, log.subarray(0, cut));
    const { run: next, damaged } = await openRun();
    const whole = tableEnds.filter((end) => end <= cut).length;
    const found = [0, 1, 2].map((number) => next.reuse(nameOf(number), STAMP, RULES));
    expect(found, `cut at ${cut}`).toEqual([0, 1, 2].map((number) => number < whole));
    expect(damaged, `cut at ${cut}`).toBe(cut === 0 || ends.includes(cut) ? 0 : 1);
    if (goesOnAt.has(cut)) {
      await next.append(tableOf(7, 70), STAMP, undefined);
      const ids = [0, 7, 1, 2].map(nameOf);
      expect(await all(next, ids), `cut at ${cut}`).toHaveLength(whole + 1);
      expect(await next.finish(ids, { end: true })).toMatchObject({ lines: whole + 2 });
    }
    await next.close();
    // Where nothing was finished, the next cut begins as this one did.
    await rm(paths.finished, { force: true });
    await rm(paths.values, { force: true });
  }
});

it('finds the newest line of a table, finished or not', async () => {
  const { run } = await openRun();
  await run.append(tableOf(0, 1), STAMP, undefined);
  await run.append(tableOf(1, 1), STAMP, undefined);
  await run.finish([nameOf(0), nameOf(1)], {});
  await run.close();
  const { run: next } = await openRun();
  await next.append(tableOf(1, 2), STAMP, undefined);
  await next.close();
  const { run: last } = await openRun();
  expect([0, 1].map((number) => last.reuse(nameOf(number), STAMP, RULES))).toEqual([true, true]);
  const tables = await all(last, [nameOf(1), nameOf(0)]);
  await last.close();
  expect(tables.map(({ rowCount }) => rowCount)).toEqual([2, 1]);
});

describe('a profile is used again', () => {
  const data = (dataStamp: string): TableStamp => ({ ...STAMP, dataStamp });
  const cases: readonly {
    what: string;
    isReused: boolean;
    stored?: TableStamp;
    now?: TableStamp;
    origin?: Partial<typeof ORIGIN>;
    rules?: Partial<ReuseRules>;
    maxRows?: number;
  }[] = [
    { what: 'when all is as it was', isReused: true },
    { what: 'not when the table was declared anew', isReused: false, now: { fingerprint: 'g' } },
    { what: 'not from another database or other settings', isReused: false, origin: { origin: 'p' } },
    { what: 'not when the database has changed', isReused: false, origin: { stamp: 't' } },
    { what: 'not at a refresh without stamps', isReused: false, rules: { trustsDatabaseStamp: false } },
    {
      what: 'when its own stamp is as it was, whatever the database says',
      isReused: true,
      stored: data('d'),
      now: data('d'),
      origin: { stamp: 't' },
      rules: { trustsDatabaseStamp: false },
    },
    { what: 'not when its own stamp has changed', isReused: false, stored: data('d'), now: data('e') },
    { what: 'not when it has lost its stamp', isReused: false, stored: data('d') },
    { what: 'not when more rows may be read now', isReused: false, maxRows: 10 },
    { what: 'when no more rows may be read now', isReused: true, maxRows: 10, rules: { maxRows: 10 } },
  ];
  it.each(cases)('$what', async ({ isReused, stored, now, origin, rules, maxRows }) => {
    const { run } = await openRun();
    await run.append(tableOf(0), stored ?? STAMP, maxRows);
    await run.close();
    const { run: next } = await openRun({ ...ORIGIN, ...origin });
    expect(next.reuse(nameOf(0), now ?? STAMP, { ...RULES, ...rules })).toBe(isReused);
    await next.close();
  });
});

it('reads lines longer than a chunk, and damaged ones between whole ones', async () => {
  const long = 'x'.repeat(3_000_000);
  const lines = [writeLine('a', long), writeLine('b', { n: 1 }), writeLine('c', long)];
  lines[1]?.fill('?', 24, 25);
  await writeFile(paths.log, Buffer.concat(lines));
  const read: [string, boolean, number][] = [];
  for await (const { key, isWhole, bytes } of readLines(paths.log))
    read.push([key, isWhole, isWhole ? String(readContent(bytes)).length : 0]);
  expect(read).toEqual([
    ['a', true, long.length],
    ['', false, 0],
    ['c', true, long.length],
  ]);
});

it('names the file when the disk does not take it', async () => {
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'a file');
  await expect(openRun()).rejects.toMatchObject({
    code: 'catalog.not-writable',
    message: expect.stringContaining(paths.log),
  });
});
