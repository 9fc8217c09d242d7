/** One at a time among processes: the lock is SQLite's own on a file, so that the end of a process ends it too. */
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSqliteDriver } from '../database/embedded/index.ts';
import { closeFiles, makeFolder } from './state/private-files.ts';
import { isBusy, orUnusable } from './state/state-file.ts';

export interface LockOptions {
  /** Others may share it at the same time: it keeps those away who want it alone. */
  readonly isShared?: boolean;
  /** Called once when another holds the lock. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal | undefined;
}

const ASK_AGAIN_MS = 100;

/** Runs `work` while nobody else holds the lock of this path; waits as long as it takes. Throws `store.unusable`. */
export function holdLock<Result>(
  path: string,
  { isShared = false, onWait, signal }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return withLock(path, isShared, async (isTaken) => {
    for (let asks = 0; !(await isTaken()); asks++) {
      if (asks === 0) onWait?.();
      await wait(ASK_AGAIN_MS, undefined, signal === undefined ? {} : { signal });
    }
    return work();
  });
}

/** Runs `work` where nobody holds the lock of this path now; false: somebody does. Throws `store.unusable`. */
export function tryLock(path: string, work: () => Promise<void>): Promise<boolean> {
  return withLock(path, false, async (isTaken) => {
    const isOurs = await isTaken();
    if (isOurs) await work();
    return isOurs;
  });
}

async function withLock<Result>(
  path: string,
  isShared: boolean,
  use: (isTaken: () => Promise<boolean>) => Promise<Result>,
): Promise<Result> {
  const driver = await loadSqliteDriver();
  const connection = await orUnusable(path, async () => {
    await makeFolder(dirname(path));
    const opened = new driver.DatabaseSync(path, { timeout: 0, allowExtension: false });
    await closeFiles(path);
    return opened;
  });
  const isTaken = (): boolean => {
    try {
      // Whoever has read within a transaction shares the file with other readers until its end.
      connection.exec(isShared ? 'BEGIN; SELECT COUNT(*) FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (isShared) connection.exec('ROLLBACK');
      return false;
    }
  };
  try {
    return await use(() => orUnusable(path, isTaken));
  } finally {
    connection.close();
  }
}
