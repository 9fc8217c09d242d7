/** What a person sees of the words of a question, and of the kinds of questions that get no answer, in a real browser. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { type ModelServer, startModelServer } from '../models/model-server.ts';
import { openSql, say } from './chat-steps.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaults } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

// A browser and two servers beside other tests.
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

/** A model leaves out a word that asks for something, and one that does not. */
const WRITTEN = '{"query": "SELECT name, city FROM customers"}';
const QUESTION = 'show the name and the city of all customers who linger in Atlantis';

const folders: string[] = [];
let model: ModelServer;
let byModel: ServedProject;
/** Without a model, and never sure enough. */
let unsure: ServedProject;
let browser: Browser;

async function shopWith(config: string): Promise<ServedProject> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-words-'));
  folders.push(folder);
  makeShop(join(folder, 'shop.db'));
  const { code, stderr } = await runCandor(['onboard', 'sqlite:shop.db', '--quiet'], folder);
  if (code !== 0) throw new Error(`onboard: ${stderr}`);
  appendFileSync(join(folder, 'candor.yml'), `\n${config}\n`);
  return serveProject(folder);
}

/** A journey begins on a fresh page and must leave no error behind in it. */
async function journey(
  { url }: ServedProject,
  walk: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { page, faults } = await openPage(browser, url, options);
  page.setDefaultTimeout(PATIENCE_MS);
  await walk(page);
  expect(faults).toEqual([]);
  await page.context().close();
}

const wordOf = (exchange: Locator, text: string): Locator =>
  exchange.locator('.question-words .word', { hasText: text });

async function boxOf(place: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox();
  if (box === null) throw new Error('it is not in sight');
  return box;
}

describeInBrowser('words and refusals', () => {
  beforeAll(async () => {
    model = await startModelServer(({ body }) =>
      JSON.stringify(body).includes('write_query') ? '{"intent": "write_query", "because": "rows"}' : WRITTEN,
    );
    const settings = `model: { name: "openai:scripted", url: "${model.url}", key: "sk-very-secret-0123456789" }`;
    [byModel, unsure, browser] = await Promise.all([
      shopWith(settings),
      shopWith('minProbability: 0.9999'),
      openBrowser(),
    ]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all([byModel.stop(), unsure.stop()]);
    await model.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  describe('words of a question', () => {
    it('that ask for something and are left out stand out from those without weight', () =>
      journey(byModel, async (page) => {
        const exchange = await say(page, QUESTION);
        const [telling, idle] = [wordOf(exchange, 'Atlantis'), wordOf(exchange, 'linger')];
        const looks = await Promise.all(
          [telling, idle].map((word) =>
            word.evaluate((element) => {
              const style = element.ownerDocument.defaultView?.getComputedStyle(element);
              return `${style?.color} ${style?.textDecorationStyle} ${style?.fontWeight}`;
            }),
          ),
        );
        expect(looks[0]).toContain('wavy');
        expect(looks[1]).not.toContain('wavy');
        expect(looks[0]).not.toBe(looks[1]);
        expect(await wordOf(exchange, 'show').count()).toBe(0);
        expect(await exchange.locator('.unused li').allTextContents()).toEqual([
          expect.stringContaining('Atlantis: '),
        ]);
        await idle.hover();
        expect(await exchange.locator('.word-why:visible').textContent()).toMatch(/^Not needed: /);
        expect(await seriousFaults(page)).toEqual([]);
      }));

    it.each([1440, 390])('tell why beside the question, where the pointer may go, %d wide', (width) =>
      journey(
        byModel,
        async (page) => {
          const exchange = await say(page, QUESTION);
          const why = exchange.locator('.word-why:visible');
          await wordOf(exchange, 'city').hover();
          const from = await boxOf(wordOf(exchange, 'city'));
          const reason = await boxOf(why);
          for (const word of await exchange.locator('.question-words .word').all()) {
            const { y, height } = await boxOf(word);
            expect(y + height).toBeLessThanOrEqual(reason.y + 1);
          }
          expect(reason.x + reason.width).toBeLessThanOrEqual(width);
          // On the way there lie other words.
          const told = await why.textContent();
          await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
          await page.mouse.move(reason.x + 10, reason.y + reason.height / 2, { steps: 12 });
          await page.waitForTimeout(800);
          expect(await why.textContent()).toBe(told);
          // The focus is elsewhere: Escape puts it away all the same.
          await page.focus('#question');
          await page.keyboard.press('Escape');
          await why.waitFor({ state: 'hidden' });
          await wordOf(exchange, 'name').hover();
          await page.mouse.move(0, 0);
          await why.waitFor({ state: 'hidden' });
        },
        { viewport: { width, height: 900 } },
      ),
    );

    it('say so in German', () =>
      journey(
        byModel,
        async (page) => {
          await page.fill('#question', QUESTION);
          await page.keyboard.press('Enter');
          const exchange = page.locator('.exchange').first();
          await exchange.locator('.unused').waitFor();
          expect(await exchange.locator('.unused').textContent()).toContain(
            'Atlantis: nichts in der Abfrage heißt so',
          );
          const reasons = await exchange.locator('.word-why').allTextContents();
          for (const reason of reasons)
            expect(reason).not.toMatch(/\b(?:query|nothing|name in|the|stands|means)\b/);
          expect(reasons.length).toBeGreaterThan(3);
        },
        { locale: 'de-DE' },
      ));
  });

  describe('a question without an answer', () => {
    it.each([
      ['how many orders are there in Atlantis?', 'Not in this database'],
      ['how many zeppelins are there?', 'Not understood'],
      ['delete all customers', 'Read only'],
      ['why did the orders drop?', 'Cannot say why'],
      ['forecast orders for next year', 'No forecasts'],
      ['what do you think of the customers?', 'No opinions'],
      ['tell me a joke', 'Not a question about data'],
      ['wie viele Kunden haben wir in Deutschland?', 'Another language'],
      ['customers by next', 'Not understood'],
      ['how many customers are there?', 'Not sure enough'],
    ])('%s: %s', (question, badge) =>
      journey(unsure, async (page) => {
        const exchange = await say(page, question);
        expect(await exchange.locator('.badge').first().textContent()).toContain(badge);
      }),
    );

    it.each(['how many customers are there?', 'tell me a joke', 'how many zeppelins are there?'])(
      '%s: no button asks it again',
      (question) =>
        journey(unsure, async (page) => {
          const exchange = await say(page, question);
          const plain = (text: string): string => text.toLowerCase().replace(/\W+/g, ' ').trim();
          for (const chip of await exchange.locator('button.chip').all()) {
            const says = [await chip.textContent(), await chip.getAttribute('title')];
            expect(says.map((text) => plain(text ?? ''))).not.toContain(plain(question));
          }
          const readings = exchange.locator('.readings');
          if ((await readings.count()) > 0) {
            await readings.locator('summary').first().click();
            expect(await readings.locator('pre').first().textContent()).toContain('SELECT');
          }
        }),
    );
  });

  it('other readings are others than the one that was given, and no buttons that say nothing', () =>
    journey(byModel, async (page) => {
      const exchange = await say(page, QUESTION);
      const sql = await openSql(exchange);
      expect(await sql.textContent()).toContain('FROM customers');
      expect(await exchange.locator('.details button.chip').count()).toBe(0);
    }));
});
