/** Files of a project between two checkouts and an installation. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';

describeWithServer('postgres', 'candor project', () => {
  const root = mkdtempSync(join(tmpdir(), 'candor-move-'));
  const [one, other] = [join(root, 'one'), join(root, 'other')];
  let database: TestDatabase;
  const write = (folder: string, name: string, text: string): void =>
    writeFileSync(join(folder, 'knowledge', name), text);
  const read = (folder: string, name: string): string =>
    readFileSync(join(folder, 'knowledge', name), 'utf8');
  const move = async (folder: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runCandor(['project', ...args, '--output', 'json'], folder);
    return code === 0 ? JSON.parse(stdout) : stderr;
  };

  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('move');
    for (const folder of [one, other]) {
      mkdirSync(join(folder, 'knowledge'), { recursive: true });
      writeFileSync(
        join(folder, 'candor.yml'),
        `database: sqlite:none.db\nserver: { state: "${database.adminUrl}" }\n`,
      );
    }
    write(one, 'a.md', '# A\n');
    write(one, 'b.md', '# B\n');
  }, 60_000);
  afterAll(async () => {
    await database.drop();
    rmSync(root, { recursive: true, force: true });
  });

  it('gives files to the installation, and brings them into another checkout', async () => {
    expect(await move(one, 'push')).toEqual({
      written: ['knowledge/a.md', 'knowledge/b.md'],
      removed: [],
      left: [],
    });
    expect((await move(other, 'pull')).written).toEqual(['knowledge/a.md', 'knowledge/b.md']);
    expect(read(other, 'b.md')).toBe('# B\n');
    expect(await move(other, 'push')).toEqual({ written: [], removed: [], left: [] });
  });

  it('moves what one side has changed, and leaves what the other has', async () => {
    write(other, 'a.md', '# A of the other\n');
    write(one, 'b.md', '# B of one\n');
    rmSync(join(other, 'knowledge/b.md'));
    write(other, 'b.md', '# B\n');
    write(other, 'c.md', '# C\n');
    expect((await move(other, 'push')).written).toEqual(['knowledge/a.md', 'knowledge/c.md']);
    expect(await move(one, 'pull')).toEqual({
      written: ['knowledge/a.md', 'knowledge/c.md'],
      removed: [],
      left: ['knowledge/b.md'],
    });
    expect(read(one, 'b.md')).toBe('# B of one\n');
    rmSync(join(one, 'knowledge/c.md'));
    expect(await move(one, 'push')).toMatchObject({
      written: ['knowledge/b.md'],
      removed: ['knowledge/c.md'],
    });
    expect(await move(other, 'pull')).toMatchObject({
      written: ['knowledge/b.md'],
      removed: ['knowledge/c.md'],
    });
    expect(existsSync(join(other, 'knowledge/c.md'))).toBe(false);
  });

  it('names what both sides have changed, moves nothing then, and takes a side when it is told to', async () => {
    write(one, 'a.md', '# A one\n');
    write(one, 'new.md', '# New\n');
    write(other, 'a.md', '# A other\n');
    expect((await move(one, 'push')).written).toEqual(['knowledge/a.md', 'knowledge/new.md']);
    for (const direction of ['push', 'pull']) {
      const refused = await move(other, direction);
      expect(refused).toContain('Changed on both sides: knowledge/a.md. Nothing was moved.');
    }
    expect(existsSync(join(other, 'knowledge/new.md'))).toBe(false);
    expect((await move(other, 'pull', '--force')).written).toEqual(['knowledge/a.md', 'knowledge/new.md']);
    expect(read(other, 'a.md')).toBe('# A one\n');
  });

  it('is refused where no servers share the project', async () => {
    writeFileSync(join(other, 'candor.yml'), 'database: sqlite:none.db\n');
    expect(await move(other, 'pull')).toContain('project.not-shared');
  });
});
