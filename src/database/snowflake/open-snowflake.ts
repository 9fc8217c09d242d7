import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { once } from '../../lib/index.ts';
import type { Notice } from '../../results/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { quoteName } from '../../sql/dialects/index.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import { HttpSession, ServerClock } from '../http/http-session.ts';
import { withOwnLines } from '../http/own-lines.ts';
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
import { readScope, type ScopeReader } from '../interface/table-scope.ts';
import { RowCollector } from '../rows/row-collector.ts';
import { SESSION_SETTINGS, watchedNotices } from '../session-settings/index.ts';
import { SnowflakeClient, type SnowflakeColumn, toSnowflakeCell } from './snowflake-client.ts';
import { type AccountScope, listAccountTables, readAccount, stampAccount } from './snowflake-databases.ts';
import type { ForEachRow, SnowflakeRow } from './snowflake-schema.ts';
import { readSnowflakeUrl, type SnowflakeTarget, SnowflakeTokens } from './snowflake-target.ts';

/**
 * Connects to Snowflake: `openSnowflake('snowflake://reader@acme-main/shop/public?private_key_file=key.p8')`. Files that the URL names
 * are relative to `baseDirectory`. Throws `database.invalid-url`, `.unreachable`, `.access-denied` or `.tls-failed`.
 */
export async function openSnowflake(
  url: string,
  baseDirectory?: string,
  tables?: ScopeReader,
): Promise<SnowflakeDatabase> {
  const database = new SnowflakeDatabase(readSnowflakeUrl(url, baseDirectory), { tables });
  try {
    // Planned, not run: enough to be let in, and free of charge.
    await database.explain('SELECT 1');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

// A Snowflake account, read over its SQL API.

const SCHEMA_TIMEOUT_MS = 300_000;
const EXPLAIN_TIMEOUT_MS = 60_000;
const EXPLAIN = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*explain\b/i;
/** Rights that let a role look only. */
const HARMLESS = /^(?:SELECT|USAGE|REFERENCES|MONITOR|READ)$/;

interface OpenParts {
  readonly tables?: ScopeReader | undefined;
  /** That of another database of the same account. */
  readonly over?: Connection;
}

export class SnowflakeDatabase implements Database {
  readonly dialect: DialectName = 'snowflake';
  readonly name: string;
  readonly url: string;
  readonly #target: SnowflakeTarget;
  readonly #scope: AccountScope;
  readonly #connection: Connection;
  readonly #client: SnowflakeClient;

  /** Connects with the first query. */
  constructor(target: SnowflakeTarget, { tables = readScope(), over }: OpenParts = {}) {
    this.name = target.name;
    this.url = target.url;
    this.#target = target;
    this.#scope = { database: target.database, schema: target.schema, tables };
    const title = `Snowflake database ${target.name} of account ${target.account}`;
    const session =
      over?.session ?? new HttpSession({ title, origins: [target.origin], secrets: target.secrets });
    const clock = new ServerClock(session, target.origin);
    const tokens = new SnowflakeTokens(target.login, target.account, target.user, clock);
    this.#connection = over ?? { session, runner: new TaskRunner({ title, url: target.url, session }) };
    this.#client = new SnowflakeClient(target, session, { runner: this.#connection.runner, tokens });
  }

  stamp(signal?: AbortSignal): Promise<string> {
    return this.#inAccount(signal, stampAccount);
  }

  readSchema(signal?: AbortSignal): Promise<DatabaseSchema> {
    return this.#inAccount(signal, readAccount);
  }

  /** No function may have the name of one of the engine's; the list may know names that the engine does not. */
  async readOwnCode(signal?: AbortSignal): Promise<OwnCode> {
    const rows = await this.#readAll('SHOW USER FUNCTIONS', EXPLAIN_TIMEOUT_MS, signal);
    return rows.flatMap(({ name }) => (name ? [{ kind: 'function', name: name.toLowerCase() }] : []));
  }

  listTables(signal?: AbortSignal): Promise<readonly string[]> {
    return this.#inAccount(signal, listAccountTables);
  }

  /** Snowflake runs statements as the user that logged in; a role of that user is all that can be taken. */
  as({ user, role }: EngineIdentity): SnowflakeDatabase {
    if (role === undefined) {
      throw new CandorError(
        'config.invalid',
        `impersonate: Snowflake cannot run queries as ${user}; give groups an engineRole in their session`,
      );
    }
    return new SnowflakeDatabase(
      { ...this.#target, role },
      { tables: this.#scope.tables, over: this.#connection },
    );
  }

  #inAccount<T>(
    signal: AbortSignal | undefined,
    read: (forEachRow: ForEachRow, scope: AccountScope) => Promise<T>,
  ): Promise<T> {
    return this.#connection.runner.run({ timeoutMs: SCHEMA_TIMEOUT_MS, signal }, (running) =>
      read((sql, onRow) => this.#forEachRow(sql, running, onRow), this.#scope),
    );
  }

  /** Snowflake has no read-only session: its own plan of the statement is read first, and must bring rows only. */
  query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult> {
    const { timeoutMs } = limits;
    return this.#connection.runner.run({ timeoutMs, signal, sql }, async (running) => {
      const started = performance.now();
      const notices = await this.#settingNotices(running);
      if (!EXPLAIN.test(sql)) await this.#plan(sql, running);
      const collector = new RowCollector(limits);
      let names: readonly string[] = [];
      await this.#client.run(
        {
          ...{ sql, timeoutMs, rowLimit: limits.rows + 1 },
          onRows: (columns, rows) => {
            names = columns.map((column) => column.name);
            return rows.every((row) => collector.add(toCells(row, columns)));
          },
        },
        running,
      );
      return collector.toResult(names, performance.now() - started, notices);
    });
  }

  explain(sql: string, signal?: AbortSignal): Promise<Plan> {
    return this.#connection.runner.run({ timeoutMs: EXPLAIN_TIMEOUT_MS, signal, sql }, async (running) => {
      if (!EXPLAIN.test(sql)) return this.#plan(sql, running);
      await this.#forEachRow(sql, running, () => undefined);
      return {};
    });
  }

  async describe(signal?: AbortSignal): Promise<ServerDescription> {
    const sql = 'SELECT CURRENT_VERSION() AS V, CURRENT_USER() AS U, CURRENT_ROLE() AS R';
    const [found] = await this.#readAll(sql, EXPLAIN_TIMEOUT_MS, signal);
    const role = found?.r ?? '';
    const excess = new Set<string>();
    const grants = `SHOW GRANTS TO ROLE ${quoteName(role, 'snowflake')}`;
    for (const grant of await this.#readAll(grants, EXPLAIN_TIMEOUT_MS, signal)) {
      const { privilege, granted_on: kind } = grant;
      if (privilege && !HARMLESS.test(privilege)) excess.add(`${privilege} on ${kind ?? 'an object'}`);
    }
    return {
      product: `Snowflake ${found?.v ?? ''}`,
      user: `${found?.u ?? this.#target.user} (role ${role})`,
      readOnlyBy:
        'one statement per request, and only after the engine’s own plan of it holds no writing operator; Snowflake has no read-only session, so use a role with SELECT and USAGE alone',
      excessRights: [...excess].sort(),
    };
  }

  close(): Promise<void> {
    return this.#connection.runner.close();
  }

  /** Asked once: parameters that a request cannot set, where they are not what they are everywhere else. */
  readonly #settingNotices = once((running: AbortSignal) => this.#readSettings(running));

  async #readSettings(running: AbortSignal): Promise<readonly Notice[]> {
    const present = new Map<string, string>();
    await this.#forEachRow('SHOW PARAMETERS IN SESSION', running, ({ key, value }) =>
      present.set(String(key).toUpperCase(), value ?? ''),
    );
    return watchedNotices(SESSION_SETTINGS.snowflake, (name) => present.get(name));
  }

  async #plan(sql: string, running: AbortSignal): Promise<Plan> {
    let text = '';
    const explain = {
      sql: `EXPLAIN USING JSON\n${sql}`,
      timeoutMs: EXPLAIN_TIMEOUT_MS,
      onRows: (_columns: readonly SnowflakeColumn[], rows: readonly (readonly (string | null)[])[]) => {
        text += rows[0]?.[0] ?? '';
        return true;
      },
    };
    try {
      await this.#client.run(explain, running);
    } catch (error) {
      throw withOwnLines(error);
    }
    return readSnowflakePlan(text);
  }

  async #readAll(
    sql: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly SnowflakeRow[]> {
    const all: SnowflakeRow[] = [];
    await this.#connection.runner.run({ timeoutMs, signal }, (running) =>
      this.#forEachRow(sql, running, (row) => all.push(row)),
    );
    return all;
  }

  /** For statements of our own, which need no plan. */
  #forEachRow(sql: string, running: AbortSignal, onRow: (row: SnowflakeRow) => void): Promise<void> {
    return this.#client.run(
      {
        ...{ sql, timeoutMs: SCHEMA_TIMEOUT_MS },
        onRows: (columns, rows) => {
          const names = columns.map((column) => column.name.toLowerCase());
          for (const row of rows) onRow(Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])));
          return true;
        },
      },
      running,
    );
  }
}

function toCells(row: readonly (string | null)[], columns: readonly SnowflakeColumn[]) {
  return columns.map((column, index) => toSnowflakeCell(row[index] ?? null, column));
}

const PLAN = z.object({
  GlobalStats: z.object({ bytesAssigned: z.number().optional() }).optional(),
  Operations: z.array(z.array(z.object({ operation: z.string() }))),
});
/** Operators that change something. EXPLAIN takes SELECT, DML and CREATE TABLE AS; only the first is read. */
const WRITING = /^(?:insert|update|delete|merge|create|unload|copy|multi|alter|drop|truncate|replace)/i;
/** Ends the plan of every query. */
const READING_ROOT = 'result';

/**
 * Reads the text of `EXPLAIN USING JSON`; `bytes` is what remains after pruning. Throws `database.not-read-only` when
 * the plan does more than bring rows, and `database.bad-answer` when it cannot be read: then nothing is run.
 */
function readSnowflakePlan(text: string): Plan {
  let plan: z.infer<typeof PLAN>;
  try {
    plan = PLAN.parse(JSON.parse(text));
  } catch (error) {
    throw new CandorError('database.bad-answer', 'the plan cannot be read', { cause: error });
  }
  const operations = plan.Operations.flat().map(({ operation }) => operation);
  const writing = operations.find((operation) => WRITING.test(operation));
  if (writing !== undefined || !operations.some((operation) => operation.toLowerCase() === READING_ROOT)) {
    throw new CandorError(
      'database.not-read-only',
      `the engine’s plan holds ${writing ?? 'no result'}: not a reading statement`,
    );
  }
  const bytes = plan.GlobalStats?.bytesAssigned;
  return bytes === undefined ? {} : { bytes };
}
