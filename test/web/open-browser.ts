import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';

/** What a page may take on a machine that does much else. */
export const PATIENCE_MS = 45_000;

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** A browser of a test asks nobody for updates, and needs no sandbox of its own in a container. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's Chromium, or Chrome where that is what the machine has. */
export function findBrowser(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

/** A suite that needs a browser: skipped where there is none, failed where CI says that there must be one. */
export function describeInBrowser(name: string, suite: () => void): void {
  const isRequired = process.env.CANDOR_TEST_SERVERS === 'required';
  const run = findBrowser() === undefined && !isRequired ? describe.skip : describe;
  run(name, suite);
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('There is no Chromium: see scripts/install-servers.sh.');
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A page of a person who was never here; what goes wrong in it is collected in `faults`. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    locale: 'en',
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (line) => {
    // What the server refuses is shown to the person; a policy that is broken is a fault of the page.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      faults.push(line.text());
  });
  await page.goto(url);
  return { page, faults };
}
