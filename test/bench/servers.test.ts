/** Benches of servers, at their smallest size; those of engines and data are in bench.test.ts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCIPY_VERSION } from '../../bench/reward-server/scipy-dense.ts';
import { whyNoTrino } from '../../scripts/trino.ts';
import { ROOT } from '../repo/read-imports.ts';
import { findServer } from '../servers/find-server.ts';
import { findBrowser } from '../web/open-browser.ts';
import { positive, readReport, runBench } from './run-bench.ts';

const noTrino = await whyNoTrino();
const hasScipy = existsSync(join(ROOT, '.cache', `scipy-${SCIPY_VERSION}`, 'finished'));

describe('benches of servers run', () => {
  it('chats, a few on one server', () => {
    const { bench, rows, figures } = readReport(runBench('chats'));
    expect(bench).toBe('chats');
    expect(rows).toHaveLength(10);
    expect(figures).toMatchObject({ errors: 0 });
    for (const key of ['firstEventP95Ms', 'doneP95Ms', 'turnsPerSecond'])
      expect(figures[key], key).toBeGreaterThan(0);
  });

  it.skipIf(findBrowser() === undefined)('web, where there is a browser', () => {
    const { bench, figures } = readReport(runBench('web'));
    expect(bench).toBe('web');
    // Sizes are no timing: they are held here.
    expect(figures.chatGzipKb).toBeLessThanOrEqual(350);
    expect(figures.otherPagesGzipKb).toBeGreaterThan(0);
    expect(figures.interactiveMaxMs).toBeGreaterThan(0);
  });

  it.skipIf(noTrino !== null)('trino-catalog and trino-profile, where there is a Trino', () => {
    const catalog = readReport(runBench('trino-catalog'));
    expect(catalog.rows.map(({ tables, columns }) => [tables, columns])).toEqual([
      [60, 1_200],
      [120, 2_400],
    ]);
    for (const key of ['schemaMs', 'stampMs', 'peakMb']) positive(catalog.rows, key);
    const profile = readReport(runBench('trino-profile'));
    expect(profile.rows).toHaveLength(2);
    // A table that is sampled takes no more statements than its 16 columns could.
    for (const { statements } of profile.rows) expect(Number(statements)).toBeLessThanOrEqual(9);
  });

  it('reward-server, beside SciPy where a whole run has installed it', () => {
    const { bench, rows, figures } = readReport(runBench('reward-server'));
    expect(bench).toBe('reward-server');
    expect(rows.map(({ batch }) => batch)).toEqual([7, 35]);
    for (const key of ['perSecond', 'meanTotal']) positive(rows, key);
    for (const { answers, goldFailed } of rows) expect([answers, goldFailed]).toEqual([70, 0]);
    expect(figures.densePerSecond).toBeGreaterThan(0);
    if (hasScipy) expect(figures.denseDiffers).toBe(0);
  });

  it.skipIf('missing' in findServer('postgres'))('chaos, ten kills of jobs', () => {
    const { bench, rows, figures } = readReport(runBench('chaos'));
    expect(bench).toBe('chaos');
    expect(figures.kills).toBeGreaterThanOrEqual(10);
    for (const key of ['accepted', 'done', 'attempts', 'failedForRoom', 'freeWorkerMsP50'])
      expect(figures[key], key).toBeGreaterThan(0);
    expect(figures).toMatchObject({
      lost: 0,
      twice: 0,
      unasked: 0,
      filesDiffer: 0,
      miscounted: 0,
      wrongAfterFullDisk: 0,
    });
    expect(rows.map(({ differs }) => differs)).toEqual(['nothing', 'nothing']);
  });

  it('catalog-pages', () => {
    const { bench, rows, figures } = readReport(runBench('catalog-pages'));
    expect(bench).toBe('catalog-pages');
    expect(rows.map(({ tables }) => tables)).toEqual([10, 20]);
    for (const key of ['listMs', 'areasMs', 'tableMs', 'searchMs', 'graphMs', 'sqliteMs'])
      positive(rows, key);
    expect(figures.listToSqlite).toBeGreaterThan(0);
  });
});
