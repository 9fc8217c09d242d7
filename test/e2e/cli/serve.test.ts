import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { candorProgram } from '../../fixtures/candor-program.ts';
import { makeWorkspaces } from '../../server/make-workspaces.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

const HIRES = `version: 0.1.1
semantic_model:
  - name: staff
    datasets:
      - name: employees
        source: employees
        ai_context: { synonyms: [hires] }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-serve-cli-'));
  makeShop(join(folder, 'shop.db'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program itself, on a free port. */
async function start({ cwd = folder, database = ['--database', 'sqlite:shop.db'] } = {}) {
  const options = ['--port', '0', ...database, '--output', 'json', '--quiet'];
  const child = spawn(process.execPath, [...candorProgram(), 'serve', ...options], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const text = await new Promise<string>((resolve) =>
    child.stdout.once('data', (part) => resolve(`${part}`)),
  );
  return {
    ...(JSON.parse(text) as { url: string; workspaces?: Record<string, string> }),
    kill: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return exit;
    },
  };
}

const post = (url: string, body?: object) =>
  fetch(url, {
    method: 'POST',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

describe('candor serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('answers, and ends well on %s', async (signal) => {
    const { url, kill } = await start();
    const answer = await post(`${url}/v1/ask`, { question: 'how many customers are there?' });
    expect(await answer.json()).toMatchObject({ kind: 'answered', columns: [expect.any(String)] });
    expect(await kill(signal)).toBe(0);
  });

  it('serves the other projects that its own names, and opens each anew as it changes', async () => {
    const place = mkdtempSync(join(folder, 'several-'));
    const { url, workspaces, kill } = await start({ cwd: makeWorkspaces(place), database: [] });
    expect(workspaces).toEqual({ hr: `${url}/w/hr/` });
    const ask = async () => (await post(`${url}/w/hr/v1/ask`, { question: 'how many hires?' })).json();
    expect(await ask()).not.toMatchObject({ kind: 'answered' });
    const jargon = await fetch(`${url}/w/hr/v1/files/semantics/staff.yml`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      body: JSON.stringify({ text: HIRES }),
    });
    expect(jargon.status, await jargon.text()).toBe(200);
    expect(await ask()).toMatchObject({ kind: 'answered', rows: [[3]] });
    expect(existsSync(join(place, 'people/semantics/staff.yml'))).toBe(true);
    expect(await kill('SIGTERM')).toBe(0);
  });

  it('does not start while one of them cannot be opened', async () => {
    const place = mkdtempSync(join(folder, 'broken-'));
    const shop = makeWorkspaces(place, { workspaces: { hr: '../nowhere' } });
    const { code, stderr } = await runCandor(['serve', '--port', '0'], shop);
    expect(code).toBe(2);
    expect(stderr).toContain('nowhere');
  });

  it('loses nothing that was acknowledged when it is killed', async () => {
    const first = await start();
    const asked = await post(`${first.url}/v1/ask`, { question: 'how many customers are there?' });
    const { recordId } = (await asked.json()) as { recordId: string };
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; ; at++) {
        const reason = `${writer}-${at}`;
        const kept = await post(`${first.url}/v1/feedback`, { recordId, verdict: 'up', reason }).catch(
          () => null,
        );
        if (kept?.ok !== true) return;
        acknowledged.push(reason);
        if (acknowledged.length === 1_000) void first.kill('SIGKILL');
      }
    });
    await Promise.all(writers);
    const second = await start();
    const { feedback } = (await (await fetch(`${second.url}/v1/feedback?limit=10000`)).json()) as {
      feedback: { reason: string }[];
    };
    const kept = new Set(feedback.map(({ reason }) => reason));
    expect(acknowledged.length).toBeGreaterThanOrEqual(1_000);
    expect(acknowledged.filter((reason) => !kept.has(reason))).toEqual([]);
    expect(await second.kill('SIGTERM')).toBe(0);
  });

  it.each([
    [['--host', '0.0.0.0'], /--public-url and make users/],
    [['--port', '70000'], /port from 0 to 65535/],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await runCandor(['serve', '--database', 'sqlite:shop.db', ...flags], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
