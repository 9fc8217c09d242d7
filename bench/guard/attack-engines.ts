/** The corpus of attacks: refused by the guard in all dialects, and tried on the engines that run here. */

import { guard } from '../../src/database/guard/guard.ts';
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import { DIALECT_NAMES } from '../../src/sql/dialects/dialects.ts';
import { type AttackWorld, openFileWorld, openServerWorld } from '../../test/security/attack-world.ts';
import { type AttackReport, readCorpus, readKinds, runAttacks } from '../../test/security/run-attacks.ts';
import { findServer } from '../../test/servers/find-server.ts';
import { startMariadb } from '../../test/servers/start-mariadb.ts';
import { startPostgres } from '../../test/servers/start-postgres.ts';

/** Plain attacks, calls that do not look like calls, and attacks of people who had not read the guard. */
const CORPORA = ['attacks', 'disguised', 'probes'] as const;

export interface AttackCount {
  readonly attacks: number;
  /** How many there are of each kind, over all dialects. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Attacks that the guard lets pass. */
  readonly bypasses: readonly string[];
}

export function countBypasses(): AttackCount {
  const bypasses: string[] = [];
  const kinds = new Map<string, number>();
  for (const dialect of DIALECT_NAMES) {
    for (const { kind, attacks } of CORPORA.flatMap((corpus) => readKinds(`${corpus}-${dialect}`))) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + attacks.length);
      bypasses.push(...attacks.filter((sql) => passes(sql, dialect)).map((sql) => `${dialect}: ${sql}`));
    }
  }
  return { attacks: [...kinds.values()].reduce((total, count) => total + count, 0), kinds, bypasses };
}

function passes(sql: string, dialect: DialectName): boolean {
  try {
    guard(sql, dialect);
    return true;
  } catch {
    return false;
  }
}

export interface EngineAttack {
  readonly engine: string;
  readonly account: string;
  readonly hasGuard: boolean;
  readonly report: AttackReport;
}

interface Engine {
  readonly name: string;
  readonly open: () => Promise<AttackWorld | string>;
}

const ENGINES: readonly Engine[] = [
  { name: 'SQLite', open: () => openFileWorld('sqlite') },
  { name: 'DuckDB', open: () => openFileWorld('duckdb') },
  { name: 'PostgreSQL', open: () => openServer('postgres') },
  { name: 'MariaDB', open: () => openServer('mariadb') },
];

/** Each engine with the guard, for every account, and without it for the account with the fewest rights. */
export async function attackEngines(onMissing: (message: string) => void): Promise<readonly EngineAttack[]> {
  const done: EngineAttack[] = [];
  for (const { name: engine, open } of ENGINES) {
    const world = await open();
    if (typeof world === 'string') {
      onMissing(`${engine} is left out: ${world}`);
      continue;
    }
    try {
      const attacks = CORPORA.flatMap((corpus) => readCorpus(`${corpus}-${world.dialect}`));
      const accounts = Object.keys(world.urls);
      const runs = [
        ...accounts.map((account) => ({ account, hasGuard: true })),
        { account: accounts[0] ?? '', hasGuard: false },
      ];
      for (const run of runs) {
        done.push({ engine, ...run, report: await runAttacks(world, { ...run, attacks, timeoutMs: 300 }) });
      }
    } finally {
      await world.close();
    }
  }
  return done;
}

async function openServer(kind: 'postgres' | 'mariadb'): Promise<AttackWorld | string> {
  const found = findServer(kind);
  if ('missing' in found) return found.missing;
  return openServerWorld(await (kind === 'postgres' ? startPostgres() : startMariadb()));
}
