import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKnowledgeExportCommand } from '../../../src/cli/commands/knowledge/knowledge-export.ts';
import { addKnowledgeImportCommand } from '../../../src/cli/commands/knowledge/knowledge-import.ts';
import { readSemanticModel } from '../../../src/knowledge/semantic/index.ts';
import { makeShop } from './make-shop.ts';
import { type Run, runCandor } from './run-candor.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/interchange/', import.meta.url));
const MOTORS = fileURLToPath(new URL('../../../examples/motors/', import.meta.url));

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'candor-interchange-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A project folder with the shop database; `isOnboarded` reads it once. */
async function makeProject(name: string, isOnboarded = false): Promise<string> {
  const folder = join(base, name);
  mkdirSync(folder);
  makeShop(join(folder, 'shop.db'));
  await runCandor(['init', 'sqlite:shop.db', '--quiet'], folder);
  if (isOnboarded) expect((await runCandor(['onboard'], folder)).code).toBe(0);
  return folder;
}

/** Runs `candor knowledge …` through the two commands alone. */
async function run(cwd: string, ...argv: readonly string[]): Promise<Run> {
  const [stdout, stderr]: string[][] = [[], []];
  let code = 0;
  const io = {
    stdout: { write: (text: string) => void stdout!.push(text), isTerminal: false },
    stderr: { write: (text: string) => void stderr!.push(text), isTerminal: false },
    cwd,
    env: {},
    program: 'candor',
    signal: new AbortController().signal,
  };
  const finish = (given: number) => {
    code = given;
  };
  const context = { io, finish };
  const knowledge = new Command('knowledge')
    .exitOverride()
    .configureOutput({ writeOut: io.stdout.write, writeErr: io.stderr.write });
  addKnowledgeImportCommand(knowledge, context);
  addKnowledgeExportCommand(knowledge, context);
  try {
    await knowledge.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    code = error.exitCode;
  }
  return { code, stdout: stdout!.join(''), stderr: stderr!.join('') };
}

const CUBE = `cubes:
  - name: orders
    sql_table: orders
    joins: [{name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}]
    dimensions: [{name: ordered_on, title: order day, sql: "{CUBE}.ordered_on", type: time}]
    measures: [{name: revenue, title: revenue, sql: "{CUBE}.amount", type: sum, meta: {synonyms: [turnover]}}]
  - name: customers
    sql_table: customers
    dimensions:
      - {name: id, sql: "{CUBE}.id", type: number, primary_key: true, public: false}
      - {name: city, sql: "{CUBE}.city", type: string}
`;

describe('candor knowledge import', () => {
  it('makes another tool’s model answer questions', async () => {
    const folder = await makeProject('answers', true);
    writeFileSync(join(folder, 'cubes.yml'), CUBE);
    const { code, stdout, stderr } = await run(folder, 'import', 'cube', 'cubes.yml', '--name', 'shop');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('added  semantics/shop.yml\n');
    expect(stdout).toContain('orders.ordered_on is the only time dimension of orders');
    const answer = await runCandor(['ask', 'turnover by city', '--output', 'json'], folder);
    expect(answer.code, answer.stderr).toBe(0);
    expect(JSON.parse(answer.stdout).sql).toMatch(/SUM\(orders\.amount\)/i);
  });

  it('refuses names the database does not have, with their place, and changes nothing', async () => {
    const folder = await makeProject('wrong', true);
    writeFileSync(join(folder, 'cubes.yml'), CUBE.replace('{CUBE}.amount', '{CUBE}.amuont'));
    const before = readdirSync(join(folder, 'semantics'));
    const { code, stderr } = await run(folder, 'import', 'cube', 'cubes.yml');
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      'cubes.yml:6:16: metric revenue: unknown column orders.amuont; nearest: orders.amount',
    );
    expect(readdirSync(join(folder, 'semantics'))).toEqual(before);
    expect((await run(folder, 'import', 'cube', 'cubes.yml', '--unchecked')).code).toBe(0);
  });

  it('fails where the database cannot be reached, and changes nothing', async () => {
    const folder = await makeProject('dead', true);
    writeFileSync(join(folder, 'cubes.yml'), CUBE);
    rmSync(join(folder, 'shop.db'));
    const before = readdirSync(join(folder, 'semantics'));
    const { code, stderr } = await run(folder, 'import', 'cube', 'cubes.yml');
    expect(code).not.toBe(0);
    expect(stderr).toContain('database.not-found');
    expect(readdirSync(join(folder, 'semantics'))).toEqual(before);
  });

  it('shows what it would write, as JSON with the report of losses', async () => {
    const folder = await makeProject('dry');
    const { code, stdout } = await run(
      folder,
      'import',
      'cortex',
      join(FIXTURES, 'cortex'),
      '--dry-run',
      '--output',
      'json',
    );
    expect(code).toBe(0);
    const shown = JSON.parse(stdout);
    expect(shown.files.map(({ path }: { path: string }) => path)).toContain('semantics/retail.yml');
    expect(shown.losses[0]).toEqual({
      kind: 'kept',
      place: 'retail.yaml:15:9',
      what: '`sample_values` has no effect here',
    });
    expect(existsSync(join(folder, 'semantics', 'retail.yml'))).toBe(false);
  });

  it.each([
    [['import', 'cortxe', 'x.yml'], 'did you mean cortex?'],
    [['import', 'cortex', 'none.yml'], 'There is no file or folder none.yml.'],
    [['import', 'cortex', 'semantics'], 'model.yml:1:1: Invalid input: expected object, received null'],
    [['export', 'lookml'], 'can be imported, not exported'],
  ])('%j says what is wrong', async (argv, message) => {
    const folder = join(base, 'messages');
    if (!existsSync(folder)) await makeProject('messages');
    const { code, stderr } = await run(folder, ...argv);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });

  it('lists the formats in its help', async () => {
    const { stdout } = await run(base, 'import', '--help');
    for (const name of ['osi', 'cortex', 'cube', 'lookml'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect((await run(base, 'export', '--help')).stdout).not.toMatch(/^ {2}lookml/m);
  });
});

describe('candor knowledge export', () => {
  it('writes a folder that an import of another project makes the same model of', async () => {
    const folder = await makeProject('motors');
    for (const part of ['semantics', 'examples']) {
      rmSync(join(folder, part), { recursive: true });
      cpSync(join(MOTORS, part), join(folder, part), { recursive: true });
    }
    const out = await run(folder, 'export', 'cube', '--to', 'model');
    expect(out.code, out.stderr).toBe(0);
    expect(out.stdout).toContain('cubes/orders.yml\n');
    expect(out.stderr).toContain('kept in motors.candor.yml');
    expect((await run(folder, 'export', 'cube', '--to', 'model')).code).toBe(0);
    writeFileSync(join(folder, 'model', 'cubes', 'orders.yml'), 'cubes: []\n');
    expect((await run(folder, 'export', 'cube', '--to', 'model')).stderr).toContain(
      'There is another cubes/orders.yml',
    );
    expect((await run(folder, 'export', 'cube', '--to', 'model', '--replace')).code).toBe(0);
    const other = await makeProject('other');
    const back = await run(other, 'import', 'cube', join(folder, 'model'));
    expect(back.code, back.stderr).toBe(0);
    const [first, second] = await Promise.all(
      [folder, other].map((project) => readSemanticModel(join(project, 'semantics'))),
    );
    expect(second).toEqual(first);
    expect(readdirSync(join(other, 'examples')).filter((name) => name.endsWith('.sql'))).toHaveLength(22);
  });

  it('prints one file on stdout, and asks for a folder where there are more', async () => {
    const folder = join(base, 'motors');
    expect((await run(folder, 'export', 'osi')).stdout).toMatch(/^version: /);
    expect((await run(folder, 'export', 'cube')).stderr).toContain('name a folder with --to');
    expect(readFileSync(join(folder, 'candor.yml'), 'utf8')).toContain('shop.db');
  });
});
