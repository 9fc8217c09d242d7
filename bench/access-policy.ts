/**
 * Row filters and column masks on queries drawn by chance: leaks, differences to a database that holds nothing but
 * what the tenant may see, and the share that the guard refuses, by cause. A third of the queries may name a table that shows
 * rows of others: those are counted by its kind.
 * `npx tsx bench/access-policy.ts [--smoke] [--output json]`
 */

import type { DialectName } from '../src/sql/index.ts';
import { makeTenantDatabases } from '../test/security/make-tenant-databases.ts';
import { writeRandomQuery } from '../test/security/queries/write-query.ts';
import type { Traits } from '../test/security/queries/writing.ts';
import { readReadingAttacks, runReadingAttack, tryReadingAttack } from '../test/security/reading-attacks.ts';
import { openLakeWorlds } from '../test/security/tenant-project.ts';
import {
  compareWorlds,
  makeTenantFiles,
  openWorlds,
  type TenantPlaces,
} from '../test/security/tenant-worlds.ts';
import { findServer } from '../test/servers/find-server.ts';
import { startMariadb } from '../test/servers/start-mariadb.ts';
import { startPostgres } from '../test/servers/start-postgres.ts';
import { KindCounter } from './access-policy/count-kinds.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

const SMOKE_QUERIES = 60;
const SHOWN = 5;

interface Engine {
  readonly dialect: Traits['dialect'];
  readonly queries: number;
  /** Its tables are those of a lake. */
  readonly isLake?: boolean;
  /** Where its databases are, or why there are none. */
  readonly open: () => Promise<string | TenantPlaces>;
}

const ENGINES: readonly Engine[] = [
  { dialect: 'sqlite', queries: 8_000, open: () => makeTenantFiles('sqlite') },
  { dialect: 'sqlite', queries: 1_000, isLake: true, open: () => makeTenantFiles('sqlite') },
  { dialect: 'duckdb', queries: 6_000, open: () => makeTenantFiles('duckdb') },
  { dialect: 'postgres', queries: 1_500, open: () => openServer('postgres') },
  { dialect: 'postgres', queries: 500, isLake: true, open: () => openServer('postgres') },
  { dialect: 'mysql', queries: 1_500, open: () => openServer('mariadb') },
];

const options = readBenchOptions();
const measured: Awaited<ReturnType<typeof measure>>[] = [];
/** What became of the queries that name a table of a kind, on an engine. */
const attacks: AttackRow[] = [];
const kinds: ReturnType<KindCounter['rows']>[number][] = [];
// A smoke run starts no servers.
for (const engine of options.isSmoke ? ENGINES.slice(0, 3) : ENGINES) measured.push(await measure(engine));
for (const dialect of ['trino', 'snowflake', 'bigquery'] as const)
  attacks.push(...(await countAttacks(dialect, dialect, async (sql) => tryReadingAttack(dialect, sql))));
const sum = (
  key: 'queries' | 'leaked' | 'different' | 'refused' | 'readingOthers' | 'refusedForThem',
): number => measured.reduce((total, row) => total + row[key], 0);
printReport(
  {
    bench: 'access-policy',
    about: 'queries drawn by chance on two tenants, beside a database of one tenant with masked values',
    rows: measured,
    figures: {
      queries: sum('queries'),
      leaks: sum('leaked'),
      differences: sum('different'),
      namedReadingTables: sum('readingOthers'),
      refusedForReadingTables: sum('refusedForThem'),
      refusedPercentOfOthers:
        (100 * (sum('refused') - sum('refusedForThem'))) / Math.max(1, sum('queries') - sum('readingOthers')),
    },
  },
  options,
);
printReport(
  {
    bench: 'access-policy-kinds',
    about:
      'of these the queries that name (as a table, an alias or a CTE) a table which shows rows of others, by its kind',
    rows: kinds,
    figures: { kinds: new Set(kinds.map(({ kind }) => kind)).size },
  },
  options,
);
const passed = attacks.reduce((total, row) => total + row.passed, 0);
printReport(
  {
    bench: 'access-policy-attacks',
    about:
      'attacks through tables that show rows of others, by the kind of the table; of warehouses by the guard alone',
    rows: attacks,
    figures: {
      attacks: attacks.reduce((total, row) => total + row.attacks, 0),
      kinds: new Set(attacks.map(({ kind }) => kind)).size,
      passed,
    },
  },
  options,
);
if (sum('leaked') + sum('different') + passed > 0) process.exitCode = 1;

async function measure({ dialect, queries, isLake = false, open }: Engine) {
  const engine = isLake ? `${dialect} lake` : dialect;
  const row = {
    engine,
    queries: 0,
    same: 0,
    withRows: 0,
    noQuery: 0,
    refused: 0,
    different: 0,
    leaked: 0,
    readingOthers: 0,
    refusedForThem: 0,
  };
  const opened = await open();
  if (typeof opened === 'string') {
    process.stderr.write(`access-policy: ${engine} is left out. ${opened}\n`);
    return row;
  }
  const worlds = await (isLake ? openLakeWorlds : openWorlds)(dialect, opened);
  const counter = new KindCounter(engine, worlds.tables);
  const causes = new Map<string, number>();
  const wrong: string[] = [];
  for (let seed = 0; seed < (options.isSmoke ? SMOKE_QUERIES : queries); seed += 1) {
    const sql = writeRandomQuery(seed, dialect, worlds.tables);
    const verdict = await compareWorlds(worlds, sql);
    row.queries += 1;
    if (counter.add(sql, verdict)) {
      row.readingOthers += 1;
      if (verdict.kind === 'refused') row.refusedForThem += 1;
    }
    if (verdict.kind === 'same') {
      row.same += 1;
      if (verdict.rows > 0) row.withRows += 1;
    } else if (verdict.kind === 'no-query') row.noQuery += 1;
    else if (verdict.kind === 'refused') {
      row.refused += 1;
      causes.set(verdict.cause, (causes.get(verdict.cause) ?? 0) + 1);
    } else {
      row[verdict.kind] += 1;
      wrong.push(`${engine} ${seed} ${verdict.kind}: ${verdict.why}\n  ${sql}`);
    }
  }
  kinds.push(...counter.rows());
  attacks.push(...(await countAttacks(engine, dialect, (sql) => runReadingAttack(worlds.shared, sql))));
  await worlds.close();
  for (const [cause, count] of [...causes].sort(([, a], [, b]) => b - a))
    process.stderr.write(`${engine}: refused ${count}: ${cause}\n`);
  for (const text of wrong.slice(0, SHOWN)) process.stderr.write(`${text}\n`);
  return row;
}

type AttackRow = { engine: string; kind: string; attacks: number; refused: number; passed: number };

async function countAttacks(
  engine: string,
  dialect: DialectName,
  attack: (sql: string) => Promise<string | undefined>,
): Promise<readonly AttackRow[]> {
  const rows = new Map<string, AttackRow>();
  for (const { kind, sql } of readReadingAttacks(dialect)) {
    const row = rows.get(kind) ?? { engine, kind, attacks: 0, refused: 0, passed: 0 };
    rows.set(kind, row);
    const came = await attack(sql);
    row.attacks += 1;
    row[came === undefined ? 'refused' : 'passed'] += 1;
    if (came !== undefined) process.stderr.write(`${engine} ${kind}: ${came}\n  ${sql}\n`);
  }
  return [...rows.values()];
}

async function openServer(kind: 'postgres' | 'mariadb') {
  const found = findServer(kind);
  if ('missing' in found) return found.missing;
  return makeTenantDatabases(await (kind === 'postgres' ? startPostgres() : startMariadb()));
}
