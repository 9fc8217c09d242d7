/** Where the server programs stand on this machine, or why a suite cannot run. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ServerKind = 'postgres' | 'mariadb';

const NEEDED: Readonly<
  Record<ServerKind, { readonly programs: readonly string[]; readonly account: string }>
> = {
  postgres: { programs: ['initdb', 'postgres'], account: 'postgres' },
  mariadb: { programs: ['mariadb-install-db', 'mariadbd'], account: 'mysql' },
};

/** Paths of the programs by name, or the reason why there are none. */
export type FoundServer = { readonly paths: Readonly<Record<string, string>> } | { readonly missing: string };

export function findServer(kind: ServerKind, folders = serverFolders()): FoundServer {
  const { programs, account } = NEEDED[kind];
  const paths: Record<string, string> = {};
  for (const program of programs) {
    const path = folders.map((folder) => join(folder, program)).find(isProgram);
    if (path === undefined) return { missing: `${program} is not installed: scripts/install-servers.sh` };
    paths[program] = path;
  }
  if (process.getuid?.() === 0 && !hasAccount(account)) {
    return { missing: `this is root, and there is no account ${account} to run the server` };
  }
  return { paths };
}

/** Debian keeps PostgreSQL's programs out of PATH; the newest version goes first. */
function serverFolders(): string[] {
  const root = '/usr/lib/postgresql';
  let versions: string[] = [];
  try {
    versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  } catch {
    // Not Debian, or no PostgreSQL.
  }
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...versions.map((version) => join(root, version, 'bin')), ...path, '/usr/sbin', '/usr/local/sbin'];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function hasAccount(name: string): boolean {
  try {
    execFileSync('id', ['-u', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
