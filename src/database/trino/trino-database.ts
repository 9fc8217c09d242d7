/** A Trino cluster, read over its client protocol. */

import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import { HttpSession } from '../http/http-session.ts';
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
import { warningNotices } from '../rows/warning-notices.ts';
import { SESSION_SETTINGS, watchedNotices } from '../session-settings/index.ts';
import { type ToCell, trinoCells } from './trino-cell.ts';
import { TrinoClient } from './trino-client.ts';
import { ASK_TIMEOUT_MS, readEstimates, readPartitionKeys } from './trino-estimates.ts';
import { type ForEachRow, type InTransaction, nullIfRefused, type TrinoScope } from './trino-parts.ts';
import { listTrinoTables, readTrinoTables, stampTrinoSchema } from './trino-schema.ts';
import type { TrinoTarget } from './trino-target.ts';

const STAMP_TIMEOUT_MS = 60_000;
const EXPLAIN_TIMEOUT_MS = 20_000;
const PLAN_TIMEOUT_MS = 10_000;
/** In which we ask it to. */
const ZONE = 'UTC';
const ANALYZE = /\banaly[sz]e\b/i;
const EXPLAIN = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*explain\b/i;

interface TrinoParts {
  readonly tables?: ScopeReader | undefined;
  /** Of one plan; a statement that takes longer is checked for names and types alone. */
  readonly planTimeoutMs?: number;
  /** The connection of another database to the same server. */
  readonly over?: Connection & { readonly zone: { name: string } };
}

export class TrinoDatabase implements Database {
  readonly dialect: DialectName = 'trino';
  readonly name: string;
  readonly url: string;
  readonly #target: TrinoTarget;
  readonly #scope: TrinoScope;
  readonly #runner: TaskRunner;
  readonly #client: TrinoClient;

  readonly #session: HttpSession;
  readonly #planTimeoutMs: number;
  /** In which the server runs our statements, told when it is reached. */
  readonly #zone: { name: string };

  /** Connects with the first query. */
  constructor(
    target: TrinoTarget,
    { tables = readScope(), planTimeoutMs = PLAN_TIMEOUT_MS, over }: TrinoParts = {},
  ) {
    this.#planTimeoutMs = planTimeoutMs;
    this.#zone = over?.zone ?? { name: ZONE };
    this.name = target.name;
    this.url = target.url;
    this.#target = target;
    this.#scope = { catalog: target.catalog, schema: target.schema, tables };
    const title = `Trino ${target.name} at ${new URL(target.origin).host}`;
    this.#session =
      over?.session ??
      new HttpSession({
        title,
        origins: [target.origin],
        secrets: target.secrets,
        mayBePlain: target.isPlain,
        ...(target.ca === undefined ? {} : { ca: target.ca }),
      });
    this.#runner = over?.runner ?? new TaskRunner({ title, url: target.url, session: this.#session });
    this.#client = new TrinoClient(target, this.#session, this.#runner);
  }

  /** Reaches the server and logs in; throws `database.not-found` when the catalog or the schema is not there. */
  open(signal?: AbortSignal): Promise<void> {
    const { catalog, schema } = this.#target;
    return this.#reading(STAMP_TIMEOUT_MS, signal, async (forEachRow) => {
      const sql = trinoWelcomeSql(catalog, schema);
      await forEachRow(sql, ([count, zone]) => {
        this.#zone.name = String(zone);
        if (count !== 0) return;
        const missing =
          schema === undefined ? `catalog ${catalog}` : `catalog ${catalog} with a schema ${schema}`;
        throw new CandorError('database.not-found', `there is no ${missing}`);
      });
    });
  }

  stamp(signal?: AbortSignal): Promise<string> {
    return this.#besideOneAnother(signal, (inTransaction) => stampTrinoSchema(inTransaction, this.#scope));
  }

  readSchema(signal?: AbortSignal): Promise<DatabaseSchema> {
    return this.#besideOneAnother(signal, async (inTransaction, all) => {
      const { tables, leftOut } = await readTrinoTables(inTransaction, this.#scope);
      const readText = (sql: string): Promise<string | null> =>
        this.#runner
          .run({ timeoutMs: ASK_TIMEOUT_MS, signal: all }, (running) => this.#readText(sql, running))
          .catch(nullIfRefused);
      const estimates = await readEstimates(tables, readText);
      const partitions = await readPartitionKeys(tables, inTransaction);
      const unread = [...leftOut, ...estimates.leftOut, ...partitions.leftOut];
      return {
        tables: tables.map((placed) => {
          const [estimatedRows, partitionKey] = [estimates.rows.get(placed), partitions.keys.get(placed)];
          return {
            ...placed.table,
            ...(estimatedRows === undefined ? {} : { estimatedRows }),
            ...(partitionKey === undefined ? {} : { partitionKey }),
          };
        }),
        foreignKeys: [],
        ...(this.#scope.catalog !== undefined && { home: { catalog: this.#scope.catalog } }),
        ...(unread.length === 0 ? {} : { leftOut: unread }),
      };
    });
  }

  /** None: the path of each statement has the engine's own functions alone, see `TrinoClient`. */
  async readOwnCode(): Promise<OwnCode> {
    return [];
  }

  query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult> {
    const { timeoutMs, scanBytes } = limits;
    return this.#runner.run({ timeoutMs, signal, sql }, async (running) => {
      const started = performance.now();
      const collector = new RowCollector(limits);
      let names: readonly string[] = [];
      let cells: readonly ToCell[] = [];
      let warnings = 0;
      await this.#client.inReadOnlyTransaction(running, timeoutMs, (transaction) =>
        this.#client.run(
          {
            ...{ sql, transaction, timeoutMs, scanBytes },
            onWarnings: (count) => {
              warnings = count;
            },
            onRows: (columns, rows) => {
              if (cells.length === 0) {
                names = columns.map((column) => column.name);
                cells = columns.map((column) => trinoCells(column.typeSignature));
              }
              return rows.every((row) =>
                collector.add(cells.map((toCell, index) => toCell(row[index] ?? null))),
              );
            },
          },
          running,
        ),
      );
      const zone = (): string => this.#zone.name;
      const notices = [...watchedNotices(SESSION_SETTINGS.trino, zone), ...warningNotices(warnings)];
      return collector.toResult(names, performance.now() - started, notices);
    });
  }

  explain(sql: string, signal?: AbortSignal): Promise<Plan> {
    return this.#runner.run({ timeoutMs: EXPLAIN_TIMEOUT_MS, signal, sql }, async (running) => {
      const isExplain = EXPLAIN.test(sql);
      if (isExplain && ANALYZE.test(sql)) {
        throw new CandorError('database.not-read-only', 'EXPLAIN ANALYZE would run the statement');
      }
      if (isExplain) {
        await this.#readText(sql, running);
        return {};
      }
      const late = AbortSignal.timeout(this.#planTimeoutMs);
      const planning = AbortSignal.any([running, late]);
      try {
        return readTrinoPlan(await this.#readText(`EXPLAIN (TYPE IO, FORMAT JSON)\n${sql}`, planning));
      } catch (error) {
        if (!late.aborted || running.aborted) throw withOwnLines(error);
      }
      // A plan asks connectors for statistics, which may take them minutes; this asks for names and types alone.
      try {
        await this.#readCell(`EXPLAIN (TYPE VALIDATE)\n${sql}`, running);
      } catch (error) {
        throw withOwnLines(error);
      }
      return {};
    });
  }

  describe(signal?: AbortSignal): Promise<ServerDescription> {
    return this.#reading(EXPLAIN_TIMEOUT_MS, signal, async (forEachRow) => {
      const found: unknown[] = [];
      await forEachRow('SELECT version(), current_user', (row) => found.push(...row));
      const rights = new Set<string>();
      const { catalog } = this.#target;
      if (catalog !== undefined) {
        const from = `${quoteName(catalog, 'trino')}.information_schema.table_privileges`;
        const sql = `SELECT DISTINCT privilege_type FROM ${from} WHERE privilege_type <> 'SELECT' ORDER BY 1`;
        await forEachRow(sql, ([right]) => rights.add(String(right)));
      }
      return {
        product: `Trino ${found[0]}`,
        user: String(found[1]),
        readOnlyBy:
          'START TRANSACTION READ ONLY around every query; it does not bind table functions that pass SQL on',
        excessRights: [...rights].map((right) => `${right} on tables of ${catalog}`),
      };
    });
  }

  /** The account of the URL still logs in; `X-Trino-User` is the person, whom it must be allowed to impersonate. */
  as({ user, role }: EngineIdentity): TrinoDatabase {
    const { roles: _ofTheAccount, ...others } = this.#target;
    const target = {
      ...others,
      user: user ?? this.#target.user,
      roles: role === undefined || role.includes('=') ? role : `system=ROLE{${role}}`,
    };
    const over = { session: this.#session, runner: this.#runner, zone: this.#zone };
    return new TrinoDatabase(target, {
      ...{ tables: this.#scope.tables, over },
      planTimeoutMs: this.#planTimeoutMs,
    });
  }

  listTables(signal?: AbortSignal): Promise<readonly string[]> {
    return this.#besideOneAnother(signal, (inTransaction) => listTrinoTables(inTransaction, this.#scope));
  }

  close(): Promise<void> {
    return this.#runner.close();
  }

  /** Statements that may run at the same time; the first error, or the caller's end, ends those on their way. */
  async #besideOneAnother<T>(
    signal: AbortSignal | undefined,
    work: (inTransaction: InTransaction, all: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const failing = new AbortController();
    const all = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal]);
    try {
      return await work((timeoutMs, read) => this.#reading(timeoutMs, all, read), all);
    } finally {
      failing.abort();
    }
  }

  #reading<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    read: (forEachRow: ForEachRow) => Promise<T>,
  ): Promise<T> {
    return this.#runner.run({ timeoutMs, signal }, (running) =>
      this.#client.inReadOnlyTransaction(running, timeoutMs, (transaction) =>
        read((sql, onRow) =>
          this.#client.run(
            {
              ...{ sql, transaction, timeoutMs },
              onRows: (_columns, rows) => {
                for (const row of rows) onRow(row);
                return true;
              },
            },
            running,
          ),
        ),
      ),
    );
  }

  /** The first cell of a statement's result, as text. */
  async #readText(sql: string, running: AbortSignal): Promise<string> {
    const text = await this.#readCell(sql, running);
    if (typeof text === 'string') return text;
    throw new CandorError('database.bad-answer', 'the plan is not a text');
  }

  async #readCell(sql: string, running: AbortSignal): Promise<unknown> {
    const rows: (readonly unknown[])[] = [];
    await this.#client.inReadOnlyTransaction(running, EXPLAIN_TIMEOUT_MS, (transaction) =>
      this.#client.run(
        {
          ...{ sql, transaction, timeoutMs: EXPLAIN_TIMEOUT_MS },
          onRows: (_columns, more) => {
            rows.push(...more);
            return true;
          },
        },
        running,
      ),
    );
    return rows[0]?.[0];
  }
}

/**
 * What a server is asked first: how often it has what the URL names (what the account may not see counts as not there),
 * and in which zone it runs our statements.
 */
function trinoWelcomeSql(catalog: string | undefined, schema: string | undefined): string {
  if (catalog === undefined) return 'SELECT 1, current_timezone()';
  const literal = (text: string): string => quoteText(text.toLowerCase(), 'trino');
  const isThere = `FROM system.metadata.catalogs WHERE catalog_name = ${literal(catalog)}`;
  if (schema === undefined) return `SELECT count(*), current_timezone() ${isThere}`;
  return `SELECT count(*), current_timezone() FROM system.jdbc.schemas
    WHERE table_catalog = ${literal(catalog)} AND table_schem = ${literal(schema)}`;
}

/** Estimates that Trino cannot make are the text "NaN". */
const ESTIMATE = z.object({
  outputRowCount: z.unknown(),
  outputSizeInBytes: z.unknown(),
  cpuCost: z.unknown(),
});
const IO_PLAN = z.object({
  inputTableColumnInfos: z.array(z.object({ estimate: ESTIMATE })),
  estimate: ESTIMATE,
});

/**
 * Reads the text of `EXPLAIN (TYPE IO, FORMAT JSON)`. `cost` is Trino's CPU estimate (bytes that pass through
 * operators), `bytes` the sum over the tables read; both are absent when the connector keeps no statistics.
 */
function readTrinoPlan(text: string): Plan {
  const { estimate, inputTableColumnInfos } = IO_PLAN.parse(JSON.parse(text));
  const rows = readNumber(estimate.outputRowCount);
  const cost = readNumber(estimate.cpuCost);
  const sizes = inputTableColumnInfos.map((table) => readNumber(table.estimate.outputSizeInBytes));
  const bytes = sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(cost === undefined ? {} : { cost }),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined;
}
