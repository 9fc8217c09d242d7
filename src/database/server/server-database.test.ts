import { describe, expect, it } from 'vitest';
import { loadDriver } from './server-database.ts';

describe('loading a driver', () => {
  it('gives what the package offers', async () => {
    const { default: pg } = await loadDriver('PostgreSQL', 'npm install pg', () => import('pg'));
    expect(pg.Client).toBeTypeOf('function');
  });
  it('names the line that installs a missing one', async () => {
    const missing = 'candor-no-such-driver';
    const error = await loadDriver('PostgreSQL', 'npm install pg@8.23.1', () => import(missing)).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({
      code: 'database.driver-missing',
      message: 'the driver for PostgreSQL is not installed; install it with: npm install pg@8.23.1',
    });
  });
  it('does not hide a driver that breaks', async () => {
    const broken = (): Promise<never> => Promise.reject(new TypeError('broken'));
    await expect(loadDriver('PostgreSQL', 'npm install pg', broken)).rejects.toThrow(TypeError);
  });
});
