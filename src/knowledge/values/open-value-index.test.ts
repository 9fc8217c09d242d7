import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ColumnValues } from '../../catalog/index.ts';
import { ProfileRun } from '../derived/profile-run.ts';
import { indexParameters } from './candidate-sections.ts';
import { openValueIndex, type ValueIndexPlace } from './open-value-index.ts';
import { buildValueIndex, type ValueIndex } from './value-index.ts';

let folder: string;
let place: ValueIndexPlace;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-index-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  place = await storeValues(COLUMNS);
});

const COLUMNS: readonly ColumnValues[] = [
  column('t.city', ['Köln', 'Bonn', 'Berlin', '東京', 'O’Fallon']),
  column('t.code', ['A-1', 'A-2', 'Bonn'], 'exact'),
  column('t.year', ['2023', '2024'], 'literal'),
];
const QUESTIONS = ['Koln', 'bonn', 'Berlni', '東京', 'A-1', '2024', 'nothing', ''];

function column(
  columnId: string,
  texts: readonly string[],
  use: ColumnValues['use'] = 'similar',
): ColumnValues {
  return { columnId, distinctCount: texts.length, values: texts.map((text) => [text, 1]), use, because: '' };
}

/** Stores the columns as onboarding does. */
async function storeValues(columns: readonly ColumnValues[]): Promise<ValueIndexPlace> {
  const at = (name: string) => join(folder, name);
  const paths = { log: at('unfinished.jsonl'), finished: at('tables.jsonl'), values: at('values.jsonl') };
  const run = await ProfileRun.open(paths, { origin: 'o', stamp: 's' }, () => {});
  const table = { id: 't', name: 't', kind: 'table', columns: [], primaryKey: [], rowCount: 0 } as const;
  await run.append({ table, values: columns }, { fingerprint: 'f' }, undefined);
  const { values } = await run.finish(['t'], {});
  await run.close();
  return { directory: folder, values: { path: paths.values, hash: values }, fingerprint: 'schema' };
}

const pathOf = ({ directory }: ValueIndexPlace) => join(directory, 'values.index');

function answers(index: ValueIndex) {
  return QUESTIONS.map((text) => [
    index.lookup(text),
    index.lookupLiteral(text),
    index.similar(text, { limit: 5 }),
  ]);
}

it('answers the same from the file as from memory, and writes the same bytes each time', async () => {
  const first = await openValueIndex(place);
  expect(first.builtBecause).toBe('there was none');
  const bytes = await readFile(pathOf(place));
  const again = await openValueIndex(place);
  expect(again.builtBecause).toBeUndefined();
  for (const { index } of [first, again]) {
    expect(answers(index)).toEqual(answers(buildValueIndex(COLUMNS)));
    expect(index).toMatchObject({ size: 8, maxWords: 2 });
    expect([...index.columns().keys()]).toEqual(['t.city', 't.code', 't.year']);
  }
  await rm(pathOf(place));
  await openValueIndex(place);
  expect((await readFile(pathOf(place))).equals(bytes)).toBe(true);
});

describe('an index that does not fit is built again, never read', () => {
  const mismatches: readonly (readonly [why: string, change: Partial<ValueIndexPlace>])[] = [
    ['it is of another schema', { fingerprint: 'other' }],
    ['it was built with other parameters', { parameters: indexParameters({ candidates: 'minhash-lsh' }) }],
    ['it was built with other parameters', { parameters: indexParameters({ seed: 2 }) }],
    ['it was built with other parameters', { parameters: indexParameters({ permutations: 30 }) }],
  ];
  it.each(mismatches)('%s: %j', async (why, change) => {
    await openValueIndex(place);
    const changed = { ...place, ...change };
    const { builtBecause, index } = await openValueIndex(changed);
    expect(builtBecause).toBe(why);
    expect(index.lookup('bonn')).toHaveLength(2);
    expect((await openValueIndex(changed)).builtBecause).toBeUndefined();
  });

  it('when the values are others', async () => {
    await openValueIndex(place);
    const other = await storeValues([column('t.city', ['Ulm'])]);
    const { builtBecause, index } = await openValueIndex(other);
    expect(builtBecause).toBe('it is of other values');
    expect([index.lookup('bonn'), index.lookup('ulm').length]).toEqual([[], 1]);
  });

  it('whatever bytes of it are changed, cut off or added', async () => {
    const { index } = await openValueIndex(place);
    const expected = answers(index);
    const whole = await readFile(pathOf(place));
    const byte = fc.integer({ min: 0, max: 255 });
    const at = fc.integer({ min: 0, max: whole.length - 1 });
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('flip' as const), at, by: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant('cut' as const), at }),
      fc.record({ kind: fc.constant('add' as const), bytes: fc.array(byte, { minLength: 1, maxLength: 9 }) }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (done) => {
        let bytes = Buffer.from(whole);
        if (done.kind === 'flip') bytes[done.at] = (bytes[done.at] ?? 0) ^ done.by;
        else if (done.kind === 'cut') bytes = bytes.subarray(0, done.at);
        else bytes = Buffer.concat([bytes, Buffer.from(done.bytes)]);
        await writeFile(pathOf(place), bytes);
        const opened = await openValueIndex(place);
        expect(opened.builtBecause).toMatch(/damaged|no index/);
        expect(answers(opened.index)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });
});

it('refuses values that are not those of the manifest', async () => {
  await writeFile(place.values.path, 'x\n');
  await expect(openValueIndex(place)).rejects.toMatchObject({ code: 'catalog.stale' });
  await rm(place.values.path);
  await expect(openValueIndex(place)).rejects.toMatchObject({ code: 'catalog.stale' });
});

describe('a large index, in a worker', () => {
  const MANY = column(
    't.name',
    Array.from({ length: 90_000 }, (_, at) => `Customer Number ${at}`),
  );

  it('is built with progress, and is the same as one built here', async () => {
    place = await storeValues([MANY]);
    const shares: number[] = [];
    const { index } = await openValueIndex(place, { onProgress: (share) => shares.push(share) });
    expect(shares.at(-1)).toBe(1);
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
    expect(index.size).toBe(90_000);
    const here = buildValueIndex([MANY]);
    expect(index.similar('custmer number 77', { limit: 5 })).toEqual(
      here.similar('custmer number 77', { limit: 5 }),
    );
  });

  it('stops when it is cancelled, and leaves nothing', async () => {
    place = await storeValues([MANY]);
    const controller = new AbortController();
    const opening = openValueIndex(place, {
      onProgress: () => controller.abort(),
      signal: controller.signal,
    });
    await expect(opening).rejects.toMatchObject({ code: 'database.cancelled' });
    expect((await readdir(folder)).filter((name) => name.startsWith('values.index'))).toEqual([]);
  });

  it('leaves the old one usable when the process is killed at any moment', async () => {
    const old = place;
    const oldBytes = await openValueIndex(old).then(() => readFile(pathOf(old)));
    place = await storeValues([MANY]);
    for (const share of [0, 0.3, 0.6, 0.99]) {
      const source = `
        import { openValueIndex } from './src/knowledge/values/open-value-index.ts';
        await openValueIndex(${JSON.stringify(place)}, {
          onProgress: (share) => { if (share >= ${share}) process.kill(process.pid, 'SIGKILL'); },
        });`;
      const root = fileURLToPath(new URL('../../..', import.meta.url));
      const flags = ['--import', 'tsx', '--input-type=module', '-e', source];
      const child = spawn(process.execPath, flags, { cwd: root, stdio: 'inherit' });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      expect((await readFile(pathOf(old))).equals(oldBytes), `killed at ${share}`).toBe(true);
    }
    // What a killed build has left beside it goes with the next one.
    await writeFile(join(folder, 'values.index.4194303.unfinished'), 'half');
    expect((await openValueIndex(place)).index.size).toBe(90_000);
    expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([]);
  });
});

it('shows nothing of columns that are taken out', () => {
  const index = buildValueIndex(COLUMNS).without(new Set(['t.city', 't.year']));
  expect(index.lookup('bonn').map(({ columnId }) => columnId)).toEqual(['t.code']);
  expect(index.similar('Berlin', { limit: 50 })).toEqual([]);
  expect(index.lookupLiteral('2024')).toEqual([]);
  expect([...index.columns().keys()]).toEqual(['t.code']);
  expect(index.size).toBe(3);
});
