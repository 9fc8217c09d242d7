/** What those who look after a project do: run its tests, see what the server is, read its routes. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaults } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

const SMOKE = `- id: orders-2024
  question: how many orders in 2024?
  tags: [smoke]
  expect: { kind: answered }
- id: no-profit
  question: what was our profit?
  tags: [smoke, limits]
  expect: { kind: answered }
- id: weather
  question: what was the weather in Lisbon?
  tags: [limits]
  expect: { kind: reject }
`;
/** Enough to be at work for a while. */
const MANY = Array.from(
  { length: 900 },
  (_, at) => `- id: many-${at}
  question: how many orders in ${1900 + (at % 100)}?
  hint: case ${at}
  tags: [many]
  expect: { kind: answered }
`,
).join('');
const GROUPS = `
server:
  groups:
    readers: { tables: [orders], showSql: false, runSql: false, questionsPerHour: 60 }
`;

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

/** Begins a run of the many cases, and waits until some are done. */
async function runMany(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'many', exact: true }).check();
  await page.getByText('900 cases').waitFor();
  await page.getByRole('button', { name: 'Run tests' }).click();
  await page.getByText(/^\d+ of 900 asked, all as expected$/).waitFor();
}

describeInBrowser('looking after a project', () => {
  beforeAll(async () => {
    folder = await makeMotorsProject('web-desk');
    mkdirSync(join(folder, 'tests'));
    writeFileSync(join(folder, 'tests', 'many.yml'), MANY);
    writeFileSync(join(folder, 'tests', 'smoke.yml'), SMOKE);
    [server, browser] = await Promise.all([serveProject(folder), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('tests with a tag are run, and one that fails says why', () =>
    journey('', async (page) => {
      await page.getByRole('link', { name: 'Tests' }).click();
      await page.getByText('903 cases').waitFor();
      await page.getByRole('checkbox', { name: 'smoke' }).check();
      await page.getByText('2 cases').waitFor();
      await page.getByRole('button', { name: 'Run tests' }).click();
      const report = page.getByRole('region', { name: 'Report' });
      await report.getByText('1 of 2 cases did not come out as expected').waitFor();
      const failed = report.getByRole('article', { name: 'no-profit' });
      expect(await failed.textContent()).toContain('Expected: an answer. Came: a refusal.');
      expect(await failed.locator('.problem').first().textContent()).toMatch(/\S/);
      const record = await failed.getByRole('link', { name: 'Record' }).getAttribute('href');
      expect(record).toMatch(/^#\/runs\/\d{8}-/);
      expect(await report.getByRole('article').count()).toBe(1);
      await report.getByLabel('Show').selectOption('all cases');
      await report.getByRole('article', { name: 'orders-2024' }).getByText('SQL', { exact: true }).click();
      expect(await report.locator('.sql-plain').textContent()).toMatch(/SELECT COUNT/);
    }));

  it('words choose cases, and what is nowhere is told', () =>
    journey('#/tests', async (page) => {
      await page.getByLabel('Words of an id or a question').fill('lisbon');
      await page.getByText('1 case', { exact: true }).waitFor();
      await page.getByText('what was the weather in Lisbon?').waitFor();
      await page.getByLabel('Words of an id or a question').fill('unicorns');
      await page.getByText('No case is like this.').waitFor();
      await page.getByRole('button', { name: 'Run tests' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('None of the 903 cases is selected');
    }));

  it('a run goes on over a reload, and is cancelled', () =>
    journey('#/tests', async (page) => {
      await runMany(page);
      await page.reload();
      await page.getByText(/^\d+ of 900 asked/).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      const report = page.getByRole('region', { name: 'Report' });
      await report.getByText('It was cancelled; what was asked until then is here.').waitFor();
      expect(await report.textContent()).toMatch(/\d+ passed, \d+ not asked/);
      await page.reload();
      await report.getByText('It was cancelled').waitFor();
    }));

  it('settings say what is in use, and change the language', () =>
    journey('#/settings', async (page) => {
      await page.getByText('the built-in engine, without a model').waitFor();
      await page.getByText('Database and state can be read').waitFor();
      const facts = (await page.locator('main').textContent()) ?? '';
      for (const told of ['SQLite', 'motors', folder, 'pinned to 2024-12-31', 'as many as you like'])
        expect(facts).toContain(told);
      const config = await page.locator('pre').first().textContent();
      expect(JSON.parse(config ?? '')).toEqual({
        mcpServers: { candor: { type: 'http', url: `${server.url}/mcp` } },
      });
      await page.getByLabel('Client').selectOption('VS Code');
      await page.getByText('"servers"').waitFor();
      await page.locator('main').getByLabel('Language').selectOption('Deutsch');
      await page.getByRole('heading', { name: 'Verbinden' }).waitFor();
      await page.locator('main').getByLabel('Farben').selectOption('dunkel');
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    }));

  it('/docs leads to the routes, and one opens with its schema', () =>
    journey('docs', async (page) => {
      await page.getByText(/^\d\d routes$/).waitFor();
      expect(page.url()).toBe(`${server.url}/#/api`);
      await page.getByLabel('Find a route').fill('tests runs');
      await page.getByText('1 route', { exact: true }).waitFor();
      const route = page.locator('details.route');
      await route.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      await route.getByText('Part of an id or a question.').waitFor();
      expect(await route.locator('pre').textContent()).toContain(`'${server.url}/v1/tests/runs'`);
      await page.goto(`${server.url}/#/api/${encodeURIComponent('get /v1/records/{id}')}`);
      await page.reload();
      const record = page.locator('details.route[open]');
      await record.getByText('in the path · required').waitFor();
      await record.locator('.schema summary', { hasText: 'stages' }).first().click();
      await record.locator('li', { hasText: 'each' }).first().waitFor();
    }));

  it('people without the right are told, and see no place of the machine', async () => {
    const shared = await makeMotorsProject('web-desk-people');
    mkdirSync(join(shared, 'tests'));
    writeFileSync(join(shared, 'tests', 'smoke.yml'), SMOKE);
    appendFileSync(join(shared, 'candor.yml'), GROUPS);
    const key = (await runCandor(['users', 'add', 'rita', '--group', 'readers'], shared)).stdout.trim();
    const own = await serveProject(shared, { options: ['--sign-in'] });
    const { page, faults } = await openPage(browser, `${own.url}/docs`);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^\d\d routes$/).waitFor();
    await page.goto(`${own.url}/#/tests`);
    expect(await page.getByRole('alert').textContent()).toContain(
      'Tests are for people who may change knowledge, see SQL and see every table.',
    );
    await page.goto(`${own.url}/#/settings`);
    await page.getByText('60 of 60 left in this hour').waitFor();
    await page.getByText('see SQL: no').waitFor();
    const facts = (await page.locator('main').textContent()) ?? '';
    expect(facts).toContain('Bearer YOUR_KEY');
    expect(facts).not.toContain(shared);
    expect(facts).not.toContain(key);
    expect(faults).toEqual([]);
    await page.context().close();
    await own.stop();
    rmSync(shared, { recursive: true, force: true });
  });

  it('nothing keeps anyone out, in dark colours on a phone, in German', async () => {
    for (const hash of ['#/tests', '#/settings', `#/api/${encodeURIComponent('post /v1/ask')}`])
      await journey(
        hash,
        async (page) => {
          if (hash === '#/tests') {
            await page.getByRole('checkbox', { name: 'limits' }).check();
            await page.getByRole('button', { name: 'Tests starten' }).click();
            await page.getByRole('article', { name: 'no-profit' }).waitFor();
          } else await page.locator('main pre').first().waitFor();
          const root = 'document.documentElement';
          expect(await page.evaluate(`${root}.scrollWidth > ${root}.clientWidth`), hash).toBe(false);
          expect(
            await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(
              document.querySelector('main'))`),
            hash,
          ).toBe(false);
          expect(await page.locator('main').textContent()).toMatch(/Fälle|Verbinden|Beispiel/);
          expect(await seriousFaults(page), hash).toEqual([]);
        },
        { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'de-DE' },
      );
  });
});
