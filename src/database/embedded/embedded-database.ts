/** A database in a file, queried through its executor process. */
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialect.ts';
import type { Database, DatabaseSchema, QueryLimits, QueryResult } from '../database.ts';
import { ENGINE_TRAITS, type EngineName } from './engine.ts';
import { ExecutorClient } from './executor-client.ts';
import type { Task, TaskResult } from './executor-protocol.ts';

const SCHEMA_TIMEOUT_MS = 60_000;
const EXPLAIN_TIMEOUT_MS = 10_000;

/** Implements `Database` for every embedded engine; what differs stands in `ENGINE_TRAITS` and in the executor. */
export class EmbeddedDatabase implements Database {
  readonly dialect: DialectName;
  readonly name: string;
  readonly url: string;
  readonly #path: string;
  readonly #engine: EngineName;
  readonly #client: ExecutorClient;

  constructor(engine: EngineName, path: string) {
    this.dialect = engine;
    this.name = basename(path, extname(path));
    this.url = `${engine}:${path}`;
    this.#path = path;
    this.#engine = engine;
    this.#client = new ExecutorClient(engine, path);
    this.#client.start();
  }

  async stamp(): Promise<string> {
    const main = await describeFile(this.#path);
    if (main === null) {
      throw new CandorError('database.not-found', `the database file is gone: ${this.#path}`);
    }
    const log = await describeFile(this.#path + ENGINE_TRAITS[this.#engine].logEnding);
    return log === null || log.startsWith('0-') ? main : `${main}+${log}`;
  }

  async readSchema(signal?: AbortSignal): Promise<DatabaseSchema> {
    const result = await this.#run({ kind: 'read-schema' }, SCHEMA_TIMEOUT_MS, signal);
    if (result === null || !('tables' in result)) throw wrongResult();
    return result;
  }

  async query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult> {
    const result = await this.#run({ kind: 'query', sql, limits }, limits.timeoutMs, signal);
    if (result === null || !('rows' in result)) throw wrongResult();
    return result;
  }

  async explain(sql: string, signal?: AbortSignal): Promise<void> {
    await this.#run({ kind: 'explain', sql }, EXPLAIN_TIMEOUT_MS, signal);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Failures leave with the database's name and the SQL that caused them. */
  async #run(task: Task, timeoutMs: number, signal: AbortSignal | undefined): Promise<TaskResult> {
    try {
      return await this.#client.run(task, { timeoutMs, signal });
    } catch (error) {
      if (!(error instanceof CandorError)) throw error;
      const sql = task.kind === 'read-schema' ? {} : { sql: task.sql };
      throw new CandorError(error.code, `${this.#title()}: ${error.message}`, {
        data: { ...error.data, ...sql, url: this.url },
        cause: error,
      });
    }
  }

  #title(): string {
    return `${ENGINE_TRAITS[this.#engine].title} database ${basename(this.#path)}`;
  }
}

async function describeFile(path: string): Promise<string | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return `${size}-${mtimeMs}`;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function wrongResult(): CandorError {
  return new CandorError('internal.bug', 'the executor answered with the result of another task');
}
