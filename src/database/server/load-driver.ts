import { CandorError } from '../../errors.ts';

/**
 * Loads a driver that is an optional package. Throws `database.driver-missing` with the line that installs it:
 * `loadDriver('PostgreSQL', 'npm install pg@8.23.1', () => import('pg'))`.
 */
export async function loadDriver<T>(title: string, install: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new CandorError(
      'database.driver-missing',
      `the driver for ${title} is not installed; install it with: ${install}`,
      { data: { install }, cause: error },
    );
  }
}
