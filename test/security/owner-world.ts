/** Databases whose owner put code behind names of the engine, and the statements that would run it. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { connect } from '../../src/database/index.ts';
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import type { TestServer } from '../servers/test-server.ts';

export type OwnerDialect = Extract<DialectName, 'postgres' | 'mysql' | 'duckdb'>;

export interface OwnerWorld {
  /** As an account that may only read. */
  readonly url: string;
  /** What comes of a statement without any care of ours: its rows, or the error. */
  run(sql: string): Promise<string>;
  /** Changes it; a file that is open cannot be changed. */
  runAsOwner(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface OwnerAttack {
  readonly kind: string;
  readonly sql: string;
  /** Whether its rows, or its error, show what it runs. */
  readonly isSeen: boolean;
}

const FOLDER = new URL('../fixtures/guard/owner-code/', import.meta.url);

/** The statements of a file, each with the heading that it stands under. */
export function readOwnerAttacks(name: string): readonly OwnerAttack[] {
  let kind = '';
  return readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) kind = line.slice(3);
      if (line === '' || line.startsWith('#')) return [];
      const isSeen = !line.startsWith('~ ');
      return [{ kind, isSeen, sql: line.replace(/^~ /, '').replaceAll('⏎', '\n') }];
    });
}

/** `setting` names the script that makes it. */
export async function openOwnerFile(setting: string): Promise<OwnerWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-owner-'));
  const path = join(folder, 'shop.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(readSetting(setting));
  connection.closeSync();
  instance.closeSync();
  const copy = join(folder, 'copy.duckdb');
  copyFileSync(path, copy);
  const plain = await DuckDBInstance.create(copy, { access_mode: 'READ_ONLY' });
  return {
    url: `duckdb:${path}`,
    runAsOwner: () => Promise.reject(new Error('the file is open')),
    run: async (sql) => {
      const own = await plain.connect();
      try {
        return JSON.stringify((await own.runAndReadAll(sql)).getRowsJson());
      } catch (error) {
        return String(error);
      } finally {
        own.closeSync();
      }
    },
    close: async () => {
      plain.closeSync();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function openOwnerDatabase(server: TestServer, setting: string): Promise<OwnerWorld> {
  const database = await server.createDatabase('owner');
  if (server.kind === 'mariadb')
    await server.run(`GRANT EXECUTE ON \`${database.name}\`.* TO candor_reader@'%'`);
  await database.run(readSetting(setting));
  const plain = await connect(database.url);
  return {
    url: database.url,
    runAsOwner: (sql) => database.run(sql),
    run: async (sql) => {
      try {
        const { rows } = await plain.query(sql, { rows: 100, bytes: 100_000, timeoutMs: 20_000 });
        return JSON.stringify(rows, (_, cell) => (typeof cell === 'bigint' ? `${cell}` : cell));
      } catch (error) {
        return String(error);
      }
    },
    close: async () => {
      await plain.close();
      await database.drop();
    },
  };
}

function readSetting(name: string): string {
  return readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8');
}
