import axe from 'axe-core';
import type { Page } from 'playwright-core';

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
/** What colours can break; nothing else of a page changes with them. */
const RULES_OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** What axe calls serious or critical, by WCAG 2 A and AA. */
export async function seriousFaults(
  page: Page,
  runOnly: readonly string[] | typeof RULES_OF_COLOURS = ALL_RULES,
): Promise<readonly string[]> {
  // The policy of the page lets no script in: the check is put there by the browser.
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(axe.source);
  const found = await page.evaluate<readonly { id: string; impact: string; nodes: { html: string }[] }[]>(
    `axe.run({ runOnly: ${JSON.stringify(runOnly)} }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The same in light and in dark colours, which a page takes on as it stands. */
export async function seriousFaultsOfColours(page: Page): Promise<readonly string[]> {
  await changeColours(page, 'light');
  const light = await seriousFaults(page);
  const before = await page.evaluate<string>(BACKGROUND);
  await changeColours(page, 'dark');
  if ((await page.evaluate<string>(BACKGROUND)) === before)
    return [...light, 'dark colours: are the light ones'];
  return [
    ...light,
    ...(await seriousFaults(page, RULES_OF_COLOURS)).map((fault) => `dark colours: ${fault}`),
  ];
}

const BACKGROUND =
  'getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor';

async function changeColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // A colour that fades is looked at when it has come.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity).map((one) => one.finished)).then(() => undefined)',
  );
}
