/** Two people on one server: they sign in, see their own tables and rows, and nothing of each other. */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { cellsOf, say } from './chat-steps.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

const GROUPS = `
server:
  groups:
    workshop: { tables: [service_visits, dealers, areas, provinces, calendar], showSql: false, runSql: false }
    sales: {}
    careful: { approval: ask }
`;

// A browser and two servers beside other tests.
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

let folder: string;
let server: ServedProject;
let browser: Browser;
const keys: Record<string, string> = {};

async function signedIn(name: string): Promise<{ page: Page; end: () => Promise<void> }> {
  const { page, faults } = await openPage(browser, `${server.url}/`);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.getByLabel('Your key').fill(keys[name] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
  const end = async (): Promise<void> => {
    expect(faults).toEqual([]);
    await page.context().close();
  };
  return { page, end };
}

describeInBrowser('two people', () => {
  beforeAll(async () => {
    folder = await makeMotorsProject('web-people');
    appendFileSync(join(folder, 'candor.yml'), GROUPS);
    for (const [name, group] of [
      ['wendy', 'workshop'],
      ['sally', 'sales'],
      ['cara', 'careful'],
    ] as const)
      keys[name] = (await runCandor(['users', 'add', name, '--group', group], folder)).stdout.trim();
    [server, browser] = await Promise.all([serveProject(folder, { options: ['--sign-in'] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('see what is theirs, and no more', async () => {
    const [wendy, sally] = [await signedIn('wendy'), await signedIn('sally')];
    const visits = await say(wendy.page, 'how many service visits in 2024?');
    expect(await cellsOf(visits)).toHaveLength(1);
    expect(await visits.locator('summary', { hasText: 'SQL and evidence' }).count()).toBe(0);
    const revenue = await say(wendy.page, 'show revenue in 2024');
    expect(await revenue.locator('table').count()).toBe(0);
    expect(await revenue.textContent()).not.toContain('amount');
    const answered = await say(sally.page, 'show revenue in 2024');
    expect(await cellsOf(answered)).toHaveLength(1);
    expect(await sally.page.getByRole('link', { name: 'how many service visits in 2024?' }).count()).toBe(0);
    await sally.page.goto(wendy.page.url());
    await sally.page.reload();
    await sally.page.getByRole('alert').waitFor();
    await wendy.end();
    await sally.end();
  });

  it('who approves queries runs an answer once they have seen it, and again later', async () => {
    const { page, end } = await signedIn('cara');
    const answered = await say(page, 'how many service visits in 2024?');
    await answered.getByText('Not run yet').waitFor();
    expect(await answered.locator('tbody td').count()).toBe(0);
    await answered.getByRole('button', { name: 'Run', exact: true }).click();
    await answered.locator('tbody td').first().waitFor();
    await page.reload();
    const kept = page.locator('.exchange').last();
    await kept.getByRole('button', { name: 'Run', exact: true }).click();
    await kept.locator('tbody td').first().waitFor();
    await end();
  });

  it('sign out, and a wrong key is told', async () => {
    const { page, end } = await signedIn('sally');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Your key').fill('cnd_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('no key of anybody');
    await end();
  });
});
