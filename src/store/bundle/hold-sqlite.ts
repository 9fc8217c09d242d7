import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSqliteDriver } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { isBusy, orUnusable } from '../state-file.ts';

const MOST_TRIES = 100;
const TRY_AGAIN_MS = 100;

/**
 * Runs `read` while the SQLite file holds all that was written and nobody writes: then it can be read as a file. Throws
 * `store.unusable`, also where others keep on reading an old state of it.
 */
export async function holdSqlite<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  const driver = await loadSqliteDriver();
  const connection = await orUnusable(
    path,
    async () => new driver.DatabaseSync(path, { timeout: 0, allowExtension: false }),
  );
  const isHeld = async (): Promise<boolean> => {
    try {
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      connection.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
    if ((await sizeOf(`${path}-wal`)) === 0) return true;
    connection.exec('ROLLBACK');
    return false;
  };
  try {
    for (let tries = 0; !(await orUnusable(path, isHeld)); tries += 1) {
      if (tries === MOST_TRIES) throw new CandorError('store.unusable', `${path} is in use without a pause.`);
      await wait(TRY_AGAIN_MS);
    }
    return await read();
  } finally {
    connection.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
