/** What a fresh session of PostgreSQL is asked once: its search path, and which of our settings it takes. */
import type { Client } from 'pg';
import {
  type PinnedSettings,
  pinSettings,
  SESSION_SETTINGS,
  type SessionSetting,
} from '../session-settings/index.ts';
import { postgresFailure } from './postgres-failure.ts';

export interface PostgresPins {
  /** What the server gives the fresh session, between the engine's own schemas: an SQL list of names. */
  readonly searchPath: string;
  readonly pinned: PinnedSettings;
}

export async function readPostgresPins(
  client: Client,
  settings: readonly SessionSetting[] = SESSION_SETTINGS.postgres,
): Promise<PostgresPins> {
  const names = ['search_path', ...settings.filter(({ hold }) => hold === 'watched').map(({ name }) => name)];
  const { rows } = await client.query<{ name: string; value: string | null }>(
    'SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  const present = new Map(rows.map(({ name, value }) => [name, value ?? undefined]));
  const pinned = await pinSettings({
    settings,
    take: (some) => takes(client, some),
    read: (name) => present.get(name),
  });
  return { searchPath: pinSearchPath(present.get('search_path') ?? ''), pinned };
}

/** Throws what is no refusal: a connection that is lost. */
async function takes(client: Client, settings: readonly SessionSetting[]): Promise<boolean> {
  const sets = settings.map(({ name, value }) => `SET LOCAL ${name} = ${value};`).join(' ');
  try {
    await client.query(`BEGIN TRANSACTION READ ONLY; ${sets} ROLLBACK`);
    return true;
  } catch (error) {
    const failure = postgresFailure(error, 'connecting');
    if (failure.data.sqlState === undefined) throw failure;
    await client.query('ROLLBACK');
    return false;
  }
}

const ELEMENT = /"(?:[^"]|"")*"|[^\s,"]+/g;
/** The engine's own functions, operators and types come before anybody else's, temporary ones last. */
const FIRST = 'pg_catalog';
const LAST = 'pg_temp';

/**
 * The path that a server gives a session, with the engine's schema first and the temporary one last: a path may name
 * both anywhere, and without its name the temporary one comes before all others.
 */
function pinSearchPath(given: string): string {
  const others = (given.match(ELEMENT) ?? []).filter((name) => {
    const plain = name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase();
    return plain !== FIRST && plain !== LAST && plain !== '';
  });
  return [FIRST, ...others, LAST].join(', ');
}
