import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TWO_TABLES as catalog } from '../../../test/fixtures/linking/two-tables.ts';
import { CandorError } from '../../errors.ts';
import type { AskedCase, CaseLinker, LinkedIds } from './linkers/case-linker.ts';
import { renderLinkReport, summariseLinkReport } from './render-link-report.ts';
import { type LinkProgress, runLinkSet } from './run-link-set.ts';
import type { LinkSet } from './sets/link-set.ts';

let out = '';
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'candor-link-'));
});
afterAll(() => rm(out, { recursive: true }));

const gold = { goldTables: new Set(['t']), goldFields: new Set(['t.a', 't.b']) };
const asked = (id: string, database: string) => ({ id, database, question: `q ${id}`, hint: '' });

const SET: LinkSet = {
  name: 'toy',
  databases: new Map(['x', 'y'].map((name) => [name, { name, catalog }])),
  cases: [
    { ...asked('1', 'x'), ...gold },
    { ...asked('2', 'y'), ...gold },
    { ...asked('3', 'x'), goldTables: new Set(['t']), goldFields: new Set() },
    { ...asked('4', 'x'), goldTables: new Set(['t', 'u']), goldFields: null },
  ],
  leftOut: [{ id: '5', because: 'its SQL reads no table' }],
  flagged: [],
};

const linked = (tables: string[], fields: string[]): LinkedIds => ({
  tables: new Set(tables),
  fields: new Set(fields),
  tokens: 100,
});

/** Links every case with `link`, and remembers what it was asked and which databases it opened. */
function linkerOf(link: (each: AskedCase) => Promise<LinkedIds>, mode = 'toy') {
  const log: string[] = [];
  const seen: AskedCase[] = [];
  const linker: CaseLinker = {
    mode,
    open: async ({ name }) => {
      log.push(`open ${name}`);
      return {
        link: (each) => {
          seen.push(each);
          return link(each);
        },
        close: async () => void log.push(`close ${name}`),
      };
    },
  };
  return { linker, log, seen };
}

const HALF = async () => linked(['t'], ['t.a']);

it('scores a question with several right queries against the nearest', async () => {
  const otherGolds = [
    { tables: new Set(['u']), fields: new Set(['u.a']) },
    { tables: new Set(['t']), fields: new Set(['t.a']) },
  ];
  const [first] = SET.cases;
  const set = { ...SET, cases: [{ ...first!, otherGolds }, SET.cases[1]!] };
  const { linker } = linkerOf(HALF);
  const report = await runLinkSet(set, linker, { out });
  expect(report.records.map(({ golds, field }) => [golds, field?.recall])).toEqual([
    [3, 1],
    [undefined, 0.5],
  ]);
  expect(renderLinkReport(report)).toContain('1 questions have several right queries: the nearest counts');
});

describe('a run over a set', () => {
  it('opens each database once, shows no gold, and sums up', async () => {
    const { linker, log, seen } = linkerOf(HALF);
    const steps: LinkProgress[] = [];
    const report = await runLinkSet(SET, linker, { out, onProgress: (step) => steps.push(step) });
    expect(log).toEqual(['open x', 'close x', 'open y', 'close y']);
    expect(seen.map((each) => Object.keys(each).sort().join())).toEqual(
      Array.from({ length: 4 }, () => 'database,hint,id,question'),
    );
    expect(steps.map(({ done, total }) => `${done}/${total}`)).toEqual(['1/4', '2/4', '3/4', '4/4']);
    const { figures } = report;
    expect(figures.field).toMatchObject({
      cases: 2,
      srr: { value: 0 },
      nsr: { value: 50 },
      nsp: { value: 100 },
    });
    expect(figures.table).toMatchObject({ cases: 4, srr: { value: 75 }, nsr: { value: 87.5 } });
    expect(figures).toMatchObject({ tokens: 100, keptShare: 0.25, keptTableShare: 0.5, failed: 0 });
    expect(report.records[0]?.field).toMatchObject({ gold: 2, linked: 1, missing: ['t.b'] });
    expect(report.isComplete).toBe(true);
  });

  it('is printed with intervals, databases and what was left out', async () => {
    const { linker } = linkerOf(HALF);
    const report = await runLinkSet(SET, linker, { out });
    const text = renderLinkReport(report);
    expect(text).toContain('toy by toy: 4 questions');
    expect(text).toMatch(/field {2,}2 {2,}0\.00 \(0\.0–0\.0\) {2,}50\.00 \(50\.0–50\.0\)/);
    expect(text).toContain('1 left out:\n  5: its SQL reads no table');
    const { suite, metrics, groups } = summariseLinkReport(report);
    expect(suite).toBe('link-toy');
    expect(metrics).toMatchObject({
      fieldSrr: 0,
      fieldNsr: 50,
      tableNsrLow: expect.any(Number),
      tokens: 100,
      keptShare: 25,
    });
    expect(Object.keys(groups)).toEqual(['x', 'y']);
  });

  it('counts a failing case as linked to nothing and goes on; a bug ends it', async () => {
    const failing = linkerOf(async ({ id }) => {
      if (id === '1') throw new CandorError('model.unreachable', 'no reply');
      return linked(['t', 'u'], ['t.a', 't.b']);
    });
    const { figures, records } = await runLinkSet(SET, failing.linker, { out });
    expect(figures.failed).toBe(1);
    expect(figures.field?.srr.value).toBe(50);
    expect(records.find(({ id }) => id === '1')?.error).toEqual({
      code: 'model.unreachable',
      message: 'no reply',
    });
    const broken = linkerOf(async () => {
      throw new TypeError('of undefined');
    });
    await expect(runLinkSet(SET, broken.linker, { out })).rejects.toThrow('of undefined');
    expect(broken.log).toEqual(['open x', 'close x']);
  });

  it('links several at once, each database open from its first question to its last', async () => {
    let running = 0;
    let most = 0;
    const { linker, log } = linkerOf(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return HALF();
    });
    const report = await runLinkSet(SET, linker, { out, concurrency: 4 });
    expect(most).toBe(4);
    expect(log.slice(0, 2)).toEqual(['open x', 'open y']);
    expect(log.slice(2).toSorted()).toEqual(['close x', 'close y']);
    expect(report.records.map(({ id }) => id).toSorted()).toEqual(['1', '2', '3', '4']);
  });

  it('stops at a cancel and goes on from its file, a torn last line included', async () => {
    const controller = new AbortController();
    const first = linkerOf(async (each) => {
      if (each.id === '3') controller.abort();
      return HALF();
    });
    const stopped = await runLinkSet(SET, first.linker, { out, signal: controller.signal });
    expect(stopped.isComplete).toBe(false);
    expect(stopped.records.map(({ id }) => id)).toEqual(['1']);
    expect(renderLinkReport(stopped)).toContain(`--resume ${stopped.file}`);
    await appendFile(stopped.file, '{"set":"toy","mo');
    const second = linkerOf(HALF);
    const whole = await runLinkSet(SET, second.linker, { out, resume: stopped.file });
    expect(second.seen.map(({ id }) => id)).toEqual(['3', '4', '2']);
    expect(whole.figures.cases).toBe(4);
    expect((await readFile(whole.file, 'utf8')).trim().split('\n')).toHaveLength(4);
  });

  it('refuses to go on with the file of another way of linking', async () => {
    const { file } = await runLinkSet(SET, linkerOf(HALF).linker, { out });
    await expect(
      runLinkSet(SET, linkerOf(HALF, 'other').linker, { out, resume: file }),
    ).rejects.toMatchObject({
      code: 'eval.run-invalid',
      message: expect.stringContaining('is a run of toy by toy, not of toy by other'),
    });
  });

  it.each([
    [{ half: 'even' }, ['1', '3']],
    [{ half: 'odd' }, ['2', '4']],
    [{ limit: 2 }, ['1', '3']],
  ] as const)('asks %o: %o', async (selection, ids) => {
    const { linker, seen } = linkerOf(HALF);
    await runLinkSet(SET, linker, { out, ...selection });
    expect(seen.map(({ id }) => id).sort()).toEqual(ids);
  });
});
