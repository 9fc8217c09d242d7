/** The chat in a page of another origin, and people who sign in with an account elsewhere. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { CLIENT, type Issuer, startIssuer } from '../server/start-issuer.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaults } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

let folder: string;
let key: string;
let intranet: { readonly url: string; readonly server: Server };
let issuer: Issuer;
let server: ServedProject;
let browser: Browser;

/** A page of somebody else's, which holds the chat and has a key for it. */
async function startIntranet(): Promise<typeof intranet> {
  const page = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Intranet</h1>
      <candor-chat server="${server?.url}" language="en"></candor-chat>
      <script>document.querySelector('candor-chat').key = ${JSON.stringify(key ?? '')};</script>
      <script type="module" src="${server?.url}/candor-chat.js"></script>`);
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const address = page.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, server: page };
}

describeInBrowser('from elsewhere', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'candor-elsewhere-'));
    makeShop(join(folder, 'shop.db'));
    [intranet, issuer] = await Promise.all([startIntranet(), startIssuer()]);
    const oidc = { issuer: issuer.url, ...CLIENT, groupsClaim: 'groups', allowedDomains: ['shop.example'] };
    const config = {
      ...{ database: 'sqlite:shop.db', search: { embedding: 'none' } },
      server: {
        groups: { sales: { tables: ['orders', 'customers'] } },
        oidc,
        workspaces: {},
        embedOrigins: [intranet.url],
      },
    };
    writeFileSync(join(folder, 'candor.yml'), JSON.stringify(config));
    key = (await runCandor(['users', 'add', 'page', '--group', 'sales'], folder)).stdout.trim();
    [server, browser] = await Promise.all([serveProject(folder, { options: ['--sign-in'] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await issuer.close();
    intranet.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a page that is named asks with the key it has', async () => {
    const { page, faults } = await openPage(browser, intranet.url);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByPlaceholder('Ask about your data…').fill('how many orders are there?');
    await page.keyboard.press('Enter');
    await page.locator('candor-chat tbody td').first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('a page that is not named gets nothing', async () => {
    const other = intranet.url.replace('127.0.0.1', 'localhost');
    const { page } = await openPage(browser, other);
    await page.getByRole('heading', { name: 'Intranet' }).waitFor();
    const reached = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'read',
          () => 'refused',
        ),
      `${server.url}/v1/sign-in`,
    );
    expect(reached).toBe('refused');
    expect(await page.locator('candor-chat').locator('textarea').count()).toBe(0);
    await page.context().close();
  });

  it('somebody signs in with their organisation, and sees their own tables', async () => {
    issuer.claims = { sub: 'e1', email: 'eve@shop.example', email_verified: true, groups: ['sales'] };
    const { page, faults } = await openPage(browser, server.url);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByRole('link', { name: 'Sign in with your organisation' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
    await page.goto(`${server.url}/#/catalog`);
    await page.getByText('2 tables', { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('somebody of another organisation is told, and not why', async () => {
    issuer.claims = { sub: 'm1', email: 'mallory@evil.example', email_verified: true };
    const { page } = await openPage(browser, server.url);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.getByRole('alert').getByText('did not let you in').waitFor();
    expect(await page.content()).not.toContain('evil.example');
    const { stdout } = await runCandor(['users', 'audit'], folder);
    expect(stdout).toContain('people of evil.example are not let in');
    await page.context().close();
  });
});
