/** Two workers on two machines: each begins with what the other has published, and neither loses the other's work. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Config, readConfig } from '../../src/config/index.ts';
import { JOBS_LOCK } from '../../src/jobs/index.ts';
import { openInstallation, type SharedInstallation, type SharedWork } from '../../src/server/index.ts';
import { holdLock } from '../../src/store/index.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';

describeWithServer('postgres', 'work of an installation', () => {
  const root = mkdtempSync(join(tmpdir(), 'candor-work-'));
  let database: TestDatabase;
  const machines: {
    readonly config: Config;
    readonly installation: SharedInstallation;
    readonly work: SharedWork;
  }[] = [];
  const at = (machine: number) => {
    const found = machines[machine];
    if (found === undefined) throw new Error(`no machine ${machine}`);
    const path = (name: string): string => join(found.config.derivedDirectory, name);
    return {
      begin: () => found.work.begin(found.config),
      publish: () => found.work.publish(),
      write: (name: string, text: string): void => writeFileSync(path(name), text),
      read: (name: string): string | undefined =>
        existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined,
      lock: path(JOBS_LOCK),
    };
  };

  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('work');
    for (const name of ['one', 'other']) {
      const folder = join(root, name);
      mkdirSync(join(folder, '.candor'), { recursive: true });
      mkdirSync(join(folder, 'knowledge'));
      if (name === 'one') writeFileSync(join(folder, 'knowledge', 'notes.md'), '# Notes\n');
      writeFileSync(
        join(folder, 'candor.yml'),
        `database: sqlite:none.db\nserver: { state: "${database.adminUrl}" }\n`,
      );
      const config = await readConfig({ cwd: folder });
      const installation = await openInstallation(config);
      if (installation === undefined) throw new Error('no installation');
      machines.push({ config, installation, work: await installation.work('', config) });
    }
  }, 60_000);
  afterAll(async () => {
    for (const { installation } of machines) await installation.close();
    await database.drop();
    rmSync(root, { recursive: true, force: true });
  });

  it('begins with the files and the derived data of the other', async () => {
    await at(0).begin();
    at(0).write('usage.txt', 'a log');
    at(0).write('clusters.txt', 'old');
    await at(0).publish();
    const config = await at(1).begin();
    expect(readFileSync(join(config.knowledgeDirectory, 'notes.md'), 'utf8')).toBe('# Notes\n');
    expect([at(1).read('usage.txt'), at(1).read('clusters.txt')]).toEqual(['a log', 'old']);
  });

  it('keeps what both have changed at the same time', async () => {
    at(0).write('usage.txt', 'a longer log');
    at(1).write('clusters.txt', 'new');
    await at(0).publish();
    await at(1).publish();
    for (const machine of [0, 1]) {
      await at(machine).begin();
      expect([at(machine).read('usage.txt'), at(machine).read('clusters.txt')]).toEqual([
        'a longer log',
        'new',
      ]);
    }
  });

  it('replaces no file under a job that is at work', async () => {
    at(0).write('usage.txt', 'the longest log');
    await at(0).publish();
    await holdLock(at(1).lock, { isShared: true }, async () => {
      await at(1).begin();
      expect(at(1).read('usage.txt')).toBe('a longer log');
    });
    await at(1).begin();
    expect(at(1).read('usage.txt')).toBe('the longest log');
  });

  it('is the same however often it is published', async () => {
    await at(1).publish();
    await at(1).publish();
    await at(0).begin();
    expect([at(0).read('usage.txt'), at(0).read('clusters.txt')]).toEqual(['the longest log', 'new']);
  });
});
