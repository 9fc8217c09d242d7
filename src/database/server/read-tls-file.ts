import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CandorError } from '../../errors.ts';
import type { ServerUrl } from './server-url.ts';

/**
 * A certificate or key that an option of the URL names; `undefined` without it. Relative paths start from
 * `baseDirectory`. Throws `database.tls-failed` with the option's name when it is unreadable.
 */
export function readTlsFile(
  option: string,
  { options }: Pick<ServerUrl, 'options'>,
  baseDirectory: string,
): string | undefined {
  const named = options[option];
  if (named === undefined) return undefined;
  const path = resolve(baseDirectory, named);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CandorError('database.tls-failed', `the file of the option ${option} cannot be read: ${path}`, {
      cause: error,
    });
  }
}
