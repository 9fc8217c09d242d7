/** Files of a project read and changed in the browser, and what was answered looked at again. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { cellsOf, say } from './chat-steps.ts';
import { describeInBrowser, openBrowser, openPage, PATIENCE_MS } from './open-browser.ts';
import { seriousFaults, seriousFaultsOfColours } from './serious-faults.ts';
import { type ServedProject, serveProject } from './serve-process.ts';

// A browser and a server beside other tests.
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });

const MODEL = 'semantics/motors.yml';
const JARGON = '# Jargon\n\n- A demo is a test drive.\n';
const GROUPS = `
server:
  groups:
    readers: {}
    few: { tables: [orders] }
`;

let folder: string;
let server: ServedProject;
let browser: Browser;

/** What a model of elsewhere was told, as a record says it. */
const MODEL_USE = {
  ...{ id: 'far:one', host: 'models.example', mode: 'careful', calls: 1, cost: 0.0123 },
  ...{ promptTokens: 1200, completionTokens: 80, story: ['wrote one query'] },
  sent: [
    {
      ...{ role: 'write', model: 'far:one', host: 'models.example', outcome: 'replied' },
      ...{ promptTokens: 1200, completionTokens: 80, tables: ['orders'] },
      blocks: [{ name: 'schema', characters: 3400, mayHoldValues: true }],
    },
  ],
};
const PAGES = ['#/knowledge', '#/knowledge/semantics/motors.yml', '#/runs', '#/runs/'];

const onDisk = (place: string): string => readFileSync(join(folder, place), 'utf8');

/** A journey begins on a fresh page and must leave no error behind in it. */
async function journey(
  hash: string,
  walk: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  const { page, faults } = await openPage(browser, `${server.url}/${hash}`, options);
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('dialog', (dialog) => void dialog.accept());
  await walk(page);
  expect(faults).toEqual([]);
  await page.context().close();
}

/** Pastes a text in the place of what stands in the editor. */
async function retype(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+V');
}

/** The line that says how things stand. */
const status = (page: Page): Locator => page.getByRole('status');
const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();

/** Asks over HTTP; the record of the answer. */
async function recordOf(question: string): Promise<string> {
  const { recordId } = (await call('POST', '/v1/ask', { question })) as { recordId: string };
  return recordId;
}

async function call(method: string, path: string, body?: unknown, headers = {}): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

describeInBrowser('files', () => {
  beforeAll(async () => {
    folder = await makeMotorsProject('web-files');
    [server, browser] = await Promise.all([serveProject(folder), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a figure gets another word, and the next question knows it', () =>
    journey('', async (page) => {
      await page.getByRole('link', { name: 'Knowledge' }).click();
      await page.getByRole('link', { name: 'motors.yml' }).click();
      await status(page).getByText('Nothing is wrong with this text.').waitFor();
      const before = onDisk(MODEL);
      const broken = before.replace('COUNT(DISTINCT leads.account_id)', 'COUNT(DISTINCT leads.acount_id)');
      await retype(page, broken);
      await status(page).getByText('Not saved yet. 1 problem.').waitFor();
      const line = broken.slice(0, broken.indexOf('acount_id')).split('\n').length;
      await page.getByRole('button', { name: `line ${line}, column` }).click();
      await page.locator('.cm-content:focus').waitFor();
      await page.locator('.problem-word-error', { hasText: 'acount_id' }).waitFor();
      await save(page);
      await status(page).getByText('Nothing is saved').waitFor();
      expect(onDisk(MODEL)).toBe(before);
      const text = before.replace('synonyms: [turnover,', 'synonyms: [takings, turnover,');
      await retype(page, text);
      await status(page).getByText('Nothing is wrong with this text.').waitFor();
      await page.keyboard.press('ControlOrMeta+S');
      await status(page)
        .getByText(/^Saved\./)
        .waitFor();
      expect(onDisk(MODEL)).toBe(text);
      await page.getByRole('link', { name: 'New chat' }).click();
      expect(await cellsOf(await say(page, 'show takings in 2024'))).toHaveLength(1);
    }));

  it('a broken file is not taken from the disk, and says where it is broken', () =>
    journey('#/knowledge', async (page) => {
      const form = page.getByRole('form', { name: 'Upload' });
      const give = async (name: string, text: string | Buffer): Promise<void> => {
        const buffer = Buffer.from(text);
        await form.getByLabel('File').setInputFiles({ name, mimeType: 'text/plain', buffer });
        await form.getByRole('button', { name: 'Upload' }).click();
      };
      await give('more.yml', 'semantic_model:\n  - name: more\n    datasts: []\n');
      const alert = form.getByRole('alert');
      expect(await alert.textContent()).toMatch(
        /semantics\/more.yml is not saved.*line 3, column 5.*datasets/,
      );
      expect(existsSync(join(folder, 'semantics', 'more.yml'))).toBe(false);
      await form.getByLabel('Folder').selectOption('knowledge');
      await give('latin.md', Buffer.from([0x4d, 0xfc, 0x6c, 0x6c]));
      await alert.getByText('not text in UTF-8').waitFor();
      await give('jargon.md', JARGON);
      await alert.getByText('knowledge/jargon.md is there already').waitFor();
      await alert.getByRole('button', { name: 'Replace it' }).click();
      await page.getByRole('heading', { name: 'knowledge/jargon.md' }).waitFor();
      expect(onDisk('knowledge/jargon.md')).toBe(JARGON);
    }));

  it('of two who change a file none loses anything unasked', () =>
    journey('#/knowledge/knowledge/time.md', async (page) => {
      const place = join(folder, 'knowledge/time.md');
      await page.locator('.cm-content').waitFor();
      await retype(page, 'Mine.');
      writeFileSync(place, 'Theirs.\n');
      await save(page);
      const alert = page.getByRole('alert');
      await alert.getByText('Somebody else changed this file meanwhile.').waitFor();
      expect(onDisk('knowledge/time.md')).toBe('Theirs.\n');
      await alert.getByText('Show the newer text').click();
      await alert.getByText('Theirs.').waitFor();
      await alert.getByRole('button', { name: 'Save mine instead' }).click();
      await status(page)
        .getByText(/^Saved\./)
        .waitFor();
      expect(onDisk('knowledge/time.md')).toBe('Mine.');
      await retype(page, 'Mine again.');
      writeFileSync(place, 'Theirs again.\n');
      await save(page);
      await alert.getByRole('button', { name: 'Take the newer text' }).click();
      await page.locator('.cm-content', { hasText: 'Theirs again.' }).waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    }));

  it('what was typed outlives a look at another page; a file is begun, saved and deleted', () =>
    journey('#/knowledge', async (page) => {
      const form = page.getByRole('form', { name: 'New file' });
      await form.getByLabel('Name').fill('words.txt');
      await form.getByRole('button', { name: 'New file' }).click();
      await form.getByRole('alert').getByText('would not be read').waitFor();
      await form.getByLabel('Name').fill('words.md');
      await form.getByRole('button', { name: 'New file' }).click();
      await status(page).getByText('This file is there once it is saved.').waitFor();
      await retype(page, '- A runabout is a small car.');
      await page.getByRole('link', { name: 'Catalog' }).click();
      await page.getByLabel('Search tables').waitFor();
      await page.getByRole('link', { name: 'Knowledge' }).click();
      const line = page.getByRole('listitem').filter({ hasText: 'words.md' });
      await line.getByText('not saved').waitFor();
      await line.getByRole('link').click();
      await page.locator('.cm-content', { hasText: 'runabout' }).waitFor();
      await save(page);
      await status(page)
        .getByText(/^Saved\./)
        .waitFor();
      expect(onDisk('knowledge/words.md')).toBe('- A runabout is a small car.');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByLabel('Find by name').fill('words');
      await page.getByText('No file has this name.').first().waitFor();
      expect(await page.getByRole('link', { name: 'words.md' }).count()).toBe(0);
      expect(existsSync(join(folder, 'knowledge', 'words.md'))).toBe(false);
    }));

  it('who may not change knowledge reads it; who sees some tables alone is told so', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'candor-web-readers-'));
    cpSync(folder, copy, { recursive: true });
    appendFileSync(join(copy, 'candor.yml'), GROUPS);
    writeFileSync(join(copy, 'knowledge', 'own.md'), '- Short, please. <!-- candor: {user: zoe} -->\n');
    const keys = [];
    for (const group of ['readers', 'few'])
      keys.push((await runCandor(['users', 'add', group, '--group', group], copy)).stdout.trim());
    const own = await serveProject(copy, { options: ['--sign-in'] });
    const openAs = async (key: string | undefined, hash: string) => {
      const { page, faults } = await openPage(browser, `${own.url}/${hash}`);
      page.setDefaultTimeout(PATIENCE_MS);
      await page.getByLabel('Your key').fill(key ?? '');
      await page.getByRole('button', { name: 'Sign in' }).click();
      return { page, faults };
    };
    const reader = await openAs(keys[0], '#/knowledge');
    await reader.page.getByRole('link', { name: 'motors.yml' }).waitFor();
    expect(await reader.page.getByRole('button', { name: /New file|Upload/ }).count()).toBe(0);
    await reader.page.getByRole('link', { name: 'definitions.md' }).click();
    await reader.page.getByText('You may read this file, and not change it.').waitFor();
    const text = reader.page.locator('.cm-content');
    expect(await text.getAttribute('contenteditable')).toBe('false');
    expect(await reader.page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0);
    await reader.page.getByRole('link', { name: 'All files' }).click();
    await reader.page.getByRole('link', { name: 'own.md' }).click();
    await reader.page.getByRole('alert').getByText('it holds notes of others').waitFor();
    const few = await openAs(keys[1], '#/knowledge');
    await few.page.getByRole('alert').getByText('may not').waitFor();
    for (const { page, faults } of [reader, few]) {
      expect(faults).toEqual([]);
      await page.context().close();
    }
    await own.stop();
    rmSync(copy, { recursive: true, force: true });
  });

  it('an answer is traced to its stages, checks and cost, and comes out the same again', () =>
    journey('', async (page) => {
      await say(page, 'show revenue in 2023');
      await page.getByRole('link', { name: 'Runs' }).click();
      await page.getByLabel('Outcome').selectOption('answered');
      await page.locator('main').getByRole('link', { name: 'show revenue in 2023' }).click();
      await page.getByRole('heading', { name: 'show revenue in 2023', level: 2 }).waitFor();
      expect(await page.locator('.totals').textContent()).toMatch(
        /Time[\d.,]+ m?s.*no model was asked.*1 row/,
      );
      await page.locator('.run-sql', { hasText: 'SUM(' }).waitFor();
      const stages = await page.getByRole('list', { name: 'Stages' }).getByRole('listitem').allTextContents();
      expect(stages.some((stage) => /^Running it[\d.,]+ m?s$/.test(stage))).toBe(true);
      expect(await page.locator('.checks .passed').count()).toBeGreaterThan(2);
      await page.getByText('Nothing left the machine.').waitFor();
      await page.getByRole('button', { name: 'Replay' }).click();
      await status(page).getByText('The same came out.').waitFor();
    }));

  it('what has changed since is told, and what a model was told', async () => {
    const id = await recordOf('show revenue in 2022');
    const kept = JSON.parse(onDisk(`.candor/records/${id}.json`));
    const withModel = { ...kept, id: `${id}-model`, model: MODEL_USE };
    writeFileSync(join(folder, `.candor/records/${id}-model.json`), JSON.stringify(withModel));
    const { text, etag } = (await call('GET', `/v1/files/${MODEL}`)) as { text: string; etag: string };
    const changed = text.replace('"SUM(orders.amount)"', '"SUM(orders.amount) * 2"');
    await call('PUT', `/v1/files/${MODEL}`, { text: changed }, { 'if-match': etag });
    await journey(`#/runs/${id}-model`, async (page) => {
      expect(await page.locator('.totals').textContent()).toMatch(/\$0\.0123.*1,200 read, 80 written/);
      const calls = await page.getByRole('list', { name: 'Calls of the model' }).textContent();
      expect(calls).toMatch(
        /far:one at models.example.*schema, 3,400 characters may hold stored values.*orders/,
      );
      await page.getByRole('button', { name: 'Replay' }).click();
      await status(page).getByText('It came out differently:').waitFor();
      await status(page).getByText('The semantic model has changed since.').waitFor();
      await status(page).getByText('The SQL differs.').waitFor();
    });
  });

  it('of many answers the earlier ones are fetched, and an outcome that never came is told', async () => {
    const id = await recordOf('show revenue in 2021');
    const kept = JSON.parse(onDisk(`.candor/records/${id}.json`));
    for (let at = 0; at < 60; at += 1) {
      const early = `20200101-000000000-${String(at).padStart(8, '0')}`;
      const text = JSON.stringify({ ...kept, id: early, question: `early ${at}` });
      writeFileSync(join(folder, `.candor/records/${early}.json`), text);
    }
    await journey('#/runs', async (page) => {
      const lines = page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
      await lines.nth(49).waitFor();
      expect(await lines.count()).toBe(50);
      await page.getByRole('button', { name: 'Earlier ones' }).click();
      await page.getByRole('link', { name: 'early 0', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Earlier ones' }).count()).toBe(0);
      await page.getByLabel('Outcome').selectOption('clarify');
      await status(page).getByText('Nothing like this').waitFor();
    });
  });

  it('nothing keeps anyone out, in light and in dark colours', async () => {
    const id = await recordOf('show revenue in 2023');
    for (const hash of PAGES)
      await journey(hash === '#/runs/' ? `${hash}${id}` : hash, async (page) => {
        if (hash.endsWith('.yml')) {
          await retype(page, 'semantic_model:\n  - nane: more\n');
          await page.locator('.problem-word-error').first().waitFor();
        } else await page.locator('main .badge, main .table-line').first().waitFor();
        expect(await seriousFaultsOfColours(page), hash).toEqual([]);
      });
  });

  it('a phone is wide enough, and German is spoken', async () => {
    const id = await recordOf('show revenue in 2023');
    for (const hash of PAGES)
      await journey(
        hash === '#/runs/' ? `${hash}${id}` : hash,
        async (page) => {
          await page.locator('main .badge, main .table-line, main .cm-line').first().waitFor();
          const root = 'document.documentElement';
          expect(await page.evaluate(`${root}.scrollWidth > ${root}.clientWidth`), hash).toBe(false);
          expect(await page.locator('main').textContent()).toMatch(/Ordner|Alle Dateien|Ergebnis|Alle Läufe/);
          expect(await seriousFaults(page), hash).toEqual([]);
        },
        { viewport: { width: 360, height: 740 }, locale: 'de-DE' },
      );
  });
});
