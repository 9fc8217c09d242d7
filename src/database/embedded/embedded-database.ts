/** A database in a file, queried through its executor processes. */
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import type {
  Database,
  DatabaseSchema,
  Plan,
  QueryLimits,
  QueryResult,
  ServerDescription,
} from '../interface/database.ts';
import { type EmbeddedSettings, embeddedLimits } from './engine/embedded-settings.ts';
import { ENGINE_TRAITS, type EngineName } from './engine/engine.ts';
import { ExecutorPool } from './executor-pool.ts';
import type { Task, TaskResults } from './executor-protocol.ts';

const SCHEMA_TIMEOUT_MS = 60_000;
const EXPLAIN_TIMEOUT_MS = 10_000;

/** Implements `Database` for every embedded engine; what differs stands in `ENGINE_TRAITS` and in the executor. */
export class EmbeddedDatabase implements Database {
  readonly dialect: DialectName;
  readonly name: string;
  readonly url: string;
  readonly #path: string;
  readonly #engine: EngineName;
  readonly #pool: ExecutorPool;

  constructor(engine: EngineName, path: string, settings: EmbeddedSettings = {}) {
    this.dialect = engine;
    this.name = basename(path, extname(path));
    this.url = `${engine}:${path}`;
    this.#path = path;
    this.#engine = engine;
    this.#pool = new ExecutorPool({ engine, path, limits: embeddedLimits(settings) });
    this.#pool.start();
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
    return this.#run({ kind: 'read-schema' }, SCHEMA_TIMEOUT_MS, signal);
  }

  async readOwnCode(signal?: AbortSignal): Promise<OwnCode> {
    return this.#run({ kind: 'read-own-code' }, EXPLAIN_TIMEOUT_MS, signal);
  }

  async query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult> {
    return this.#run({ kind: 'query', sql, limits }, limits.timeoutMs, signal);
  }

  async explain(sql: string, signal?: AbortSignal): Promise<Plan> {
    return this.#run({ kind: 'explain', sql }, EXPLAIN_TIMEOUT_MS, signal);
  }

  async describe(signal?: AbortSignal): Promise<ServerDescription> {
    const version = await this.#run({ kind: 'version' }, EXPLAIN_TIMEOUT_MS, signal);
    const { title, readOnlyBy } = ENGINE_TRAITS[this.#engine];
    return { product: `${title} ${version}`, readOnlyBy, excessRights: [] };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Failures leave with the database's name and the SQL that caused them. */
  async #run<T extends Task>(
    task: T,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<TaskResults[T['kind']]> {
    try {
      // Both ends are of one build: the executor answers each kind of task with its kind of result.
      return (await this.#pool.run(task, { timeoutMs, signal })) as TaskResults[T['kind']];
    } catch (error) {
      if (!(error instanceof CandorError)) throw error;
      const sql = 'sql' in task ? { sql: task.sql } : {};
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
