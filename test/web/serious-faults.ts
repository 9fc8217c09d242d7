import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe calls serious or critical, by WCAG 2 A and AA. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  // The policy of the page lets no script in: the check is put there by the browser.
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly { id: string; impact: string; nodes: { html: string }[] }[]>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
