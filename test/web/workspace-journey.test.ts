/** Two projects on one server: somebody goes from one to the other and asks in both. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { makeWorkspaces } from '../server/make-workspaces.ts';
import { cellsOf, say } from './chat-steps.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaults } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

let folder: string;
let server: ServedProject;
let browser: Browser;
let key: string;

describeInBrowser('two projects', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'candor-web-workspaces-'));
    const shop = makeWorkspaces(folder);
    key = (await runCandor(['users', 'add', 'ann', '--admin'], shop)).stdout.trim();
    [server, browser] = await Promise.all([serveProject(shop, { options: ['--sign-in'] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are chosen at the side; each has its own tables, conversations, links and settings', async () => {
    const { page, faults } = await openPage(browser, `${server.url}/w/hr`);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const choice = page.getByLabel('Workspace', { exact: true });
    await choice.waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const counted = await say(page, 'how many employees are there?');
    expect(await cellsOf(counted)).toEqual([['3']]);
    const inStaff = page.url();
    expect(inStaff).toContain(`${server.url}/w/hr/#/chat/`);
    await page.goto(`${server.url}/w/hr/#/settings`);
    await page.getByText(`${server.url}/w/hr/mcp`).waitFor();

    await choice.selectOption({ label: 'shop' });
    await page.waitForURL(`${server.url}/`);
    const orders = await say(page, 'how many orders are there?');
    expect(await cellsOf(orders)).toEqual([['12']]);
    expect(await page.getByRole('link', { name: 'how many employees are there?' }).count()).toBe(0);

    await page.goto(inStaff);
    await page.getByRole('main').getByText('how many employees are there?').first().waitFor();
    expect(await page.getByRole('link', { name: 'how many orders are there?' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
