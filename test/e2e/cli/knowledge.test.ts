import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMotorsFile } from '../../../bench/make-motors-file.ts';
import { type Run, runCandor } from './run-candor.ts';

let folder: string;
const read = (name: string): string => readFileSync(join(folder, 'knowledge', name), 'utf8');

const run = (...argv: readonly string[]): Promise<Run> => runCandor(argv, folder);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-knowledge-'));
  for (const name of ['knowledge', 'semantics', 'examples', 'candor.yml'])
    cpSync(join('examples/motors', name), join(folder, name), { recursive: true });
  await makeMotorsFile(join(folder, 'motors.db'), 'sqlite', 0.02);
  const { code, stderr } = await runCandor(['onboard'], folder);
  expect(code, stderr).toBe(0);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('candor knowledge', () => {
  it('finds no drift in the example', async () => {
    const { code, stdout, stderr } = await run('knowledge', 'drift');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('everything that is written down is there\n');
  });

  it('adds a note with who, when and what it is about', async () => {
    const added = await run(
      'knowledge',
      'add',
      'note',
      'Fleet orders count once.',
      '--topic',
      'Definitions',
      '--table',
      'ORDERS',
      '--by',
      'ada',
    );
    expect({ code: added.code, stdout: added.stdout }).toEqual({
      code: 0,
      stdout: 'added to knowledge/definitions.md\n',
    });
    expect(read('definitions.md')).toMatch(
      /by channel\.\n- Fleet orders count once\. <!-- candor: \{tables: \["orders"\], by: "ada", at: "\d{4}-\d\d-\d\d"\} -->\n$/,
    );
    const unknown = await run('knowledge', 'add', 'note', 'x', '--table', 'order');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('there is no table order; near it: orders');
  });

  it('certifies and deprecates tables', async () => {
    const nobody = await run('knowledge', 'certify', 'orders');
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain('give --by, or set `user`');
    expect((await run('knowledge', 'certify', 'Orders', '--by', 'ada')).stdout).toBe(
      'orders is certified, says ada: knowledge/status.yml\n',
    );
    const old = await run(
      'knowledge',
      'certify',
      'targets',
      '--replaced-by',
      'orders',
      '--why',
      'no longer set',
      '--by',
      'ada',
    );
    expect(old.stdout).toContain('targets is deprecated');
    expect(read('status.yml')).toMatch(
      /^tables:\n {2}orders: \{status: certified, by: ada, at: [\d-]+\}\n {2}targets: \{status: deprecated, by: ada, at: [\d-]+, why: "no longer set", replaced_by: orders\}\n$/,
    );
  });

  it('counts what is known and who said it', async () => {
    const { code, stdout } = await run('knowledge', 'stats', '--output', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      things: { note: 14, jargon: expect.any(Number), example: 22, cluster: 0 },
      facts: { usage: 0 },
    });
    expect((await run('knowledge', 'stats')).stdout).toMatch(/^note +14$/m);
  });

  it('tells what no longer holds, with its place and exit code 1', async () => {
    writeFileSync(
      join(folder, 'knowledge', 'old.md'),
      '# Old\n\n- By `orders.signed_at`, not `order_archive`.\n',
    );
    writeFileSync(
      join(folder, 'examples', 'old.sql'),
      '-- question: How many?\nSELECT COUNT(*) FROM order_archive\n',
    );
    writeFileSync(
      join(folder, 'knowledge', 'areas.yml'),
      'areas:\n  sales: {include_tables: [orders, ordres], members: [ada]}\n',
    );
    const { code, stdout } = await run('knowledge', 'drift', '--output', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).map(({ kind, place }: Record<string, string>) => `${kind} ${place}`)).toEqual([
      'note knowledge/old.md:3',
      'note knowledge/old.md:3',
      'area area sales',
      'example examples/old.sql',
    ]);
    expect((await run('knowledge', 'drift')).stdout).toContain('4 findings');
  });

  it('names file, line and column of a faulty file', async () => {
    const before = read('status.yml');
    writeFileSync(join(folder, 'knowledge', 'status.yml'), 'tables:\n  orders: {stats: certified}\n');
    const { code, stderr } = await run('knowledge', 'drift');
    writeFileSync(join(folder, 'knowledge', 'status.yml'), before);
    expect(code).toBe(2);
    expect(stderr).toContain('knowledge/status.yml:2:12: unknown key `stats`; did you mean `status`?');
  });

  it('makes clusters of logs, or says why there are none', async () => {
    expect((await run('knowledge', 'clusters')).stderr).toContain('Clusters are made from query logs');
    const line = (user: string, sql: string) => JSON.stringify({ sql, user, at: '2024-12-30', runs: 5 });
    const log = [line('ada', 'SELECT COUNT(*) FROM orders'), line('ben', 'SELECT 1 FROM dealers')].join('\n');
    writeFileSync(join(folder, 'log.jsonl'), `${log}\n`);
    const ingested = await run('usage', 'ingest', 'log.jsonl');
    expect(ingested.code, ingested.stderr).toBe(0);
    const clusters = await run('knowledge', 'clusters');
    expect(clusters.stdout).toBe('there are no clusters: 2 tables are in use; clusters start at 200\n');
    const scope = await run('knowledge', 'clusters', '--user', 'ada', '--output', 'json');
    expect(JSON.parse(scope.stdout)).toMatchObject({
      because: 'all tables: the database has fewer than 200 tables; without 1 deprecated',
    });
    expect((await run('knowledge', 'clusters', '--area', 'sale')).stderr).toContain('did you mean sales?');
  });
});
