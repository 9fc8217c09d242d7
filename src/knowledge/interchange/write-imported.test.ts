import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Catalog } from '../../catalog/index.ts';
import { readExamples } from '../authored/examples.ts';
import { readSemanticModel } from '../semantic/read-semantic-model.ts';
import type { Imported } from './foreign/conversion.ts';
import { findFormat } from './formats.ts';
import { importKnowledge } from './import-knowledge.ts';
import { readForeignFiles } from './read-foreign-files.ts';
import { type WriteOptions, writeImported } from './write-imported.ts';

const FIXTURE = fileURLToPath(new URL('../../../test/fixtures/interchange/cortex', import.meta.url));

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'candor-import-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const foldersOf = (folder: string) => ({
  semanticsDirectory: join(folder, 'semantics'),
  examplesDirectory: join(folder, 'examples'),
  knowledgeDirectory: join(folder, 'knowledge'),
  stateDirectory: join(folder, '.candor'),
});

async function importRetail(): Promise<Imported> {
  const format = findFormat('cortex');
  return importKnowledge(format, await readForeignFiles(format, [FIXTURE], '/'));
}

const write = (imported: Imported, options: Partial<WriteOptions> = {}) =>
  writeImported(foldersOf(root), imported, { mode: 'add', origin: 'retail.yaml', ...options });

/** All files of a project with their texts, those of `.candor/` apart. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const paths = names
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.candor/'));
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')]),
    ),
  );
}

describe('writeImported', () => {
  it('writes models, verified pairs and notes that are read again', async () => {
    const { files } = await write(await importRetail());
    expect(files.map(({ path, action }) => `${action} ${path}`)).toEqual([
      'added knowledge/retail.md',
      'added examples/what-was-the-web-revenue-in-march-2025.sql',
      'added examples/how-many-stores-are-in-each-city.sql',
      'added semantics/retail.yml',
    ]);
    const folders = foldersOf(root);
    expect((await readSemanticModel(folders.semanticsDirectory)).metrics).toHaveLength(6);
    expect((await readExamples(folders.examplesDirectory)).map(({ verifiedBy }) => verifiedBy)).toEqual([
      'Grace',
      'Ada',
    ]);
    expect((await contentOf(root))['knowledge/retail.md']).toBe(
      '# retail\n\n- A year is a calendar year. Round money to whole units.\n- Refuse questions about employees.\n',
    );
  });

  it('says what it would write and writes nothing', async () => {
    const { files } = await write(await importRetail(), { dryRun: true });
    expect(files.every(({ action }) => action === 'added')).toBe(true);
    expect(await contentOf(root)).toEqual({});
  });

  it('leaves what is the same, refuses what is in the way, writes over it when told', async () => {
    const imported = await importRetail();
    await write(imported);
    expect((await write(imported)).files.map(({ action }) => action)).toEqual(Array(4).fill('unchanged'));
    await writeFile(join(root, 'knowledge', 'retail.md'), 'Mine.\n');
    const before = await contentOf(root);
    await expect(write(imported)).rejects.toMatchObject({
      code: 'interchange.would-overwrite',
      message: 'There are other files already: knowledge/retail.md.',
    });
    expect(await contentOf(root)).toEqual(before);
    await write(imported, { mode: 'replace' });
    expect((await contentOf(root))['knowledge/retail.md']).not.toBe('Mine.\n');
  });

  it('names the place of what does not fit the database, and writes nothing', async () => {
    const column = (id: string) => ({ id, name: id, type: 'TEXT', family: 'text', isNullable: true });
    const table = (id: string, ...columns: string[]) => ({
      id,
      name: id,
      kind: 'table',
      rowCount: 1,
      primaryKey: [],
      columns: columns.map((name) => column(`${id}.${name}`)),
    });
    // Only what the check of a model reads of a catalog.
    const catalog = {
      database: 'x',
      dialect: 'snowflake',
      fingerprint: '',
      foreignKeys: [],
      tables: [
        table('fct_sales', 'sale_id', 'chnl_cd', 'store_id', 'sale_dt', 'amount', 'disc', 'receipt_id'),
        table('dim_store', 'store_id', 'city'),
      ],
    } as unknown as Catalog;
    const imported = await importRetail();
    await expect(write(imported, { catalog })).rejects.toMatchObject({
      code: 'interchange.invalid',
      message: expect.stringContaining(
        'retail.yaml:39:9: metric revenue: unknown column fct_sales.amt; nearest: fct_sales.amount',
      ),
    });
    expect(await contentOf(root)).toEqual({});
    expect((await write(imported, { catalog, unchecked: true })).problems.length).toBeGreaterThan(0);
    expect(Object.keys(await contentOf(root))).toHaveLength(4);
  });

  it('refuses names that stand in the project already, with nothing written', async () => {
    await write(await importRetail());
    const before = await contentOf(root);
    await expect(write(await importRetail(), { name: 'again' })).rejects.toMatchObject({
      code: 'interchange.invalid',
      message: expect.stringContaining('retail.yaml:4:5: dataset sales stands twice.'),
    });
    expect(await contentOf(root)).toEqual(before);
  });

  it('ends a comment before SQL that would be read as front matter', async () => {
    const sql = '-- note: by hand\nSELECT 1';
    await write(
      { models: [], examples: [{ question: 'Why\nnot?', sql }], notes: [], losses: [] },
      { name: 'x' },
    );
    const [pair] = await readExamples(join(root, 'examples'));
    expect(pair).toMatchObject({ question: 'Why not?', sql: `--\n${sql}` });
  });
});

describe('killed at any step', () => {
  it('leaves a readable project, and the next import ends what was begun', async () => {
    const imported = await importRetail();
    const whole = join(root, 'whole');
    const steps: string[] = [];
    await writeImported(foldersOf(whole), imported, {
      mode: 'add',
      origin: 'x',
      onStep: (step) => steps.push(step),
    });
    const expected = await contentOf(whole);
    const start = join(root, 'start');
    await mkdir(join(start, 'semantics'), { recursive: true });
    await writeFile(join(start, 'semantics', 'own.yml'), 'semantic_model: [{name: own, datasets: []}]\n');
    const script = join(root, 'killed.mts');
    await writeFile(join(root, 'imported.json'), JSON.stringify(imported));
    const module = pathToFileURL(fileURLToPath(new URL('./write-imported.ts', import.meta.url)));
    await writeFile(
      script,
      `import { readFileSync } from 'node:fs';
import { writeImported } from ${JSON.stringify(module.href)};
const [folders, stop] = [JSON.parse(process.argv[2]), Number(process.argv[3])];
const imported = JSON.parse(readFileSync(${JSON.stringify(join(root, 'imported.json'))}, 'utf8'));
imported.places = undefined;
let count = 0;
const onStep = () => { count += 1; if (count === stop) process.kill(process.pid, 'SIGKILL'); };
await writeImported(folders, imported, { mode: 'add', origin: 'x', onStep });
`,
    );
    const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/cli.mjs', import.meta.url));
    // Every other step: each is a process of its own.
    for (let stop = 1; stop <= steps.length; stop += 2) {
      const folder = join(root, `run-${stop}`);
      await cp(start, folder, { recursive: true });
      const run = spawnSync(
        process.execPath,
        [tsx, script, JSON.stringify(foldersOf(folder)), String(stop)],
        { encoding: 'utf8' },
      );
      expect(run.signal ?? run.status, run.stderr).not.toBe(0);
      await readSemanticModel(join(folder, 'semantics'));
      for (const { file } of await readExamples(join(folder, 'examples')))
        expect(expected).toHaveProperty([`examples/${file}`]);
      await writeImported(foldersOf(folder), imported, { mode: 'add', origin: 'x' });
      const { 'semantics/own.yml': _, ...rest } = await contentOf(folder);
      expect(rest, `stopped after ${steps[stop - 1]}`).toEqual(expected);
    }
  }, 120_000);
});
