/** One at a time among processes: the lock is SQLite's own on a file, so that the end of a process ends it too. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSqliteDriver } from '../database/index.ts';
import { isBusy, orUnusable } from './state-file.ts';

export interface LockOptions {
  /** Called once when another holds the lock. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal | undefined;
}

const ASK_AGAIN_MS = 100;

/** Runs `work` while nobody else holds the lock of this path; waits as long as it takes. Throws `store.unusable`. */
export async function holdLock<Result>(
  path: string,
  { onWait, signal }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const driver = await loadSqliteDriver();
  const connection = await orUnusable(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    return new driver.DatabaseSync(path, { timeout: 0, allowExtension: false });
  });
  const isTaken = (): boolean => {
    try {
      connection.exec('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  };
  try {
    for (let asks = 0; !(await orUnusable(path, isTaken)); asks++) {
      if (asks === 0) onWait?.();
      await wait(ASK_AGAIN_MS, undefined, signal === undefined ? {} : { signal });
    }
    return await work();
  } finally {
    connection.close();
  }
}
