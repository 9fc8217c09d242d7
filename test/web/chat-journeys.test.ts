/** What a person does in the chat, in a real browser on a real server over the Motors database. */
import { readFileSync, rmSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { cellsOf, openSql, say, settled } from './chat-steps.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

/** Runs in the page: keeps every line that the progress of the work shows. */
const WATCH_STAGES = `
  window.told = [];
  new MutationObserver(() => {
    const text = document.querySelector('.progress [role=status]')?.textContent;
    if (text && window.told.at(-1) !== text) window.told.push(text);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
`;

// A browser and two servers beside other tests.
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

let folder: string;
let server: ServedProject;
let browser: Browser;

/** A journey begins on a fresh page and must leave no error behind in it. */
async function journey(walk: (page: Page) => Promise<void>, options: BrowserContextOptions = {}, path = '/') {
  const { page, faults } = await openPage(browser, `${server.url}${path}`, options);
  page.setDefaultTimeout(PATIENCE_MS);
  await walk(page);
  expect(faults).toEqual([]);
  await page.context().close();
}

describeInBrowser('in the chat', () => {
  beforeAll(async () => {
    folder = await makeMotorsProject('web');
    [server, browser] = await Promise.all([serveProject(folder), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a first question is answered with rows', () =>
    journey(async (page) => {
      const exchange = await say(page, 'orders per month in 2024');
      expect(await exchange.getByRole('heading', { level: 3 }).textContent()).toContain('orders');
      const rows = await cellsOf(exchange);
      expect(rows).toHaveLength(12);
      expect(rows[0]?.[0]).toBe('2024-01');
      expect(await exchange.locator('.said').textContent()).toContain('orders per month in 2024');
    }));

  it('a suggested question is one press away', () =>
    journey(async (page) => {
      const first = page.locator('.welcome .chip').first();
      const question = (await first.textContent()) ?? '';
      await first.click();
      const answered = await settled(page, 0);
      expect(await answered.locator('.said').textContent()).toContain(question);
      expect((await cellsOf(answered)).length).toBeGreaterThan(0);
    }));

  it('the stages are told while it works', () =>
    journey(async (page) => {
      await page.evaluate(WATCH_STAGES);
      await say(page, 'revenue per month in 2023');
      const told = await page.evaluate<string[]>('window.told');
      expect(told.length).toBeGreaterThan(1);
    }));

  it('a question back is answered by its option', () =>
    journey(async (page) => {
      const asked = await say(page, 'how are sales doing?');
      expect(await asked.getByRole('heading').textContent()).toContain('Which sales figure');
      await asked.locator('.card').getByRole('button', { name: 'revenue' }).click();
      const answered = await settled(page, 1);
      expect(await answered.getByRole('heading', { level: 3 }).textContent()).toContain('revenue');
    }));

  it('what is missing is asked for', () =>
    journey(async (page) => {
      const asked = await say(page, 'show net new leads');
      expect(await asked.locator('.badge').first().textContent()).toContain('One thing is missing');
      await asked.locator('.card').getByRole('button', { name: 'for each series' }).click();
      expect((await cellsOf(await settled(page, 1))).length).toBeGreaterThan(1);
    }));

  it('what is not there is refused, with the nearest', () =>
    journey(async (page) => {
      const refused = await say(page, 'average customer satisfaction per dealer in 2024');
      expect(await refused.getByRole('article').textContent()).toContain('satisfaction');
      expect(await refused.getByRole('button', { name: 'won leads' }).count()).toBeGreaterThan(0);
      expect(await refused.locator('table').count()).toBe(0);
    }));

  it('an assumption is taken otherwise', () =>
    journey(async (page) => {
      const first = await say(page, 'show revenue');
      const [before] = await cellsOf(first);
      const choice = first.getByLabel(/No period was named/);
      const effects = first.locator('.assumptions .effects');
      expect(await effects.first().textContent()).toMatch(/all periods: [\d,.]+ instead of [\d,.]+, \+\d+/);
      const other = await choice.locator('option').nth(1).getAttribute('value');
      await choice.selectOption(other);
      const [after] = await cellsOf(await settled(page, 1));
      expect(after).not.toEqual(before);
    }));

  it('every doubtful part of the SQL is marked and says why', () =>
    journey(async (page) => {
      // No figure of the semantic model: what the engine reads by itself is where it may be wrong.
      const exchange = await say(page, 'How many campaigns did we start in 2023?');
      await openSql(exchange);
      const marks = exchange.locator('.cm-content .heat');
      expect(await marks.count()).toBeGreaterThan(0);
      await marks.first().hover();
      const why = page.locator('.sql-why');
      await why.waitFor();
      expect(await why.locator('li').first().textContent()).toMatch(/\d+ % likely wrong/);
      expect(await exchange.locator('.evidence li').count()).toBeGreaterThan(1);
      expect(await exchange.locator('.checks li').allTextContents()).toContain('✓ it ran (1 row)');
    }));

  it('every word of the question says where in the SQL it went', () =>
    journey(async (page) => {
      const exchange = await say(page, 'orders per month in 2024');
      const words = exchange.locator('.question-words .word');
      expect(await words.allTextContents()).toEqual(['orders', 'per', 'month', '2024']);
      expect(await exchange.locator('.question-words').innerText()).toContain('orders per month in 2024');
      const why = exchange.locator('.word-why:visible');
      expect(await why.count()).toBe(0);
      await openSql(exchange);
      const year = words.filter({ hasText: '2024' });
      const lit = exchange.locator('.cm-content .lit');
      // By the pointer, and by the keyboard alone.
      await year.hover();
      expect(await why.textContent()).toContain("In the query: the period '2024-01-01'");
      expect(await lit.allTextContents()).toEqual(["'2024-01-01'", "'2025-01-01'"]);
      await page.mouse.move(0, 0);
      await lit.first().waitFor({ state: 'detached' });
      await words.filter({ hasText: 'month' }).focus();
      await page.keyboard.press('Tab');
      expect(await lit.allTextContents()).toEqual(["'2024-01-01'", "'2025-01-01'"]);
      await page.keyboard.press('Escape');
      await why.waitFor({ state: 'hidden' });
    }));

  it('SQL is edited and run', () =>
    journey(async (page) => {
      const exchange = await say(page, 'how many dealers are there?');
      await openSql(exchange);
      await exchange.getByRole('button', { name: 'Edit' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('SELECT dealer_id FROM dealers ORDER BY dealer_id LIMIT 3');
      await page.keyboard.press('Control+Enter');
      await exchange.getByRole('columnheader', { name: 'dealer_id' }).waitFor();
      expect(await cellsOf(exchange)).toHaveLength(3);
    }));

  it('SQL that fails is mended', () =>
    journey(async (page) => {
      const exchange = await say(page, 'how many dealers are there?');
      await openSql(exchange);
      await exchange.getByRole('button', { name: 'Edit' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('SELECT dealer_nmae FROM dealers');
      await exchange.getByRole('button', { name: 'Run' }).click();
      await exchange.getByRole('alert').waitFor();
      await exchange.getByRole('button', { name: 'Fix' }).click();
      const mended = await settled(page, 1);
      expect(await mended.locator('ins').first().textContent()).toContain('dealer_name');
      await mended.getByRole('button', { name: 'Edit' }).click();
      await mended.getByRole('button', { name: 'Run' }).click();
      expect((await cellsOf(mended)).length).toBeGreaterThan(1);
    }));

  it('writing SQL is refused', () =>
    journey(async (page) => {
      const exchange = await say(page, 'how many dealers are there?');
      await openSql(exchange);
      await exchange.getByRole('button', { name: 'Edit' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('DELETE FROM dealers');
      await page.keyboard.press('Control+Enter');
      expect(await exchange.getByRole('alert').textContent()).toMatch(/read|DELETE/i);
    }));

  it('rows are drawn, and otherwise', () =>
    journey(async (page) => {
      const exchange = await say(page, 'orders per month in 2024');
      await exchange.getByRole('button', { name: 'Chart', exact: true }).click();
      await exchange.locator('.plot svg').first().waitFor();
      expect(await exchange.locator('.plot').getAttribute('data-kind')).toBe('line');
      await exchange.getByLabel('Kind of chart').selectOption('bar');
      await exchange.locator('.plot[data-kind=bar] svg rect').first().waitFor();
    }));

  it('rows are sorted by any column', () =>
    journey(async (page) => {
      const exchange = await say(page, 'orders per month in 2024');
      const figures = async () => (await cellsOf(exchange)).map(([, figure]) => Number(figure));
      const head = exchange.getByRole('columnheader').nth(1);
      await head.getByRole('button').click();
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      expect(await figures()).toEqual((await figures()).toSorted((one, other) => one - other));
      await head.getByRole('button').click();
      expect(await figures()).toEqual((await figures()).toSorted((one, other) => other - one));
    }));

  it('rows are taken away as files', () =>
    journey(async (page) => {
      const exchange = await say(page, 'orders per month in 2024');
      const fetched = async (format: string) => {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          exchange.getByRole('button', { name: `Download ${format}` }).click(),
        ]);
        return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
      };
      const csv = await fetched('CSV');
      expect(csv.name).toBe('orders-2024-by-month.csv');
      expect(csv.bytes.toString('utf8').split('\r\n')).toHaveLength(14);
      const xlsx = await fetched('XLSX');
      expect(xlsx.bytes.subarray(0, 2).toString()).toBe('PK');
    }));

  it('an answer is called wrong, with the reason', () =>
    journey(async (page) => {
      const exchange = await say(page, 'orders per month in 2024');
      await exchange.getByRole('button', { name: 'Wrong' }).click();
      await exchange.getByLabel('What is wrong with it?').fill('cancelled ones count too');
      await exchange.getByRole('button', { name: 'Send' }).click();
      await exchange.getByText('Thank you.').waitFor();
      const kept = await (await fetch(`${server.url}/v1/feedback`)).json();
      expect(JSON.stringify(kept)).toContain('cancelled ones count too');
    }));

  it('a conversation is found again, and its rows are fetched anew', () =>
    journey(async (page) => {
      await say(page, 'orders per region in 2024');
      const address = page.url();
      await page.goto('about:blank');
      await page.goto(address);
      const exchange = page.locator('.exchange').first();
      await exchange.getByText('Rows are not kept.').waitFor();
      await exchange.getByRole('button', { name: 'Show the rows now' }).click();
      expect((await cellsOf(exchange)).length).toBeGreaterThan(1);
      await page.getByLabel('Search chats').fill('region');
      expect(await page.locator('.chat-list a').count()).toBe(1);
    }));

  it('a conversation is deleted', () =>
    journey(async (page) => {
      await say(page, 'how many brands are there?');
      page.on('dialog', (dialog) => void dialog.accept());
      await page.getByRole('button', { name: 'Delete “how many brands are there?”' }).click();
      await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
      await page.getByRole('link', { name: 'how many brands are there?' }).waitFor({ state: 'detached' });
    }));

  it('the tables are chosen first', () =>
    journey(async (page) => {
      await page.getByLabel('Show me the tables first').check();
      const choice = await say(page, 'orders per month in 2024');
      expect(await choice.getByRole('checkbox', { name: 'orders' }).isChecked()).toBe(true);
      await choice.getByRole('button', { name: 'Use these tables' }).click();
      expect(await cellsOf(await settled(page, 1))).toHaveLength(12);
    }));

  it('tables are found', () =>
    journey(async (page) => {
      const found = await say(page, 'which tables hold test drives?');
      expect(await found.locator('.table-card strong').first().textContent()).toBe('test_drives');
      await found.locator('summary', { hasText: 'Columns' }).first().click();
      expect(await found.locator('.columns code').count()).toBeGreaterThan(3);
    }));

  it('a follow-up goes on from the question before', () =>
    journey(async (page) => {
      await say(page, 'orders per month in 2024');
      const next = await say(page, 'only 2023');
      expect((await cellsOf(next))[0]?.[0]).toBe('2023-01');
    }));

  it('a quick reply is said with a press', () =>
    journey(async (page) => {
      const exchange = await say(page, 'orders per month in 2024');
      await exchange.getByRole('button', { name: 'Explain this query' }).click();
      expect(await (await settled(page, 1)).locator('.card-text').textContent()).toContain('orders');
    }));

  it('the keyboard does it all', () =>
    journey(async (page) => {
      await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('send', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.keyboard.type('how many dealers are there?');
      await page.keyboard.press('Enter');
      await settled(page, 0);
      await page.keyboard.press('ArrowUp');
      expect(await page.inputValue('#question')).toBe('how many dealers are there?');
    }));

  it('a phone is wide enough', () =>
    journey(
      async (page) => {
        await say(page, 'orders per month in 2024');
        const root = 'document.documentElement';
        const isWider = await page.evaluate(`${root}.scrollWidth > ${root}.clientWidth`);
        expect(isWider).toBe(false);
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'New chat' }).click();
        await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
      },
      { viewport: { width: 360, height: 740 } },
    ));

  it('German and dark colours stay', () =>
    journey(
      async (page) => {
        await page.getByRole('heading', { name: 'Was möchten Sie wissen?' }).waitFor();
        await page.getByLabel('Farben').selectOption('dark');
        await page.reload();
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
          'rgb(16, 22, 20)',
        );
        await page.getByLabel('Sprache').selectOption('en');
        await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
      },
      { locale: 'de-DE' },
    ));
});
