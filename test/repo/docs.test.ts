import { spawnSync } from 'node:child_process';
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
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderQuestion } from '../../scripts/render-question.ts';
import { renderReference } from '../../scripts/render-reference.ts';
import { CONFIG_SCHEMA, readConfig } from '../../src/config/index.ts';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { type Document, readBlocks, readDocuments, readShell, type ShellCommand } from './read-documents.ts';
import { ROOT } from './read-imports.ts';

const documents = readDocuments();
/** Suites take minutes and need their data: their commands are checked against the reference, not run. */
const LONG_COMMANDS = ['eval'];

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'candor-docs-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const REFERENCE = await renderReference();

describe('fenced bash examples run', () => {
  const runnable = documents.filter(({ blocks }) => blocks.some(({ language }) => language === 'bash'));

  it('are found', () => expect(runnable.map(({ path }) => path)).toContain('README.md'));

  // A guide runs a dozen commands, one after the other.
  it.each(runnable)(
    '$path',
    async (document) => {
      const cwd = makeWorkplace(document);
      for (const { text, line } of document.blocks.filter(({ language }) => language === 'bash'))
        for (const command of readShell(text)) await runExample(command, cwd, `${document.path}:${line}`);
    },
    180_000,
  );
});

describe('the guides', () => {
  const guides = readdirSync(join(ROOT, 'docs', 'guides')).filter((name) => name.endsWith('.md'));
  const index = readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8');

  it.each(guides)('%s stands in the index', (name) => expect(index).toContain(`(guides/${name})`));

  it('through one question shows what the demo says today', async () => {
    const file = join(ROOT, 'docs', 'guides', 'one-question.md');
    expect(readFileSync(file, 'utf8'), 'npx tsx scripts/generate-docs.ts writes it anew').toBe(
      await renderQuestion(),
    );
  }, 180_000);
});

describe('fenced TypeScript examples', () => {
  it('type-check against the sources', () => {
    // Inside the repository, so that the types of packages are found.
    const folder = join(ROOT, 'out', 'docs-test');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const examples = documents.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => language === 'ts')
        .map(({ text, line }) => ({ text, name: `${path}-${line}` })),
    );
    expect(examples.length).toBeGreaterThan(2);
    for (const { text, name } of examples)
      writeFileSync(join(folder, `${name.replace(/\W+/g, '-')}.ts`), text);
    const tsconfig = {
      extends: '../../tsconfig.json',
      compilerOptions: { paths: { candor: ['../../src/index.ts'] }, noUnusedLocals: false },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});

describe('fenced candor.yml examples', () => {
  const examples = documents.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ label }) => label === 'candor.yml')
      .map(({ text, line }) => ({ place: `${path}:${line}`, text })),
  );

  it.each(examples)('$place is read', async ({ text }) => {
    const folder = mkdtempSync(join(base, 'config-'));
    writeFileSync(join(folder, 'candor.yml'), text);
    const env = { SHOP_DIR: '/srv/shop', SALES_PASSWORD: 's3cret', MODEL_KEY: 's3cret' };
    await expect(readConfig({ cwd: folder, env })).resolves.toMatchObject({
      databaseUrl: 'sqlite:/srv/shop/shop.db',
    });
  });

  it('show every key once', () => {
    const text = examples.map((example) => example.text).join('\n');
    for (const key of Object.keys(CONFIG_SCHEMA.shape)) expect(text).toMatch(new RegExp(`^${key}:`, 'm'));
  });
});

describe('documents', () => {
  it('say what language every block is', () => {
    const bare = documents.flatMap(({ path, blocks }) =>
      blocks.filter(({ language }) => language === '').map(({ line }) => `${path}:${line}`),
    );
    expect(bare).toEqual([]);
  });

  it('link to files that are there', () => {
    const dead = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
        .map(([, link = '']) => link.replace(/#.*$/, ''))
        .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
        .filter((link) => !existsSync(join(ROOT, dirname(path), link)))
        .map((link) => `${path} → ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it.each(Object.entries(REFERENCE))('docs/reference/%s is what the source says', (name, text) => {
    // Otherwise: npx tsx scripts/generate-docs.ts
    expect(readFileSync(join(ROOT, 'docs', 'reference', name), 'utf8')).toBe(text);
  });

  it('name places of the code that are there', () => {
    const { text } = documents.find(({ path }) => path === 'ARCHITECTURE.md')!;
    const rows = [...text.matchAll(/^\| (`(?:src|examples)\/.*?) \|/gm)].flatMap(([, places = '']) =>
      [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
    );
    expect(rows.filter((place) => place.includes('/') && !existsSync(join(ROOT, place)))).toEqual([]);
  });
});

describe('the readers of this test', () => {
  it('read shell', () => {
    expect(
      readShell('npm ci && npm run demo\n\ncandor ask "a b" > x.csv   # exit 12, and more\n# nothing\n'),
    ).toEqual([
      { words: ['npm', 'ci'], exitCode: 0 },
      { words: ['npm', 'run', 'demo'], exitCode: 0 },
      { words: ['candor', 'ask', 'a b'], into: 'x.csv', exitCode: 12 },
    ]);
  });

  it('read blocks', () => {
    expect(readBlocks('a\n```yaml candor.yml\nx: 1\n```\n')).toEqual([
      { language: 'yaml', label: 'candor.yml', text: 'x: 1\n', line: 2 },
    ]);
  });
});

/** A folder of its own per document, with the shop that the examples ask and the demo made by an earlier one. */
function makeWorkplace({ path }: Document): string {
  const cwd = join(base, path.replace(/\W+/g, '-'));
  mkdirSync(cwd);
  makeShop(join(cwd, 'shop.db'));
  const demo = join(base, 'README-md', 'candor-demo');
  if (existsSync(demo)) cpSync(demo, join(cwd, 'candor-demo'), { recursive: true });
  return cwd;
}

async function runExample(
  { words, into, exitCode }: ShellCommand,
  cwd: string,
  place: string,
): Promise<void> {
  const [program, verb = '', ...rest] = words;
  if (program === 'npm') return runNpm([verb, ...rest], cwd, place);
  const argv = program === 'npx' ? [verb, ...rest].slice(1) : [verb, ...rest];
  expect(program === 'npx' ? verb : program, `${place}: mark what is not run as text`).toBe('candor');
  if (LONG_COMMANDS.includes(argv[0] ?? '')) return checkFlags(argv);
  const run = await runCandor(argv, cwd);
  expect({ place, words, code: run.code, stderr: run.code === exitCode ? '' : run.stderr }).toEqual({
    place,
    words,
    code: exitCode,
    stderr: '',
  });
  if (into === undefined) return;
  expect(run.stdout, place).not.toBe('');
  writeFileSync(join(cwd, into), run.stdout);
}

const MANIFEST = z.object({ scripts: z.record(z.string(), z.string()) });

/** npm's commands: the install is CI's own first step, the check is this very run, the demo runs for real. */
async function runNpm(words: readonly string[], cwd: string, place: string): Promise<void> {
  const { scripts } = MANIFEST.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  if (words[0] === 'ci') return expect(existsSync(join(ROOT, 'package-lock.json'))).toBe(true);
  expect(words[0], place).toBe('run');
  const script = scripts[words[1] ?? ''];
  expect(script, `${place}: npm run ${words[1]}`).toBeDefined();
  if (words[1] !== 'demo') return;
  expect(script).toMatch(/cli\/main\.js demo$/);
  const run = await runCandor(['demo'], cwd);
  expect(run.code, run.stderr).toBe(0);
}

/** A command that is not run: its name and flags are those of the reference. */
function checkFlags([verb = '', ...rest]: readonly string[]): void {
  const sections = REFERENCE['cli.md'].split('\n## ').filter((part) => part.startsWith(`candor ${verb}`));
  expect(sections).not.toEqual([]);
  for (const flag of rest.filter((word) => word.startsWith('--')))
    expect(sections.join('\n'), `${verb} ${flag}`).toContain(`\`${flag.replace(/=.*/, '')}`);
}
