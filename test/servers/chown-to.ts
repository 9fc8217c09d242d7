import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Gives a file to the account that the server will run under; only root can, and only root has to. */
export async function chownTo(path: string, account: string): Promise<void> {
  if (process.getuid?.() === 0) await promisify(execFile)('chown', [account, path]);
}
