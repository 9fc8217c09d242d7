/**
 * Query logs of growing size into the usage file, beside SQLGlot naming the tables of the same statements.
 * `npx tsx bench/usage.ts [--smoke] [--output json]`
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { printReport } from './print-report.ts';
import {
  prepareSqlglot,
  type SqlglotEnvironment,
  SqlglotMissingError,
} from './sql-core/sqlglot-environment.ts';
import { logLines } from './usage/log-lines.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const SMOKE_SIZES = [500, 1_000];
/** The peer is slow: it gets the first entries only, and its rate is compared. */
const PEER_ENTRIES = 10_000;
const SMOKE_PEER_ENTRIES = 500;

const options = readBenchOptions();
const sizes = options.isSmoke ? SMOKE_SIZES : SIZES;
const peer = await prepareOrEnd();
const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
try {
  const rows = [];
  for (const entries of sizes) {
    const log = join(folder, `log-${entries}.jsonl`);
    await pipeline(logLines(entries), createWriteStream(log));
    rows.push({ entries, logMb: (await stat(log)).size / 1e6, ...ingest(log, entries) });
  }
  const peerEntries = options.isSmoke ? SMOKE_PEER_ENTRIES : PEER_ENTRIES;
  const peerLog = join(folder, 'peer.jsonl');
  await pipeline(logLines(peerEntries), createWriteStream(peerLog));
  const peerRate = askPeer(peer, peerLog);
  const largest = rows.at(-1);
  printReport(
    {
      bench: 'usage',
      about: `JSON lines, a third of them never seen before, 1 % broken; the peer names tables of ${peerEntries} entries`,
      rows,
      figures: {
        growth: growthExponent(rows.map(({ entries, seconds }) => [entries, seconds])),
        memoryGrowth: growthExponent(rows.map(({ entries, peakMb }) => [entries, peakMb])),
        peerEntriesPerSecond: peerRate,
        ratioToPeer: (largest?.entriesPerSecond ?? 0) / peerRate,
      },
    },
    options,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function prepareOrEnd(): Promise<SqlglotEnvironment> {
  try {
    return await prepareSqlglot('python', (line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    if (!(error instanceof SqlglotMissingError)) throw error;
    process.stderr.write(`usage: nothing was measured: ${error.message}\n`);
    process.exit(3);
  }
}

/** In a process of its own, so that its peak of memory is its own. */
function ingest(log: string, entries: number) {
  const script = fileURLToPath(new URL('./usage/ingest-worker.ts', import.meta.url));
  const output = execFileSync(process.execPath, ['--import', 'tsx', script, log, `${log}.sqlite`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const figures: Record<'seconds' | 'peakMb' | 'stateMb' | 'showMs' | 'rejected' | 'counted', number> =
    JSON.parse(output);
  return { ...figures, entriesPerSecond: entries / figures.seconds };
}

/** Entries a second; the peer times itself, without its start. */
function askPeer({ python }: SqlglotEnvironment, log: string): number {
  const script = fileURLToPath(new URL('./usage/sqlglot_tables.py', import.meta.url));
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout, stderr } = spawnSync(python, [script, log], { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`the peer failed:\n${stderr}`);
  return Number(stdout);
}
