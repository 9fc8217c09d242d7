import type { Locator, Page } from 'playwright-core';

/** Says something and waits for all that comes of it; the exchange it makes. */
export async function say(page: Page, text: string): Promise<Locator> {
  const before = await page.locator('.exchange').count();
  await page.fill('#question', text);
  await page.keyboard.press('Enter');
  return settled(page, before);
}

/** The exchange after `before` others, once it is no longer in work. */
export async function settled(page: Page, before: number): Promise<Locator> {
  const exchange = page.locator('.exchange').nth(before);
  await exchange.and(page.locator('[aria-busy=false]')).waitFor();
  return exchange;
}

/** Opens the SQL of an answer. */
export async function openSql(exchange: Locator): Promise<Locator> {
  await exchange.locator('summary', { hasText: 'SQL and evidence' }).click();
  const editor = exchange.locator('.cm-content');
  await editor.waitFor();
  return editor;
}

/** Cells of the table of an answer that are in the page, row by row. */
export async function cellsOf(exchange: Locator): Promise<readonly (readonly string[])[]> {
  await exchange.locator('tbody td').first().waitFor();
  return exchange
    .locator('tbody tr[aria-rowindex]')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
}
