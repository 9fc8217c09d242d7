/** What the README promises a newcomer: a fresh clone, one command, a browser, an answer. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cellsOf, say } from './chat-steps.ts';
import { describeInBrowser, openBrowser, openPage } from './open-browser.ts';
import { serveProject } from './serve-process.ts';

const ROOT = join(import.meta.dirname, '../..');

describeInBrowser('a newcomer', () => {
  it('clones, runs the demo, opens the chat and gets an answer', async () => {
    const clone = join(mkdtempSync(join(tmpdir(), 'candor-newcomer-')), 'candor');
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    // The packages of the lock, which this run has installed: what `npm ci` gives.
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    const said = execFileSync('npm', ['run', '--silent', 'demo'], { cwd: clone, encoding: 'utf8' });
    expect(said).toContain('candor-demo');
    const main = join(clone, 'dist/cli/main.js');
    const [server, browser] = await Promise.all([
      serveProject(clone, { program: [main], options: ['--project', 'candor-demo'] }),
      openBrowser(),
    ]);
    const { page, faults } = await openPage(browser, `${server.url}/`);
    expect((await cellsOf(await say(page, 'number of test drives per month in 2023'))).length).toBe(12);
    expect(faults).toEqual([]);
    await browser.close();
    await server.stop();
    rmSync(join(clone, '..'), { recursive: true, force: true });
  }, 240_000);
});
