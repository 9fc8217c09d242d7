import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CandorError } from '../../errors.ts';

/** Where suites find their data and keep what is made from it. */
export interface SuitePlaces {
  /** Folder of the benchmark data; absent: `../shared/data` beside the checkout. */
  readonly dataDirectory?: string;
  /** Folder of the checkout, which holds the questions of our own; absent: the one this file lies in. */
  readonly checkoutDirectory?: string;
  /** Folder for databases that are made on the way; absent: `.candor/eval` of the checkout. */
  readonly cacheDirectory?: string;
}

/** The same places, every one of them absolute. */
export function resolvePlaces(places: SuitePlaces): Required<SuitePlaces> {
  // The same depth holds in src/ and in dist/.
  const checkoutDirectory = resolve(
    places.checkoutDirectory ?? fileURLToPath(new URL('../../../', import.meta.url)),
  );
  return {
    checkoutDirectory,
    dataDirectory: resolve(places.dataDirectory ?? join(checkoutDirectory, '..', 'shared', 'data')),
    cacheDirectory: resolve(places.cacheDirectory ?? join(checkoutDirectory, '.candor', 'eval')),
  };
}

/** A question file of our own; it lies in a checkout, not in what users install. */
export function questionFile(name: string, places: SuitePlaces = {}): string {
  return join(resolvePlaces(places).checkoutDirectory, 'test', 'fixtures', 'questions', name);
}

/** Throws `eval.data-missing` with the place where the file or folder was expected. */
export async function requirePath(path: string, what: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch (cause) {
    throw new CandorError('eval.data-missing', `${what} is missing; it is expected at ${path}`, {
      data: { path },
      cause,
    });
  }
}
