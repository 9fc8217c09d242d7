/** The state of a server in a file and in PostgreSQL, and two servers over one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { openServerState } from '../../src/server/index.ts';
import { SharedRecords } from '../../src/server/start/start-server.ts';
import type { DecisionRecord } from '../../src/session/records/record.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';
import { behavesLikeServerState } from './behaves-like-server-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const openWith = (server: object) =>
  openServerState({
    derivedDirectory: folder,
    server: { groups: {}, workspaces: {}, embedOrigins: [], ...server },
  });

behavesLikeServerState('a file', () => openWith({}));

describeWithServer('postgres', 'PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('state');
  });
  afterAll(() => database.drop());

  behavesLikeServerState('PostgreSQL', () => openWith({ state: database.adminUrl }));

  it('two servers that start at once on an empty database both find it whole', async () => {
    const empty = await (await postgresServer()).createDatabase('state_at_once');
    const both = await Promise.all([
      openWith({ state: empty.adminUrl }),
      openWith({ state: empty.adminUrl }),
    ]);
    for (const state of both) expect(await state.run('SELECT 1 AS one FROM candor.users')).toEqual([]);
    for (const state of both) await state.close();
    await empty.drop();
  });

  it('keeps records of answers for all servers, page by page, found by a part of their id', async () => {
    const state = await openWith({ state: database.adminUrl });
    const records = new SharedRecords(state, '');
    const record = (id: string, kind: DecisionRecord['kind'], reader?: string): DecisionRecord => ({
      ...{ id, kind, version: '1', at: '2026-01-01T00:00:00.000Z', now: '2026-01-01T00:00:00.000Z' },
      ...{ question: 'how many?', database: 'd', catalogFingerprint: 'c', semanticsFingerprint: 's' },
      ...{ links: [], checks: [], stages: [], ...(reader !== undefined && { reader }) },
    });
    await records.write(record('20260101-1-aaaa', 'answered', 'ann'));
    await records.write(record('20260102-2-bbbb', 'reject', 'bob'));
    await records.write(record('20260103-3-cccc', 'answered', 'bob'));
    const idsOf = ({ records: page }: { records: readonly DecisionRecord[] }) => page.map(({ id }) => id);
    const first = await records.page({ most: 2 });
    expect(idsOf(first)).toEqual(['20260103-3-cccc', '20260102-2-bbbb']);
    expect(idsOf(await records.page({ most: 2, before: first.next ?? '' }))).toEqual(['20260101-1-aaaa']);
    expect(idsOf(await records.page({ most: 9, reader: 'bob', kind: 'answered' }))).toEqual([
      '20260103-3-cccc',
    ]);
    for (const part of ['20260102-2-bbbb', '20260102', 'bbbb'])
      expect((await records.read(part)).id).toBe('20260102-2-bbbb');
    for (const wrong of ['2026', 'none', '%', ''])
      expect(await codeOf(records.read(wrong)), wrong).toBe('record.not-found');
    expect(await codeOf(new SharedRecords(state, 'other').read('bbbb'))).toBe('record.not-found');
    await state.close();
  });

  it('a project names it, and the commands for users write there', async () => {
    const project = mkdtempSync(join(tmpdir(), 'candor-state-project-'));
    mkdirSync(join(project, '.candor'));
    writeFileSync(
      join(project, 'candor.yml'),
      `database: sqlite:none.db\nserver: { state: "${database.adminUrl}" }\n`,
    );
    const { code, stdout, stderr } = await runCandor(['users', 'add', 'zoe', '--admin'], project);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^cnd_/);
    const state = await openServerState(await readConfig({ cwd: project }));
    expect(await state.run("SELECT is_admin FROM candor.users WHERE name = 'zoe'")).toEqual([
      { is_admin: 1 },
    ]);
    await state.close();
    rmSync(project, { recursive: true, force: true });
  });
});
