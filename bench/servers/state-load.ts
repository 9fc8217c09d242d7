import { readdirSync, readFileSync } from 'node:fs';
import type { TestDatabase } from '../../test/servers/test-server.ts';

/** What the state of an installation has done so far. */
export interface StateLoad {
  readonly transactions: number;
  readonly walBytes: number;
  /** Of PostgreSQL and all processes it has started. */
  readonly cpuMs: number;
  readonly messages: number;
}

/** Of Linux everywhere: hundredths of a second. */
const TICK_MS = 10;

export async function readStateLoad(database: TestDatabase, postgres: number): Promise<StateLoad> {
  // Sessions tell of what they did once they have been idle for a while.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const [row] = await database.run(
    `SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions,
       pg_current_wal_lsn() - '0/0' AS wal, (SELECT count(*) FROM candor.messages) AS messages`,
  );
  return {
    transactions: Number(row?.transactions),
    walBytes: Number(row?.wal),
    messages: Number(row?.messages),
    cpuMs: readCpuMs(postgres),
  };
}

/** Of a process and those that it has started, in milliseconds since their start. */
export function readCpuMs(parent: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const stat = readStat(name);
    // Behind the name, which may hold anything: state, parent, …, times of the process, and of children that have ended.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (Number(name) === parent)
      ticks += (fields[11] ?? 0) + (fields[12] ?? 0) + (fields[13] ?? 0) + (fields[14] ?? 0);
    else if (fields[1] === parent) ticks += (fields[11] ?? 0) + (fields[12] ?? 0);
  }
  return ticks * TICK_MS;
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
