/** What goes wrong or grows large: lost lines, restarts, long work, many rows, pages of others. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { cellsOf, openSql, say, settled } from './chat-steps.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaultsOfColours } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

// A browser and two servers beside other tests.
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

let folder: string;
const copies: string[] = [];
let server: ServedProject;
let browser: Browser;

async function journey(
  walk: (page: Page) => Promise<void>,
  url = server.url,
  options: BrowserContextOptions = {},
) {
  const { page, faults } = await openPage(browser, `${url}/`, options);
  page.setDefaultTimeout(PATIENCE_MS);
  await walk(page);
  expect(faults).toEqual([]);
  await page.context().close();
}

/** The project once more, set otherwise. */
function copyProject(set: (config: string) => string): string {
  const copy = mkdtempSync(join(tmpdir(), 'candor-web-copy-'));
  copies.push(copy);
  cpSync(folder, copy, { recursive: true });
  const config = join(copy, 'candor.yml');
  writeFileSync(config, set(readFileSync(config, 'utf8')));
  return copy;
}

const portOf = (url: string): number => Number(new URL(url).port);

/** A model that takes its time: it replies when it is told to. */
async function startSlowModel(): Promise<{ url: string; waiting: () => number; close: () => void }> {
  const open: ServerResponse[] = [];
  const model: Server = createServer((_, response) => void open.push(response));
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const address = model.address();
  if (address === null || typeof address === 'string') throw new Error('the model has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    waiting: () => open.filter(({ destroyed }) => !destroyed).length,
    close: () => {
      model.close();
      model.closeAllConnections();
    },
  };
}

describeInBrowser('when it is hard', () => {
  beforeAll(async () => {
    folder = await makeMotorsProject('web-hard');
    [server, browser] = await Promise.all([serveProject(folder), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    for (const each of [folder, ...copies]) rmSync(each, { recursive: true, force: true });
  });

  it.each([10, 60, 150])(
    'a line that is cut after %i ms is taken up again, and nothing is said twice',
    async (ms) => {
      const proxy = await startCuttingProxy(portOf(server.url));
      let isMended = false;
      await journey(async (page) => {
        await page.route(
          '**/turns',
          async (route) => {
            setTimeout(proxy.cut, ms);
            setTimeout(() => {
              proxy.mend();
              isMended = true;
            }, ms + 900);
            await route.continue();
          },
          { times: 1 },
        );
        const exchange = await say(page, 'leads per month and channel in 2024');
        expect(await exchange.locator('.card').count()).toBe(1);
        expect((await cellsOf(exchange)).length).toBeGreaterThan(12);
        await expect.poll(() => isMended).toBe(true);
        await page.reload();
        await page.locator('.said', { hasText: 'leads per month' }).waitFor();
        expect(await page.locator('.said').count()).toBe(1);
      }, `http://127.0.0.1:${proxy.port}`);
      await proxy.close();
    },
  );

  it('a server that was killed goes on once it is back, and knows the conversation', async () => {
    let own = await serveProject(folder);
    const port = portOf(own.url);
    await journey(async (page) => {
      await say(page, 'orders per month in 2024');
      await own.kill();
      const asked = say(page, 'how many dealers are there?');
      await page.getByText('Connection lost.').waitFor();
      own = await serveProject(folder, { port });
      expect(await cellsOf(await asked)).toHaveLength(1);
      await page.reload();
      await page.locator('.said', { hasText: 'how many dealers are there?' }).waitFor();
      expect(await page.locator('.exchange').count()).toBe(2);
    }, own.url);
    await own.stop();
  });

  it('long work is stopped, and the conversation stays', async () => {
    const model = await startSlowModel();
    const slow = copyProject(
      (config) => `${config}\nmodel: { name: 'openai:slow', url: '${model.url}', key: none-needed }\n`,
    );
    const own = await serveProject(slow);
    await journey(async (page) => {
      await page.fill('#question', 'orders per month in 2024');
      await page.keyboard.press('Enter');
      await expect.poll(model.waiting, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
      await page.keyboard.press('Escape');
      const stopped = await settled(page, 0);
      await stopped.getByText('Stopped.').waitFor();
      await expect.poll(model.waiting, { timeout: PATIENCE_MS }).toBe(0);
      // Before the server has said which run it is.
      await page.route('**/turns', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        await route.continue();
      });
      await page.fill('#question', 'orders per month in 2023');
      await page.keyboard.press('Enter');
      await page.locator('.exchange[aria-busy=true]').waitFor();
      await page.keyboard.press('Escape');
      await (await settled(page, 1)).getByText('Stopped.').waitFor();
    }, own.url);
    await own.stop();
    model.close();
  });

  it('50,000 rows are shown, sorted and scrolled to their end', async () => {
    const wide = copyProject((config) => config.replace('rows: 1000', 'rows: 60000'));
    const own = await serveProject(wide);
    await journey(async (page) => {
      const exchange = await say(page, 'how many dealers are there?');
      await openSql(exchange);
      await exchange.getByRole('button', { name: 'Edit' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type(
        'SELECT a.dealer_id AS one, b.order_id AS other FROM dealers a CROSS JOIN orders b LIMIT 50000',
      );
      await page.keyboard.press('Control+Enter');
      await exchange.getByText('50,000 rows').waitFor();
      expect(await exchange.locator('tbody tr').count()).toBeLessThan(100);
      await exchange.locator('.table-scroll').evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
      await exchange.locator('tr[aria-rowindex="50001"]').waitFor();
    }, own.url);
    await own.stop();
  });

  it('an answer is certified, and found again by whoever asks next', async () => {
    const own = copyProject((config) => config);
    const served = await serveProject(own);
    await journey(async (page) => {
      const first = await say(page, 'how many dealers are there?');
      expect(await first.getByText('✓ Verified').count()).toBe(0);
      await first.getByRole('button', { name: 'Certify' }).click();
      await first.getByText('Certified as how-many-dealers-are-there.sql.').waitFor();
      expect(readFileSync(join(own, 'examples/how-many-dealers-are-there.sql'), 'utf8')).toContain(
        '-- verified_by:',
      );
      await page.getByRole('link', { name: 'New chat' }).click();
      await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
      const again = await say(page, 'how many dealers are there?');
      await again.getByText('✓ Verified').waitFor();
    }, served.url);
    await served.stop();
  });

  it('a link leads another page to the same conversation', () =>
    journey(async (page) => {
      await say(page, 'orders per region in 2024');
      const other = await openPage(browser, page.url());
      await other.page.getByText('orders per region in 2024', { exact: true }).first().waitFor();
      expect(other.faults).toEqual([]);
      await other.page.context().close();
    }));

  it('another page has the chat in it', () =>
    journey(async (page) => {
      const body =
        '<h1>Ours</h1><script type="module" src="/candor-chat.js"></script><candor-chat language="de"></candor-chat>';
      await page.route('**/our-page', (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(`${server.url}/our-page`);
      await page.getByPlaceholder('Fragen Sie nach Ihren Daten…').fill('how many dealers are there?');
      await page.keyboard.press('Enter');
      await page.locator('candor-chat tbody td').first().waitFor();
    }));

  it('nothing keeps anyone out, in light and in dark colours', () =>
    journey(async (page) => {
      expect(await seriousFaultsOfColours(page)).toEqual([]);
      await openSql(await say(page, 'orders per month in 2024'));
      await say(page, 'how are sales doing?');
      await say(page, 'average customer satisfaction per dealer in 2024');
      await say(page, 'which tables hold test drives?');
      const drawn = page.locator('.exchange').first();
      await drawn.getByRole('button', { name: 'Chart', exact: true }).click();
      await drawn.locator('.plot svg').first().waitFor();
      await drawn.locator('.question-words .word').last().focus();
      await drawn.locator('.cm-content .lit').first().waitFor();
      expect(await seriousFaultsOfColours(page)).toEqual([]);
    }, server.url));
});
