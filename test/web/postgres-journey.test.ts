/** The chat over Motors on a PostgreSQL server. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadMotors, POSTGRES_TYPES } from '../e2e/motors-on-server.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import { cellsOf, openSql, say } from './chat-steps.ts';
import { findBrowser, openBrowser, openPage } from './open-browser.ts';
import { serveProject } from './serve-process.ts';

describeWithServer('postgres', 'Motors on PostgreSQL in a browser', () => {
  it.skipIf(findBrowser() === undefined)(
    'is asked, and its SQL is edited and run',
    async () => {
      const database = await (await postgresServer()).createDatabase('motors_web');
      await loadMotors((sql) => database.run(sql), POSTGRES_TYPES, { seed: 7, scale: 0.02 });
      const folder = mkdtempSync(join(tmpdir(), 'candor-web-postgres-'));
      cpSync('examples/motors', folder, { recursive: true });
      const [server, browser] = await Promise.all([
        serveProject(folder, { options: ['--database', database.url] }),
        openBrowser(),
      ]);
      const { page, faults } = await openPage(browser, `${server.url}/`);
      const exchange = await say(page, 'orders per month in 2024');
      expect(await cellsOf(exchange)).toHaveLength(12);
      await openSql(exchange);
      await exchange.getByRole('button', { name: 'Edit' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('SELECT brand_name FROM brands ORDER BY 1 LIMIT 2');
      await page.keyboard.press('Control+Enter');
      await exchange.getByRole('columnheader', { name: 'brand_name' }).waitFor();
      expect(await cellsOf(exchange)).toHaveLength(2);
      expect(faults).toEqual([]);
      await browser.close();
      await server.stop();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
    120_000,
  );
});
