/** What a person looks up beside the chat: the catalog, stored values, the graph, product areas. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { writeStoredClusters } from '../fixtures/stored-clusters.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaultsOfColours } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

// Five pages in one journey, beside other tests.
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

const AREAS = `areas:
  aftersales:
    name: Aftersales
    members: [zoe]
    include_tables: [service_visits, dealers]
`;
const CLUSTER = ['orders', 'accounts', 'dealers'].map((tableId, at) => ({ tableId, score: 3 - at }));

let folder: string;
let server: ServedProject;
let browser: Browser;

/** A journey begins on a fresh page and must leave no error behind in it. */
async function journey(
  hash: string,
  walk: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  const { page, faults } = await openPage(browser, `${server.url}/${hash}`, options);
  page.setDefaultTimeout(PATIENCE_MS);
  await walk(page);
  expect(faults).toEqual([]);
  await page.context().close();
}

describeInBrowser('looking things up', () => {
  beforeAll(async () => {
    folder = await makeMotorsProject('web-explore');
    writeFileSync(join(folder, 'knowledge', 'areas.yml'), AREAS);
    await writeStoredClusters(
      join(folder, '.candor'),
      {
        settings: { minTotal: 20, minUsers: 3, minTablesPerUser: 2, size: 20, seed: 1 },
        clusters: [{ id: 1, tables: CLUSTER }],
        users: [{ user: 'zoe', clusters: [{ id: 1, weight: 6 }] }],
        at: '2024-12-02',
      },
      { from: '2024-10-03', to: '2024-12-31', catalogFingerprint: 'any' },
    );
    [server, browser] = await Promise.all([serveProject(folder), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a table is found, opened, and left by a join', () =>
    journey('', async (page) => {
      await page.getByRole('link', { name: 'Catalog' }).click();
      await page.getByLabel('Search tables').fill('test dri');
      await page.getByRole('status').getByText('1 table', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'test_drives' }).click();
      await page.getByRole('heading', { name: 'test_drives' }).waitFor();
      const status = page.getByRole('row').filter({ has: page.getByText('status', { exact: true }) });
      expect(await status.locator('.value-bars li').count()).toBeGreaterThan(1);
      await page.locator('.lines a', { hasText: 'dealers' }).first().click();
      await page.getByRole('heading', { name: 'dealers', level: 2 }).waitFor();
      await page.getByRole('link', { name: 'All tables' }).click();
      await page.getByText(/^\d+ tables$/).waitFor();
    }));

  it('an area leaves its tables', () =>
    journey('#/catalog', async (page) => {
      await page.getByLabel('Area').selectOption('aftersales');
      await page.getByText('4 tables', { exact: true }).waitFor();
      const shown = await page.locator('.long-list a').allTextContents();
      expect(shown.toSorted()).toEqual(['accounts', 'dealers', 'orders', 'service_visits']);
    }));

  it('a table that is not there is told, with the nearest', () =>
    journey('#/catalog/order', async (page) => {
      expect(await page.getByRole('alert').textContent()).toContain('near it: orders');
    }));

  it('of many tables only those in sight are in the page, and the last can be reached', async () => {
    const wide = mkdtempSync(join(tmpdir(), 'candor-web-wide-'));
    const database = new DatabaseSync(join(wide, 'wide.db'));
    const names = Array.from({ length: 350 }, (_, at) => `kiosk_${String(at).padStart(3, '0')}`);
    for (const name of names) database.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY)`);
    database.close();
    writeFileSync(join(wide, 'candor.yml'), 'database: sqlite:wide.db\nsearch: { embedding: none }\n');
    const own = await serveProject(wide);
    const { page, faults } = await openPage(browser, `${own.url}/#/catalog`);
    await page.getByText('350 tables', { exact: true }).waitFor();
    const list = page.locator('.long-list');
    const last = list.getByRole('link', { name: 'kiosk_349' });
    for (let tries = 0; tries < 20 && (await last.count()) === 0; tries += 1) {
      await list.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
      await page.waitForTimeout(200);
    }
    await last.waitFor();
    expect(await list.locator('li').count()).toBeLessThan(60);
    expect(faults).toEqual([]);
    await page.context().close();
    await own.stop();
    rmSync(wide, { recursive: true, force: true });
  });

  it('a value is found as it is spelt', () =>
    journey('#/values', async (page) => {
      await page.getByLabel('Search stored values').fill('kestrell');
      const row = page.getByRole('row').filter({ has: page.getByText('Kestrel', { exact: true }) });
      expect(await row.first().textContent()).toMatch(/\d+ % alike/);
      await row.first().getByRole('link').click();
      await page.getByRole('heading', { name: 'Columns' }).waitFor();
    }));

  it('the graph is walked with the keyboard', () =>
    journey('#/graph', async (page) => {
      await page.locator('main').getByRole('link', { name: 'orders', exact: true }).click();
      const nodes = page.locator('svg a.node');
      await nodes.nth(3).waitFor();
      const label = (await nodes.nth(1).locator('title').textContent()) ?? '';
      await nodes.nth(1).focus();
      await page.keyboard.press('Enter');
      await page.locator('svg a.node[aria-current] title', { hasText: label }).waitFor({ state: 'attached' });
      const drawn = await nodes.count();
      expect(await page.locator('.graph-list li').count()).toBe(drawn - 1);
      await page.getByRole('searchbox', { name: 'Around' }).fill('unicorns');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('alert').textContent()).toContain('nothing named unicorns');
    }));

  it.each(['1', '2'])('no two names of a picture of %s steps lie on each other', (steps) =>
    journey('#/graph/table%3Aorders', async (page) => {
      await page.getByLabel('Steps').selectOption(steps);
      await page
        .locator('svg[data-steps]')
        .and(page.locator(`[data-steps="${steps}"]`))
        .waitFor();
      expect(await page.locator('svg a.node').count()).toBeGreaterThan(30);
      const boxes = await page.locator('svg .node-label').evaluateAll((all) =>
        all.map((label) => {
          const { left, right, top, bottom } = label.getBoundingClientRect();
          return { name: label.textContent, left, right, top: top + 2, bottom: bottom - 2 };
        }),
      );
      const met = boxes.flatMap((one, at) =>
        boxes
          .slice(at + 1)
          .filter(
            (other) =>
              one.left < other.right &&
              other.left < one.right &&
              one.top < other.bottom &&
              other.top < one.bottom,
          )
          .map((other) => `${one.name} / ${other.name}`),
      );
      expect(met).toEqual([]);
    }),
  );

  it('an area is renamed, and tables leave it and come', () =>
    journey('#/areas', async (page) => {
      const area = page.getByRole('article', { name: 'Aftersales' });
      await area.getByRole('button', { name: 'Exclude dealers' }).click();
      await area.getByRole('button', { name: 'Take back dealers' }).waitFor();
      await area.getByLabel('Include a table').fill('leads');
      await area.getByRole('button', { name: 'Include' }).click();
      await area.getByRole('link', { name: 'leads' }).waitFor();
      await area.getByLabel('Include a table').fill('unicorns');
      await area.getByRole('button', { name: 'Include' }).click();
      expect(await area.getByRole('alert').textContent()).toContain('there is no table unicorns');
      await area.getByLabel('Name').fill('Workshop');
      await area.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('article', { name: 'Workshop' }).waitFor();
      const text = readFileSync(join(folder, 'knowledge', 'areas.yml'), 'utf8');
      expect(text).toMatch(
        /name: Workshop[\s\S]*include_tables: \[service_visits, leads\][\s\S]*exclude_tables: \[dealers\]/,
      );
    }));

  it('a cluster becomes an area', () =>
    journey('#/areas', async (page) => {
      const cluster = page.getByRole('article', { name: 'Cluster 1' });
      await cluster.getByText('Make an area').click();
      await cluster.getByLabel('accounts').uncheck();
      await cluster.getByLabel('Name').fill('Sales');
      await cluster.getByLabel('Id').fill('sales');
      await cluster.getByRole('button', { name: 'Create' }).click();
      const made = page.getByRole('article', { name: 'Sales', exact: true });
      await made.getByRole('link', { name: 'orders' }).waitFor();
      expect(await made.getByRole('link', { name: 'accounts' }).count()).toBe(0);
    }));

  it('nothing keeps anyone out, in light and in dark colours', async () => {
    for (const hash of ['#/catalog', '#/catalog/orders', '#/graph/table%3Aorders', '#/areas', '#/values'])
      await journey(hash, async (page) => {
        if (hash === '#/values') await page.getByLabel('Search stored values').fill('kestrel');
        await page.locator('main a').nth(2).waitFor();
        expect(await seriousFaultsOfColours(page), hash).toEqual([]);
      });
  });

  it('a phone is wide enough, and German is spoken', async () => {
    for (const hash of ['#/catalog', '#/catalog/orders', '#/graph/table%3Aorders', '#/areas', '#/values'])
      await journey(
        hash,
        async (page) => {
          if (hash === '#/values') await page.getByLabel('Gespeicherte Werte suchen').fill('kestrel');
          await page.locator('main a').nth(1).waitFor();
          const root = 'document.documentElement';
          expect(await page.evaluate(`${root}.scrollWidth > ${root}.clientWidth`), hash).toBe(false);
          expect(await page.locator('main').textContent()).toMatch(/Tabellen|Spalte|Kennzahlen|Bereich/);
        },
        { viewport: { width: 360, height: 740 }, locale: 'de-DE' },
      );
  });
});
