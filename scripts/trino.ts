/**
 * A real Trino on this machine: `npx tsx scripts/trino.ts` unpacks the cached server archive (`--fetch` may download
 * it first, 821 MB), starts it with the tpch and memory catalogs, prints its URL and stops it on Ctrl-C. `--prepare`
 * only downloads and unpacks, for the tests to start it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const VERSION = '476';
const SHA1 = 'c9b38be4017ebd2f7095455aaac772fb40247ebe';
const ARCHIVE_URL = `https://repo1.maven.org/maven2/io/trino/trino-server/${VERSION}/trino-server-${VERSION}.tar.gz`;
const CACHE = fileURLToPath(new URL('../.cache/trino/', import.meta.url));
const ARCHIVE = join(CACHE, `trino-server-${VERSION}.tar.gz`);
const HOME = join(CACHE, `trino-server-${VERSION}`);
/** Unpacked. A server loads those of them that it is started with: all 55 plugins would take a minute. */
const PLUGINS = [
  ...['tpch', 'memory', 'iceberg', 'mariadb'],
  ...['password-authenticators', 'http-event-listener', 'mysql-event-listener'],
];
const JAVA_AT_LEAST = 24;
const SETPRIV = '/usr/bin/setpriv';
const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 10_000;

/** What a server has beside the catalogs `tpch` and `memory`. `{etc}` in a text stands for its folder of settings. */
export interface TrinoOptions {
  /** Lines of properties by the name of the catalog, as `{ lake: ['connector.name=iceberg'] }`. */
  readonly catalogs?: Readonly<Record<string, readonly string[]>>;
  /** Of `PLUGINS`. */
  readonly plugins?: readonly string[];
  /** Lines of config.properties. */
  readonly config?: readonly string[];
  /** Further files in its folder of settings, as `{ 'rules.json': '…' }`. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface TrinoServer {
  /** `trino://candor@127.0.0.1:PORT`, without a catalog. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Why no Trino can be started here, in words for a test's name; `null` when one can. */
export async function whyNoTrino(mayFetch = process.env.CANDOR_TRINO === 'fetch'): Promise<string | null> {
  if ((await findJava()) === null) return `no Java ${JAVA_AT_LEAST} or newer was found`;
  if (mayFetch || (await exists(ARCHIVE)) || (await isUnpacked())) return null;
  return `the server archive is not in .cache/trino; CANDOR_TRINO=fetch downloads it (821 MB)`;
}

/** Starts a server on a free loopback port and returns when it takes queries. Throws with the end of its log. */
export async function startTrino(options: TrinoOptions = {}): Promise<TrinoServer> {
  const began = performance.now();
  const java = await findJava();
  if (java === null) throw new Error(`no Java ${JAVA_AT_LEAST} or newer was found`);
  await unpack();
  const folder = await mkdtemp(join(tmpdir(), 'candor-trino-'));
  const port = await freePort();
  const log = join(folder, 'server.log');
  await writeSettings(folder, port, options);
  const child = await launch(java, folder, log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (child.exitCode === null && child.signalCode === null) await ended;
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilStarted(child, port);
    await untilWorking(port);
  } catch (error) {
    const tail = (await readFile(log, 'utf8')).split('\n').slice(-20).join('\n');
    await stop();
    throw new Error(`Trino did not start: ${error instanceof Error ? error.message : error}\n${tail}`);
  }
  return {
    url: `trino://candor@127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - began,
    stop,
  };
}

async function writeSettings(folder: string, port: number, options: TrinoOptions): Promise<void> {
  const etc = join(folder, 'etc');
  const files = {
    'config.properties': [
      'coordinator=true',
      'node-scheduler.include-coordinator=true',
      `http-server.http.port=${port}`,
      `discovery.uri=http://127.0.0.1:${port}`,
      'query.max-memory=512MB',
      'query.max-memory-per-node=512MB',
      ...(options.config ?? []),
    ].join('\n'),
    'log.properties': 'io.trino=WARN',
    'catalog/tpch.properties': 'connector.name=tpch',
    'catalog/memory.properties': 'connector.name=memory',
    ...Object.fromEntries(
      Object.entries(options.catalogs ?? {}).map(([name, lines]) => [
        `catalog/${name}.properties`,
        lines.join('\n'),
      ]),
    ),
    ...options.files,
  };
  await mkdir(join(etc, 'catalog'), { recursive: true });
  for (const [name, text] of Object.entries(files))
    await writeFile(join(etc, name), `${text.replaceAll('{etc}', etc)}\n`);
  const plugins = join(folder, 'plugin');
  await mkdir(plugins);
  for (const name of ['tpch', 'memory', ...(options.plugins ?? [])])
    await symlink(join(HOME, 'plugin', name), join(plugins, name));
}

async function launch(java: string, folder: string, log: string): Promise<ChildProcess> {
  const etc = join(folder, 'etc');
  const options = [
    '-Xmx2G',
    // Quick to start, which counts more here than speed of long queries.
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-XX:+ExitOnOutOfMemoryError',
    // Classes of a first start are kept for the next ones, which are ready in half the time.
    '-XX:+AutoCreateSharedArchive',
    `-XX:SharedArchiveFile=${join(HOME, 'classes.jsa')}`,
    '-Djdk.attach.allowAttachSelf=true',
    '-Dfile.encoding=UTF-8',
    '--add-modules=jdk.incubator.vector',
    '--enable-native-access=ALL-UNNAMED',
    '--sun-misc-unsafe-memory-access=allow',
    '-Dnode.environment=candor',
    '-Dnode.id=candor',
    '-Dnode.bind-ip=127.0.0.1',
    '-Dnode.internal-address=127.0.0.1',
    `-Dnode.data-dir=${join(folder, 'data')}`,
    `-Dplugin.dir=${join(folder, 'plugin')}`,
    `-Dcatalog.config-dir=${join(etc, 'catalog')}`,
    `-Dlog.levels-file=${join(etc, 'log.properties')}`,
    `-Dconfig=${join(etc, 'config.properties')}`,
  ];
  const output = createWriteStream(log);
  const program = [java, ...options, '-cp', join(HOME, 'lib', '*'), 'io.trino.server.TrinoServer'];
  // A run that is killed must not leave a gigabyte of Java behind; setpriv is part of every Linux distribution.
  const bound = (await exists(SETPRIV)) ? [SETPRIV, '--pdeathsig', 'TERM', ...program] : program;
  const child = spawn(bound[0] ?? java, bound.slice(1), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  return child;
}

async function untilStarted(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    const info: unknown = await fetch(`http://127.0.0.1:${port}/v1/info`).then(
      (response) => (response.ok ? response.json() : null),
      () => null,
    );
    if (typeof info === 'object' && info !== null && 'starting' in info && info.starting === false) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it was not ready after ${START_TIMEOUT_MS / 1000} s`);
}

/** A coordinator that has started may not yet know itself as a worker. */
async function untilWorking(port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (await canRead(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`it read no table after ${START_TIMEOUT_MS / 1000} s`);
}

async function canRead(port: number): Promise<boolean> {
  const headers = { 'x-trino-user': 'candor' };
  const body = 'SELECT count(*) FROM tpch.tiny.region';
  let answer = await fetch(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', body, headers });
  for (;;) {
    const page: unknown = await answer.json();
    if (typeof page !== 'object' || page === null || 'error' in page) return false;
    if (!('nextUri' in page) || typeof page.nextUri !== 'string') return true;
    answer = await fetch(page.nextUri, { headers });
  }
}

/** Unpacks into a folder beside and renames it, so that an interrupted run leaves nothing half done. */
async function unpack(): Promise<void> {
  if (await isUnpacked()) return;
  if (!(await exists(ARCHIVE))) await download();
  const found = await sha1(ARCHIVE);
  if (found !== SHA1)
    throw new Error(`${ARCHIVE} is damaged: its SHA-1 is ${found}; delete it and try again`);
  const partial = await mkdtemp(join(CACHE, 'unpacking-'));
  // Whole: plugins share their libraries by hard links, to whichever comes first in the archive.
  await run('tar', ['xzf', ARCHIVE, '-C', partial]);
  const unpacked = join(partial, `trino-server-${VERSION}`);
  for (const name of await readdir(join(unpacked, 'plugin')))
    if (!PLUGINS.includes(name)) await rm(join(unpacked, 'plugin', name), { recursive: true });
  await writeFile(join(unpacked, 'complete'), PLUGINS.join('\n'));
  await rm(HOME, { recursive: true, force: true });
  await rename(unpacked, HOME);
  await rm(partial, { recursive: true });
}

/** An older checkout may have unpacked less. */
async function isUnpacked(): Promise<boolean> {
  return (await readFile(join(HOME, 'complete'), 'utf8').catch(() => '')) === PLUGINS.join('\n');
}

async function download(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const response = await fetch(ARCHIVE_URL);
  if (!response.ok || response.body === null) throw new Error(`${ARCHIVE_URL} answered ${response.status}`);
  const partial = `${ARCHIVE}.tmp`;
  await pipeline(Readable.fromWeb(response.body), createWriteStream(partial));
  await rename(partial, ARCHIVE);
}

async function sha1(path: string): Promise<string> {
  const hash = createHash('sha1');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The newest of JAVA_HOME, the usual folders and PATH that is new enough. */
async function findJava(): Promise<string | null> {
  const homes = await readdir('/usr/lib/jvm').catch(() => []);
  const candidates = [
    ...(process.env.JAVA_HOME === undefined ? [] : [join(process.env.JAVA_HOME, 'bin', 'java')]),
    ...homes.map((name) => join('/usr/lib/jvm', name, 'bin', 'java')),
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'java')),
  ];
  for (const java of candidates) {
    const real = await realpath(java).catch(() => null);
    if (real === null) continue;
    // The release file is read, not the program run: several machines would take seconds to answer.
    const release = await readFile(join(dirname(dirname(real)), 'release'), 'utf8').catch(() => '');
    const major = Number(/JAVA_VERSION="(\d+)/.exec(release)?.[1] ?? 0);
    if (major >= JAVA_AT_LEAST) return java;
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isPreparing = process.argv.includes('--prepare');
  const missing = await whyNoTrino(isPreparing || process.argv.includes('--fetch'));
  if (missing !== null) {
    console.error(missing);
    process.exit(1);
  }
  if (isPreparing) {
    await unpack();
    process.exit(0);
  }
  const server = await startTrino();
  console.log(`${server.url}  (started in ${(server.startMs / 1000).toFixed(1)} s, process ${server.pid})`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.stop().then(() => process.exit(0)));
  }
}
