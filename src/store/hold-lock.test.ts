import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdLock, tryLock } from './hold-lock.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-lock-'));
  path = join(folder, 'deep', 'work.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('holdLock', () => {
  it('lets one work at a time, and says once that it waits', async () => {
    let inside = 0;
    let most = 0;
    let waited = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await wait(150);
      inside -= 1;
    };
    const onWait = (): void => {
      waited += 1;
    };
    await Promise.all([1, 2, 3].map(() => holdLock(path, { onWait }, work)));
    expect({ most, waited }).toEqual({ most: 1, waited: 2 });
  });

  it('is shared by those who say so, and kept from who wants it alone', async () => {
    const together = await holdLock(path, { isShared: true }, () =>
      holdLock(path, { isShared: true }, () => tryLock(path, async () => undefined)),
    );
    const after = await tryLock(path, () => holdLock(`${path}.other`, {}, async () => undefined));
    expect([together, after]).toEqual([false, true]);
    let waited = 0;
    let shared: Promise<string> | undefined;
    await tryLock(path, async () => {
      shared = holdLock(path, { isShared: true, onWait: () => waited++ }, async () => 'in');
      await wait(250);
    });
    expect([await shared, waited]).toEqual(['in', 1]);
  });

  it('is free again after work that failed', async () => {
    await expect(holdLock(path, {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await holdLock(path, {}, async () => 'mine')).toBe('mine');
  });

  it('waits no longer than it is wanted', async () => {
    const impatient = new AbortController();
    await holdLock(path, {}, async () => {
      const options = { signal: impatient.signal, onWait: () => impatient.abort() };
      await expect(holdLock(path, options, async () => 'mine')).rejects.toThrow(/abort/i);
    });
  });

  it('ends with the process that held it', async () => {
    const lock = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'hold-lock.ts')).href);
    const program = `const { holdLock } = await import(${lock});
      await holdLock(process.argv[1], {}, async () => {
        process.stdout.write('held');
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      });`;
    const argv = ['--import', 'tsx', '--input-type=module', '--eval', program, path];
    const other = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    let isWaiting = false;
    const onWait = (): void => {
      isWaiting = true;
      other.kill('SIGKILL');
    };
    expect(await holdLock(path, { onWait }, async () => 'mine')).toBe('mine');
    expect(isWaiting).toBe(true);
  });
});
