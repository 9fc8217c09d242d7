import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, projectConfig } from '../config/index.ts';
import { loadSqliteDriver } from '../database/embedded/index.ts';
import { impersonated } from '../session/project/user-databases.ts';
import { connectProject } from './connect-project.ts';

let folder: string;
let config: Config;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-connect-'));
  const { DatabaseSync } = await loadSqliteDriver();
  const file = new DatabaseSync(join(folder, 'shop.db'));
  file.exec('CREATE TABLE orders (id INTEGER); CREATE TABLE tmp_1 (id INTEGER)');
  file.close();
  config = projectConfig(folder, 'sqlite:shop.db');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIMITS = { rows: 1, bytes: 100, timeoutMs: 5_000 };

describe('the engine of a project', () => {
  it('has the tables of its scope, and another stamp for another scope', async () => {
    const part = await connectProject({ ...config, tables: { exclude: ['tmp_*'] } });
    expect((await part.readSchema()).tables.map(({ name }) => name)).toEqual(['orders']);
    const whole = await connectProject(config);
    expect((await whole.readSchema()).tables).toHaveLength(2);
    expect(await part.stamp()).not.toBe(await whole.stamp());
    await part.close();
    await whole.close();
  });

  it.each([
    [{ impersonate: true }, 'impersonate: this engine cannot run queries as somebody else (sqlite)'],
    [{ limits: { ...LIMITS, scanBytes: 1 } }, 'limits.scanBytes: this engine cannot hold'],
  ])('is not opened with what it cannot hold: %j', async (asked, says) => {
    const opening = connectProject({ ...config, ...asked });
    await expect(opening).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(says),
    });
  });

  it('runs queries as whoever a property, or else the session, names', async () => {
    const engine = await connectProject(config);
    const taken: unknown[] = [];
    const known = Object.assign(engine, {
      as: (identity: unknown) => {
        taken.push(identity);
        return engine;
      },
    });
    const ask = (user: string | undefined, sessionProperties = {}) =>
      impersonated(known, { impersonate: true, sessionProperties, ...(user !== undefined && { user }) });
    ask('ann');
    ask('ann', { engineUser: 'audit' });
    ask(undefined, { engineRole: 'analyst' });
    expect(taken).toEqual([{ user: 'ann' }, { user: 'audit' }, { role: 'analyst' }]);
    await expect(ask(undefined).query('SELECT 1', LIMITS)).rejects.toThrow('nobody is named');
    await engine.close();
  });
});
