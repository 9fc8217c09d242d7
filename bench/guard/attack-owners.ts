/** Code of a database's owner behind listed names, on the engines that run here: what of it reaches the engine. */
import { outlineCatalog } from '../../src/catalog/index.ts';
import { connect, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import {
  type OwnerDialect,
  type OwnerWorld,
  openOwnerDatabase,
  openOwnerFile,
  readOwnerAttacks,
} from '../../test/security/owner-world.ts';
import { findServer } from '../../test/servers/find-server.ts';
import { startMariadb } from '../../test/servers/start-mariadb.ts';
import { startPostgres } from '../../test/servers/start-postgres.ts';
import { toTestServer } from '../../test/servers/test-server.ts';

export interface OwnerCount {
  readonly attacks: number;
  readonly kinds: ReadonlyMap<string, number>;
  /** Statements that the guard lets pass. */
  readonly bypasses: readonly string[];
}

export async function attackOwners(onMissing: (message: string) => void): Promise<OwnerCount> {
  const kinds = new Map<string, number>();
  const bypasses: string[] = [];
  for (const dialect of ['duckdb', 'postgres', 'mysql'] as const) {
    await inWorld(dialect, onMissing, async ({ url }) => {
      const engine = await connect(url);
      try {
        const reader = guarded(engine, { kind: 'caller-queries', catalog: await outlineCatalog(engine) });
        for (const { kind, sql } of readOwnerAttacks(dialect)) {
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          const limits = { rows: 100, bytes: 100_000, timeoutMs: 5_000 };
          const code = await reader.query(sql, limits).then(() => 'rows', codeOf);
          if (!REFUSALS.has(code)) bypasses.push(`${dialect}: ${sql} (${code})`);
        }
      } finally {
        await engine.close();
      }
    });
  }
  return { attacks: [...kinds.values()].reduce((total, count) => total + count, 0), kinds, bypasses };
}

const REFUSALS: ReadonlySet<string> = new Set([
  'database.own-code',
  'database.not-read-only',
  'database.not-visible',
  'sql.parse-failed',
]);

function codeOf(error: unknown): string {
  if (error instanceof CandorError) return error.code;
  throw error;
}

async function inWorld(
  dialect: OwnerDialect,
  onMissing: (message: string) => void,
  work: (world: OwnerWorld) => Promise<void>,
): Promise<void> {
  if (dialect === 'duckdb') return closing(await openOwnerFile(dialect), work);
  const kind = dialect === 'postgres' ? 'postgres' : 'mariadb';
  const found = findServer(kind);
  if ('missing' in found) return onMissing(`code of owners on ${dialect} is left out: ${found.missing}`);
  const started = await (kind === 'postgres' ? startPostgres() : startMariadb());
  try {
    await closing(await openOwnerDatabase(toTestServer(started), dialect), work);
  } finally {
    await started.stop();
  }
}

async function closing(world: OwnerWorld, work: (world: OwnerWorld) => Promise<void>): Promise<void> {
  try {
    await work(world);
  } finally {
    await world.close();
  }
}
