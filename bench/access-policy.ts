/**
 * Row filters and column masks on queries drawn by chance: leaks, differences to a database that holds nothing but
 * what the tenant may see, and the share that the guard refuses, by cause.
 * `npx tsx bench/access-policy.ts [--smoke] [--output json]`
 */

import { makeTenantDatabases } from '../test/security/make-tenant-databases.ts';
import { writeRandomQuery } from '../test/security/queries/write-query.ts';
import type { Traits } from '../test/security/queries/writing.ts';
import {
  compareWorlds,
  makeTenantFiles,
  openWorlds,
  type TenantPlaces,
} from '../test/security/tenant-worlds.ts';
import { findServer } from '../test/servers/find-server.ts';
import { startMariadb } from '../test/servers/start-mariadb.ts';
import { startPostgres } from '../test/servers/start-postgres.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

const SMOKE_QUERIES = 60;
const SHOWN = 5;

interface Engine {
  readonly dialect: Traits['dialect'];
  readonly queries: number;
  /** Where its databases are, or why there are none. */
  readonly open: () => Promise<string | TenantPlaces>;
}

const ENGINES: readonly Engine[] = [
  { dialect: 'sqlite', queries: 7_000, open: () => makeTenantFiles('sqlite') },
  { dialect: 'duckdb', queries: 5_000, open: () => makeTenantFiles('duckdb') },
  { dialect: 'postgres', queries: 1_000, open: () => openServer('postgres') },
  { dialect: 'mysql', queries: 1_000, open: () => openServer('mariadb') },
];

const options = readBenchOptions();
const measured: Awaited<ReturnType<typeof measure>>[] = [];
// A smoke run starts no servers.
for (const engine of options.isSmoke ? ENGINES.slice(0, 2) : ENGINES) measured.push(await measure(engine));
const sum = (key: 'queries' | 'leaked' | 'different' | 'refused'): number =>
  measured.reduce((total, row) => total + row[key], 0);
printReport(
  {
    bench: 'access-policy',
    about: 'queries drawn by chance on two tenants, beside a database of one tenant with masked values',
    rows: measured,
    figures: {
      queries: sum('queries'),
      leaks: sum('leaked'),
      differences: sum('different'),
      refusedPercent: (100 * sum('refused')) / Math.max(1, sum('queries')),
    },
  },
  options,
);
if (sum('leaked') + sum('different') > 0) process.exitCode = 1;

async function measure({ dialect, queries, open }: Engine) {
  const row = {
    engine: dialect,
    queries: 0,
    same: 0,
    withRows: 0,
    noQuery: 0,
    refused: 0,
    different: 0,
    leaked: 0,
  };
  const opened = await open();
  if (typeof opened === 'string') {
    process.stderr.write(`access-policy: ${dialect} is left out. ${opened}\n`);
    return row;
  }
  const worlds = await openWorlds(dialect, opened);
  const causes = new Map<string, number>();
  const wrong: string[] = [];
  for (let seed = 0; seed < (options.isSmoke ? SMOKE_QUERIES : queries); seed += 1) {
    const sql = writeRandomQuery(seed, dialect, worlds.tables);
    const verdict = await compareWorlds(worlds, sql);
    row.queries += 1;
    if (verdict.kind === 'same') {
      row.same += 1;
      if (verdict.rows > 0) row.withRows += 1;
    } else if (verdict.kind === 'no-query') row.noQuery += 1;
    else if (verdict.kind === 'refused') {
      row.refused += 1;
      causes.set(verdict.cause, (causes.get(verdict.cause) ?? 0) + 1);
    } else {
      row[verdict.kind] += 1;
      wrong.push(`${dialect} ${seed} ${verdict.kind}: ${verdict.why}\n  ${sql}`);
    }
  }
  await worlds.close();
  for (const [cause, count] of [...causes].sort(([, a], [, b]) => b - a))
    process.stderr.write(`${dialect}: refused ${count}: ${cause}\n`);
  for (const text of wrong.slice(0, SHOWN)) process.stderr.write(`${text}\n`);
  return row;
}

async function openServer(kind: 'postgres' | 'mariadb') {
  const found = findServer(kind);
  if ('missing' in found) return found.missing;
  return makeTenantDatabases(await (kind === 'postgres' ? startPostgres() : startMariadb()));
}
