/** What a state file is looked at for before it is used: SQLite itself would begin anew, or build upon what is not ours. */
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { SqliteDriver } from '../database/index.ts';
import { CandorError } from '../errors.ts';

export type Connection = InstanceType<SqliteDriver['DatabaseSync']>;

interface Migrations {
  readonly migrations: readonly string[];
}

/** SQLite's code for a file that is no database of its. */
export const NOT_A_DATABASE = 26;
/** Above this many bytes the indexes are not compared with their tables, which would take seconds. */
const MOST_COMPARED = 64_000_000;
const WAITS_FOR_OTHERS = 40;
const WAIT_MS = 50;

/** SQLite takes an empty file for a new database, and would begin anew where something was. */
export async function refuseEmptied(path: string): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size !== 0) return;
    // Another process may be at its first page.
    if (waits === WAITS_FOR_OTHERS) throw damage(path, 'it is empty, though it was there');
    await wait(WAIT_MS);
  }
}

export function checkWhole(connection: Connection, path: string): void {
  const pages = Number(connection.prepare('PRAGMA page_count').get()?.page_count ?? 0);
  const size = Number(connection.prepare('PRAGMA page_size').get()?.page_size ?? 0);
  const check = pages * size > MOST_COMPARED ? 'quick_check' : 'integrity_check';
  const [said] = Object.values(connection.prepare(`PRAGMA ${check}(1)`).get() ?? {});
  if (said !== 'ok') throw damage(path, String(said).split('\n')[0] ?? '');
}

function damage(path: string, reason: string): CandorError {
  const cause = Object.assign(new Error(reason), { errcode: NOT_A_DATABASE });
  return new CandorError('store.unusable', `${path} is damaged: ${reason}.`, { cause });
}

interface Versions extends Migrations {
  readonly path: string;
  readonly emptyDatabase: () => Connection;
}

/** A database of something else has a version too, and would be changed by migrations that are not its own. */
export function refuseForeign(connection: Connection, { path, migrations, emptyDatabase }: Versions): void {
  const tablesOf = (asked: Connection): readonly string[] =>
    asked
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all()
      .map(({ name }) => String(name));
  // One state of the file: another process may be making it.
  connection.exec('BEGIN');
  const version = versionOf(connection);
  const found = new Set(tablesOf(connection));
  connection.exec('COMMIT');
  if (version > migrations.length)
    throw new CandorError('store.unusable', `${path} was written by a newer Candor (version ${version}).`);
  const isNew = version === 0 && found.size > 0;
  const made = emptyDatabase();
  try {
    for (const step of migrations.slice(0, version)) made.exec(step);
    const missing = tablesOf(made).find((name) => !found.has(name));
    if (isNew || missing !== undefined)
      throw new CandorError(
        'store.unusable',
        `${path} is a database of something else${missing === undefined ? '' : `: it has no table ${missing}`}.`,
      );
  } finally {
    made.close();
  }
}

export function versionOf(connection: Connection): number {
  return Number(connection.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
