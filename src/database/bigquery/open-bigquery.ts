import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import { HttpSession } from '../http/http-session.ts';
import { type Connection, TaskRunner } from '../http/task-runner.ts';
import type {
  Database,
  DatabaseSchema,
  EngineIdentity,
  Plan,
  QueryLimits,
  QueryResult,
  ServerDescription,
} from '../interface/database.ts';
import { RowCollector } from '../rows/row-collector.ts';
import { warningNotices } from '../rows/warning-notices.ts';
import { type BigqueryField, toBigqueryCell } from './bigquery-cell.ts';
import { BigqueryClient, type DryRun } from './bigquery-client.ts';
import {
  type BigqueryScope,
  type ForEachRow,
  listBigqueryTables,
  readBigquerySchema,
  stampSql,
} from './bigquery-schema.ts';
import { type BigqueryTarget, readBigqueryUrl } from './bigquery-target.ts';
import { BigqueryTokens } from './bigquery-tokens.ts';

/**
 * Connects to BigQuery: `openBigquery('bigquery://acme/shop?credentials=key.json')`. Files that the URL names
 * are relative to `baseDirectory`. Throws `database.invalid-url`, `.unreachable`, `.access-denied` or `.tls-failed`.
 */
export async function openBigquery(url: string, baseDirectory?: string): Promise<BigqueryDatabase> {
  const database = new BigqueryDatabase(readBigqueryUrl(url, baseDirectory));
  try {
    // Planned, not run: enough to be let in, and free of charge.
    await database.explain('SELECT 1');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

// A BigQuery project, read over its REST API.

const SCHEMA_TIMEOUT_MS = 300_000;
const EXPLAIN_TIMEOUT_MS = 60_000;
/** Where BigQuery runs what names no place. */
const DEFAULT_LOCATION = 'US';
const READING = 'SELECT';
const ACCESS = z.object({
  access: z.array(z.object({ role: z.string().optional(), userByEmail: z.string().optional() })).optional(),
});

export class BigqueryDatabase implements Database {
  readonly dialect: DialectName = 'bigquery';
  readonly name: string;
  readonly url: string;
  readonly #target: BigqueryTarget;
  readonly #connection: Connection;
  readonly #client: BigqueryClient;

  /** Connects with the first query. */
  constructor(target: BigqueryTarget, over?: Connection) {
    const { login, origin } = target;
    this.name = target.name;
    this.url = target.url;
    this.#target = target;
    const title = `BigQuery database ${target.name} of project ${target.dataProject}`;
    const session =
      over?.session ??
      new HttpSession({
        title,
        origins: login.kind === 'key' ? [origin, new URL(login.tokenUri).origin] : [origin],
        secrets: login.kind === 'key' ? [] : [login.token],
      });
    this.#connection = over ?? { session, runner: new TaskRunner({ title, url: target.url, session }) };
    const tokens = new BigqueryTokens(login, session);
    this.#client = new BigqueryClient(target, session, { runner: this.#connection.runner, tokens });
  }

  stamp(signal?: AbortSignal): Promise<string> {
    return this.#reading(EXPLAIN_TIMEOUT_MS, signal, async (forEachRow, scope) => {
      const parts: Cell[] = [];
      await forEachRow(stampSql(scope), (row) => parts.push(...row));
      return parts.join(':');
    });
  }

  readSchema(signal?: AbortSignal): Promise<DatabaseSchema> {
    return this.#reading(SCHEMA_TIMEOUT_MS, signal, readBigquerySchema);
  }

  /** A function that somebody made is called through its dataset, which the guard refuses; the engine's go first. */
  async readOwnCode(): Promise<OwnCode> {
    return [];
  }

  /** BigQuery has no read-only session: its own dry run says first what kind of statement it is. */
  listTables(signal?: AbortSignal): Promise<readonly string[]> {
    return this.#reading(SCHEMA_TIMEOUT_MS, signal, listBigqueryTables);
  }

  /** The service account asks for tokens of that person, which the organisation must have allowed it. */
  as({ user }: EngineIdentity): BigqueryDatabase {
    const { login } = this.#target;
    if (user === undefined || login.kind !== 'key') {
      throw new CandorError(
        'config.invalid',
        'impersonate: BigQuery runs queries as another person only with the key of a service account, and by their e-mail address',
      );
    }
    return new BigqueryDatabase({ ...this.#target, login: { ...login, subject: user } }, this.#connection);
  }

  query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult> {
    const { timeoutMs, scanBytes } = limits;
    return this.#connection.runner.run({ timeoutMs, signal, sql }, async (running) => {
      const started = performance.now();
      await this.#dryRun(sql, running);
      const collector = new RowCollector(limits);
      let names: readonly string[] = [];
      let warnings = 0;
      await this.#client.run(
        {
          ...{ sql, timeoutMs, scanBytes, rowLimit: limits.rows + 1 },
          onWarnings: (count) => {
            warnings = count;
          },
          onRows: (fields, rows) => {
            names = fields.map((field) => field.name);
            return rows.every((row) => collector.add(toCells(row, fields)));
          },
        },
        running,
      );
      return collector.toResult(names, performance.now() - started, warningNotices(warnings));
    });
  }

  explain(sql: string, signal?: AbortSignal): Promise<Plan> {
    return this.#connection.runner.run({ timeoutMs: EXPLAIN_TIMEOUT_MS, signal, sql }, async (running) => {
      const { bytes } = await this.#dryRun(sql, running);
      return bytes === undefined ? {} : { bytes };
    });
  }

  async describe(signal?: AbortSignal): Promise<ServerDescription> {
    return this.#connection.runner.run({ timeoutMs: EXPLAIN_TIMEOUT_MS, signal }, async (running) => {
      const { login, dataset, dataProject } = this.#target;
      const excess = new Set<string>();
      if (dataset !== undefined && login.kind === 'key') {
        const path = `/projects/${encodeURIComponent(dataProject)}/datasets/${encodeURIComponent(dataset)}`;
        const { access } = await this.#client.get(path, ACCESS, running);
        for (const { role, userByEmail } of access ?? []) {
          const isWriter = role === 'WRITER' || role === 'OWNER';
          if (isWriter && userByEmail === login.email) excess.add(`${role} of dataset ${dataset}`);
        }
      }
      return {
        product: 'BigQuery',
        ...(login.kind === 'key' ? { user: login.email } : {}),
        readOnlyBy:
          'a dry run of every statement, which must be called SELECT by the engine; BigQuery has no read-only session, so use an account with the roles BigQuery Data Viewer and Job User alone',
        excessRights: [...excess],
      };
    });
  }

  close(): Promise<void> {
    return this.#connection.runner.close();
  }

  /** Throws `database.not-read-only` unless the engine calls the statement a SELECT. */
  async #dryRun(sql: string, running: AbortSignal): Promise<DryRun> {
    const found = await this.#client.dryRun(sql, running);
    if (found.statementType === READING) return found;
    const type = found.statementType ?? 'of a kind that BigQuery does not name';
    throw new CandorError('database.not-read-only', `the statement is ${type}, not ${READING}`);
  }

  /** For statements of our own, which need no dry run. */
  #reading<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    read: (forEachRow: ForEachRow, scope: BigqueryScope) => Promise<T>,
  ): Promise<T> {
    return this.#connection.runner.run({ timeoutMs, signal }, async (running) => {
      const { dataProject, dataset } = this.#target;
      const location = (await this.#client.location(running)) ?? DEFAULT_LOCATION;
      const forEachRow: ForEachRow = (sql, onRow) =>
        this.#client.run(
          {
            ...{ sql, timeoutMs },
            onRows: (fields, rows) => {
              for (const row of rows) onRow(toCells(row, fields));
              return true;
            },
          },
          running,
        );
      return read(forEachRow, { dataProject, dataset, location });
    });
  }
}

function toCells(row: readonly unknown[], fields: readonly BigqueryField[]): Cell[] {
  return fields.map((field, index) => toBigqueryCell(row[index], field));
}
