/** Background jobs in a browser: an admin starts one, sees it done, one fail with what to do next, and cancels one. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { type JobsProject, makeJobsProject } from '../fixtures/jobs/make-jobs-project.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';
import { findBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaults } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

describeWithServer('postgres', 'jobs in a browser', () => {
  let database: TestDatabase;
  let project: JobsProject;
  let server: ServedProject;
  let browser: Browser;

  beforeAll(async () => {
    if (findBrowser() === undefined) return;
    database = await (await postgresServer()).createDatabase('jobs_web');
    project = await makeJobsProject(database.adminUrl);
    await project.rewrite('');
    await runCandor(['onboard', '--quiet'], project.root);
    [server, browser] = await Promise.all([
      serveProject(project.root, { options: ['--work'] }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    if (findBrowser() === undefined) return;
    await browser.close();
    await server.stop();
    await project.remove();
    await database.drop();
  });

  it.skipIf(findBrowser() === undefined)('are started and watched; what failed says what to do', async () => {
    const { page, faults } = await openPage(browser, `${server.url}/#/jobs`);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByText('There was no job yet.').waitFor();
    const start = async (kind: string): Promise<void> => {
      await page.getByLabel('Start a job').selectOption({ label: kind });
      await page.getByRole('button', { name: 'Start' }).click();
    };
    await start('Look at every table again');
    const jobs = page.getByRole('list', { name: 'Jobs of the last 30 days' });
    const refreshed = jobs.getByRole('listitem').filter({ hasText: 'Look at every table again' }).first();
    await refreshed.getByText('done', { exact: true }).first().waitFor();
    await refreshed.getByText('Attempts and result').click();
    await refreshed.getByText('"tables": 2').waitFor();

    await start('Read query logs');
    const failed = jobs.getByRole('listitem').filter({ hasText: 'Read query logs' });
    await failed.getByText('jobs.no-logs').first().waitFor();
    expect(await failed.innerText()).toContain('Name query logs under `jobs.logs` in candor.yml');
    await project.rewrite('jobs: { logs: [shop.log.jsonl] }\n');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.getByText('2 attempts').waitFor();
    await failed.getByText('done', { exact: true }).first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
