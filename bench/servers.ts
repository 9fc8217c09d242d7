/**
 * Two servers of one installation against one: how many turns a second each sustains over one PostgreSQL, behind a round-robin proxy
 * without stickiness. So that the server is the bottleneck and not the machine, every server is held to the same small share of one core
 * by a control group; the proxy, PostgreSQL and the people who ask are not. Sustained: no error, the first event within 200 ms and the
 * end within 2 s for 95 % of the turns, and no queue at the end.
 * `npx tsx bench/servers.ts [--smoke] [--output json]`; needs a machine whose control groups may be written, and a build.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../src/lib/seeded-random.ts';
import { startRoundRobin } from '../test/servers/round-robin-proxy.ts';
import { startPostgres } from '../test/servers/start-postgres.ts';
import { toTestServer } from '../test/servers/test-server.ts';
import { readBenchOptions } from './bench-options.ts';
import { makeMotorsFile } from './make-motors-file.ts';
import { printReport } from './print-report.ts';
import { holdToQuota, type QuotaGroup } from './servers/hold-to-quota.ts';
import { offerTurns, type Sustained } from './servers/offer-turns.ts';
import { readCpuMs, readStateLoad } from './servers/state-load.ts';

const QUESTIONS = [
  'orders per month in 2024',
  'how many orders in 2024?',
  'revenue per month in 2023',
  'only 2023',
  'how many test drives per region in 2024?',
  'top 5 dealers by orders in 2024',
  'average customer satisfaction per dealer in 2024',
  'show net new leads by series in 2024',
];
const SEED = 41;
/** Of one core, for each server with the processes of its databases. */
const SHARE = 0.3;
/** For the people who ask, the proxy and PostgreSQL together: more than they use, so that they wait for nobody. */
const REST_SHARE = 1;
const FIRST_P95_MS = 200;
const DONE_P95_MS = 2_000;
/** Both servers together, before they are held to their share. */
const [WARM_TURNS_PER_SECOND, WARM_SECONDS] = [20, 90];
/** Steps of the search, then how near it is. */
const [COARSE, FINE] = [1.4, 1.1];

const options = readBenchOptions();
const TRIAL_SECONDS = options.isSmoke ? 4 : 25;
const say = (line: string): void => void process.stderr.write(`servers: ${line}\n`);
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'candor-servers-bench-'));
const random = seededRandom(SEED);
const rest = holdToQuota('rest', REST_SHARE);
rest.add(process.pid);
const postgres = await startPostgres();
const database = await toTestServer(postgres).createDatabase('state');

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}
const servers: Server[] = [];
const groups: QuotaGroup[] = [];
const rows: Record<string, string | number>[] = [];

try {
  await makeMotorsFile(join(folder, 'made.db'), 'sqlite', options.isSmoke ? 0.02 : 0.2);
  copyFileSync(join(folder, 'made.db'), join(folder, 'motors.db'));
  for (const name of ['a', 'b']) servers.push(await startServed(name));
  const urls = servers.map(({ url }) => url);
  const proxies = await Promise.all([urls.slice(0, 1), urls.slice(1), urls].map(startRoundRobin));
  const [first = '', second = '', two = ''] = proxies.map(({ url }) => url);
  // A server that has answered little compiles what it runs: a turn costs it three times as much.
  await trial('warm', two, options.isSmoke ? 2 : WARM_TURNS_PER_SECOND, options.isSmoke ? 4 : WARM_SECONDS);
  for (const [at, { child }] of servers.entries()) groups.push(hold(`server-${at}`, child));
  // Together first: what is still to be compiled then speaks against two of them, not for them.
  const together = await mostSustained('two servers', two, options.isSmoke ? 1 : 15);
  const alone = [await mostSustained('server a', first, together / 2)];
  alone.push(await mostSustained('server b', second, together / 2));
  const oneServer = (alone[0]! + alone[1]!) / 2;
  // Once more, one after the other, at what was found: the machine is shared, and a search may be lucky.
  const before = await readStateLoad(database, postgres.processId());
  const checks = [await trial('server a, again', first, alone[0]!)];
  checks.push(await trial('two servers, again', two, together));
  const after = await readStateLoad(database, postgres.processId());
  const turns = checks.reduce((sum, check) => sum + check.all, 0);
  printReport(
    {
      bench: 'servers',
      about: `turns a second that one server and two sustain, each held to ${SHARE * 100} % of a core, over one PostgreSQL`,
      rows,
      figures: {
        oneServer,
        twoServers: together,
        ratio: together / oneServer,
        transactionsPerTurn: (after.transactions - before.transactions) / turns,
        walKbPerTurn: (after.walBytes - before.walBytes) / 1_024 / turns,
        postgresCpuMsPerTurn: (after.cpuMs - before.cpuMs) / turns,
      },
    },
    options,
  );
  await Promise.all(proxies.map((proxy) => proxy.close()));
} finally {
  for (const { child } of servers) child.kill('SIGKILL');
  await Promise.all(servers.map(({ child }) => ended(child)));
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const group of groups) group.remove();
  await postgres.stop();
  rest.leave(process.pid);
  rmSync(folder, { recursive: true, force: true });
}

/** Up from what is sustained for sure in large steps, then between the last two in halves. */
async function mostSustained(name: string, url: string, from: number): Promise<number> {
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  for (let rate = from; high / low > FINE; ) {
    if (isSustained(await trial(name, url, rate), rate)) low = rate;
    else high = rate;
    if (options.isSmoke) return rate;
    if (low === 0) rate /= COARSE;
    else rate = high === Number.POSITIVE_INFINITY ? rate * COARSE : Math.sqrt(low * high);
  }
  return low;
}

async function trial(
  name: string,
  url: string,
  turnsPerSecond: number,
  seconds = TRIAL_SECONDS,
): Promise<Sustained & { readonly all: number }> {
  const before = await readStateLoad(database, postgres.processId());
  const cpuBefore = serverCpuMs();
  const found = await offerTurns({ url, turnsPerSecond, seconds, questions: QUESTIONS, random });
  const after = await readStateLoad(database, postgres.processId());
  const cpuMs = serverCpuMs() - cpuBefore;
  const all = after.messages - before.messages;
  const { turns, errors, firstP95Ms, doneP50Ms, doneP95Ms, leftAtEnd } = found;
  const row = {
    name,
    turnsPerSecond,
    turns,
    firstP95Ms,
    doneP50Ms,
    doneP95Ms,
    leftAtEnd,
    errors: errors.length,
    cpuMsPerTurn: cpuMs / all,
  };
  rows.push({ ...row, is: isSustained(found, turnsPerSecond) ? 'sustained' : 'too much' });
  say(JSON.stringify(rows.at(-1)));
  for (const error of errors.slice(0, 2)) say(error);
  return { ...found, all };
}

/** Of both servers, with what they do while nothing is asked. */
function serverCpuMs(): number {
  return servers.reduce((sum, { child }) => sum + readCpuMs(child.pid ?? 0), 0);
}

function isSustained(
  { errors, firstP95Ms, doneP95Ms, leftAtEnd }: Sustained,
  turnsPerSecond: number,
): boolean {
  const hasQueue = leftAtEnd > Math.max(3, turnsPerSecond * (DONE_P95_MS / 1_000));
  return errors.length === 0 && firstP95Ms <= FIRST_P95_MS && doneP95Ms <= DONE_P95_MS && !hasQueue;
}

async function startServed(name: string): Promise<Server> {
  const place = join(folder, name);
  mkdirSync(place);
  for (const part of ['knowledge', 'semantics', 'examples'])
    cpSync(join(root, 'examples/motors', part), join(place, part), { recursive: true });
  const settings = readFileSync(join(root, 'examples/motors/candor.yml'), 'utf8').replace(
    'sqlite:motors.db',
    `sqlite:${join(folder, 'motors.db')}`,
  );
  writeFileSync(join(place, 'candor.yml'), `${settings}\nserver:\n  state: "${database.adminUrl}?pool=8"\n`);
  const main = join(root, 'dist/cli/main.js');
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--output', 'json', '--quiet'], {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (part) => resolve(`${part}`));
    child.once('exit', (code) => reject(new Error(`candor serve ended with ${code}`)));
  });
  return { url: (JSON.parse(said) as { url: string }).url, child };
}

function hold(name: string, child: ChildProcess): QuotaGroup {
  const group = holdToQuota(name, SHARE);
  for (const pid of withChildren(child.pid ?? 0)) group.add(pid);
  return group;
}

/** A server and the processes of its databases. */
function withChildren(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number).flatMap(withChildren)];
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}
