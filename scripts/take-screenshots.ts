/** Pictures for the README, taken of the real page over a Motors database: `npx tsx scripts/take-screenshots.ts` after a build. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeMotorsProject } from '../test/e2e/cli/make-motors-project.ts';
import { openSql, say } from '../test/web/chat-steps.ts';
import { openBrowser, openPage } from '../test/web/open-browser.ts';
import { serveProject } from '../test/web/serve-process.ts';

const OUT = join(import.meta.dirname, '../docs/images');
const SIZE = { width: 1100, height: 820 };

mkdirSync(OUT, { recursive: true });
const folder = await makeMotorsProject('screenshots');
const [server, browser] = await Promise.all([serveProject(folder), openBrowser()]);

async function take(
  name: string,
  colorScheme: 'light' | 'dark',
  questions: readonly string[],
): Promise<void> {
  const { page } = await openPage(browser, `${server.url}/`, { viewport: SIZE, colorScheme });
  let last = page.locator('.exchange').last();
  for (const question of questions) last = await say(page, question);
  if (name === 'evidence') await openSql(last);
  else if (name === 'chart') await last.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.waitForTimeout(800);
  await last.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  await page.context().close();
}

await take('chart', 'light', ['how are sales doing?', 'orders per month in 2024']);
await take('evidence', 'light', ['How many campaigns did we start in 2023?']);
await take('refusal', 'dark', ['show net new leads', 'average customer satisfaction per dealer in 2024']);
await Promise.all([browser.close(), server.stop()]);
