/**
 * Installs the runtime part of the package in a temporary folder and looks at what came of it: seconds,
 * megabytes, npm's warnings, and whether it works when no install script may run.
 * `npx tsx scripts/check-install.ts [--output json]`; npm runs on the Node that runs this. Needs the registry.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MAX_MEGABYTES = 115;
const MAX_SECONDS = 180;
const INSTALL = ['ci', '--omit=dev'];
/** What npm must not say: failures, a Node that is too old, install scripts that it asks to approve. */
const BAD_LINE = /npm (?:error|ERR!)|EBADENGINE|allow-?scripts|install-scripts|deprecated/i;

/** A file of DuckDB, written by what `npm install` names; the demo runs on SQLite. */
const WRITE_DUCKDB = `
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create('small.duckdb')).connect();
  await connection.run('CREATE TABLE t AS SELECT 6 * 7 AS n; CHECKPOINT');
  connection.closeSync();`;

interface Run {
  readonly seconds: number;
  readonly code: number | null;
  readonly text: string;
}

interface Finding {
  readonly what: string;
  readonly figure: string;
  readonly ok: boolean;
}

const { values: flags } = parseArgs({ options: { output: { type: 'string', default: 'table' } } });
const folder = mkdtempSync(join(tmpdir(), 'candor-install-'));
try {
  const report = checkInstall();
  const isOk = report.findings.every(({ ok }) => ok);
  for (const { what, figure, ok } of report.findings)
    process.stdout.write(`${ok ? '✓' : '✗'} ${what.padEnd(40)} ${figure}\n`);
  process.stdout.write(report.npmText === '' ? '' : `\n${report.npmText}\n`);
  if (flags.output === 'json') {
    const { findings, figures } = report;
    process.stdout.write(`${JSON.stringify({ check: 'install', ok: isOk, figures, findings })}\n`);
  }
  process.exitCode = isOk ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkInstall() {
  const cold = installInto('plain', []);
  const warm = installInto('no-scripts', ['--ignore-scripts']);
  const megabytes = sizeOf(join(folder, 'plain', 'node_modules')) / 1e6;
  const badLines = `${cold.text}\n${warm.text}`.split('\n').filter((line) => BAD_LINE.test(line));
  const demo = runDemo(join(folder, 'no-scripts'));
  const [unasked, asked] = runDuckdb(join(folder, 'no-scripts'));
  const total = cold.seconds + demo.seconds;
  const seconds = (run: Run): string => `${run.seconds.toFixed(1)} s, exit code ${run.code}`;
  const npm = run('npm', ['--version'], folder).text.trim().split('\n').at(-1) ?? '';
  const findings: Finding[] = [
    { what: 'Node and npm', figure: `${process.versions.node}, ${npm}`, ok: true },
    { what: 'npm ci --omit=dev, empty cache', figure: seconds(cold), ok: cold.code === 0 },
    { what: '… --ignore-scripts, filled cache', figure: seconds(warm), ok: warm.code === 0 },
    {
      what: `size, at most ${MAX_MEGABYTES} MB`,
      figure: `${megabytes.toFixed(1)} MB`,
      ok: megabytes <= MAX_MEGABYTES,
    },
    {
      what: 'npm says nothing bad',
      figure: badLines.join(' | ') || 'nothing',
      ok: badLines.length === 0,
    },
    { what: 'demo after --ignore-scripts', figure: seconds(demo), ok: demo.code === 0 },
    {
      what: 'DuckDB, which is not there, is said to be missing',
      figure: /npm install \S+/.exec(unasked.text)?.[0] ?? 'not said',
      ok: unasked.code !== 0 && unasked.text.includes('npm install @duckdb/node-api'),
    },
    { what: 'DuckDB after that line', figure: seconds(asked), ok: asked.code === 0 },
    {
      what: `install and demo, at most ${MAX_SECONDS} s`,
      figure: `${total.toFixed(1)} s`,
      ok: total <= MAX_SECONDS,
    },
  ];
  const figures = {
    coldSeconds: cold.seconds,
    warmSeconds: warm.seconds,
    demoSeconds: demo.seconds,
    megabytes,
    packages: countPackages(join(folder, 'plain', 'node_modules')),
  };
  const failed = [cold, warm, demo, asked].filter(({ code }) => code !== 0).map(({ text }) => text);
  return { findings, figures, npmText: failed.join('\n') };
}

/** A folder with the manifest, the lock and npm's settings, as a clone has them. */
function installInto(name: string, more: readonly string[]): Run {
  const target = join(folder, name);
  mkdirSync(target);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(ROOT, file), join(target, file));
  return run('npm', [...INSTALL, ...more, '--cache', join(folder, 'cache')], target);
}

/** The real program over the installed packages, built from these sources. */
function runDemo(target: string): Run {
  const built = run('npm', ['run', '--silent', 'build'], ROOT);
  if (built.code !== 0) return built;
  for (const part of ['dist', 'examples']) cpSync(join(ROOT, part), join(target, part), { recursive: true });
  return run(process.execPath, [join(target, 'dist', 'cli', 'main.js'), 'demo'], target);
}

/** A file of DuckDB asked before its package is there, and behind the line that the refusal names. */
function runDuckdb(target: string): readonly [Run, Run] {
  const project = join(target, 'small');
  mkdirSync(project);
  const ask = (): Run =>
    run(process.execPath, [join(target, 'dist/cli/main.js'), 'onboard', 'duckdb:small.duckdb'], project);
  // As DuckDB marks its files.
  writeFileSync(join(project, 'small.duckdb'), `${'\0'.repeat(8)}DUCK`);
  const unasked = ask();
  const line = /npm (install \S+)/.exec(unasked.text)?.[1]?.split(' ') ?? ['install'];
  rmSync(join(project, 'small.duckdb'));
  // Beside the copy of the manifest, in which DuckDB is a tool of its tests.
  const installed = run('npm', [...line, '--no-save', '--ignore-scripts', '--prefix', folder], folder);
  const written = run(process.execPath, ['--input-type=module', '-e', WRITE_DUCKDB], project);
  const failed = [installed, written].find(({ code }) => code !== 0);
  return [unasked, failed ?? ask()];
}

function run(program: string, words: readonly string[], cwd: string): Run {
  const from = performance.now();
  // npm starts with `env node`: the Node that runs this must come first.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  const text = `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`;
  return { seconds: (performance.now() - from) / 1000, code: status, text };
}

function sizeOf(path: string): number {
  const info = lstatSync(path);
  if (!info.isDirectory()) return info.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function countPackages(modules: string): number {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .reduce((sum, name) => sum + (name.startsWith('@') ? readdirSync(join(modules, name)).length : 1), 0);
}
