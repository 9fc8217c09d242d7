/** A conversation is shared, read by others as far as they may, and its link ended; by three people in three browsers. */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { say } from './chat-steps.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaults } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

const GROUPS = `
server:
  groups:
    workshop: { tables: [service_visits, dealers, areas, provinces, calendar] }
    sales: {}
`;
const VISITS = 'how many service visits in 2024?';
const REVENUE = 'show revenue in 2024';

// A browser and a server beside other tests.
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

let folder: string;
let server: ServedProject;
let browser: Browser;
const keys: Record<string, string> = {};

interface SignedIn {
  readonly page: Page;
  readonly end: () => Promise<void>;
}

/** Signs in at an address, and must leave no error behind in the page. */
async function signedIn(name: string, hash = '', options: BrowserContextOptions = {}): Promise<SignedIn> {
  const { page, faults } = await openPage(browser, `${server.url}/${hash}`, options);
  page.setDefaultTimeout(PATIENCE_MS);
  const isGerman = options.locale?.startsWith('de') === true;
  await page.getByLabel(isGerman ? 'Ihr Schlüssel' : 'Your key').fill(keys[name] ?? '');
  await page.getByRole('button', { name: isGerman ? 'Anmelden' : 'Sign in' }).click();
  const end = async (): Promise<void> => {
    expect(faults).toEqual([]);
    await page.context().close();
  };
  return { page, end };
}

/** Sally asks twice and makes a link; its hash. */
async function share(page: Page): Promise<string> {
  await say(page, VISITS);
  await say(page, REVENUE);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByText('The conversation is shared.').waitFor();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  expect(link.startsWith(`${server.url}/#/shared/`)).toBe(true);
  return new URL(link).hash;
}

describeInBrowser('a conversation', () => {
  beforeAll(async () => {
    folder = await makeMotorsProject('web-share');
    appendFileSync(join(folder, 'candor.yml'), GROUPS);
    for (const [name, group] of [
      ['sally', 'sales'],
      ['sven', 'sales'],
      ['wendy', 'workshop'],
    ] as const)
      keys[name] = (await runCandor(['users', 'add', name, '--group', group], folder)).stdout.trim();
    [server, browser] = await Promise.all([serveProject(folder, { options: ['--sign-in'] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is shared, read by others, asked anew, and no longer shared', async () => {
    const sally = await signedIn('sally');
    const hash = await share(sally.page);
    expect(await seriousFaults(sally.page)).toEqual([]);
    await sally.page.keyboard.press('Escape');
    await sally.page.locator('.chat-list li', { hasText: 'shared' }).waitFor();

    const sven = await signedIn('sven', hash);
    await sven.page.getByRole('heading', { name: VISITS }).waitFor();
    await sven.page.getByText('Asked by sally').waitFor();
    expect(await sven.page.locator('.card-answered').count()).toBe(2);
    for (const summary of await sven.page.locator('summary', { hasText: 'SQL and evidence' }).all())
      await summary.click();
    await sven.page.locator('.cm-content').nth(1).waitFor();
    // The words of a question tell where they went in the query; they ask nothing and change nothing.
    const buttons = await sven.page.locator('main button:not(.word)').allTextContents();
    expect([...new Set(buttons)]).toEqual(['Copy']);
    expect(await sven.page.locator('#question').count()).toBe(0);
    expect(await seriousFaults(sven.page)).toEqual([]);
    await sven.page.getByRole('link', { name: 'Ask this yourself' }).nth(1).press('Enter');
    await sven.page.locator('#question:focus').waitFor();
    expect(await sven.page.locator('#question').inputValue()).toBe(REVENUE);
    await sven.page.keyboard.press('Enter');
    await sven.page.locator('.exchange[aria-busy=false] tbody td').first().waitFor();
    expect(sven.page.url()).toContain('#/chat/');

    await sally.page.getByRole('button', { name: 'Share', exact: true }).click();
    await sally.page.getByRole('button', { name: 'End the link' }).click();
    await sally.page.getByText('The link leads nowhere any more.').waitFor();
    await sven.page.goto(`${server.url}/${hash}`);
    await sven.page.getByRole('alert').getByText('This link leads nowhere.').waitFor();
    await sven.end();
    await sally.end();
  });

  it('is read in part by those who see less, on a phone, in the dark and in German', async () => {
    const sally = await signedIn('sally');
    const hash = await share(sally.page);
    const wendy = await signedIn('wendy', hash, {
      ...{ viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'de-DE' },
    });
    await wendy.page.getByText('Gefragt von sally').waitFor();
    expect(await wendy.page.locator('.said').allTextContents()).toEqual([
      `sally: ${VISITS}`,
      `sally: ${REVENUE}`,
    ]);
    expect(await wendy.page.locator('.card-answered').count()).toBe(1);
    await wendy.page.getByText('Not shown: it reads tables that are not shown to you.').waitFor();
    expect(await wendy.page.locator('main').textContent()).not.toMatch(/amount|orders/);
    const width = await wendy.page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
    expect(await seriousFaults(wendy.page)).toEqual([]);
    await wendy.end();
    await sally.end();
  });
});
