import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Runs a program that fills a folder; where it fails the folder goes as well. */
export async function runOrRemove(
  line: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const [program = '', ...args] = line;
  try {
    await promisify(execFile)(program, args, { cwd: '/', env });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
