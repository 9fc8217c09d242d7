/**
 * Snowflake's SQL API, version 2: a statement goes to `/api/v2/statements`, its handle is asked until it is done, large
 * results come in partitions. https://docs.snowflake.com/en/developer-guide/sql-api/reference
 */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { CandorError, type ErrorCode } from '../../errors.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { HttpAnswer, HttpSession } from '../http/http-session.ts';
import type { Started, TaskRunner } from '../http/task-runner.ts';
import { secondsToNanos, toDateText, toTimestampText, toTimeText } from '../http/time-text.ts';
import { toDecimalCell, toWholeCell } from '../rows/number-cell.ts';
import { SESSION_SETTINGS } from '../session-settings/index.ts';
import type { SnowflakeTarget, SnowflakeTokens } from './snowflake-target.ts';

const ROWS = z.array(z.array(z.string().nullable()));
const STATUS = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  sqlState: z.string().optional(),
  statementHandle: z.string().optional(),
});
const RESULT = STATUS.extend({
  resultSetMetaData: z.object({
    rowType: z.array(z.object({ name: z.string(), type: z.string(), scale: z.number().nullish() })),
    partitionInfo: z.array(z.unknown()).optional(),
  }),
  data: ROWS,
});
const PARTITION = z.object({ data: ROWS });

type Result = z.infer<typeof RESULT>;
type Status = z.infer<typeof STATUS>;

/** Snowflake's numbers of errors that mean something else than that the statement is wrong. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  '000604': 'database.cancelled',
  '000630': 'database.timeout',
  '003001': 'database.access-denied',
};
const PINNED_PARAMETERS = Object.fromEntries(
  SESSION_SETTINGS.snowflake.filter(({ hold }) => hold === 'pinned').map(({ name, value }) => [name, value]),
);
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export interface SnowflakeStatement {
  readonly sql: string;
  readonly timeoutMs: number;
  /** Rows that the server sends at most; all when absent. */
  readonly rowLimit?: number;
  /** Called with each partition; `false` ends the statement. */
  onRows(columns: readonly SnowflakeColumn[], rows: z.infer<typeof ROWS>): boolean;
}

interface RunningStatement extends Started {
  readonly handle: string;
  /** There at once when the server had it before it could answer with the handle alone. */
  readonly result: Result | null;
}

export class SnowflakeClient {
  readonly #target: SnowflakeTarget;
  readonly #session: HttpSession;
  readonly #runner: TaskRunner;
  readonly #tokens: SnowflakeTokens;

  constructor(
    target: SnowflakeTarget,
    session: HttpSession,
    parts: { readonly runner: TaskRunner; readonly tokens: SnowflakeTokens },
  ) {
    this.#target = target;
    this.#session = session;
    this.#runner = parts.runner;
    this.#tokens = parts.tokens;
  }

  /** Throws `database.query-failed` with the engine's words, `.timeout`, `.access-denied` or what the session throws. */
  run(statement: SnowflakeStatement, signal: AbortSignal): Promise<void> {
    return this.#runner.statement<RunningStatement, void>(signal, {
      start: (startSignal) => this.#submit(statement, startSignal),
      follow: async (running) => {
        const result = running.result ?? (await this.#untilDone(running, signal));
        running.isDone = true;
        const { rowType, partitionInfo } = result.resultSetMetaData;
        let isOpen = statement.onRows(rowType, result.data);
        for (let index = 1; isOpen && index < (partitionInfo?.length ?? 1); index++) {
          isOpen = statement.onRows(rowType, await this.#readPartition(running.handle, index, signal));
        }
      },
      cancel: (running, cancelSignal) =>
        this.#send('POST', `/${encodeURIComponent(running.handle)}/cancel`, cancelSignal),
    });
  }

  /** Asks for the handle alone, so that there is always something to cancel. */
  async #submit(statement: SnowflakeStatement, signal: AbortSignal): Promise<RunningStatement> {
    const { database, schema, warehouse, role } = this.#target;
    const body = {
      statement: statement.sql,
      // Zero would mean a week.
      timeout: Math.max(1, Math.ceil(statement.timeoutMs / 1000)),
      database,
      schema,
      warehouse,
      role,
      parameters: {
        MULTI_STATEMENT_COUNT: '1',
        QUERY_TAG: 'candor',
        ...PINNED_PARAMETERS,
        ...(statement.rowLimit === undefined ? {} : { ROWS_PER_RESULTSET: String(statement.rowLimit) }),
      },
    };
    const answer = await this.#send('POST', '?async=true', signal, JSON.stringify(body));
    const result = this.#readResult(answer);
    if (result !== null) return { handle: result.statementHandle ?? '', result, isDone: true };
    const { statementHandle } = this.#parse(STATUS, answer);
    if (statementHandle === undefined) throw this.#session.badAnswer('the server gave no statement handle');
    return { handle: statementHandle, result: null, isDone: false };
  }

  async #untilDone(running: RunningStatement, signal: AbortSignal): Promise<Result> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      let answer: HttpAnswer;
      try {
        answer = await this.#send('GET', `/${encodeURIComponent(running.handle)}`, signal);
        const result = this.#readResult(answer);
        if (result !== null) return result;
      } catch (error) {
        // The server has ended it: nothing is left to cancel.
        running.isDone = error instanceof CandorError && error.data.engineCode !== undefined;
        throw error;
      }
      await wait(pause, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }

  async #readPartition(handle: string, index: number, signal: AbortSignal): Promise<z.infer<typeof ROWS>> {
    const answer = await this.#send('GET', `/${encodeURIComponent(handle)}?partition=${index}`, signal);
    this.#throwFailure(answer);
    return this.#parse(PARTITION, answer).data;
  }

  async #send(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: string): Promise<HttpAnswer> {
    return this.#session.send({
      method,
      url: `${this.#target.origin}/api/v2/statements${path}`,
      headers: {
        ...(await this.#tokens.headers(signal)),
        'content-type': 'application/json',
        accept: 'application/json',
      },
      ...(body === undefined ? {} : { body }),
      signal,
    });
  }

  /** `null` while the statement runs. */
  #readResult(answer: HttpAnswer): Result | null {
    if (answer.status === 202) return null;
    this.#throwFailure(answer);
    return this.#parse(RESULT, answer);
  }

  #throwFailure(answer: HttpAnswer): void {
    if (answer.status === 200) return;
    const failure = this.#readFailure(answer);
    const words = failure.message ?? `HTTP ${answer.status}`;
    const data = { engineCode: failure.code ?? String(answer.status) };
    if (answer.status === 401 || answer.status === 403) {
      throw new CandorError('database.access-denied', `Snowflake refuses the login: ${words}`);
    }
    if (answer.status === 408) throw new CandorError('database.timeout', words, { data });
    if (answer.status !== 422 && answer.status !== 400) {
      throw this.#session.badAnswer(`the server answered HTTP ${answer.status}: ${words}`);
    }
    throw new CandorError(CODES[failure.code ?? ''] ?? 'database.query-failed', words, { data });
  }

  /** An answer that tells of a failure may come from a gateway, in any form. */
  #readFailure(answer: HttpAnswer): Status {
    try {
      return STATUS.parse(JSON.parse(answer.body));
    } catch {
      return {};
    }
  }

  #parse<T extends z.ZodType>(schema: T, answer: HttpAnswer): z.infer<T> {
    let value: unknown;
    try {
      value = JSON.parse(answer.body);
    } catch {
      throw this.#session.badAnswer('an answer is not JSON');
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw this.#session.badAnswer(`an answer is not of Snowflake’s SQL API: ${parsed.error.message}`);
  }
}

/**
 * Values of Snowflake's SQL API as cells. Every value is a text:
 * https://docs.snowflake.com/en/developer-guide/sql-api/handling-responses#getting-the-data-from-the-results
 */
export interface SnowflakeColumn {
  readonly name: string;
  /** Lower or upper case, as `fixed`. */
  readonly type: string;
  readonly scale?: number | null;
}

const SECONDS = /^-?\d+(?:\.\d+)?$/;

/** A date or time that the account's own output format has already made readable stays as it is. */
export function toSnowflakeCell(value: string | null, column: SnowflakeColumn): Cell {
  if (value === null) return null;
  switch (column.type.toLowerCase()) {
    case 'fixed':
    case 'number':
      return (column.scale ?? 0) === 0 && /^-?\d+$/.test(value) ? toWholeCell(value) : toDecimalCell(value);
    case 'decfloat':
      return toDecimalCell(value);
    case 'real':
    case 'float':
      return toFloat(value);
    case 'boolean':
      return value === 'true' || value === '1';
    case 'date':
      return /^-?\d+$/.test(value) ? toDateText(Number(value)) : value;
    case 'time':
      return SECONDS.test(value) ? toTimeText(secondsToNanos(value)) : value;
    case 'timestamp_ntz':
      return SECONDS.test(value) ? toTimestampText(secondsToNanos(value)) : value;
    case 'timestamp_ltz':
    case 'timestamp_tz':
      return toUtcText(value);
    case 'binary':
      return new Uint8Array(Buffer.from(value, 'hex'));
    default:
      return value;
  }
}

/** Seconds since 1970 in UTC; behind a space, the offset in which TIMESTAMP_TZ was written. */
function toUtcText(value: string): string {
  const [seconds = ''] = value.split(' ');
  return SECONDS.test(seconds) ? `${toTimestampText(secondsToNanos(seconds))}+00` : value;
}

function toFloat(value: string): number {
  if (/^-?inf/i.test(value)) return value.startsWith('-') ? -Infinity : Infinity;
  return Number(value);
}
